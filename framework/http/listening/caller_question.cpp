#include "listening/caller_question.hpp"

#include <exception>
#include <utility>
#include <variant>

#include "log/log.hpp"

namespace toolwire::http {
namespace {

/// Why somebody is not let in.
Refusal refusal_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const NotAuthenticated& error) {
    return refusal(401, error.what(), {{"WWW-Authenticate", error.challenge}});
  } catch (const NotAllowed& error) {
    if (error.challenge.empty()) return refusal(403, error.what());
    return refusal(403, error.what(), {{"WWW-Authenticate", error.challenge}});
  } catch (...) {
    return CallerQuestion::refusal_without_answer();
  }
}

CallerQuestion::Answer answer_of(Done<Principal>::Result&& result) {
  if (const auto* const failure = std::get_if<std::exception_ptr>(&result)) return {.refused = refusal_of(*failure)};
  auto& principal = std::get<Principal>(result);
  if (!principal.id.empty()) return {.principal = std::move(principal)};
  return {.refused = refusal(401, "it is not known who calls", {{"WWW-Authenticate", "Bearer"}})};
}

}  // namespace

void CallerQuestion::ask(const Authenticate& authenticate, const Request& head, std::function<void()> when_answered) {
  std::uint64_t number = 0;
  {
    const MutexLock lock(mutex_);
    number = ++number_;
    is_open_ = true;
    answer_.reset();
    when_answered_ = nullptr;
  }
  try {
    authenticate(head, Done<Principal>([self = shared_from_this(), number](Done<Principal>::Result&& result) {
                   self->on_result(number, std::move(result));
                 }));
  } catch (...) {  // then what it was given has been dropped, which counts as an answer
    process::log(LogLevel::error, "Port::authenticate has thrown; it is to tell its `done` why");
  }
  const MutexLock lock(mutex_);
  if (is_open_) when_answered_ = std::move(when_answered);
}

void CallerQuestion::on_result(std::uint64_t number, Done<Principal>::Result&& result) {
  std::function<void()> when_answered;
  {
    const MutexLock lock(mutex_);
    if (number != number_ || !std::exchange(is_open_, false)) return;
    answer_ = answer_of(std::move(result));
    when_answered = std::exchange(when_answered_, nullptr);
  }
  if (when_answered) when_answered();
}

bool CallerQuestion::is_open() const {
  const MutexLock lock(mutex_);
  return is_open_;
}

std::optional<CallerQuestion::Answer> CallerQuestion::take() {
  const MutexLock lock(mutex_);
  return std::exchange(answer_, std::nullopt);
}

void CallerQuestion::drop() {
  std::function<void()> dropped;  // outside of the lock
  const MutexLock lock(mutex_);
  is_open_ = false;
  answer_.reset();
  std::swap(dropped, when_answered_);
}

Refusal CallerQuestion::refusal_without_answer() {
  return refusal(503, "it cannot be found out who calls; try again later", {{"Retry-After", "1"}});
}

}  // namespace toolwire::http
