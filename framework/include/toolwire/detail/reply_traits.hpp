// What the handle of a function that answers later makes of its answers and errors. Nobody but reply.hpp, prompt.hpp
// and resource.hpp includes this.
#pragma once

#include <string>
#include <utility>

#include "toolwire/error.hpp"
#include "toolwire/result.hpp"

namespace toolwire {

template <class Outcome>
class BasicReply;

namespace detail {

ProtocolError given_up_without_answer();

/// How a reply makes an outcome. Outcomes in general carry a ProtocolError for what went wrong; tools have results for
/// that.
template <class Outcome>
struct ReplyTraits {
  template <class T>
  static Outcome outcome_of(T&& value) {
    return Outcome(std::forward<T>(value));
  }
  static Outcome error(const std::string& text) { return ProtocolError(error_code::internal_error, text); }
  static Outcome dropped() { return given_up_without_answer(); }
};

template <>
struct ReplyTraits<AnyOutcome> {
  template <class T>
  static AnyOutcome outcome_of(T&& value) {
    return to_outcome(std::forward<T>(value));
  }
  static AnyOutcome error(std::string text);
  static AnyOutcome dropped();
};

template <class T>
inline constexpr bool is_reply = false;
template <class Outcome>
inline constexpr bool is_reply<BasicReply<Outcome>> = true;

}  // namespace detail
}  // namespace toolwire
