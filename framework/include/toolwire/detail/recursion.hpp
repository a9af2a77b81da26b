// Which types lie in which, and which in themselves. Independent of tables. Nobody but type_table_of.hpp includes this.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "toolwire/describe.hpp"

namespace toolwire::detail {

template <class T>
inline constexpr bool is_map = false;
template <class T>
requires requires {
  typename T::key_type;
  typename T::mapped_type;
}
inline constexpr bool is_map<T> = true;

/// std::map, std::unordered_map, and those of other libraries.
template <class T>
concept StringMap = is_map<T> && requires(T& map, std::string key) {
  requires std::is_same_v<typename T::key_type, std::string>;
  map[std::move(key)];
  map.clear();
};

/// What stands for a T in JSON.
template <Coded T>
using WireOf = std::remove_cvref_t<decltype(Codec<T>::to(std::declval<const T&>()))>;

template <class T>
inline constexpr bool is_fields = false;
template <class... F>
inline constexpr bool is_fields<Fields<F...>> = true;
template <class T>
consteval bool describes_by_fields() {
  if constexpr (Described<T>) {
    return is_fields<Description<T>>;
  } else {
    return true;
  }
}

/// Among the types above, it says that structs are not looked into.
struct OutsideOfStructs {};

/// Whether a T lies in a Part, as itself or deeper down; `Above` are the types around, which are looked into once.
template <class T, class Part, class... Above>
struct LiesIn {
  template <class... F>
  static consteval bool in_fields(const Fields<F...>*) {
    return (LiesIn<T, typename F::Value, Part, Above...>::check() || ...);
  }
  static constexpr bool is_above = (std::is_same_v<Part, Above> || ...);
  static consteval bool check() {
    if constexpr (std::is_same_v<T, Part>) {
      return true;
    } else if constexpr (Coded<Part> && !is_above) {
      return LiesIn<T, WireOf<Part>, Part, Above...>::check();
    } else if constexpr (Described<Part> && !is_above && !(std::is_same_v<OutsideOfStructs, Above> || ...)) {
      if constexpr (describes_by_fields<Part>()) return in_fields(static_cast<const Description<Part>*>(nullptr));
      return false;
    } else {
      return false;
    }
  }
};
template <class T, class Part, class... Above>
struct LiesIn<T, std::optional<Part>, Above...> : LiesIn<T, Part, Above...> {};
template <class T, class Part, class... Above>
struct LiesIn<T, std::unique_ptr<Part>, Above...> : LiesIn<T, Part, Above...> {};
template <class T, class Part, class... Above>
requires(!Coded<std::vector<Part>>) struct LiesIn<T, std::vector<Part>, Above...> : LiesIn<T, Part, Above...> {
};
template <class T, class Part, std::size_t N, class... Above>
struct LiesIn<T, std::array<Part, N>, Above...> : LiesIn<T, Part, Above...> {};
template <class T, class Part, class... Above>
requires(StringMap<Part> && !Coded<Part>) struct LiesIn<T, Part, Above...>
    : LiesIn<T, typename Part::mapped_type, Above...> {
};
template <class T, class... Part, class... Above>
struct LiesIn<T, std::tuple<Part...>, Above...> {
  static consteval bool check() { return (LiesIn<T, Part, Above...>::check() || ...); }
};
template <class T, class... Part, class... Above>
struct LiesIn<T, std::variant<Part...>, Above...> {
  static consteval bool check() { return (LiesIn<T, Part, Above...>::check() || ...); }
};

template <class T, class... F>
consteval bool lies_in_fields(const Fields<F...>*) {
  return (LiesIn<T, typename F::Value>::check() || ...);
}
template <class T>
consteval bool lies_in_itself() {
  if constexpr (!Coded<T> && describes_by_fields<T>()) {
    return lies_in_fields<T>(static_cast<const Description<T>*>(nullptr));
  } else {
    return false;
  }
}

/// Whether a struct lies in itself.
template <Described T>
inline constexpr bool is_recursive = lies_in_itself<T>();

}  // namespace toolwire::detail
