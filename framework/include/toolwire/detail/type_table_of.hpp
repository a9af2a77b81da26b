// The tables of type_table.hpp for the types that have a JSON form; anything else does not compile, with a reason.
// Independent of what is done with the tables. Not for users: it may change.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "toolwire/describe.hpp"
#include "toolwire/detail/names.hpp"
#include "toolwire/detail/recursion.hpp"
#include "toolwire/detail/standard_codecs.hpp"
#include "toolwire/detail/type_table.hpp"
#include "toolwire/json.hpp"

namespace toolwire::detail {

/// `ShapeOf<T>::value` is the table of T.
template <class T>
struct ShapeOf;

/// What a table has for a T that lies in something else: its table, or a reference where that would have no end.
template <class T>
inline constexpr const Shape* part = &ShapeOf<T>::value;

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
requires(NamedEnum<E> && !Coded<E>) struct ShapeOf<E> {
  static EnumeratorText text(std::size_t index) {
    return {enumerators<E>()[index].name, enumerators<E>()[index].title};
  }
  static void store(void* object, std::size_t index) { *static_cast<E*>(object) = enumerators<E>()[index].value; }
  static std::size_t index_of(const void* object) {
    std::size_t index = 0;
    while (index < enumerators<E>().size() && enumerators<E>()[index].value != *static_cast<const E*>(object)) ++index;
    return index;
  }
  static constexpr EnumerationShape value{{Kind::enumeration}, enumerators_of<E>.size(), &text, &store, &index_of};
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
  static constexpr OptionalShape value{{Kind::optional}, part<T>, &get, &emplace, &reset};
};

/// What it points to, or nothing: as an optional, which can lie in itself.
template <class T>
struct ShapeOf<std::unique_ptr<T>> {
  static_assert(can_be_contained<T>, "toolwire: an optional of an optional has no JSON form");
  using Object = std::unique_ptr<T>;
  static void* get(void* object) { return static_cast<Object*>(object)->get(); }
  static void* emplace(void* object) {
    auto& owner = *static_cast<Object*>(object);
    owner = std::make_unique<T>();
    return owner.get();
  }
  static void reset(void* object) { static_cast<Object*>(object)->reset(); }
  static constexpr OptionalShape value{{Kind::optional}, part<T>, &get, &emplace, &reset};
};

template <class T>
requires(!Coded<std::vector<T>>) struct ShapeOf<std::vector<T>> {
  static_assert(can_be_contained<T>, "toolwire: an item of a vector cannot be optional; leave such items out");
  using Object = std::vector<T>;
  static std::size_t size(const void* object) { return static_cast<const Object*>(object)->size(); }
  static void* at(void* object, std::size_t index) { return &(*static_cast<Object*>(object))[index]; }
  static void* append(void* object) { return &static_cast<Object*>(object)->emplace_back(); }
  static void clear(void* object) { static_cast<Object*>(object)->clear(); }
  static constexpr ListShape value{{Kind::list}, part<T>, 0, &size, &at, &append, &clear};
};

template <class T, std::size_t N>
struct ShapeOf<std::array<T, N>> {
  static_assert(can_be_contained<T>, "toolwire: an item of an array cannot be optional");
  static_assert(N > 0, "toolwire: an array without items has no use in JSON");
  static std::size_t size(const void*) { return N; }
  static void* at(void* object, std::size_t index) { return &(*static_cast<std::array<T, N>*>(object))[index]; }
  static constexpr ListShape value{{Kind::array}, part<T>, N, &size, &at, nullptr, nullptr};
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
  static constexpr MapShape value{{Kind::map}, part<Item>, &insert, &clear, &each};
};

template <class... T>
requires(!Coded<std::tuple<T...>>) struct ShapeOf<std::tuple<T...>> {
  static_assert(sizeof...(T) > 0, "toolwire: a tuple without items has no use in JSON");
  static_assert((can_be_contained<T> && ...), "toolwire: an item of a tuple cannot be optional");
  template <std::size_t I>
  static void* item(void* object) {
    return &std::get<I>(*static_cast<std::tuple<T...>*>(object));
  }
  template <std::size_t... I>
  static constexpr std::array<ItemShape, sizeof...(T)> table(std::index_sequence<I...>) {
    return {ItemShape{part<T>, &item<I>}...};
  }
  static constexpr auto items = table(std::index_sequence_for<T...>{});
  static constexpr TupleShape value{{Kind::tuple}, items.data(), items.size()};
};

template <class T>
inline constexpr bool has_schema = false;
template <class T>
requires requires { Codec<T>::schema(); }
inline constexpr bool has_schema<T> = true;

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
  static_assert(!LiesIn<T, Wire, OutsideOfStructs>::check(),
                "toolwire: a Codec<T> makes something that has a T in it; let a struct with describe() stand between");

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
  static constexpr CodedShape value{{Kind::coded}, part<Wire>, &write, &read, schema_or_null()};
};

