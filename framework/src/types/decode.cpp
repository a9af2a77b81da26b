// The decoding half of convert.hpp: one function a kind of type, all adding to the same violations.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "text/code_points.hpp"
#include "toolwire/convert.hpp"
#include "types/decode_field.hpp"
#include "types/echo.hpp"
#include "types/number.hpp"
#include "types/path.hpp"
#include "types/phrases.hpp"
#include "types/unknown_member.hpp"

namespace toolwire::detail {
namespace {

using types::number_text;
using types::Path;

constexpr FieldInfo unlimited{};

/// Reads one value. Lives on the stack of one call of decode.
class Decoder {
 public:
  explicit Decoder(Violations& violations) : violations_(violations) {}

  void value(const Shape& shape, const Json& json, void* out, const Path& path, const FieldInfo& limits);

 private:
  void number(const NumberShape& shape, const Json& json, void* out, const Path& path, const FieldInfo& limits);
  void string(const Json& json, void* out, const Path& path, const FieldInfo& limits);
  void enumerator(const EnumerationShape& shape, const Json& json, void* out, const Path& path);
  void optional(const OptionalShape& shape, const Json& json, void* out, const Path& path, const FieldInfo& limits);
  void list(const ListShape& shape, const Json& json, void* out, const Path& path, const FieldInfo& limits);
  void bit_list(const Shape& shape, const Json& json, void* out, const Path& path, const FieldInfo& limits);
  void map(const MapShape& shape, const Json& json, void* out, const Path& path);
  void variant(const VariantShape& shape, const Json& json, void* out, const Path& path);
  void coded(const CodedShape& shape, const Json& json, void* out, const Path& path);
  void object(const ObjectShape& shape, const Json& json, void* out, const Path& path);
  void unknown_members(const ObjectShape& shape, const JsonObject& object, const Path& path);

  bool is_size_within(std::size_t size, const FieldInfo& limits, std::string_view unit, const Path& path);
  void add(const Path& path, std::string_view text) { violations_.add(path.text(), text); }
  void add_expected(const Path& path, const Shape& shape) { add(path, "expected " + types::phrase(shape)); }

  Violations& violations_;
};

void Decoder::value(const Shape& shape, const Json& json, void* out, const Path& path, const FieldInfo& limits) {
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
    case Kind::map:
      return map(static_cast<const MapShape&>(shape), json, out, path);
    case Kind::variant:
      return variant(static_cast<const VariantShape&>(shape), json, out, path);
    case Kind::object:
      return object(static_cast<const ObjectShape&>(shape), json, out, path);
    case Kind::coded:
      return coded(static_cast<const CodedShape&>(shape), json, out, path);
  }
}

void Decoder::number(const NumberShape& shape, const Json& json, void* out, const Path& path, const FieldInfo& limits) {
  const auto given = types::number_in(json);
  if (!given) return add_expected(path, shape);
  if (shape.kind == Kind::integer && *given != std::trunc(*given)) {
    return add(path, number_text(*given) + " is not an integer");
  }
  // Outside the type both ends are named; inside it only those the author set.
  FieldInfo range = limits;
  if (!(*given >= shape.lowest && *given <= shape.highest)) {
    range.minimum = std::max(limits.minimum, shape.lowest);
    range.maximum = std::min(limits.maximum, shape.highest);
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
  *static_cast<std::string*>(out) = text;
}

void Decoder::enumerator(const EnumerationShape& shape, const Json& json, void* out, const Path& path) {
  if (const JsonString* given = json.if_string()) {
    const std::string_view text(given->data(), given->size());
    for (std::size_t i = 0; i < shape.count; ++i) {
      if (shape.name(i) == text) return shape.store(out, i);
    }
  }
  add_expected(path, shape);
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

void Decoder::map(const MapShape& shape, const Json& json, void* out, const Path& path) {
  const JsonObject* given = json.if_object();
  if (given == nullptr) return add_expected(path, shape);
  shape.clear(out);
  for (const auto& [key, item] : *given) {
    const std::string_view name(key.data(), key.size());
    value(*shape.value, item, shape.insert(out, name), Path(path, name), unlimited);
  }
}

bool has_required(const ObjectShape& shape, const JsonObject& object) {
  return std::all_of(shape.begin(), shape.end(),
                     [&](const FieldShape& field) { return !field.required || object.contains(field.name); });
}

// The first alternative that fits. Where none does but one alone has all its required members, that one was meant, and
// its violations are the useful answer; else what each alternative requires.
void Decoder::variant(const VariantShape& shape, const Json& json, void* out, const Path& path) {
  const JsonObject* given = json.if_object();
  if (given == nullptr) return add_expected(path, shape);
  Violations of_meant;
  std::size_t meant = 0;
  for (std::size_t i = 0; i < shape.count; ++i) {
    Violations tried;
    Decoder(tried).object(*shape.alternatives[i], json, shape.emplace(out, i), path);
    if (tried.empty()) return;
    if (has_required(*shape.alternatives[i], *given) && ++meant == 1) of_meant = std::move(tried);
  }
  if (meant == 1) return violations_.append(of_meant);
  std::string text = "expected ";
  for (std::size_t i = 0; i < shape.count; ++i) {
    text += (i == 0 ? "" : ", or ") + types::required_phrase(*shape.alternatives[i]);
  }
  add(path, text);
}

void Decoder::coded(const CodedShape& shape, const Json& json, void* out, const Path& path) {
  struct Filling {
    const Shape& shape;
    const Json& json;
    const Path& path;
    Violations violations;
  } filling{*shape.wire, json, path, {}};
  try {
    shape.read(out, &filling, [](void* context, void* wire) {
      auto& from = *static_cast<Filling*>(context);
      Decoder(from.violations).value(from.shape, from.json, wire, from.path, unlimited);
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
  for (const FieldShape& field : shape) {
    const Json* member = given->if_contains(field.name);
    if (member != nullptr) ++known;
    const bool is_absent = member == nullptr || (member->is_null() && !field.required);
    const Path at(path, field.name);
    if (!is_absent) {
      value(*field.shape, *member, field.member(out), at, field);
    } else if (field.required) {
      add(at, types::missing_text(field));
    }
  }
  if (known < given->size()) unknown_members(shape, *given, path);
}

void Decoder::unknown_members(const ObjectShape& shape, const JsonObject& object, const Path& path) {
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
  Decoder(violations).value(shape, json, out, Path(path), unlimited);
}

void decode_field(const FieldShape& field, const Json& json, void* owner, Violations& violations) {
  Decoder(violations).value(*field.shape, json, field.member(owner), Path(field.name), field);
}

}  // namespace toolwire::detail
