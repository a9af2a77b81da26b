// The decoding half of convert.hpp: one function a kind of type, all adding to the same violations.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "text/code_points.hpp"
#include "toolwire/convert.hpp"
#include "toolwire/error.hpp"
#include "types/alternatives.hpp"
#include "types/decode_field.hpp"
#include "types/echo.hpp"
#include "types/number.hpp"
#include "types/path.hpp"
#include "types/phrases.hpp"
#include "types/text_form.hpp"
#include "types/unknown_member.hpp"

namespace toolwire::detail {
namespace {

using types::number_text;
using types::Path;

constexpr FieldInfo unlimited{};

/// How often, in one value, a struct is read as a further alternative of a variant within structs that contain
/// themselves: each such place may double the work.
constexpr std::size_t max_tries = 100'000;

/// What bounds the reading of structs that contain themselves.
struct Recursion {
  std::size_t& tries;     // so far, in all
  std::size_t depth = 0;  // how many such structs are around
  bool is_trial = false;  // ends with the first violation, whose text does not matter
};

/// Reads one value. Lives on the stack of one call of decode.
class Decoder {
 public:
  explicit Decoder(Violations& violations, Recursion recursion) : violations_(violations), recursion_(recursion) {}

  void value(const Shape& shape, const Json& json, void* out, const Path& path, const FieldInfo& limits);

 private:
  void number(const NumberShape& shape, const Json& json, void* out, const Path& path, const FieldInfo& limits);
  void string(const Json& json, void* out, const Path& path, const FieldInfo& limits);
  void enumerator(const EnumerationShape& shape, const Json& json, void* out, const Path& path);
  void optional(const OptionalShape& shape, const Json& json, void* out, const Path& path, const FieldInfo& limits);
  void list(const ListShape& shape, const Json& json, void* out, const Path& path, const FieldInfo& limits);
  void bit_list(const Shape& shape, const Json& json, void* out, const Path& path, const FieldInfo& limits);
  void tuple(const TupleShape& shape, const Json& json, void* out, const Path& path);
  void map(const MapShape& shape, const Json& json, void* out, const Path& path);
  void reference(const ReferenceShape& shape, const Json& json, void* out, const Path& path);
  bool fits(const Shape& shape, const Json& json, void* out, const Path& path) const;
  void one_of_structs(const VariantShape& shape, const Json& json, void* out, const Path& path);
  void variant(const VariantShape& shape, const Json& json, void* out, const Path& path);
  void coded(const CodedShape& shape, const Json& json, void* out, const Path& path);
  void object(const ObjectShape& shape, const Json& json, void* out, const Path& path);
  std::size_t member(const FieldShape& field, const JsonObject& object, void* owner, const Path& path);
  void unknown_members(const ObjectShape& shape, const JsonObject& object, const Path& path);

  bool is_size_within(std::size_t size, const FieldInfo& limits, std::string_view unit, const Path& path);
  bool is_over() const { return recursion_.is_trial && !violations_.empty(); }
  void add(const Path& path, std::string_view text) {
    if (!recursion_.is_trial) return violations_.add(path.text(), text);
    if (violations_.empty()) violations_.add({}, {});
  }
  void add_expected(const Path& path, const Shape& shape) { add(path, "expected " + types::phrase(shape)); }

