// The encoding half of convert.hpp.
#include <cmath>
#include <stdexcept>

#include "toolwire/convert.hpp"
#include "types/number.hpp"

namespace toolwire::detail {
namespace {

/// How many structs that contain themselves are around.
struct Depth {
  std::size_t of_references = 0;
};

Json encode_value(const Shape& shape, void* value, Depth depth);

Json encode_number(const NumberShape& shape, const void* value) {
  const long double number = types::load_number(shape, value);
  if (!std::isfinite(number)) throw std::invalid_argument("a number is not finite, which JSON cannot express");
  return types::number_json(shape, number);
}

Json encode_enumerator(const EnumerationShape& shape, const void* value) {
  const std::size_t index = shape.index_of(value);
  if (index == shape.count) throw std::invalid_argument("a value of an enumeration has no name; see enumerators<E>()");
  return JsonString(shape.text(index).name);
}

Json encode_list(const ListShape& shape, void* value, Depth depth) {
  JsonArray array;
  const std::size_t size = shape.size(value);
  array.reserve(size);
  for (std::size_t i = 0; i < size; ++i) array.push_back(encode_value(*shape.item, shape.at(value, i), depth));
  return array;
}

Json encode_bits(const std::vector<bool>& bits) {
  JsonArray array;
  array.reserve(bits.size());
  for (const bool bit : bits) array.emplace_back(bit);
  return array;
}

Json encode_tuple(const TupleShape& shape, void* value, Depth depth) {
  JsonArray array;
  array.reserve(shape.count);
  for (std::size_t i = 0; i < shape.count; ++i) {
    array.push_back(encode_value(*shape.items[i].shape, shape.items[i].get(value), depth));
  }
  return array;
}

Json encode_map(const MapShape& shape, void* value, Depth depth) {
  struct Target {
    JsonObject object;
    const Shape* item;
    Depth depth;
  } target{{}, shape.value, depth};
  shape.each(value, &target, [](void* context, std::string_view key, void* item) {
    auto& into = *static_cast<Target*>(context);
    into.object.emplace(key, encode_value(*into.item, item, into.depth));
  });
  return std::move(target.object);
}

Json encode_coded(const CodedShape& shape, const void* value, Depth depth) {
  struct Target {
    const Shape& wire;
    Depth depth;
    Json json;
  } target{*shape.wire, depth, nullptr};
  shape.write(value, &target, [](void* context, void* wire) {
    auto& into = *static_cast<Target*>(context);
    into.json = encode_value(into.wire, wire, into.depth);
  });
  return std::move(target.json);
}

Json encode_object(const ObjectShape& shape, void* value, Depth depth) {
  JsonObject object;
  object.reserve(shape.count);
  for (const FieldShape& field : shape) {
    void* member = field.member(value);
    const Shape* member_shape = field.shape;
    if (member_shape->kind == Kind::optional) {
      const auto& optional = *static_cast<const OptionalShape*>(member_shape);
      member = optional.get(member);
      if (member == nullptr) continue;
      member_shape = optional.content;
    }
    object.emplace(field.name, encode_value(*member_shape, member, depth));
  }
  return object;
}

Json encode_reference(const ReferenceShape& shape, void* value, Depth depth) {
  if (++depth.of_references > greatest_json_depth) {
    throw std::invalid_argument("a value contains itself more than " + std::to_string(greatest_json_depth) +
                                " levels deep, which nobody could read");
  }
  return encode_object(shape.target(), value, depth);
}

Json encode_value(const Shape& shape, void* value, Depth depth) {
  switch (shape.kind) {
    case Kind::boolean:
      return *static_cast<const bool*>(value);
    case Kind::integer:
    case Kind::real:
      return encode_number(static_cast<const NumberShape&>(shape), value);
    case Kind::string:
      return JsonString(*static_cast<const std::string*>(value));
    case Kind::string_view:
      return JsonString(*static_cast<const std::string_view*>(value));
    case Kind::any:
      return *static_cast<const Json*>(value);
    case Kind::enumeration:
      return encode_enumerator(static_cast<const EnumerationShape&>(shape), value);
    case Kind::optional: {
      const auto& optional = static_cast<const OptionalShape&>(shape);
      void* content = optional.get(value);
      return content == nullptr ? Json() : encode_value(*optional.content, content, depth);
    }
    case Kind::list:
    case Kind::array:
      return encode_list(static_cast<const ListShape&>(shape), value, depth);
    case Kind::bit_list:
      return encode_bits(*static_cast<const std::vector<bool>*>(value));
    case Kind::tuple:
      return encode_tuple(static_cast<const TupleShape&>(shape), value, depth);
    case Kind::map:
      return encode_map(static_cast<const MapShape&>(shape), value, depth);
    case Kind::variant: {
      const auto& variant = static_cast<const VariantShape&>(shape);
      return encode_value(*variant.alternatives[variant.index(value)], variant.get(value), depth);
    }
    case Kind::object:
      return encode_object(static_cast<const ObjectShape&>(shape), value, depth);
    case Kind::coded:
      return encode_coded(static_cast<const CodedShape&>(shape), value, depth);
    case Kind::reference:
      return encode_reference(static_cast<const ReferenceShape&>(shape), value, depth);
  }
  return nullptr;
}

}  // namespace

Json encode(const Shape& shape, const void* value) {
  // The tables have one function for reading and writing access; nothing below writes.
  return encode_value(shape, const_cast<void*>(value), {});  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

}  // namespace toolwire::detail
