// The parameters and the result of a user's function, read from its type. Independent of what they are for.
#pragma once

#include <tuple>
#include <type_traits>

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
  using Result = R;
};

template <class T>
inline constexpr bool is_function_pointer = std::is_pointer_v<T>&& std::is_function_v<std::remove_pointer_t<T>>;

/// Whether there is one function with stated types: no template (`auto`), no overloads, nothing that cannot be called.
template <class F>
inline constexpr bool has_signature = is_function_pointer<F> || requires {
  &F::operator();
};

}  // namespace toolwire::detail
