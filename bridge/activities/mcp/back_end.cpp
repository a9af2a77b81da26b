#include "activities/mcp/back_end.hpp"

#include <algorithm>
#include <cstddef>
#include <future>
#include <stdexcept>
#include <utility>

#include <boost/json/monotonic_resource.hpp>

#include <toolwire/redact.hpp>

#include "activities/clean_text.hpp"

namespace toolwire::bridge::mcp {
namespace {
constexpr std::size_t usual_size = 512;  // of the arguments of a call
}  // namespace

BackEnd::BackEnd(BackEndOptions options)
    : options_(std::move(options)),
      log_("back-end \"" + options_.name + "\"", options_.log),
      questions_(options_.max_questions, options_.question_age),
      back_off_(options_.back_off),
      pinned_(options_.pinned) {
  if (options_.name.empty()) throw std::invalid_argument("a back-end needs a name");
  if (options_.command.empty()) throw std::invalid_argument("back-end \"" + options_.name + "\": no command is given");
}

BackEnd::~BackEnd() { end(); }

void BackEnd::end() {
  stop();
  const std::lock_guard only_one(ending_mutex_);
  if (supervisor_.joinable()) supervisor_.join();
}

void BackEnd::stop() {
  {
    const Lock lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  stop_.request_stop();
}

void BackEnd::start() {
  const Lock lock(mutex_);
  if (up_ || stopping_) return;
  wanted_ = true;
  wake(lock);
}

void BackEnd::wait_for_tools(std::chrono::milliseconds time) {
  Lock lock(mutex_);
  const auto failures = state_.failures;
  changed_.wait_for(lock, time, [&] { return stopping_ || pinned_ || state_.failures > failures; });
}

std::vector<Json> BackEnd::tools() const { return offered().tools; }

Listing BackEnd::offered() const {
  Listing offered = pinned();
  const Lock lock(mutex_);
  std::erase_if(offered.tools, [&](const Json& tool) { return gone_.contains(name_of(tool)); });
  return offered;
}

Listing BackEnd::pinned() const {
  const Lock lock(mutex_);
  return pinned_ ? *pinned_ : Listing{};
}

BackEndState BackEnd::state() const {
  const Lock lock(mutex_);
  BackEndState state = state_;
  state.running = up_;
  for (const auto& [tool, what] : differing_) state.changed.push_back(tool + ": " + what);
  return state;
}

std::vector<std::string> BackEnd::accept_changes() {
  std::vector<std::string> accepted;
  {
    const Lock lock(mutex_);
    if (stopping_ || !pinned_ || state_.starts == 0) return accepted;
    for (const auto& [tool, what] : differing_) accepted.push_back(tool);
    for (std::string& tool : missing_in(*pinned_, latest_)) accepted.push_back(std::move(tool));
    if (accepted.empty()) return accepted;
    pinned_ = latest_;
    differing_.clear();
    gone_.clear();
  }
  if (offer_changed_) offer_changed_();
  return accepted;
}

void BackEnd::call_tool(std::string_view tool, const Json& arguments, Context& context, Reply reply) {
  auto caller = std::make_unique<ToolCaller>(context, std::move(reply));
  // The copy takes its memory in one piece and gives it back as a whole.
  JsonObject params(boost::json::make_shared_resource<boost::json::monotonic_resource>(usual_size));
  params.emplace("name", tool);
  params.emplace("arguments", arguments);
  request("tools/call", std::move(params), std::move(caller));
}

void BackEnd::request(std::string method, JsonObject params, std::unique_ptr<Caller> caller) {
  const JsonObject& answers = caller->context().answers();
  if (!answers.empty()) {
    const auto found = questions_.take(answers);
    if (found.request) return found.request->resume(std::move(caller), found.prefix, answers);
    if (found.answered) {
      return caller->fail({"question_lost",
                           "The call of \"" + options_.name +
                               "\" that asked this is gone: it was given up, or answered before. Call again.",
                           true});
    }
  }
  BackLine& line = *this;
  const auto fresh = std::make_shared<BackRequest>(line, std::move(method), std::move(params), std::move(caller));
  fresh->begin();
  dispatch(fresh);
}

std::optional<Trouble> BackEnd::refusal(std::string_view tool) const {
  const auto differing = differing_.find(tool);
  if (differing == differing_.end()) return std::nullopt;
  return Trouble{"changed",
                 "The tool \"" + std::string(tool) + "\" of \"" + options_.name +
                     "\" is not what it was when it was accepted: " + differing->second +
                     ". It can be called again once the operator has accepted the change.",
                 false};
}

void BackEnd::dispatch(const std::shared_ptr<BackRequest>& request) {
  Lock lock(mutex_);
  if (const auto trouble = refusal(request->tool())) {
    lock.unlock();
    return request->fail(*trouble);
  }
  if (up_ && !stale_) {
    lock.unlock();
    if (send(request)) return;
    lock.lock();
  }
  put_off(request, lock);
}

/// False if nothing was sent because there is no server at this moment.
bool BackEnd::send(const std::shared_ptr<BackRequest>& request) {
  const std::shared_lock life(life_mutex_);
  if (!life_) return false;
  const std::optional<LogLevel> log_level = request->log_level();
  if (log_level) life_->hear_log(*log_level);
  if (log_level || !life_->client().server().modern) note_under_way(request);
  return request->send(life_->client());
}

/// Until the server runs and its list is known.
void BackEnd::put_off(const std::shared_ptr<BackRequest>& request, Lock& lock) {
  if (const auto trouble = no_server_soon(Clock::now())) {
    lock.unlock();
    return request->fail(*trouble);
  }
  waiting_.push_back(request);
  wanted_ = true;
  wake(lock);
}

std::optional<Trouble> BackEnd::no_server_soon(Clock::time_point now) const {
  if (stopping_) return Trouble{"unavailable", "The back-end \"" + options_.name + "\" is being ended.", false};
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(not_before_ - now);
  if (up_ || wait <= options_.max_wait) return std::nullopt;
  return Trouble{"unavailable",
                 "The back-end \"" + options_.name + "\" failed " + std::to_string(back_off_.in_a_row()) +
                     " times in a row; it is started again in " + std::to_string(wait.count()) + " ms. " +
                     state_.trouble,
                 true, wait.count()};
}

/// So that a question of a legacy server, which does not say what it belongs to, finds a call to go to the user with.
void BackEnd::note_under_way(const std::shared_ptr<BackRequest>& request) {
  const std::lock_guard lock(under_way_mutex_);
  if (under_way_.size() >= clean_up_at_) {
    std::erase_if(under_way_, [](const auto& weak) {
      const auto one = weak.lock();
      return one == nullptr || one->is_over();
    });
    clean_up_at_ = std::max<std::size_t>(64, 2 * under_way_.size());
  }
  under_way_.push_back(request);
}

/// The newest first.
std::vector<std::shared_ptr<BackRequest>> BackEnd::under_way() {
  std::vector<std::shared_ptr<BackRequest>> requests;
  const std::lock_guard lock(under_way_mutex_);
  for (auto weak = under_way_.rbegin(); weak != under_way_.rend(); ++weak) {
    if (auto one = weak->lock()) requests.push_back(std::move(one));
  }
  return requests;
}

/// A log message does not say what it belongs to; like a question it goes with the newest call that can take it.
void BackEnd::pass_log(const Json& message) {
  const JsonObject* members = message.if_object();
  const Json* level = members == nullptr ? nullptr : members->if_contains("level");
  const Json* data = members == nullptr ? nullptr : members->if_contains("data");
  const Json* logger = members == nullptr ? nullptr : members->if_contains("logger");
  if (level == nullptr || !level->is_string() || data == nullptr) return;
  const auto name = std::find(log_level_names.begin(), log_level_names.end(), std::string_view(level->get_string()));
  if (name == log_level_names.end()) return;
  std::string from = options_.name;
  if (logger != nullptr && logger->is_string()) from += "/" + clean_text(logger->get_string());
  const Json said = data->is_string() ? Json(redact(clean_text(data->get_string()))) : *data;
  for (const auto& request : under_way()) {
    if (request->log(static_cast<LogLevel>(name - log_level_names.begin()), said, from)) return;
  }
}

std::optional<Json> BackEnd::ask_now(std::string_view method, const JsonObject& params,
                                     std::chrono::milliseconds timeout) {
  const auto answer = std::make_shared<std::promise<std::optional<Json>>>();
  {
    const std::shared_lock life(life_mutex_);
    if (!life_) return std::nullopt;
    try {
      life_->client().start_request(method, params, {.timeout = timeout}, [answer](RequestOutcome&& outcome) {
        Json* result = std::get_if<Json>(&outcome);
        answer->set_value(result == nullptr ? std::nullopt : std::optional<Json>(std::move(*result)));
      });
    } catch (const ConnectionError&) {
      return std::nullopt;
    }
  }
  return answer->get_future().get();
}

/// The newest call first, since servers ask on behalf of what they have just begun; one that asks already only if all
/// do.
void BackEnd::carry(ServerRequest&& question) {
  if (!may_ask(question.method)) {
    log_("sent a request it may not send: " + question.method);
    return question.refuse(error_code::method_not_found, "a server may not send \"" + question.method + "\"");
  }
  const std::vector<std::shared_ptr<BackRequest>> carriers = under_way();
  for (const bool later : {false, true}) {
    for (const auto& carrier : carriers) {
      if (carrier->carry(question, later)) return;
    }
  }
  log_("asked with " + question.method + " while no call was under way that could bring it to the user");
  question.refuse(error_code::internal_error, "no call is under way that could bring this to the user");
}

std::optional<std::string> BackEnd::open_question(const std::shared_ptr<BackRequest>& request) {
  auto prefix = questions_.open(request, Clock::now());
  const Lock lock(mutex_);
  changed_.notify_all();  // it grows old
  return prefix;
}

}  // namespace toolwire::bridge::mcp
