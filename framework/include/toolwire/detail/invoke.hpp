// Calls a user's function with the parameters it declares, decoded. Nobody but tool.hpp, prompt.hpp and resource.hpp
// includes this.
#pragma once

#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "toolwire/context.hpp"
#include "toolwire/convert.hpp"
#include "toolwire/detail/reply_traits.hpp"
#include "toolwire/detail/signature.hpp"
#include "toolwire/detail/texts.hpp"
#include "toolwire/result.hpp"

namespace toolwire::detail {

struct NoArguments {
  static constexpr auto describe() { return fields(); }
};
template <class Parameters>
struct FirstParameter {
  using Type = NoArguments;
};
template <class A, class... Rest>
struct FirstParameter<std::tuple<A, Rest...>> {
  using Type = std::conditional_t<std::is_same_v<A, Context> || is_reply<A>, NoArguments, A>;
};

template <class T>
T decode_arguments(const Json& json) {
  T arguments{};
  decode_or_throw(readable_shape<T>(), json, &arguments);
  return arguments;
}

/// The arguments of a call whose result comes later, which it may refer to until then. JSON is kept by its request.
template <class T>
struct KeptArguments {
  explicit KeptArguments(const Json& json) : value(decode_arguments<T>(json)) {}
  T&& take() { return std::move(value); }
  T value;
};
template <>
struct KeptArguments<Json> {
  explicit KeptArguments(const Json& json) : value(&json) {}
  const Json& take() const { return *value; }
  const Json* value;
};

/// Calls `handler` with whichever of (arguments, context, more…) it declares, in that order.
template <class F, class Arguments, class... More>
decltype(auto) invoke_with(F& handler, Arguments&& arguments, Context& context, More&&... more) {
  if constexpr (std::is_invocable_v<F&, Arguments&&, Context&, More&&...>) {
    return handler(std::forward<Arguments>(arguments), context, std::forward<More>(more)...);
  } else if constexpr (std::is_invocable_v<F&, Arguments&&, More&&...>) {
    return handler(std::forward<Arguments>(arguments), std::forward<More>(more)...);
  } else if constexpr (std::is_invocable_v<F&, Context&, More&&...>) {
    return handler(context, std::forward<More>(more)...);
  } else {
    return handler(std::forward<More>(more)...);
  }
}

template <class F, class... More>
decltype(auto) invoke_decoded(F& handler, const Json& json, Context& context, More&&... more) {
  using Arguments = typename FirstParameter<typename Signature<F>::Parameters>::Type;
  if constexpr (std::is_same_v<Arguments, Json>) {
    return invoke_with(handler, json, context, std::forward<More>(more)...);
  } else {
    return invoke_with(handler, decode_arguments<Arguments>(json), context, std::forward<More>(more)...);
  }
}

/// What `call`, which returns a Result, comes to.
template <class Result, class Call>
AnyOutcome outcome_of_call(const Call& call) {
  if constexpr (std::is_void_v<Result>) {
    call();
    return nothing_to_say();
  } else {
    return to_outcome(call());
  }
}

template <class F>
AnyOutcome call_now(F& handler, const Json& json, Context& context) {
  return outcome_of_call<typename Signature<F>::Result>(
      [&]() -> decltype(auto) { return invoke_decoded(handler, json, context); });
}

template <class Parameters>
inline constexpr bool answers_later = false;
template <class... A>
inline constexpr bool answers_later<std::tuple<A...>> = (is_reply<A> || ...);

template <class F>
decltype(auto) invoke_prompt(F& handler, const Json& texts, Context& context, auto&&... more) {
  using Arguments = typename FirstParameter<typename Signature<F>::Parameters>::Type;
  if constexpr (std::is_same_v<Arguments, Json>) {
    return invoke_with(handler, texts, context, std::forward<decltype(more)>(more)...);
  } else {
    return invoke_with(handler, decode_texts<Arguments>(texts), context, std::forward<decltype(more)>(more)...);
  }
}

}  // namespace toolwire::detail
