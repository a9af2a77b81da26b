// The parameters and the result of a user's function, read from its type. Independent of what they are for.
#pragma once

#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace toolwire::detail {

template <class F>
struct Signature : Signature<decltype(&F::operator())> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...) const> : Signature<R (*)(A...)> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...)> : Signature<R (*)(A...)> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...) const noexcept> : Signature<R (*)(A...)> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...) noexcept> : Signature<R (*)(A...)> {};
template <class R, class... A>
struct Signature<R (*)(A...) noexcept> : Signature<R (*)(A...)> {};
template <class R, class... A>
struct Signature<R (*)(A...)> {
  using Parameters = std::tuple<std::remove_cvref_t<A>...>;
  using Stated = std::tuple<A...>;  // as they are written: a list of types, never made
  using Result = std::remove_cvref_t<R>;
};

template <class T>
inline constexpr bool is_function_pointer = std::is_pointer_v<T>&& std::is_function_v<std::remove_pointer_t<T>>;

/// Whether there is one function with stated types: no template (`auto`), no overloads, nothing that cannot be called.
template <class F>
inline constexpr bool has_signature = is_function_pointer<F> || requires {
  &F::operator();
};

/// A function that can only be moved, in a form that can be copied: the copies are one function.
template <class F>
class SharedHandler {
 public:
  explicit SharedHandler(F&& handler) : handler_(std::make_shared<F>(std::move(handler))) {}

  template <class... A>
  requires std::is_invocable_v<F&, A...>
  decltype(auto) operator()(A&&... arguments) const { return (*handler_)(std::forward<A>(arguments)...); }

 private:
  std::shared_ptr<F> handler_;
};
template <class F>
struct Signature<SharedHandler<F>> : Signature<F> {};

/// How a function is kept in a std::function: one that holds a std::unique_ptr, for example, can only be moved.
template <class F>
using Kept =
    std::conditional_t<std::is_copy_constructible_v<F> || !std::is_move_constructible_v<F>, F, SharedHandler<F>>;

}  // namespace toolwire::detail
