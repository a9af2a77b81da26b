// Input requests in legacy revisions: requests of the server's own (2025-11-25 client/elicitation), whose answers run
// the tool again.
#include <functional>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "json/writer.hpp"
#include "protocol/input_requests/client_ability.hpp"
#include "protocol/input_requests/input_requests.hpp"
#include "protocol/input_requests/question_params.hpp"
#include "protocol/request.hpp"
#include "protocol/tasks/task.hpp"
#include "system/later.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::protocol {
namespace {

Json cancelled_answer() { return JsonObject{{"action", "cancel"}}; }

/// The questions of one round. Held by the table of open requests, one share for each question. Thread-safe.
class LegacyInputRequests : public std::enable_shared_from_this<LegacyInputRequests> {
 public:
  explicit LegacyInputRequests(std::shared_ptr<Request> call) : call_(std::move(call)) {}

  /// Returns false if not all questions could be asked; then none was.
  bool ask(const Questions& questions) {
    expect(questions.list.size());
    for (const Question& question : questions.list) {
      auto id =
          connection().outgoing.open([self = shared_from_this(), key = question.key](jsonrpc::Response&& response) {
            self->answered(key, std::move(response));
          });
      if (!id) {
        for (std::uint64_t unsent : ids_) connection().outgoing.forget(unsent);
        return false;
      }
      ids_.push_back(*id);
      keys_.push_back(question.key);
    }
    for (std::size_t i = 0; i < ids_.size(); ++i) send(ids_[i], questions.list[i]);
    give_up_in_time();
    when_withdrawn_.emplace(questions.withdrawn, [weak = weak_from_this()] {
      if (auto self = weak.lock()) self->go_on_without("the answer is not needed any more");
    });
    connection().flush_from_outside();
    return true;
  }

  /// Withdraws the open questions and tells the client so (it may close the dialog).
  void take_back(std::string_view reason) {
    for (std::uint64_t id : ids_) {
      if (!connection().outgoing.forget(id)) continue;
      std::string line = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)";
      line.append(connection().outgoing.text_of(id)).append(",\"reason\":");
      json::write_string(line, reason);
      connection().output.append(line.append("}}"));
    }
    connection().flush_from_outside();
  }

 private:
  void expect(std::size_t answers) {
    const MutexLock lock(mutex_);
    missing_ = answers;
  }

  Connection& connection() { return *call_->exchange().connection; }

  void send(std::uint64_t id, const Question& question) {
    Json params = params_for(*call_->exchange().revision, question);
    remember_page(params);
    if (const Task* task = call_->exchange().task) {
      if (!params.is_object()) params.emplace_object();
      params.get_object()["_meta"] = task->related();
    }
    std::string line = R"({"jsonrpc":"2.0","id":)";
    line.append(connection().outgoing.text_of(id)).append(",\"method\":");
    json::write_string(line, question.method);
    if (!params.is_null()) {
      line.append(",\"params\":");
      json::write(line, params);
    }
    connection().output.append(line.append("}"));
  }

  /// The end of what the user does on a page is reported to the client that opened it.
  void remember_page(const Json& params) {
    const Json* id = params.is_object() ? params.get_object().if_contains("elicitationId") : nullptr;
    if (id == nullptr || !id->is_string()) return;
    connection().service.open_pages.opened(std::string(std::string_view(id->get_string())),
                                           call_->exchange().connection);
  }

  void give_up_in_time() {
    std::weak_ptr<LegacyInputRequests> weak = weak_from_this();
    when_cancelled_.emplace(call_->exchange().call->stop_token(), [weak] {
      if (auto self = weak.lock()) self->take_back("the call was cancelled");
    });
    auto age = connection().service.options.limits.question_age;
    const MutexLock lock(mutex_);
    if (missing_ == 0) return;  // all are answered already, and nobody would take the timer back
    timer_ = connection().channel->at(system::later<engine::Timers::Clock>(age), [weak] {
      if (auto self = weak.lock()) self->go_on_without("nobody answered in time");
    });
  }

  /// What is not answered counts as cancelled by the user.
  void go_on_without(std::string_view why) {
    take_back(why);
    const MutexLock lock(mutex_);
    if (missing_ == 0) return;
    missing_ = 0;
    connection().channel->forget(timer_);
    for (const std::string& key : keys_) {
      if (!answers_.contains(key)) answers_[key] = cancelled_answer();
    }
    go_on(std::move(answers_));
  }

  void answered(const std::string& key, jsonrpc::Response&& response) {
    bool usable = !response.is_error && response.outcome.is_object();
    const MutexLock lock(mutex_);
    answers_[key] = usable ? std::move(response.outcome) : cancelled_answer();
    if (missing_ == 0 || --missing_ > 0) return;
    connection().channel->forget(timer_);
    go_on(std::move(answers_));
  }

  void go_on(JsonObject&& answers) {
    connection().channel->post([call = call_, answers = std::move(answers)]() mutable {
      if (Task* task = call->exchange().task) task->goes_on();
      call->run_again(std::move(answers));
    });
  }

  const std::shared_ptr<Request> call_;
  std::vector<std::uint64_t> ids_;
  std::vector<std::string> keys_;
  Mutex mutex_;
  JsonObject answers_ TOOLWIRE_GUARDED_BY(mutex_);
  std::size_t missing_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  engine::Timers::Handle timer_ TOOLWIRE_GUARDED_BY(mutex_);
  std::optional<std::stop_callback<std::function<void()>>> when_cancelled_;
  std::optional<std::stop_callback<std::function<void()>>> when_withdrawn_;
};

}  // namespace

void request_legacy_input(const std::shared_ptr<Request>& request, Questions&& questions) {
  for (const Question& question : questions.list) {
    const Exchange& exchange = request->exchange();
    if (can_answer(*exchange.revision, exchange.client_capabilities(), question)) continue;
    return request->fail_with_code(
        "cannot_ask", request->subject() + " asks " + wish_of(question) + ", and this client cannot do that", false);
  }
  request->pause_clock();
  if (Task* task = request->exchange().task) task->waits_for_input();
  if (std::make_shared<LegacyInputRequests>(request)->ask(questions)) return;
  request->fail_with_code("busy", "Too many questions to the user are open; try again later", true);
}

}  // namespace toolwire::protocol
