#include "activities/mcp/input_required.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <string>
#include <utility>

#include <toolwire/redact.hpp>
#include <toolwire/text.hpp>

#include "activities/mcp/results.hpp"

namespace toolwire::bridge::mcp {
namespace {

constexpr std::string_view of_a_round = "toolwire-round-";

/// "toolwire-round-ROUND-LENGTH:" and so many bytes; the server's key follows.
std::string key_begin(unsigned round, const std::string& next) {
  return std::string(of_a_round) + std::to_string(round) + "-" + std::to_string(next.size()) + ":" + next;
}

struct Key {
  unsigned round = 0;
  std::string_view next = {};
  std::string_view key = {};
};

/// A number, and the character behind it, which are taken away.
std::optional<unsigned> taken_number(std::string_view& text, char behind) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end == text.data() + text.size() || *end != behind) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  return number;
}

std::optional<Key> key_from(std::string_view written) {
  if (!written.starts_with(of_a_round)) return std::nullopt;
  written.remove_prefix(of_a_round.size());
  const auto round = taken_number(written, '-');
  const auto length = round ? taken_number(written, ':') : std::nullopt;
  if (!length || *length > written.size()) return std::nullopt;
  return Key{*round, written.substr(0, *length), written.substr(*length)};
}

void add_members(JsonObject& members, std::string_view json) {
  const Json more = parse_json(json);
  for (const auto& [name, value] : more.get_object()) members[name] = value;
}

bool is_prose(std::string_view member) {
  constexpr std::array<std::string_view, 4> prose{"message", "title", "description", "enumNames"};
  return std::ranges::find(prose, member) != prose.end();
}

/// `member`: whose value it is, or part of whose value. Its depth is the parser's.
void make_prose_fit(Json& value, std::string_view member, const std::vector<std::string>& secrets) {
  if (JsonObject* const members = value.if_object()) {
    for (auto& [name, inner] : *members) make_prose_fit(inner, name, secrets);
  } else if (JsonArray* const items = value.if_array()) {
    for (Json& item : *items) make_prose_fit(item, member, secrets);
  } else if (value.is_string() && is_prose(member)) {
    value = without(text::stripped(value.get_string(), text::lines), secrets);
  }
}

}  // namespace

void make_fit_to_show(Question& question, const std::vector<std::string>& secrets) {
  if (question.method == "elicitation/create") make_prose_fit(question.params, {}, secrets);
}

std::optional<InputRequired> input_required_from(const JsonObject& result) {
  static const JsonObject none;
  const Json* requests = result.if_contains("inputRequests");
  const JsonObject& asked = requests != nullptr && requests->is_object() ? requests->get_object() : none;
  InputRequired required;
  if (const Json* state = result.if_contains("requestState")) required.next["requestState"] = *state;
  for (const auto& [key, request] : asked) {
    const JsonObject* question = request.if_object();
    const Json* method = question == nullptr ? nullptr : question->if_contains("method");
    if (method == nullptr || !method->is_string() || !may_ask(method->get_string())) return std::nullopt;
    const Json* params = question->if_contains("params");
    required.questions.list.push_back({std::string(key), std::string(std::string_view(method->get_string())),
                                       params != nullptr && params->is_object() ? *params : Json(JsonObject{}),
                                       std::string(key)});
  }
  return required;
}

/// The first has it for all.
void add_to_keys(Questions& questions, unsigned round, const JsonObject& next) {
  std::string carried = to_json_text(next);
  for (Question& question : questions.list) {
    question.key.insert(0, key_begin(round, std::exchange(carried, "")));
  }
}

std::optional<NextInput> next_input(const JsonObject& answers) {
  std::optional<NextInput> last;
  for (const auto& [written, answer] : answers) {
    const auto key = key_from(written);
    if (!key || (last && key->round < last->round)) continue;
    if (!last || key->round > last->round) last = NextInput{key->round, {{"inputResponses", JsonObject()}}};
    last->members["inputResponses"].get_object()[key->key] = answer;
    if (!key->next.empty()) add_members(last->members, key->next);
  }
  return last;
}

bool is_answer(std::string_view method, const Json& answer) {
  if (!answer.is_object()) return false;
  return method == "elicitation/create" || !answer.get_object().contains("action");
}

}  // namespace toolwire::bridge::mcp