  Violations& violations_;
  Recursion recursion_;
};

void Decoder::value(const Shape& shape, const Json& json, void* out, const Path& path, const FieldInfo& limits) {
  if (is_over()) return;
  switch (shape.kind) {
    case Kind::boolean:
      if (!json.is_bool()) return add_expected(path, shape);
      *static_cast<bool*>(out) = json.get_bool();
      return;
    case Kind::integer:
    case Kind::real:
      return number(static_cast<const NumberShape&>(shape), json, out, path, limits);
    case Kind::string:
      return string(json, out, path, limits);
    case Kind::string_view:
      return;  // for encoding only; decode<T> does not compile with one
    case Kind::any:
      *static_cast<Json*>(out) = json;
      return;
    case Kind::enumeration:
      return enumerator(static_cast<const EnumerationShape&>(shape), json, out, path);
    case Kind::optional:
      return optional(static_cast<const OptionalShape&>(shape), json, out, path, limits);
    case Kind::list:
    case Kind::array:
      return list(static_cast<const ListShape&>(shape), json, out, path, limits);
    case Kind::bit_list:
      return bit_list(shape, json, out, path, limits);
    case Kind::tuple:
      return tuple(static_cast<const TupleShape&>(shape), json, out, path);
    case Kind::map:
      return map(static_cast<const MapShape&>(shape), json, out, path);
    case Kind::variant:
      return variant(static_cast<const VariantShape&>(shape), json, out, path);
    case Kind::object:
      return object(static_cast<const ObjectShape&>(shape), json, out, path);
    case Kind::coded:
      return coded(static_cast<const CodedShape&>(shape), json, out, path);
    case Kind::reference:
      return reference(static_cast<const ReferenceShape&>(shape), json, out, path);
  }
}

void Decoder::number(const NumberShape& shape, const Json& json, void* out, const Path& path, const FieldInfo& limits) {
  const auto given = types::number_in(json);
  if (!given) return add_expected(path, shape);
  if (shape.kind == Kind::integer && *given != std::trunc(*given)) {
    return add(path, number_text(*given) + " is not an integer");
  }
  // Outside the type both ends are named; inside it only those the author set, as the schema has them.
  FieldInfo range = limits;
  if (types::has_minimum(limits)) range.minimum = types::as_written(shape, limits.minimum);
  if (types::has_maximum(limits)) range.maximum = types::as_written(shape, limits.maximum);
  if (!types::has_value(shape, *given)) {
    range.minimum = std::max(range.minimum, shape.lowest);
    range.maximum = std::min(range.maximum, shape.highest);
  }
  if (!(*given >= range.minimum && *given <= range.maximum)) {
    return add(path, number_text(*given) + " is not " + types::range_phrase(range));
  }
  types::store_number(shape, out, *given);
}

void Decoder::string(const Json& json, void* out, const Path& path, const FieldInfo& limits) {
  const JsonString* given = json.if_string();
  if (given == nullptr) return add(path, "expected a string");
  const std::string_view text(given->data(), given->size());
  const bool is_limited = limits.min_size > 0 || limits.max_size < FieldInfo::unlimited;
  if (is_limited && !is_size_within(text::count_code_points(text), limits, "character", path)) return;
  if (const std::string wrong = types::wrong_form(limits, text); !wrong.empty()) {
    return add(path, "\"" + types::echo(text) + "\" " + wrong);
  }
  *static_cast<std::string*>(out) = text;
}

void Decoder::enumerator(const EnumerationShape& shape, const Json& json, void* out, const Path& path) {
  const std::size_t index = types::enumerator_for(shape, json);
  if (index == shape.count) return add_expected(path, shape);
  shape.store(out, index);
}

void Decoder::optional(const OptionalShape& shape, const Json& json, void* out, const Path& path,
                       const FieldInfo& limits) {
  if (json.is_null()) return shape.reset(out);
  value(*shape.content, json, shape.emplace(out), path, limits);
}

bool Decoder::is_size_within(std::size_t size, const FieldInfo& limits, std::string_view unit, const Path& path) {
  if (size >= limits.min_size && size <= limits.max_size) return true;
  add(path,
      "expected " + types::size_phrase(limits.min_size, limits.max_size, unit) + ", found " + std::to_string(size));
  return false;
}

void Decoder::list(const ListShape& shape, const Json& json, void* out, const Path& path, const FieldInfo& limits) {
  const JsonArray* given = json.if_array();
  if (given == nullptr) return add_expected(path, shape);
  FieldInfo sizes = limits;
  if (shape.kind == Kind::array) sizes.min_size = sizes.max_size = shape.fixed_size;
  if (!is_size_within(given->size(), sizes, "item", path)) return;
  if (shape.clear != nullptr) shape.clear(out);
  for (std::size_t i = 0; i < given->size(); ++i) {
    void* item = shape.append != nullptr ? shape.append(out) : shape.at(out, i);
    value(*shape.item, (*given)[i], item, Path(path, i), unlimited);
  }
}

void Decoder::bit_list(const Shape& shape, const Json& json, void* out, const Path& path, const FieldInfo& limits) {
  const JsonArray* given = json.if_array();
  if (given == nullptr) return add_expected(path, shape);
  if (!is_size_within(given->size(), limits, "item", path)) return;
  auto& bits = *static_cast<std::vector<bool>*>(out);
  bits.clear();
  for (std::size_t i = 0; i < given->size(); ++i) {
    const bool* bit = (*given)[i].if_bool();
    if (bit == nullptr) add(Path(path, i), "expected a boolean");
    bits.push_back(bit != nullptr && *bit);
  }
}

void Decoder::tuple(const TupleShape& shape, const Json& json, void* out, const Path& path) {
  const JsonArray* given = json.if_array();
  if (given == nullptr) return add_expected(path, shape);
  FieldInfo sizes;
  sizes.min_size = sizes.max_size = shape.count;
  if (!is_size_within(given->size(), sizes, "item", path)) return;
  for (std::size_t i = 0; i < shape.count; ++i) {
    value(*shape.items[i].shape, (*given)[i], shape.items[i].get(out), Path(path, i), unlimited);
  }
}

void Decoder::map(const MapShape& shape, const Json& json, void* out, const Path& path) {
  const JsonObject* given = json.if_object();
  if (given == nullptr) return add_expected(path, shape);
  shape.clear(out);
  for (const auto& [key, item] : *given) {
    const std::string_view name(key.data(), key.size());
    value(*shape.value, item, shape.insert(out, name), Path(path, name), unlimited);
  }
}

/// Deeper JSON does not come from a parser.
void Decoder::reference(const ReferenceShape& shape, const Json& json, void* out, const Path& path) {
  if (recursion_.depth == greatest_json_depth) {
    return add(path, "expected no more than " + std::to_string(greatest_json_depth) + " of these in each other");
  }
  Recursion deeper = recursion_;
  ++deeper.depth;
  Decoder(violations_, deeper).object(shape.target(), json, out, path);
}

void Decoder::variant(const VariantShape& shape, const Json& json, void* out, const Path& path) {
  if (json.is_object() && types::has_structs(shape)) return one_of_structs(shape, json, out, path);
  const std::size_t index = types::alternative_for(shape, json);
  if (index == shape.count) return add_expected(path, shape);
  value(*shape.alternatives[index], json, shape.emplace(out, index), path, unlimited);
}

// The first struct that fits. The one that was meant, if its members tell, is read without a trial, so that its
// violations are the answer; and however deep it lies in others, once.
void Decoder::one_of_structs(const VariantShape& shape, const Json& json, void* out, const Path& path) {
  const std::size_t meant = types::struct_meant(shape, json);
  if (meant < shape.count) {
    return value(*shape.alternatives[meant], json, shape.emplace(out, meant), path, unlimited);
  }
  bool is_first = true;
  for (std::size_t i = 0; i < shape.count; ++i) {
    if (!types::may_fit(*shape.alternatives[i], json)) continue;
    if (!std::exchange(is_first, false) && recursion_.depth > 0 && ++recursion_.tries > max_tries) break;
    if (fits(*shape.alternatives[i], json, shape.emplace(out, i), path)) return;
  }
  if (recursion_.is_trial) return add(path, {});
  if (recursion_.tries > max_tries) {
    return add(path, "too much here fits several of the alternatives: " + types::expected_structs(shape));
  }
  add(path, types::expected_structs(shape));
}

bool Decoder::fits(const Shape& shape, const Json& json, void* out, const Path& path) const {
  Violations tried;
  Recursion trial = recursion_;
  trial.is_trial = true;
  Decoder(tried, trial).value(shape, json, out, path, unlimited);
  return tried.empty();
}

void Decoder::coded(const CodedShape& shape, const Json& json, void* out, const Path& path) {
  struct Filling {
    const Shape& shape;
    const Json& json;
    const Path& path;
    Recursion recursion;
    Violations violations;
  } filling{*shape.wire, json, path, recursion_, {}};
  try {
    shape.read(out, &filling, [](void* context, void* wire) {
      auto& from = *static_cast<Filling*>(context);
      Decoder(from.violations, from.recursion).value(from.shape, from.json, wire, from.path, unlimited);
      return from.violations.empty();
    });
    violations_.append(filling.violations);
  } catch (const std::invalid_argument& refused) {
    add(path, refused.what());
  }
}

void Decoder::object(const ObjectShape& shape, const Json& json, void* out, const Path& path) {
  const JsonObject* given = json.if_object();
  if (given == nullptr) return add(path, "expected an object");
  std::size_t known = 0;
  if (recursion_.is_trial) {
    // What leads deeper comes last, as the others may end the trial.
    for (const FieldShape& field : shape)
      if (!types::leads_deeper(*field.shape)) known += member(field, *given, out, path);
    for (const FieldShape& field : shape)
      if (types::leads_deeper(*field.shape)) known += member(field, *given, out, path);
  } else {
    for (const FieldShape& field : shape) known += member(field, *given, out, path);
  }
  if (known < given->size()) unknown_members(shape, *given, path);
}

/// How many members it has read: one, or none if it is left out.
std::size_t Decoder::member(const FieldShape& field, const JsonObject& object, void* owner, const Path& path) {
  const Json* given = object.if_contains(field.name);
  const bool is_absent = given == nullptr || (given->is_null() && !field.required);
  const Path at(path, field.name);
  if (!is_absent) {
    value(*field.shape, *given, field.member(owner), at, field);
  } else if (field.required) {
    add(at, types::missing_text(field));
  }
  return given == nullptr ? 0 : 1;
}

void Decoder::unknown_members(const ObjectShape& shape, const JsonObject& object, const Path& path) {
  if (recursion_.is_trial) return add(path, {});
  const types::UnknownMember words(shape, object, path.is_empty());
  for (const auto& [key, item] : object) {
    const std::string_view name(key.data(), key.size());
    if (words.knows(name)) continue;
    if (violations_.is_full()) {
      violations_.add({}, {});
    } else {
      add(Path(path, name), words.text(name));
    }
  }
}

}  // namespace

void decode(const Shape& shape, const Json& json, void* out, const std::string& path, Violations& violations) {
  std::size_t tries = 0;
  Decoder(violations, {tries}).value(shape, json, out, Path(path), unlimited);
}

void decode_or_throw(const Shape& shape, const Json& json, void* out, std::string_view path) {
  Violations violations;
  decode(shape, json, out, std::string(path), violations);
  if (!violations.empty()) throw InvalidArguments(violations.text());
}

void decode_field(const FieldShape& field, const Json& json, void* owner, Violations& violations) {
  std::size_t tries = 0;
  Decoder(violations, {tries}).value(*field.shape, json, field.member(owner), Path(field.name), field);
}

}  // namespace toolwire::detail
