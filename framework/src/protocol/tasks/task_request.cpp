#include "protocol/tasks/task_request.hpp"

#include "json/fast.hpp"
#include "protocol/tasks/finished_task.hpp"
#include "protocol/tasks/task.hpp"
#include "protocol/tasks/task_requests.hpp"

namespace toolwire::protocol {
namespace {

/// Throws ProtocolError where there is none.
std::string_view task_id_in(const Exchange& exchange) {
  const Json* id = exchange.arguments().if_contains("taskId");
  if (id != nullptr && id->is_string()) return id->get_string();
  throw ProtocolError(error_code::invalid_params, "Invalid params: \"taskId\" must be a string, the id of a task");
}

}  // namespace

void TaskRequest::begin(Exchange&& exchange, Steps steps) {
  std::allocate_shared<TaskRequest>(json::Recycled<TaskRequest>(), std::move(exchange), std::move(steps))->go_on();
}

TaskRequest::TaskRequest(Exchange&& exchange, Steps steps)
    : exchange_(std::move(exchange)),
      connection_(exchange_.connection),
      call_(exchange_.call),
      steps_(std::move(steps)) {}

TaskRequest::~TaskRequest() {
  if (patience_) connection_->channel->forget(*patience_);
}

void TaskRequest::go_on() {
  if (call_->is_over()) return;
  try {
    steps_(*this);
  } catch (const ProtocolError& error) {
    fail(*call_, error);
  }
}

void TaskRequest::answered_later() {
  connection_->channel->post([self = shared_from_this()] { self->go_on(); });
}

/// What the store says; nothing if that comes later. Throws ProtocolError for its failure.
template <class T, class Ask>
std::optional<T> TaskRequest::answer(Ask ask) {
  auto said = asked<T>(ask);
  if (!said) return wait(), std::nullopt;
  if (const auto* why = std::get_if<std::exception_ptr>(&*said)) refuse_for_store(*why);
  return std::get<T>(std::move(*said));
}

/// At most for Limits::task_store.
void TaskRequest::wait() {
  if (waits_.exchange(true)) return;
  const auto until = engine::Timers::Clock::now() + connection_->service.options.limits.task_store;
  patience_ = connection_->channel->at(until, [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self || self->call_->is_over()) return;
    fail(*self->call_, store_is_late());
    self->connection_->channel->flush_from_outside();
  });
}

const TaskRecord* TaskRequest::find(std::optional<TaskRecord>& found) {
  if (found) return &*found;
  require_tasks(exchange_);
  const std::string_view id = task_id_in(exchange_);
  auto said = answer<std::optional<TaskRecord>>([&](auto done) { find_finished(exchange_, id, std::move(done)); });
  if (!said) return nullptr;
  found = std::move(*said);
  if (found) return &*found;
  throw ProtocolError(error_code::invalid_params,
                      "Invalid params: there is no task of this \"taskId\"; its time to live may have passed");
}

std::optional<bool> TaskRequest::cancel() {
  if (cancelled_) return cancelled_;
  if (is_over(task_->state.status)) return cancelled_ = false;
  if (const auto running = tasks().running(task_->id)) return cancelled_ = running->cancel();
  cancelled_ = answer<bool>([&](auto done) { tasks().cancel(*task_, std::move(done)); });
  if (cancelled_ == true) connection_->service.wake_owner(task_->id);
  return cancelled_;
}

std::optional<bool> TaskRequest::pass_on(const JsonObject& answers) {
  if (passed_on_) return passed_on_;
  passed_on_ =
      answer<bool>([&](auto done) { tasks().store().add_answers(task_->id, to_json_text(answers), std::move(done)); });
  if (passed_on_ == true) connection_->service.wake_owner(task_->id);
  return passed_on_;
}

const std::vector<TaskRecord>* TaskRequest::page(std::uint64_t after, std::size_t count) {
  if (!page_) {
    page_ = answer<std::vector<TaskRecord>>(
        [&](auto done) { tasks().list(after, count, exchange_.caller(), std::move(done)); });
  }
  return page_ ? &*page_ : nullptr;
}

std::optional<bool> TaskRequest::exists(std::string_view id) {
  const auto said =
      answer<std::optional<TaskRecord>>([&](auto done) { tasks().find(id, exchange_.caller(), std::move(done)); });
  if (!said) return std::nullopt;
  return said->has_value();
}

}  // namespace toolwire::protocol