// What tells the alternatives of a variant apart.
enum class JsonForm : unsigned char { none, boolean, whole_number, fraction, text, list, map, structure };

constexpr JsonForm form_of_kind(Kind kind) {
  switch (kind) {
    case Kind::boolean:
      return JsonForm::boolean;
    case Kind::integer:
      return JsonForm::whole_number;
    case Kind::real:
      return JsonForm::fraction;
    case Kind::string:
    case Kind::string_view:
    case Kind::enumeration:
      return JsonForm::text;
    case Kind::list:
    case Kind::bit_list:
    case Kind::array:
    case Kind::tuple:
      return JsonForm::list;
    case Kind::map:
      return JsonForm::map;
    default:
      return JsonForm::none;
  }
}

template <class T>
constexpr JsonForm form_of() {
  if constexpr (Coded<T>) {
    return form_of<WireOf<T>>();
  } else if constexpr (Described<T>) {
    return JsonForm::structure;
  } else {
    return form_of_kind(ShapeOf<T>::value.kind);
  }
}

template <std::size_t Count>
constexpr bool can_be_told_apart(const std::array<JsonForm, Count>& forms) {
  std::array<std::size_t, 8> found{};
  for (const JsonForm form : forms) ++found[static_cast<std::size_t>(form)];
  for (std::size_t form = 0; form < static_cast<std::size_t>(JsonForm::structure); ++form)
    if (found[form] > 1) return false;
  return found[static_cast<std::size_t>(JsonForm::map)] == 0 ||
         found[static_cast<std::size_t>(JsonForm::structure)] == 0;
}

template <class... T>
requires(!Coded<std::variant<T...>>) struct ShapeOf<std::variant<T...>> {
  static_assert((can_be_contained<T> && ...),
                "toolwire: an alternative of a variant cannot be optional; make the variant optional");
  static constexpr std::array<JsonForm, sizeof...(T)> forms{form_of<T>()...};
  static_assert(((form_of<T>() != JsonForm::none) && ...),
                "toolwire: an alternative of a variant is a bool, a number, a string, an enum, a list, a map or a "
                "struct; for anything at all use toolwire::Json");
  static_assert(can_be_told_apart(forms),
                "toolwire: the alternatives of a variant are told apart by what they are in JSON: there may be one "
                "bool, one whole number, one double or float, one string (or enum, or what is written as text), one "
                "list, and one map or any number of structs");
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
  static constexpr const Shape* alternatives[] = {part<T>...};
  static constexpr VariantShape value{{Kind::variant}, alternatives, sizeof...(T), &index, &get, &emplace};
};

template <class T>
struct ReferenceTo {
  static const ObjectShape& target() { return ShapeOf<T>::value; }
  static constexpr ReferenceShape value{
      {Kind::reference}, &target, type_name<T>(), LiesIn<std::string_view, T>::check()};
};
template <Described T>
requires(is_recursive<T>) inline constexpr const Shape* part<T> = &ReferenceTo<T>::value;

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
                "toolwire: this type has no JSON form: a pointer that others may hold, too; use the value itself, or "
                "std::optional or std::unique_ptr for one that may be absent");
  static_assert(
      !is_character<T>,
      "toolwire: this type has no JSON form: a single character; use std::string for text, std::uint8_t for a "
      "number");
  static_assert(
      !std::is_enum_v<T> || !std::is_convertible_v<T, int>,
      "toolwire: this type has no JSON form: an enum that does not state its underlying type; write `enum Name : int`, "
      "make it an enum class, or list its names by enumerator_names (see toolwire/detail/names.hpp)");
  static_assert(!std::is_same_v<T, long double>,
                "toolwire: this type has no JSON form: a long double; numbers in JSON are no longer than double");
  static_assert(!is_map<T>, "toolwire: this type has no JSON form: the keys of a map are std::string");
  static_assert(!describes_objects<T>,
                "toolwire: make describe() of this struct static: `static constexpr auto describe()`");
  static_assert(Described<T> || std::is_class_v<T>,
                "toolwire: this type has no JSON form; use bool, a number, std::string, an enum class, std::optional, "
                "std::vector, std::array, std::tuple, std::map<std::string, T>, std::variant, toolwire::Json, a struct "
                "with describe(), "
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

  template <class F>
  static void* member(void* owner) {
    return &(static_cast<T*>(owner)->*F::pointer);
  }
  template <class... F>
  static constexpr std::array<FieldShape, sizeof...(F)> table(const Fields<F...>& all) {
    return {FieldShape{static_cast<const F&>(all), part<typename F::Value>, &member<F>}...};
  }
  static void with_default(void* context, void (*use)(void*, void*)) {
    T object{};
    use(context, &object);
  }
  static constexpr auto fields = table(description_of<T>());
  static constexpr ObjectShape value{{Kind::object}, fields.data(), fields.size(), &with_default};
};

}  // namespace toolwire::detail
