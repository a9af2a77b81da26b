#include "bench/messages.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string>

namespace toolwire::bench {
namespace {

constexpr std::string_view call_begin = R"({"jsonrpc":"2.0","id":)";
constexpr std::size_t id_digits = 9;

std::size_t skip_blanks(std::string_view line, std::size_t at) {
  while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
  return at;
}

}  // namespace

CallLine::CallLine(std::string_view tool, std::string_view arguments) {
  line_.append(call_begin).append(id_digits, '0');
  line_.append(R"(,"method":"tools/call","params":{"name":")").append(tool);
  line_.append(R"(","arguments":)").append(arguments).append("}}\n");
}

std::string_view CallLine::with_id(Id id) {
  char* digits = line_.data() + call_begin.size();
  std::to_chars(digits, digits + id_digits, id);
  return line_;
}

std::string ping_line(Id id) { return std::string(call_begin) + std::to_string(id) + R"(,"method":"ping"})" + "\n"; }

std::string cancellation_line(Id id) {
  return R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + std::to_string(id) + "}}\n";
}

std::size_t value_of(std::string_view line, std::string_view name) {
  for (auto at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1)) {
    const auto after = at + name.size();
    if (at == 0 || line[at - 1] != '"' || after >= line.size() || line[after] != '"') continue;
    if (at >= 2 && line[at - 2] == '\\') continue;
    const auto colon = skip_blanks(line, after + 1);
    if (colon < line.size() && line[colon] == ':') return skip_blanks(line, colon + 1);
  }
  return std::string_view::npos;
}

std::optional<Id> answered_id(std::string_view line) {
  static constexpr std::string_view usual = R"({"jsonrpc":"2.0","id":)";
  const auto at = line.starts_with(usual) ? usual.size() : value_of(line, "id");
  if (at >= line.size()) return std::nullopt;
  Id id = 0;
  const auto parsed = std::from_chars(line.data() + at, line.data() + line.size(), id);
  if (parsed.ec != std::errc{}) return std::nullopt;
  return id;
}

bool is_refusal(std::string_view line) {
  if (value_of(line, "error") != std::string_view::npos) return true;
  const auto flag = value_of(line, "isError");
  return flag != std::string_view::npos && line.substr(flag).starts_with("true");
}

bool lists_tool(std::string_view line, std::string_view tool) {
  if (tool.empty()) return false;
  for (std::size_t from = 0; from < line.size();) {
    const auto at = value_of(line.substr(from), "name");
    if (at == std::string_view::npos) return false;
    from += at;
    const auto value = line.substr(from);
    if (value.size() > tool.size() + 1 && value[0] == '"' && value[tool.size() + 1] == '"' &&
        value.substr(1, tool.size()) == tool)
      return true;
  }
  return false;
}

std::string wire_text(TextKind kind, std::size_t size) {
  static constexpr std::string_view letters = "the quick brown fox jumps over the lazy dog, ";
  static constexpr std::string_view escaped = R"(line\n tab\t say\" two\\)";  // four of twenty characters
  static constexpr std::string_view wide = "Grüße, Ωμέγα, 日本語のテキスト, emoji 🙂🚀 ";
  const auto unit = kind == TextKind::ascii ? letters : kind == TextKind::escapes ? escaped : wide;
  std::string text;
  text.reserve(size + unit.size());
  while (text.size() < size) text.append(unit);
  if (kind == TextKind::ascii) text.resize(size);
  return text;
}

CallLine echo_call(const Tools& tools, std::string_view wire_text) {
  return {tools.echo, std::string(tools.before_text).append(wire_text).append(tools.after_text)};
}

CallLine sleep_call(const Tools& tools, double milliseconds) {
  return {tools.sleep,
          tools.before_time + fmt::format("{}", milliseconds * tools.units_a_millisecond) + tools.after_time};
}

CallLine add_call(const Tools& tools) { return {tools.add, R"({"a":1,"b":2})"}; }

}  // namespace toolwire::bench
