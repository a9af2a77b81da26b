// The tables of type_table.hpp for the types that have a JSON form; anything else does not compile, with a reason.
// Independent of what is done with the tables. Not for users: it may change.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "toolwire/describe.hpp"
#include "toolwire/detail/names.hpp"
#include "toolwire/detail/standard_codecs.hpp"
#include "toolwire/detail/type_table.hpp"
#include "toolwire/json.hpp"

namespace toolwire::detail {

/// `ShapeOf<T>::value` is the table of T.
template <class T>
struct ShapeOf;

template <>
struct ShapeOf<bool> {
  static constexpr Shape value{Kind::boolean};
};
template <>
struct ShapeOf<std::string> {
  static constexpr Shape value{Kind::string};
};
template <>
struct ShapeOf<std::string_view> {
  static constexpr Shape value{Kind::string_view};
};
template <>
struct ShapeOf<Json> {
  static constexpr Shape value{Kind::any};
};
template <>
struct ShapeOf<std::vector<bool>> {
  static constexpr Shape value{Kind::bit_list};
};

// Characters are left out: they are neither numbers nor strings to a reader.
template <class T>
inline constexpr bool is_character =
    std::is_same_v<T, char> || std::is_same_v<T, wchar_t> || std::is_same_v<T, char8_t> ||
    std::is_same_v<T, char16_t> || std::is_same_v<T, char32_t>;
template <class T>
concept WholeNumber = std::is_integral_v<T> && !std::is_same_v<T, bool> && !is_character<T> && sizeof(T) <= 8;
template <class T>
concept RealNumber = std::is_same_v<T, float> || std::is_same_v<T, double>;

template <class T>
requires(WholeNumber<T> || RealNumber<T>) struct ShapeOf<T> {
  using Limits = std::numeric_limits<T>;
  static constexpr NumberShape value{{std::is_integral_v<T> ? Kind::integer : Kind::real},
                                     sizeof(T),
                                     Limits::is_signed,
                                     static_cast<long double>(Limits::lowest()),
                                     static_cast<long double>(Limits::max())};
};

template <class E>
requires(ScopedEnum<E> && !Coded<E>) struct ShapeOf<E> {
  static std::string_view name(std::size_t index) { return enumerators<E>()[index].name; }
  static void store(void* object, std::size_t index) { *static_cast<E*>(object) = enumerators<E>()[index].value; }
  static std::size_t index_of(const void* object) {
    std::size_t index = 0;
    while (index < enumerators<E>().size() && enumerators<E>()[index].value != *static_cast<const E*>(object)) ++index;
    return index;
  }
  static constexpr EnumerationShape value{{Kind::enumeration}, enumerators_of<E>.size(), &name, &store, &index_of};
};

// An absent value has a place in JSON only as a member that is left out.
template <class T>
inline constexpr bool can_be_contained = !Content<T>::is_optional;

template <class T>
struct ShapeOf<std::optional<T>> {
  static_assert(can_be_contained<T>, "toolwire: an optional of an optional has no JSON form");
  using Object = std::optional<T>;
  static void* get(void* object) {
    auto& held = *static_cast<Object*>(object);
    return held ? &*held : nullptr;
  }
  static void* emplace(void* object) { return &static_cast<Object*>(object)->emplace(); }
  static void reset(void* object) { static_cast<Object*>(object)->reset(); }
  static constexpr OptionalShape value{{Kind::optional}, &ShapeOf<T>::value, &get, &emplace, &reset};
};

template <class T>
requires(!Coded<std::vector<T>>) struct ShapeOf<std::vector<T>> {
  static_assert(can_be_contained<T>, "toolwire: an item of a vector cannot be optional; leave such items out");
  using Object = std::vector<T>;
  static std::size_t size(const void* object) { return static_cast<const Object*>(object)->size(); }
  static void* at(void* object, std::size_t index) { return &(*static_cast<Object*>(object))[index]; }
  static void* append(void* object) { return &static_cast<Object*>(object)->emplace_back(); }
  static void clear(void* object) { static_cast<Object*>(object)->clear(); }
  static constexpr ListShape value{{Kind::list}, &ShapeOf<T>::value, 0, &size, &at, &append, &clear};
};

template <class T, std::size_t N>
struct ShapeOf<std::array<T, N>> {
  static_assert(can_be_contained<T>, "toolwire: an item of an array cannot be optional");
  static_assert(N > 0, "toolwire: an array without items has no use in JSON");
  static std::size_t size(const void*) { return N; }
  static void* at(void* object, std::size_t index) { return &(*static_cast<std::array<T, N>*>(object))[index]; }
  static constexpr ListShape value{{Kind::array}, &ShapeOf<T>::value, N, &size, &at, nullptr, nullptr};
};

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

template <class T>
requires(StringMap<T> && !Coded<T>) struct ShapeOf<T> {
  using Item = typename T::mapped_type;
  static_assert(can_be_contained<Item>, "toolwire: a value of a map cannot be optional; leave such keys out");
  static void* insert(void* object, std::string_view key) { return &(*static_cast<T*>(object))[std::string(key)]; }
  static void clear(void* object) { static_cast<T*>(object)->clear(); }
  static void each(void* object, void* context, MapShape::Visit visit) {
    for (auto& [key, item] : *static_cast<T*>(object)) visit(context, key, &item);
  }
  static constexpr MapShape value{{Kind::map}, &ShapeOf<Item>::value, &insert, &clear, &each};
};

template <class... T>
struct ShapeOf<std::variant<T...>> {
  static_assert((Described<T> && ...), "toolwire: the alternatives of a variant are structs with describe()");
  using Object = std::variant<T...>;
  static std::size_t index(const void* object) { return static_cast<const Object*>(object)->index(); }
  static void* get(void* object) {
    return std::visit([](auto& held) -> void* { return &held; }, *static_cast<Object*>(object));
  }
  template <std::size_t... I>
  static void* emplace_one(Object& object, std::size_t index, std::index_sequence<I...>) {
    void* made = nullptr;
    ((I == index ? void(made = &object.template emplace<I>()) : void()), ...);
    return made;
  }
  static void* emplace(void* object, std::size_t index) {
    return emplace_one(*static_cast<Object*>(object), index, std::index_sequence_for<T...>{});
  }
  static constexpr const ObjectShape* alternatives[] = {&ShapeOf<T>::value...};
  static constexpr VariantShape value{{Kind::variant}, alternatives, sizeof...(T), &index, &get, &emplace};
};

template <class T>
inline constexpr bool has_schema = false;
template <class T>
requires requires { Codec<T>::schema(); }
inline constexpr bool has_schema<T> = true;

/// What stands for a T in JSON.
template <Coded T>
using WireOf = std::remove_cvref_t<decltype(Codec<T>::to(std::declval<const T&>()))>;

template <class T>
inline constexpr bool is_read_by_codec = false;
template <class T>
requires requires(T& value, WireOf<T> wire) { value = Codec<T>::from(std::move(wire)); }
inline constexpr bool is_read_by_codec<T> = true;

template <Coded T>
struct ShapeOf<T> {
  using Wire = WireOf<T>;
  static_assert(!Described<T>, "toolwire: a type has a description or a Codec, and not both");
  static_assert(std::is_default_constructible_v<T>, "toolwire: a type with a Codec needs a default constructor");
  static_assert(is_read_by_codec<T>,
                "toolwire: a Codec<T> has `static T from(Wire)`, which takes what its `to` returns");
  static_assert(!std::is_same_v<Wire, Json> || has_schema<T>,
                "toolwire: a Codec<T> whose `to` returns Json has `static Json schema()`, too");
  static_assert(can_be_contained<Wire>, "toolwire: a Codec<T> makes no optional; make the T optional");

