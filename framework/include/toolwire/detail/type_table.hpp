// The form of a C++ type as a constant table, so that decoding, encoding and schemas are ordinary code in .cpp files
// and a user's type costs the compiler little more than a few small functions that reach into its objects. Independent
// of types (type_table_of.hpp fills the tables) or of what is done with them. Not for users: it may change.
#pragma once

#include <cstddef>
#include <string_view>

#include "toolwire/describe.hpp"
#include "toolwire/json.hpp"

namespace toolwire::detail {

enum class Kind : unsigned char {
  boolean,
  integer,
  real,
  string,
  string_view,
  any,
  enumeration,
  optional,
  list,
  bit_list,
  array,
  tuple,
  map,
  variant,
  object,
  coded,
  reference
};

/// Base of the tables below; `kind` says which one it is: Shape itself for boolean, string, string_view, any and
/// bit_list, else the one of that name (real: NumberShape; array: ListShape). Constants, readable from any thread.
struct Shape {
  Kind kind;
};

struct NumberShape : Shape {
  std::size_t bytes;
  bool is_signed;
  long double lowest, highest;  // see FieldInfo for why long double
};

/// What an enumerator is called, see Enumerator.
struct EnumeratorText {
  std::string_view name, title;
};
struct EnumerationShape : Shape {
  std::size_t count;
  EnumeratorText (*text)(std::size_t index);
  void (*store)(void* object, std::size_t index);
  std::size_t (*index_of)(const void* object);  // `count` for a value without a name
};

struct OptionalShape : Shape {
  const Shape* content;
  void* (*get)(void* object);  // null when empty
  void* (*emplace)(void* object);
  void (*reset)(void* object);
};

struct ListShape : Shape {
  const Shape* item;
  std::size_t fixed_size;  // of an array; 0 for a list
  std::size_t (*size)(const void* object);
  void* (*at)(void* object, std::size_t index);
  void* (*append)(void* object);  // null for an array
  void (*clear)(void* object);    // null for an array
};

struct ItemShape {
  const Shape* shape;
  void* (*get)(void* object);
};
struct TupleShape : Shape {
  const ItemShape* items;
  std::size_t count;
};

struct MapShape : Shape {
  using Visit = void (*)(void* context, std::string_view key, void* value);
  const Shape* value;
  void* (*insert)(void* object, std::string_view key);
  void (*clear)(void* object);
  void (*each)(void* object, void* context, Visit visit);
};

/// The alternatives are told apart by what they are in JSON, see `as_written`.
struct VariantShape : Shape {
  const Shape* const* alternatives;
  std::size_t count;
  std::size_t (*index)(const void* object);
  void* (*get)(void* object);
  void* (*emplace)(void* object, std::size_t index);
};

struct FieldShape : FieldInfo {
  const Shape* shape = nullptr;
  void* (*member)(void* owner) = nullptr;
};

/// Of a type with a Codec. What stands for it in JSON is made for the moment.
struct CodedShape : Shape {
  const Shape* wire;
  void (*write)(const void* object, void* context, void (*use)(void* context, void* wire));
  // Leaves the object alone if `fill` says no. Throws std::invalid_argument for what the codec refuses.
  void (*read)(void* object, void* context, bool (*fill)(void* context, void* wire));
  Json (*schema)();  // null: that of `wire`
};

struct ObjectShape : Shape {
  const FieldShape* fields;
  std::size_t count;
  void (*with_default)(void* context, void (*use)(void* context, void* object));  // hands over an object as initialized

  constexpr const FieldShape* begin() const { return fields; }
  constexpr const FieldShape* end() const { return fields + count; }
};

/// In the place of a struct that contains itself, so that tables have an end.
struct ReferenceShape : Shape {
  const ObjectShape& (*target)();
  std::string_view name;
  bool holds_view;  // somewhere in the struct
};

/// The table of what stands in JSON for a value of `shape`: that of its wire type, or what is referred to.
inline const Shape& as_written(const Shape& shape) {
  if (shape.kind == Kind::coded) return as_written(*static_cast<const CodedShape&>(shape).wire);
  return shape.kind == Kind::reference ? static_cast<const ReferenceShape&>(shape).target() : shape;
}

}  // namespace toolwire::detail
