#include "manifest/indented_json.hpp"

#include <algorithm>

namespace toolwire::bridge {
namespace {

constexpr std::size_t max_line = 100;

bool is_plain(const Json& value) { return !value.is_object() && !value.is_array(); }

void write(const Json& value, std::size_t level, std::string& out);

/// "[1, 2, 3]", or nothing if it would be long or has lists within.
std::string on_one_line(const JsonArray& list) {
  if (!std::ranges::all_of(list, is_plain)) return {};
  std::string line = "[";
  for (const Json& element : list) {
    line += (line.size() == 1 ? "" : ", ") + to_json_text(element);
    if (line.size() > max_line) return {};
  }
  return line + ']';
}

void write_list(const JsonArray& list, std::size_t level, std::string& out) {
  if (const std::string line = on_one_line(list); !line.empty()) {
    out += line;
    return;
  }
  const char* separator = "[\n";
  for (const Json& element : list) {
    out += separator + std::string(2 * level + 2, ' ');
    write(element, level + 1, out);
    separator = ",\n";
  }
  out += '\n' + std::string(2 * level, ' ') + ']';
}

void write_object(const JsonObject& object, std::size_t level, std::string& out) {
  if (object.empty()) {
    out += "{}";
    return;
  }
  const char* separator = "{\n";
  for (const auto& member : object) {
    out += separator + std::string(2 * level + 2, ' ') + to_json_text(Json(member.key())) + ": ";
    write(member.value(), level + 1, out);
    separator = ",\n";
  }
  out += '\n' + std::string(2 * level, ' ') + '}';
}

void write(const Json& value, std::size_t level, std::string& out) {
  if (value.is_object()) {
    write_object(value.get_object(), level, out);
  } else if (value.is_array()) {
    write_list(value.get_array(), level, out);
  } else {
    out += to_json_text(value);
  }
}

}  // namespace

std::string indented_json(const Json& value) {
  std::string out;
  write(value, 0, out);
  return out;
}

}  // namespace toolwire::bridge