  static void write(const void* object, void* context, void (*use)(void*, void*)) {
    Wire wire = Codec<T>::to(*static_cast<const T*>(object));
    use(context, &wire);
  }
  static void read(void* object, void* context, bool (*fill)(void*, void*)) {
    Wire wire{};
    if (fill(context, &wire)) *static_cast<T*>(object) = Codec<T>::from(std::move(wire));
  }
  static Json schema() { return Codec<T>::schema(); }
  static constexpr Json (*schema_or_null())() {
    if constexpr (has_schema<T>) {
      return &schema;
    } else {
      return nullptr;
    }
  }
  static constexpr CodedShape value{{Kind::coded}, &ShapeOf<Wire>::value, &write, &read, schema_or_null()};
};

// Whether T occurs again inside itself, directly or through containers; `Above` are the structs around it.
template <class T, class... Above>
struct ContainsItself {
  template <class... F>
  static consteval bool in_fields(const Fields<F...>*) {
    return (ContainsItself<typename F::Value, T, Above...>::check() || ...);
  }
  static consteval bool check() {
    if constexpr ((std::is_same_v<T, Above> || ...)) {
      return true;
    } else if constexpr (Coded<T>) {
      return ContainsItself<WireOf<T>, Above...>::check();
    } else if constexpr (Described<T>) {
      return in_fields(static_cast<const Description<T>*>(nullptr));
    } else {
      return false;
    }
  }
};
template <class T, class... Above>
struct ContainsItself<std::optional<T>, Above...> : ContainsItself<T, Above...> {};
template <class T, class... Above>
struct ContainsItself<std::vector<T>, Above...> : ContainsItself<T, Above...> {};
template <class T, std::size_t N, class... Above>
struct ContainsItself<std::array<T, N>, Above...> : ContainsItself<T, Above...> {};
template <StringMap T, class... Above>
struct ContainsItself<T, Above...> : ContainsItself<typename T::mapped_type, Above...> {};
template <class... T, class... Above>
struct ContainsItself<std::variant<T...>, Above...> {
  static consteval bool check() { return (ContainsItself<T, Above...>::check() || ...); }
};

template <class T>
inline constexpr bool owns_by_pointer = false;
template <class T>
requires requires(const T& owner) {
  typename T::element_type;
  owner.get();
  *owner;
}
inline constexpr bool owns_by_pointer<T> = true;

// A describe() that is no static function.
template <class T>
inline constexpr bool describes_objects = false;
template <class T>
requires(!Described<T> && (
                              requires(const T& object) { object.describe(); } ||
                              requires(const Describe<T>& outside) {
                                outside.describe();
                              })) inline constexpr bool describes_objects<T> = true;

template <class T>
inline constexpr bool has_constant_description = false;
template <class T>
requires requires { typename std::bool_constant<(static_cast<void>(description_of<T>()), true)>; }
inline constexpr bool has_constant_description<T> = true;

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

template <class T, class... F>
consteval bool are_members(const Fields<F...>*) {
  return (std::is_base_of_v<typename F::Owner, T> && ...);
}
template <class T>
consteval bool describes_its_members() {
  if constexpr (Described<T> && describes_by_fields<T>()) {
    return are_members<T>(static_cast<const Description<T>*>(nullptr));
  } else {
    return true;
  }
}

/// Structs. A type without a JSON form ends here, with a compile error that says why.
template <class T>
struct ShapeOf {
  static_assert(!std::is_pointer_v<T>,
                "toolwire: this type has no JSON form: a pointer; use the value itself, std::optional for one that may "
                "be absent, std::string for text");
  static_assert(!owns_by_pointer<T>,
                "toolwire: this type has no JSON form: a pointer; use the value itself, or std::optional for one that "
                "may be absent");
  static_assert(
      !is_character<T>,
      "toolwire: this type has no JSON form: a single character; use std::string for text, std::uint8_t for a "
      "number");
  static_assert(
      !std::is_enum_v<T> || !std::is_convertible_v<T, int>,
      "toolwire: this type has no JSON form: a plain enum; make it an enum class, whose names are its values");
  static_assert(!std::is_same_v<T, long double>,
                "toolwire: this type has no JSON form: a long double; numbers in JSON are no longer than double");
  static_assert(!is_map<T>, "toolwire: this type has no JSON form: the keys of a map are std::string");
  static_assert(!describes_objects<T>,
                "toolwire: make describe() of this struct static: `static constexpr auto describe()`");
  static_assert(
      Described<T> || std::is_class_v<T>,
      "toolwire: this type has no JSON form; use bool, a number, std::string, an enum class, std::optional, "
      "std::vector, std::array, std::map<std::string, T>, std::variant, toolwire::Json, a struct with describe(), "
      "or a type with a toolwire::Codec");
  static_assert(
      Described<T> || !std::is_class_v<T>,
      "toolwire: add `static constexpr auto describe()` to this struct (see toolwire/describe.hpp), or, if it is "
      "not yours, specialise toolwire::Describe or toolwire::Codec for it; of the standard's classes those "
      "named in toolwire/convert.hpp have a JSON form");
  static_assert(describes_by_fields<T>(), "toolwire: describe() returns toolwire::fields(...), also for one field");
  static_assert(!Described<T> || has_constant_description<T>,
                "toolwire: describe() is no constant: make it `static constexpr auto describe()`; where it is, what "
                "follows names the mistake in it");
  static_assert(describes_its_members<T>(), "toolwire: a field in describe() is a member of another struct");
  static_assert(std::is_default_constructible_v<T>, "toolwire: a described struct needs a default constructor");
  static_assert(!ContainsItself<T>::check(),
                "toolwire: this struct contains itself; its schema would have no end, as nested types are inlined");

  template <class F>
  static void* member(void* owner) {
    return &(static_cast<T*>(owner)->*F::pointer);
  }
  template <class... F>
  static constexpr std::array<FieldShape, sizeof...(F)> table(const Fields<F...>& all) {
    return {FieldShape{static_cast<const F&>(all), &ShapeOf<typename F::Value>::value, &member<F>}...};
  }
  static void with_default(void* context, void (*use)(void*, void*)) {
    T object{};
    use(context, &object);
  }
  static constexpr auto fields = table(description_of<T>());
  static constexpr ObjectShape value{{Kind::object}, fields.data(), fields.size(), &with_default};
};

}  // namespace toolwire::detail
