#include "reaction.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <optional>
#include <toolwire/json_members.hpp>
#include <utility>

#include "filling.hpp"
#include "pointers.hpp"

namespace mutants {
namespace {

using toolwire::Json;
using toolwire::JsonArray;
using toolwire::JsonObject;

bool is_set(const JsonObject& rule, std::string_view name) {
  const Json* value = toolwire::find_member(rule, name);
  return value != nullptr && *value != Json(false);
}

/// Each character of the text is a byte: for text that is not UTF-8.
std::string as_bytes(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0xC0 && i + 1 < text.size()) {
      bytes += static_cast<char>(((byte & 0x03U) << 6U) | (static_cast<unsigned char>(text[++i]) & 0x3FU));
    } else {
      bytes += text[i];
    }
  }
  return bytes;
}

/// A text as written in a rule.
std::string raw(const JsonObject& rule, std::string_view text) {
  return is_set(rule, "bytes") ? as_bytes(text) : std::string(text);
}

/// Values as lines; a text goes out as it is, without a line feed.
std::string lines_of(const JsonObject& rule, std::string_view name, const Event& event, const Notes& notes) {
  std::string lines;
  const Json* list = toolwire::find_member(rule, name);
  if (list == nullptr) return lines;
  for (const Json& it : list->as_array())
    lines += it.is_string() ? raw(rule, it.get_string()) : toolwire::to_json_text(filled(it, event, notes)) + "\n";
  return lines;
}

Json response(const Event& event, const char* name, Json value) {
  const Json* id = find(event.message, "/id");
  return JsonObject{{"jsonrpc", "2.0"}, {"id", id != nullptr ? *id : Json(nullptr)}, {name, std::move(value)}};
}

void change_lists(const JsonObject& rule, Json& message) {
  if (const Json* pointer = toolwire::find_member(rule, "reverse")) {
    each(message, std::string_view(pointer->as_string()), [](Json& it) {
      if (it.is_array()) std::reverse(it.get_array().begin(), it.get_array().end());
    });
  }
  if (const Json* counts = toolwire::find_member(rule, "keep")) {
    for (const auto& [pointer, count] : counts->as_object()) {
      const auto most = count.to_number<std::size_t>();
      each(message, pointer, [&](Json& it) {
        if (it.is_array() && it.get_array().size() > most) it.get_array().resize(most);
      });
    }
  }
}

/// Returns whether the rule changes the message.
bool change(const JsonObject& rule, Event& event, const Notes& notes) {
  const Event before = event;
  if (const Json* values = toolwire::find_member(rule, "set")) {
    for (const auto& [pointer, value] : values->as_object()) set(event.message, pointer, filled(value, before, notes));
  }
  if (const Json* pointers = toolwire::find_member(rule, "remove")) {
    for (const Json& pointer : pointers->as_array()) remove(event.message, std::string_view(pointer.as_string()));
  }
  change_lists(rule, event.message);
  if (const Json* pointers = toolwire::find_member(rule, "text")) {
    for (const Json& pointer : pointers->as_array())
      each(event.message, std::string_view(pointer.as_string()), [](Json& it) { it = toolwire::to_json_text(it); });
  }
  constexpr std::array members{"set", "remove", "reverse", "keep", "text"};
  return std::any_of(members.begin(), members.end(), [&](const char* name) { return rule.contains(name); });
}

/// With `answer` or `error`: what the host is told instead, as text.
std::optional<Json> instead(const JsonObject& rule, const Event& event, const Notes& notes) {
  for (const auto& [name, role] : {std::pair{"answer", "result"}, std::pair{"error", "error"}}) {
    if (const Json* pattern = toolwire::find_member(rule, name))
      return response(event, role, filled(*pattern, event, notes));
  }
  return std::nullopt;
}

bool is_for_process(const JsonObject& rule) {
  constexpr std::array members{"sleep", "errors",       "spawn", "spin",  "work",
                               "hang",  "close_output", "exit",  "abort", "leak"};
  return std::any_of(members.begin(), members.end(), [&](const char* name) { return rule.contains(name); });
}

}  // namespace

Reaction Reactions::to_line(Direction direction, std::string_view line) {
  std::lock_guard lock(mutex_);
  return react(direction == Direction::to_server ? conversation_.from_host(line) : conversation_.from_server(line));
}

Reaction Reactions::to_moment(const std::string& kind, Direction direction) {
  std::lock_guard lock(mutex_);
  Reaction reaction = react({.direction = direction, .kind = kind});
  reaction.copies = 0;
  return reaction;
}

Reaction Reactions::react(Event event) {
  Reaction reaction;
  std::string prefix;
  std::string ending = "\n";
  for (Rule& rule : fault_.rules) {
    if (reaction.drop || !rule.applies(event, notes_)) continue;
    apply(rule.text(), event, reaction);
    if (const Json* text = toolwire::find_member(rule.text(), "prefix")) prefix = raw(rule.text(), text->as_string());
    if (const Json* text = toolwire::find_member(rule.text(), "ending")) ending = raw(rule.text(), text->as_string());
  }
  reaction.bytes = prefix + event.line + ending;
  return reaction;
}

void Reactions::apply(const JsonObject& rule, Event& event, Reaction& reaction) {
  if (const Json* values = toolwire::find_member(rule, "note")) {
    for (const auto& [name, value] : values->as_object()) notes_[std::string(name)] = filled(value, event, notes_);
  }
  reaction.before += lines_of(rule, "before", event, notes_);
  reaction.after += lines_of(rule, "after", event, notes_);
  reaction.to_server += lines_of(rule, "to_server", event, notes_);
  if (const auto other = instead(rule, event, notes_)) {
    if (event.direction == Direction::to_host) {
      event.message = *other;
      event.line = toolwire::to_json_text(*other);
    } else {
      reaction.after += toolwire::to_json_text(*other) + "\n";
      reaction.drop = !is_set(rule, "also");
    }
  }
  if (change(rule, event, notes_)) event.line = toolwire::to_json_text(event.message);
  if (const Json* pair = toolwire::find_member(rule, "replace")) {
    RE2::Options options;
    options.set_encoding(RE2::Options::EncodingLatin1);
    RE2::GlobalReplace(&event.line, RE2(std::string(pair->at(0).as_string()), options),
                       raw(rule, pair->at(1).as_string()));
  }
  reaction.drop = reaction.drop || is_set(rule, "drop");
  if (const Json* repeat = toolwire::find_member(rule, "repeat")) reaction.copies += repeat->to_number<std::size_t>();
  if (const Json* delay = toolwire::find_member(rule, "delay"))
    reaction.delay = std::chrono::milliseconds(delay->to_number<int>());
  if (is_for_process(rule)) reaction.process.push_back(rule);
}

}  // namespace mutants
