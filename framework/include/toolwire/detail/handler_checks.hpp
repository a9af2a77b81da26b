// What is wrong with the parameters of a user's function, each in one sentence, said before the compiler says anything
// else. Nobody but tool.hpp, prompt.hpp and resource.hpp includes this.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "toolwire/detail/conversion.hpp"
#include "toolwire/detail/reply_traits.hpp"
#include "toolwire/detail/signature.hpp"
#include "toolwire/json.hpp"

namespace toolwire {
class Context;
}

namespace toolwire::detail {

/// A mistake in a user's function; HandlerCheck has the sentence for each.
enum class HandlerFault {
  none,
  member_function,
  bound,
  no_signature,
  context_by_value,
  pointer,
  reply_by_reference,
  other_reply,
  order,
  changes_arguments,
  several_arguments,
  no_struct,
  result_beside_reply
};

template <class T>
inline constexpr bool is_context = std::is_same_v<std::remove_cvref_t<T>, Context>;
template <class T>
inline constexpr bool is_any_reply = is_reply<std::remove_cvref_t<T>>;
template <class T>
inline constexpr bool is_argument = !is_context<T> && !is_any_reply<T>;
template <class T>
inline constexpr bool can_be_changed = std::is_lvalue_reference_v<T> && !std::is_const_v<std::remove_reference_t<T>>;

/// Arguments, then the context, then the reply.
template <class... A>
consteval bool stand_in_order() {
  const int places[] = {0, (is_context<A> ? 1 : is_any_reply<A> ? 2 : 0)...};
  for (std::size_t i = 1; i < sizeof...(A) + 1; ++i) {
    if (places[i] < places[i - 1] || (places[i] > 0 && places[i] == places[i - 1])) return false;
  }
  return true;
}

/// A class that says nothing of itself is judged where its JSON form is looked for.
template <class A>
inline constexpr bool is_no_struct =
    !std::is_class_v<A> || std::is_convertible_v<A, std::string_view> || Content<A>::is_optional || is_vector<A> ||
    is_tuple<A> || is_variant<A> || Coded<A>;

template <class Reply, class Result, class... A>
consteval HandlerFault fault_of_parameters(std::tuple<A...> (*)()) {
  if ((std::is_same_v<std::remove_cv_t<A>, Context> || ...)) return HandlerFault::context_by_value;
  if (((std::is_pointer_v<std::remove_cvref_t<A>> && !std::is_convertible_v<A, std::string_view>) || ...))
    return HandlerFault::pointer;
  if (((is_any_reply<A> && std::is_lvalue_reference_v<A>) || ...)) return HandlerFault::reply_by_reference;
  if (((is_any_reply<A> && !std::is_same_v<std::remove_cvref_t<A>, Reply>) || ...)) return HandlerFault::other_reply;
  if (!stand_in_order<A...>()) return HandlerFault::order;
  if (((is_argument<A> && can_be_changed<A>) || ...)) return HandlerFault::changes_arguments;
  if ((is_any_reply<A> || ...) && !std::is_void_v<Result>) return HandlerFault::result_beside_reply;
  return HandlerFault::none;
}

template <class... A>
consteval HandlerFault fault_of_arguments(std::tuple<A...> (*)()) {
  if ((is_argument<A> + ... + 0) > 1) return HandlerFault::several_arguments;
  if (((is_argument<A> && is_no_struct<std::remove_cvref_t<A>>) || ...)) return HandlerFault::no_struct;
  return HandlerFault::none;
}

/// `arguments_are_named`: by args(…), so that there may be several and of any type.
template <class F, class Reply>
consteval HandlerFault fault_of_handler(bool arguments_are_named) {
  if constexpr (std::is_member_pointer_v<F>) {
    return HandlerFault::member_function;
  } else if constexpr (std::is_bind_expression_v<F>) {
    return HandlerFault::bound;
  } else if constexpr (!has_signature<F>) {
    return HandlerFault::no_signature;
  } else {
    using Stated = typename Signature<F>::Stated;
    const HandlerFault fault =
        fault_of_parameters<Reply, typename Signature<F>::Result>(static_cast<Stated (*)()>(nullptr));
    if (fault != HandlerFault::none || arguments_are_named) return fault;
    return fault_of_arguments(static_cast<Stated (*)()>(nullptr));
  }
}

/// Does not compile where a function cannot be a handler, and says why; `passed` lets what would follow be left out.
template <class F, class Reply, bool arguments_are_named = false>
struct HandlerCheck {
  static constexpr HandlerFault fault = fault_of_handler<F, Reply>(arguments_are_named);
  static constexpr bool passed = fault == HandlerFault::none;

  static_assert(fault != HandlerFault::member_function,
                "toolwire: a member function needs its object; write [&object](const Arguments& arguments) { return "
                "object.function(arguments); }");
  static_assert(fault != HandlerFault::bound, "toolwire: std::bind hides the types of the parameters; write a lambda");
  static_assert(fault != HandlerFault::no_signature,
                "toolwire: a handler is a function or a lambda whose parameter types are written out: no auto, no "
                "template, no overloads");
  static_assert(fault != HandlerFault::context_by_value, "toolwire: a handler takes the context as Context&");
  static_assert(fault != HandlerFault::pointer,
                "toolwire: a handler takes no pointers; it takes its arguments by value or const reference, and the "
                "context as Context&");
  static_assert(fault != HandlerFault::reply_by_reference,
                "toolwire: a handler takes its reply by value: it may keep it, and answer later");
  static_assert(fault != HandlerFault::other_reply,
                "toolwire: a tool answers later by Reply, a prompt by PromptReply, a resource by ResourceReply");
  static_assert(fault != HandlerFault::order,
                "toolwire: the parameters of a handler stand in this order: the arguments, Context&, the reply; each "
                "may be left out");
  static_assert(fault != HandlerFault::changes_arguments,
                "toolwire: a handler takes its arguments by value or const reference");
  static_assert(fault != HandlerFault::several_arguments,
                "toolwire: a handler takes its arguments as one struct with describe(); a tool may name its parameters "
                "instead: args(\"a\", \"b\")");
  static_assert(fault != HandlerFault::no_struct,
                "toolwire: the arguments of a handler are a struct with describe(); a tool may name its parameters "
                "instead: args(\"a\")");
  static_assert(fault != HandlerFault::result_beside_reply,
                "toolwire: a handler with a reply answers by it, and returns void");
};

}  // namespace toolwire::detail
