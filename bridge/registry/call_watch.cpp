#include "registry/call_watch.hpp"

#include <utility>

namespace toolwire::bridge {

CallWatch::~CallWatch() {
  stop_.reset();
  ended_without_outcome();
}

void CallWatch::stop_with(std::stop_token token) { stop_.emplace(std::move(token), Stop{*this}); }

void CallWatch::Stop::operator()() const {
  if (const auto self = watch.weak_from_this().lock()) self->ended_without_outcome();
}

void CallWatch::end(std::string_view code, const AnyOutcome& outcome) {
  stop_.reset();  // waits for a stop that is being told
  tell(code, &outcome);
}

void CallWatch::tell(std::string_view code, const AnyOutcome* outcome) {
  if (!told_.exchange(true)) ended_({code, Clock::now() - began_, outcome});
}

void CallWatch::ended_without_outcome() {
  tell(late_from_ && Clock::now() >= *late_from_ ? "timeout" : "cancelled", nullptr);
}

}  // namespace toolwire::bridge
