#include "letter.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include <toolwire/json_members.hpp>

#include "activities/mcp/text_hash.hpp"

namespace toolwire::nats {
namespace {

using Time = bridge::Sealing::Time;

/// As long as clocks may differ, and longer than any letter is on its way.
constexpr std::chrono::minutes lives{5};
constexpr std::size_t room_for_the_rest = 4'096;  // of a message: what is no text
constexpr std::size_t hash_bytes = 16;
constexpr auto last_kind = static_cast<std::int64_t>(Letter::Kind::here);

Time now() { return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()); }

/// The members but the text as JSON, a line feed, the text.
std::string text_of(const Letter& letter) {
  std::string text = to_json_text(JsonArray{static_cast<std::int64_t>(letter.kind), letter.call, letter.from,
                                            letter.number, letter.is_whole, letter.tools});
  return text.append(1, '\n').append(letter.text);
}

std::optional<Letter> letter_in(std::string_view text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  try {
    const Json json = parse_json(text.substr(0, end));
    const JsonArray& parts = json.as_array();
    const std::int64_t kind = parts.at(0).as_int64();
    if (kind < 0 || kind > last_kind) return std::nullopt;
    const auto word = [&](std::size_t which) { return std::string(parts.at(which).as_string()); };
    return Letter{
        static_cast<Letter::Kind>(kind),  word(1), word(2), parts.at(3).as_int64(), parts.at(4).as_bool(), word(5),
        std::string(text.substr(end + 1))};
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace

std::string sealed_letter(const bridge::Sealing& sealing, const std::string& subject, const Letter& letter) {
  return sealing.seal(subject, text_of(letter), now() + lives);
}

std::optional<Letter> opened_letter(const std::optional<std::string>& opened) {
  return opened ? letter_in(*opened) : std::nullopt;
}

std::size_t room_for_text(std::size_t max_payload) {
  return max_payload > 2 * room_for_the_rest ? max_payload - room_for_the_rest
                                             : std::max<std::size_t>(max_payload / 2, 1);
}

std::map<std::string, KnownTool> known_tools(const Json& result) {
  std::map<std::string, KnownTool> known;
  const Json* const tools = find_member(result, "tools");
  const JsonArray* const list = tools == nullptr ? nullptr : tools->if_array();
  if (list == nullptr) return known;
  for (const Json& tool : *list) {
    const Json& hints = member_or_null(tool, "annotations");
    const bool again =
        bool_member(hints, "idempotentHint").value_or(false) || bool_member(hints, "readOnlyHint").value_or(false);
    known[text_or(tool, "name")] = {bridge::mcp::text_hash(to_json_text(tool), hash_bytes), again};
  }
  return known;
}

std::string hash_of(const std::map<std::string, KnownTool>& tools) {
  std::string all;
  for (const auto& [name, tool] : tools) all.append(name).append(1, '\0').append(tool.hash).append(1, '\n');
  return bridge::mcp::text_hash(all, hash_bytes);
}

std::string tool_called_in(const JsonObject& request) {
  const Json* const method = request.if_contains("method");
  if (method == nullptr || *method != Json("tools/call")) return {};
  const Json* const params = request.if_contains("params");
  return params == nullptr ? std::string() : text_or(*params, "name");
}

}  // namespace toolwire::nats
