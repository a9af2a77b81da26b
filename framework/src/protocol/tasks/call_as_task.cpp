#include "protocol/tasks/call_as_task.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "json/writer.hpp"
#include "protocol/asker.hpp"
#include "protocol/busy.hpp"
#include "protocol/on_engine.hpp"
#include "protocol/request_for.hpp"
#include "protocol/tasks/task.hpp"
#include "protocol/tasks/task_requests.hpp"
#include "protocol/tasks/task_text.hpp"
#include "protocol/tasks/tasks.hpp"
#include "protocol/tools/tool_call.hpp"
#include "toolwire/detail/asking.hpp"
#include "toolwire/detail/task_work.hpp"

namespace toolwire::protocol {
namespace {

using std::chrono::milliseconds;

[[noreturn]] void refuse(const char* why) {
  throw ProtocolError(error_code::invalid_params, std::string("Invalid params: ") + why);
}

/// 2025-11-25: `"task": {"ttl": …}`; the member means nothing in 2026-07-28.
const Json* task_wish(const Exchange& exchange) {
  return exchange.revision->modern ? nullptr : exchange.arguments().if_contains("task");
}

std::optional<milliseconds> ttl_in(const Json* wish) {
  if (wish == nullptr) return std::nullopt;
  if (!wish->is_object()) refuse("\"task\" must be an object");
  const Json* ttl = wish->get_object().if_contains("ttl");
  if (ttl == nullptr) return std::nullopt;
  constexpr double longest = 1e15;  // thirty thousand years
  const double count = ttl->is_number() ? ttl->to_number<double>() : -1;
  if (!(count >= 0 && count <= longest)) refuse("\"task.ttl\" must be a number of milliseconds, 0 or more");
  return milliseconds(static_cast<std::int64_t>(count));
}

void append_created(std::string& out, const Exchange& exchange, const TaskRecord& task) {
  const auto poll = exchange.connection->service.tasks.options().poll_interval;
  out.append(exchange.revision->modern ? "{\"resultType\":\"task\"," : "{\"task\":{");
  append_task(out, task, *exchange.revision, poll);
  if (exchange.revision->modern) out.append(",").append(exchange.connection->service.result_meta_text());
  out.append("}}");
}

/// Tells the tool which task it works on, where work may outlive this process.
void name_task(Exchange& own, const Task& task, milliseconds limit) {
  if (detail::task_work_of(own.connection->service.tasks.store()) == nullptr) return;
  JsonObject meta;  // in memory of its own: that of the request is bounded
  for (const auto& [key, value] : own.meta()) meta[key] = value;
  meta[detail::task_member] = JsonObject{{"id", task.id()}, {"timeMs", limit.count()}};
  own.own_meta = std::make_shared<const Json>(std::move(meta));
  own.meta_member = own.own_meta.get();
}

/// The same request, with a call of its own that the client cannot name: neither its answer nor a
/// notifications/cancelled for the request is about the task any more.
Exchange exchange_of(Exchange& request, const std::shared_ptr<Task>& task, milliseconds limit) {
  Exchange own;
  own.connection = request.connection;
  own.revision = request.revision;
  own.params = std::move(request.params);
  own.meta_member = request.meta_member;
  own.own_meta = request.own_meta;
  own.client = request.client;
  own.bytes = request.bytes;
  runtime::InFlight& in_flight = request.connection->in_flight;
  in_flight.settle(
      *request.call);  // frees its place for the task's call, which needs one only while it enters the table
  auto [call, refusal] = in_flight.begin({"0", "t" + task->id()}, task);
  in_flight.settle(*call);
  task->runs_as(call);
  own.call = std::move(call);
  own.task = task.get();
  name_task(own, *task, limit);
  return own;
}

/// A call that is to become a task. It is admitted and stored before the client hears of the task, so that no task is
/// promised and then refused. Its steps run on the driver, and on the engine after a store has answered later.
class Beginning : public std::enable_shared_from_this<Beginning>, public detail::Asking<Beginning, bool> {
 public:
  Beginning(Exchange&& exchange, std::shared_ptr<const features::ServedTool> tool, std::optional<milliseconds> ttl)
      : exchange_(std::move(exchange)),
        tool_(std::move(tool)),
        task_(std::make_shared<Task>(exchange_.connection, *exchange_.revision,
                                     tasks().make(tool_->key(), ttl, exchange_.caller()))) {}

  /// Gives up a task that the client does not know yet.
  ~Beginning() {
    if (unbegun_) unbegun_->cancel();
  }

