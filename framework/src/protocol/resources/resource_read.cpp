#include "protocol/resources/resource_read.hpp"

#include <atomic>
#include <exception>
#include <functional>
#include <utility>

#include "process/log.hpp"
#include "protocol/asking/asking.hpp"
#include "protocol/in_seconds.hpp"
#include "protocol/request_context.hpp"
#include "protocol/resources/read_result.hpp"

namespace toolwire::protocol {

/// One run of the function. A question ends it; the answers begin another.
struct ResourceRead::Round {
  Round(const ResourceRead& read, JsonObject given)
      : answers(std::move(given)), context(read.exchange().call->stop_token(), answers, meta_of(read.exchange())) {}
  const JsonObject answers;  // as of this run
  Context context;
  std::atomic<bool> concluded{false};
};

ResourceRead::ResourceRead(Exchange exchange) : exchange_(std::move(exchange)) {
  request_.uri = uri_in(exchange_);
  auto found = exchange_.connection->service.resources.find(request_.uri);
  if (!found) throw not_found(*exchange_.revision, request_.uri, "Resource not found");
  found_ = std::move(*found);
  request_.parameters = std::move(found_.parameters);
  answers_ = answers_in(*this);
  progress_ = progress_of(exchange_);
  time_left_ = found_.timeout();
}

void ResourceRead::run() {
  if (exchange_.call->is_over()) return;
  start_deadline();
  auto round = std::make_shared<Round>(*this, answers_);
  if (progress_) {
    round->context.report_progress_to(
        [progress = progress_](double done, std::optional<double> total, std::string_view message) {
          progress->report(done, total, message);
        });
  }
  const auto& executor = exchange_.connection->service.options.executor;
  if (!executor) return invoke(round);
  executor([self = shared_from_this(), round] { self->invoke(round); });
}

void ResourceRead::run_again(JsonObject more_answers) {
  for (auto& [key, answer] : more_answers) answers_[key] = std::move(answer);
  run();
}

void ResourceRead::invoke(const std::shared_ptr<Round>& round) {
  try {
    call_function(round);
  } catch (...) {
    conclude(round, error_in_flight());
  }
}

void ResourceRead::call_function(const std::shared_ptr<Round>& round) {
  if (const auto* now = std::get_if<ResourceHandler>(&found_.read()))
    return conclude(round, (*now)(request_, round->context));
  ResourceReply::Send send = [self = shared_from_this(), round](ResourceOutcome&& outcome) {
    self->conclude(round, std::move(outcome));
  };
  std::get<LaterResourceHandler>(found_.read())(request_, round->context, ResourceReply(std::move(send)));
}

/// What was not meant for the client goes to stderr, never to the wire.
ProtocolError ResourceRead::error_in_flight() const {
  const auto failed = [this](const std::string& what) {
    process::log("reading \"" + request_.uri + "\" failed: " + what);
    return ProtocolError(error_code::internal_error,
                         "Internal error: the resource could not be read; the log of its server says more",
                         JsonObject{{"uri", request_.uri}});
  };
  try {
    throw;
  } catch (const ProtocolError& error) {
    return error;
  } catch (const ResourceNotFound& error) {
    return not_found(*exchange_.revision, request_.uri, error.what());
  } catch (const InvalidArguments& error) {
    return unusable_parameters(request_.uri, error.what());
  } catch (const ToolError& error) {
    return ProtocolError(error_code::internal_error, error.what(), JsonObject{{"uri", request_.uri}});
  } catch (const std::exception& error) {
    return failed(error.what());
  } catch (...) {
    return failed("an exception that is not derived from std::exception");
  }
}

void ResourceRead::conclude(const std::shared_ptr<Round>& round, ResourceOutcome&& outcome) {
  if (round->concluded.exchange(true) || exchange_.call->is_over()) return;
  if (auto* error = std::get_if<ProtocolError>(&outcome)) return fail(*error);
  if (auto* result = std::get_if<ResourceResult>(&outcome)) return answer(*result);
  try {
    ask_client(shared_from_this(), std::move(std::get<Questions>(outcome)));
  } catch (const ProtocolError& error) {
    fail(error);
  }
}

void ResourceRead::answer(const ResourceResult& result) {
  if (progress_) progress_->send_held_back();
  answer_with_contents(exchange_, request_.uri, found_, result);
  pause_deadline();
  exchange_.connection->crew.flush_from_outside();
}

void ResourceRead::fail(const ProtocolError& error) {
  exchange_.fail(error);
  pause_deadline();
  exchange_.connection->crew.flush_from_outside();
}

void ResourceRead::start_deadline() {
  if (found_.timeout().count() <= 0) return;
  std::lock_guard lock(deadline_mutex_);
  deadline_ = exchange_.connection->crew.at(runtime::Timers::Clock::now() + time_left_, [weak = weak_from_this()] {
    if (auto self = weak.lock()) self->timed_out();
  });
}

void ResourceRead::pause_deadline() {
  std::lock_guard lock(deadline_mutex_);
  if (!deadline_) return;
  exchange_.connection->crew.forget(*deadline_);
  time_left_ = deadline_->first - runtime::Timers::Clock::now();
  deadline_.reset();
}

void ResourceRead::timed_out() {
  const std::string limit = in_seconds(found_.timeout());
  if (!exchange_.call->is_over())
    process::log("resource \"" + request_.uri + "\" was not read within " + limit + "; it is told to stop");
  fail(ProtocolError(error_code::internal_error, "Internal error: the resource was not read within " + limit,
                     JsonObject{{"code", "timeout"}, {"retryable", true}, {"uri", request_.uri}}));
  exchange_.call->request_stop();
}

}  // namespace toolwire::protocol
