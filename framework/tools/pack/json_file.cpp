#include "json_file.hpp"

#include <algorithm>

namespace toolwire::pack {
namespace {

/// Appends elements or members one below the other.
template <class Parts, class Append>
void append_lines(std::string& out, const Parts& parts, const std::string& indentation, char open, char close,
                  Append append) {
  out += open;
  const char* separator = "\n";
  for (const auto& part : parts) {
    out.append(separator).append(indentation).append("  ");
    append(part);
    separator = ",\n";
  }
  out.append("\n").append(indentation) += close;
}

void append(std::string& out, const Json& value, const std::string& indentation) {
  const std::string inner = indentation + "  ";
  if (const JsonObject* const object = value.if_object(); object != nullptr && !object->empty()) {
    append_lines(out, *object, indentation, '{', '}', [&](const auto& member) {
      out.append(to_json_text(JsonString(member.key()))).append(": ");
      append(out, member.value(), inner);
    });
    return;
  }
  const JsonArray* const array = value.if_array();
  if (array != nullptr && std::ranges::any_of(*array, [](const Json& one) { return one.is_structured(); })) {
    append_lines(out, *array, indentation, '[', ']', [&](const Json& one) { append(out, one, inner); });
    return;
  }
  out += to_json_text(value);
}

}  // namespace

std::string json_file(const Json& value) {
  std::string text;
  append(text, value, "");
  return text + "\n";
}

}  // namespace toolwire::pack