  void begin() {
    contained([this] {
      Exchange own = exchange_of(exchange_, task_, tool_->tool.info.timeout);
      unbegun_ = own.call;
      const auto request = std::make_shared<RequestFor<ToolCall>>(std::move(own));
      request->kind().has_found(tool_);
      if (tool_->line) request->stand_in(tool_->line);
      request_ = request;
      request_->prepare();
      if (admit() && keep()) promise();
    });
  }

  void answered_later() {
    exchange_.connection->channel->post([self = shared_from_this()] { self->go_on_later(); });
  }

 private:
  Tasks& tasks() const { return exchange_.connection->service.tasks; }

  template <class Body>
  void contained(Body body) {
    try {
      body();
    } catch (const ProtocolError& error) {
      exchange_.fail(error);
    }
  }

  /// Others that work on the request hold it; it is held here only as long as it may continue.
  bool admit() {
    const auto request = std::move(request_);
    admitting_ = request;
    const auto later = [self = shared_from_this()](const ProtocolError* refusal) { self->admitted(refusal); };
    if (!request->admit_answers(later)) return false;
    request_ = request;
    return true;
  }

  void admitted(const ProtocolError* refusal) {
    request_ = admitting_.lock();
    if (refusal == nullptr) return go_on_later();
    exchange_.fail(*refusal);
    exchange_.connection->channel->flush_from_outside();
  }

  /// Has the store keep the task. False if the answer comes later, or the task is refused.
  bool keep() {
    if (exchange_.call->is_over()) return false;  // the client has taken it back
    if (!engine_has_room(exchange_)) return refuse_busy(exchange_), false;
    const auto kept = asked<bool>([this](Done<bool> done) { tasks().add(task_, std::move(done)); });
    if (!kept) return false;
    const auto* why = std::get_if<std::exception_ptr>(&*kept);
    if (why == nullptr && std::get<bool>(*kept)) return true;
    tasks().forget(task_->id());
    if (why != nullptr) refuse_for_store(*why);
    return refuse_busy(exchange_), false;
  }

  void promise() {
    if (exchange_.call->is_over()) return;
    exchange_.call->answer([&](std::string& out) { append_created(out, exchange_, task_->record()); });
    task_->begins();
    unbegun_.reset();
    engine::Channel& channel = *exchange_.connection->channel;
    if (!later_) return channel.enqueue(std::move(request_), exchange_.bytes);
    channel.post([request = std::move(request_)] { request->run(); });
  }

  void go_on_later() {
    later_ = true;
    contained([this] {
      if (keep()) promise();
    });
    exchange_.connection->channel->flush_from_outside();
  }

  Exchange exchange_;
  const std::shared_ptr<const features::ServedTool> tool_;
  const std::shared_ptr<Task> task_;
  std::shared_ptr<runtime::Call> unbegun_;
  std::shared_ptr<Request> request_;
  std::weak_ptr<Request> admitting_;
  bool later_ = false;  // a store was slow: the driver has gone on to other things
};

}  // namespace

bool becomes_task(const Exchange& exchange, const ToolInfo& info) {
  if (!info.long_running || !exchange.revision->tasks) return false;
  const bool wished = exchange.revision->modern ? declares_tasks(exchange) : task_wish(exchange) != nullptr;
  if (!wished && info.only_as_task) {
    if (exchange.revision->modern) throw_tasks_required();
    throw ProtocolError(error_code::method_not_found,
                        "Method not found: \"" + info.name + "\" can only be called as a task");
  }
  // The call comes again with the answers (basic/patterns/mrtr); the task begins only then.
  const bool asks_first =
      info.asks_before_task && exchange.revision->modern && !exchange.arguments().contains("requestState");
  return wished && !asks_first;
}

bool call_as_task(Exchange& exchange) {
  const auto tool = tool_named_in(exchange);
  if (!tool || !is_visible(*tool, exchange)) return false;
  if (!tool->tool.info.long_running) {
    if (task_wish(exchange) == nullptr) return false;
    throw ProtocolError(error_code::method_not_found,
                        "Method not found: \"" + tool->tool.info.name + "\" cannot be called as a task");
  }
  if (!becomes_task(exchange, tool->tool.info)) return false;
  const auto ttl = ttl_in(task_wish(exchange));  // throws while the exchange is still the caller's, who answers it
  std::make_shared<Beginning>(std::move(exchange), tool, ttl)->begin();
  return true;
}

}  // namespace toolwire::protocol
