// What the description of a member asks about its type. Nobody but describe.hpp includes this.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

namespace toolwire::detail {

template <class T>
struct MemberPointer;
template <class C, class V>
struct MemberPointer<V C::*> {
  using Owner = C;
  using Value = V;
};

template <class T>
struct Content {
  using Type = T;
  static constexpr bool is_optional = false;
};
template <class T>
struct Content<std::optional<T>> {
  using Type = T;
  static constexpr bool is_optional = true;
};

template <class T>
struct Content<std::unique_ptr<T>> {
  using Type = T;
  static constexpr bool is_optional = true;
};

template <class T>
inline constexpr bool is_vector = false;
template <class T, class A>
inline constexpr bool is_vector<std::vector<T, A>> = true;
template <class A>
inline constexpr bool is_vector<std::vector<std::byte, A>> = false;  // one text

template <class T>
inline constexpr bool is_number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

// Not constexpr, so that reaching one of them while a description is evaluated stops the compiler and shows its name.
inline void the_lower_bound_is_above_the_upper_bound() {}
inline void the_bound_does_not_fit_the_type_of_the_member() {}
inline void two_fields_have_the_same_name() {}

}  // namespace toolwire::detail
