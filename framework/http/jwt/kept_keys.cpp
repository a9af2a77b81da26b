#include "jwt/kept_keys.hpp"

#include <stdexcept>
#include <utility>
#include <variant>

#include "log/log.hpp"
#include "toolwire/detail/what_of.hpp"
#include "toolwire/text.hpp"

namespace toolwire::http::jwt {

KeptKeys::KeptKeys(std::string issuer, std::vector<const Algorithm*> algorithms, Fetch fetch,
                   std::function<Clock::time_point()> now)
    : issuer_(std::move(issuer)), algorithms_(std::move(algorithms)), fetch_(std::move(fetch)), now_(std::move(now)) {}

void KeptKeys::with(const std::optional<std::string>& id, const Algorithm& algorithm, Use use) {
  Keys keys;
  bool begins = false;
  {
    const MutexLock lock(mutex_);
    const bool is_known = has(id, algorithm);
    const bool is_old = keys_ && now_() - fetched_at_ >= usual_age;
    begins = (!is_known || is_old) && !is_fetching_ && may_fetch();
    if (begins) {
      is_fetching_ = true;
      tried_at_ = now_();
    }
    const bool waits = !is_known && is_fetching_ && waiting_.size() < max_waiting;
    if (waits) waiting_.push_back(std::exchange(use, nullptr));
    keys = keys_;
  }
  if (begins) begin_fetch();
  if (use) use(keys);
}

bool KeptKeys::may_fetch() const { return !tried_at_ || now_() - *tried_at_ >= (keys_ ? pause : first_pause); }

bool KeptKeys::has(const std::optional<std::string>& id, const Algorithm& algorithm) const {
  return keys_ && keys_->find(id ? &*id : nullptr, algorithm).candidates > 0;
}

void KeptKeys::begin_fetch() {
  Done<std::string> done(
      [self = shared_from_this()](Done<std::string>::Result&& result) { self->on_fetched(std::move(result)); });
  try {
    fetch_(std::move(done));
  } catch (...) {  // then what it was given has been dropped, which counts as an answer
    process::log(LogLevel::error, "fetching the keys of " + issuer_ + " has thrown; it is to tell its `done` why");
  }
}

void KeptKeys::on_fetched(Done<std::string>::Result&& result) {
  Keys fresh = read(std::move(result));
  std::vector<Use> waiting;
  {
    const MutexLock lock(mutex_);
    is_fetching_ = false;
    if (fresh) {
      keys_ = std::move(fresh);
      fetched_at_ = now_();
    }
    fresh = keys_;
    std::swap(waiting, waiting_);
  }
  for (const Use& use : waiting) use(fresh);
}

/// Null where it is no set of keys, which is said.
KeptKeys::Keys KeptKeys::read(Done<std::string>::Result&& result) const {
  std::string why;
  try {
    if (const auto* const failure = std::get_if<std::exception_ptr>(&result)) std::rethrow_exception(*failure);
    return std::make_shared<const KeySet>(std::get<std::string>(result), algorithms_);
  } catch (...) {
    why = detail::what_of(std::current_exception());
  }
  process::log(LogLevel::error, "the keys of " + issuer_ + " cannot be had (" + text::visible(why) +
                                    "); those from before, if there are any, still count");
  return nullptr;
}

}  // namespace toolwire::http::jwt
