#include "schema/equality.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <string_view>
#include <vector>

#include "schema/numbers.hpp"

namespace toolwire::schema {
namespace {

constexpr std::size_t few = 8;

bool objects_equal(const JsonObject& left, const JsonObject& right) {
  if (left.size() != right.size()) return false;
  return std::all_of(left.begin(), left.end(), [&](const auto& member) {
    const Json* other = right.if_contains(member.key());
    return other && json_equal(member.value(), *other);
  });
}

std::uint64_t mix(std::uint64_t seed, std::uint64_t word) {
  const std::uint64_t mixed = (std::rotl(seed, 5) ^ word) * 0x9e3779b97f4a7c15U;
  return mixed ^ (mixed >> 29);
}

std::uint64_t text_hash(std::string_view text) { return std::hash<std::string_view>{}(text); }

// Whole doubles hash as the integer they equal.
std::uint64_t number_hash(const Json& number) {
  if (const auto* value = number.if_int64()) return mix(1, static_cast<std::uint64_t>(*value));
  if (const auto* value = number.if_uint64()) return mix(1, *value);
  const double value = number.get_double();
  if (value >= -9223372036854775808.0 && value < 9223372036854775808.0 && is_whole(value)) {
    return mix(1, static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
  }
  if (value > 0 && value < 18446744073709551616.0 && is_whole(value)) return mix(1, static_cast<std::uint64_t>(value));
  return mix(2, std::bit_cast<std::uint64_t>(value));
}

struct Hashed {
  std::uint64_t hash;
  const Json* value;
};

// Equal hashes stand together after sorting; only those are compared in full.
bool all_different(std::span<Hashed> hashed) {
  std::sort(hashed.begin(), hashed.end(), [](const Hashed& a, const Hashed& b) { return a.hash < b.hash; });
  for (std::size_t first = 0; first < hashed.size(); ++first) {
    for (std::size_t next = first + 1; next < hashed.size() && hashed[next].hash == hashed[first].hash; ++next) {
      if (json_equal(*hashed[first].value, *hashed[next].value)) return false;
    }
  }
  return true;
}

bool few_different(const JsonArray& elements) {
  for (std::size_t first = 0; first < elements.size(); ++first) {
    for (std::size_t next = first + 1; next < elements.size(); ++next) {
      if (json_equal(elements[first], elements[next])) return false;
    }
  }
  return true;
}

}  // namespace

bool json_equal(const Json& left, const Json& right) {
  if (left.is_number()) return right.is_number() && compare_numbers(left, right) == 0;
  if (left.kind() != right.kind()) return false;
  switch (left.kind()) {
    case boost::json::kind::bool_:
      return left.get_bool() == right.get_bool();
    case boost::json::kind::string:
      return left.get_string() == right.get_string();
    case boost::json::kind::object:
      return objects_equal(left.get_object(), right.get_object());
    case boost::json::kind::array: {
      const auto& a = left.get_array();
      const auto& b = right.get_array();
      return std::equal(a.begin(), a.end(), b.begin(), b.end(), json_equal);
    }
    default:
      return true;  // null
  }
}

std::uint64_t json_hash(const Json& value) {
  switch (value.kind()) {
    case boost::json::kind::null:
      return mix(3, 0);
    case boost::json::kind::bool_:
      return mix(4, value.get_bool() ? 1 : 0);
    case boost::json::kind::string:
      return mix(5, text_hash({value.get_string().data(), value.get_string().size()}));
    case boost::json::kind::array: {
      std::uint64_t hash = 6;
      for (const Json& element : value.get_array()) hash = mix(hash, json_hash(element));
      return hash;
    }
    case boost::json::kind::object: {
      std::uint64_t sum = 7;  // a sum: the order of the members must not matter
      for (const auto& member : value.get_object()) {
        sum += mix(text_hash({member.key().data(), member.key().size()}), json_hash(member.value()));
      }
      return sum;
    }
    default:
      return number_hash(value);
  }
}

bool all_different(const JsonArray& elements) {
  if (elements.size() <= few) return few_different(elements);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): only what is written is read
  std::array<Hashed, 256> near;
  std::vector<Hashed> far;
  if (elements.size() > near.size()) far.resize(elements.size());
  const std::span<Hashed> hashed = far.empty() ? std::span(near).first(elements.size()) : std::span(far);
  std::transform(elements.begin(), elements.end(), hashed.begin(), [](const Json& element) {
    return Hashed{json_hash(element), &element};
  });
  return all_different(hashed);
}

}  // namespace toolwire::schema
