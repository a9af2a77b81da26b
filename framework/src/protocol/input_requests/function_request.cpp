#include "protocol/input_requests/function_request.hpp"

#include <exception>

#include "log/log.hpp"
#include "protocol/in_seconds.hpp"
#include "protocol/input_requests/connect_context.hpp"
#include "types/one_line.hpp"

namespace toolwire::protocol {
FunctionRequest::Round::Round(const FunctionRequest& request)
    : answers(request.answers_), context({}, answers, request.exchange_.meta()) {}

FunctionRequest::FunctionRequest(Exchange&& exchange, std::chrono::milliseconds timeout)
    : exchange_(std::move(exchange)),
      timeout_(timeout),
      progress_(progress_of(exchange_)),
      log_(exchange_),
      time_left_(timeout) {}

void FunctionRequest::take_answers() { answers_ = answers_in(*this); }

void FunctionRequest::run() {
  if (exchange_.call->is_over()) return;
  start_deadline();
  auto round = std::make_shared<Round>(*this);
  connect_context(round->context, exchange_, log_, progress_);
  const auto& executor = exchange_.connection->service.options.executor;
  if (!executor) return invoke(round);
  executor([self = shared_from_this(), round] { self->invoke(round); });
}

void FunctionRequest::run_again(JsonObject more_answers) {
  for (auto& [key, answer] : more_answers) answers_[key] = std::move(answer);
  try {
    run();
  } catch (const ProtocolError& error) {
    fail(error);
  }
}

void FunctionRequest::ask(Questions&& questions) {
  try {
    ask_client(shared_from_this(), std::move(questions));
  } catch (const ProtocolError& error) {
    fail(error);
  }
}

void FunctionRequest::fail(const ProtocolError& error) {
  before_answer();
  exchange_.fail(error);
  after_answer();
}

ProtocolError FunctionRequest::error_of_exception() const {
  try {
    throw;
  } catch (const ProtocolError& error) {
    return error;
  } catch (const InvalidArguments& error) {
    return ProtocolError(error_code::invalid_params, "Invalid params: " + types::one_line(error.what()));
  } catch (const ToolError& error) {
    return ProtocolError(error_code::internal_error, error.what());
  } catch (const std::exception& error) {
    process::log(subject() + " failed: " + error.what());
  } catch (...) {
    process::log(subject() + " failed: an exception that is not derived from std::exception");
  }
  return ProtocolError(error_code::internal_error,
                       "Internal error: " + subject() + " failed unexpectedly; the log of its server says more",
                       JsonObject{{"code", "execution"}, {"retryable", false}});
}

void FunctionRequest::start_deadline() {
  if (timeout_.count() <= 0) return;
  std::lock_guard lock(deadline_mutex_);
  deadline_ = exchange_.connection->crew.at(runtime::Timers::Clock::now() + time_left_, [weak = weak_from_this()] {
    if (auto self = weak.lock()) self->timed_out();
  });
}

void FunctionRequest::pause_deadline() {
  std::lock_guard lock(deadline_mutex_);
  if (!deadline_) return;
  exchange_.connection->crew.forget(*deadline_);
  time_left_ = deadline_->first - runtime::Timers::Clock::now();
  deadline_.reset();
}

void FunctionRequest::timed_out() {
  const std::string limit = in_seconds(timeout_);
  if (!exchange_.call->is_over())
    process::log(subject() + " has not answered within " + limit + "; it is told to stop");
  fail_with_code("timeout", "Internal error: " + subject() + " timed out after " + limit, true);
  exchange_.call->request_stop();
}

void FunctionRequest::before_answer() {
  if (progress_) progress_->send_held_back();
  log_.close();
}

void FunctionRequest::after_answer() {
  pause_deadline();
  exchange_.connection->crew.flush_from_outside();
}

}  // namespace toolwire::protocol
