#include "fault.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "filling.hpp"
#include "pointers.hpp"

namespace mutants {
namespace {

using toolwire::Json;
using toolwire::JsonArray;
using toolwire::JsonObject;

constexpr std::array known_members{
    "on",     "method", "revision", "era",   "if",     "asked",        "noted",     "matches", "where",  // when
    "nth",    "from",   "until",                                                                         // how often
    "set",    "remove", "reverse",  "keep",  "text",   "replace",
    "note",                                                                                              // the message
    "drop",   "also",   "answer",   "error", "before", "after",        "to_server", "repeat",  "delay",  // its way
    "prefix", "ending", "bytes",                                                                         // its bytes
    "sleep",  "errors", "spawn",    "spin",  "hang",   "close_output", "exit",      "abort",   "leak",
    "work"};  // the process

constexpr std::array kinds{"start",  "end",   "exit",   "request", "notification", "response", "input",
                           "result", "error", "answer", "notice",  "question",     "output",   "batch"};

std::string text_of(const Json& json) {
  return json.is_string() ? std::string(json.get_string()) : toolwire::to_json_text(json);
}

bool matches(const std::string& text, const Json& pattern) {
  RE2::Options options;
  options.set_encoding(RE2::Options::EncodingLatin1);  // lines need not be UTF-8
  return RE2::PartialMatch(text, RE2(std::string(pattern.as_string()), options));
}

bool is_a(const Json& value, std::string_view type) {
  if (type == "present") return true;
  if (type == "string") return value.is_string();
  if (type == "number") return value.is_number();
  if (type == "integer") return value.is_int64() || value.is_uint64();
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "boolean") return value.is_bool();
  if (type == "null") return value.is_null();
  if (type == "absent") return false;
  throw std::invalid_argument("\"is\" knows no \"" + std::string(type) + "\"");
}

/// One of a list, or a single one; a name may end with `*`.
bool is_among(std::string_view name, const Json& names) {
  if (const JsonArray* list = names.if_array())
    return std::any_of(list->begin(), list->end(), [&](const Json& it) { return is_among(name, it); });
  std::string_view wanted = names.as_string();
  if (!wanted.ends_with('*')) return name == wanted;
  wanted.remove_suffix(1);
  return name.starts_with(wanted);
}

bool is_kind(const Event& event, std::string_view on) {
  if (on == "input") return event.direction == Direction::to_server && event.kind != "start" && event.kind != "end";
  if (on == "output") return event.direction == Direction::to_host && event.kind != "exit";
  if (on == "answer") return event.kind == "result" || event.kind == "error";
  return event.kind == on;
}

bool all_meet(const Json* conditions, const Json& json) {
  if (conditions == nullptr) return true;
  return std::all_of(conditions->as_object().begin(), conditions->as_object().end(),
                     [&](const auto& condition) { return meets(find(json, condition.key()), condition.value()); });
}

/// What is to be noted may come from the message itself.
bool all_noted(const Json* conditions, const Event& event, const Notes& notes) {
  if (conditions == nullptr) return true;
  return std::all_of(conditions->as_object().begin(), conditions->as_object().end(), [&](const auto& condition) {
    auto note = notes.find(std::string(condition.key()));
    return meets(note != notes.end() ? &note->second : nullptr, filled(condition.value(), event, notes));
  });
}

std::vector<std::string> strings_of(const Json& list) {
  std::vector<std::string> strings;
  for (const Json& it : list.as_array()) strings.emplace_back(it.as_string());
  return strings;
}

Fault fault_from(const std::string& group, const JsonObject& text) {
  Fault fault{.name = group + "/" + std::string(text.at("fault").as_string()),
              .does = std::string(text.at("does").as_string()),
              .fails = strings_of(text.at("fails")),
              .revisions = {"2025-11-25", "2026-07-28"},
              .groups = {},
              .server = {},
              .rules = {}};
  if (const Json* revisions = text.if_contains("revisions")) fault.revisions = strings_of(*revisions);
  if (const Json* groups = text.if_contains("groups")) fault.groups = strings_of(*groups);
  if (const Json* server = text.if_contains("server")) fault.server = server->as_object();
  if (const Json* rules = text.if_contains("rules")) {
    for (const Json& rule : rules->as_array()) fault.rules.emplace_back(rule.as_object());
  }
  for (const auto& member : text) {
    constexpr std::array known{"fault", "does", "fails", "revisions", "groups", "server", "rules"};
    if (std::find(known.begin(), known.end(), member.key()) == known.end())
      throw std::invalid_argument("a fault has no \"" + std::string(member.key()) + "\"");
  }
  return fault;
}

/// Calls `take` with each line that is not empty, and names the line if something is wrong with it.
template <class Take>
void each_line(const std::filesystem::path& file, Take take) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::invalid_argument("cannot read " + file.string());
  std::string line;
  for (std::size_t number = 1; std::getline(stream, line); ++number) {
    if (line.empty()) continue;
    try {
      take(line);
    } catch (const std::exception& error) {
      throw std::invalid_argument(file.string() + ":" + std::to_string(number) + ": " + error.what());
    }
  }
}

Fault parse_fault(const std::string& group, const std::string& line) {
  return fault_from(group, toolwire::parse_json(line, {.duplicate_keys = toolwire::DuplicateKeys::refuse}).as_object());
}

}  // namespace

bool meets(const Json* value, const Json& condition) {
  const JsonObject* special = condition.if_object();
  if (special == nullptr || special->size() != 1) return value != nullptr && *value == condition;
  const auto& [name, what] = *special->begin();
  if (name == "is") return value != nullptr ? is_a(*value, what.as_string()) : what == "absent";
  if (name == "not") return !meets(value, what);
  if (name == "matches") return value != nullptr && matches(text_of(*value), what);
  if (name == "in") {
    const JsonArray& list = what.as_array();
    return std::any_of(list.begin(), list.end(), [&](const Json& it) { return meets(value, it); });
  }
  return value != nullptr && *value == condition;
}

Rule::Rule(JsonObject text) : text_(std::move(text)) {
  for (const auto& one : text_) {
    if (std::find(known_members.begin(), known_members.end(), one.key()) == known_members.end())
      throw std::invalid_argument("a rule has no \"" + std::string(one.key()) + "\"");
  }
  const std::string_view on = text_.at("on").as_string();
  if (std::find(kinds.begin(), kinds.end(), on) == kinds.end())
    throw std::invalid_argument("\"on\" knows no \"" + std::string(on) + "\"");
}

bool Rule::applies(const Event& event, const Notes& notes) {
  if (!fits(event, notes)) return false;
  ++met_;
  const auto count = [&](std::string_view name, std::size_t otherwise) {
    const Json* value = member(name);
    return value != nullptr ? value->to_number<std::size_t>() : otherwise;
  };
  if (const Json* nth = member("nth")) return nth->to_number<std::size_t>() == met_;
  return met_ >= count("from", 1) && met_ <= count("until", met_);
}

bool Rule::fits(const Event& event, const Notes& notes) const {
  if (!is_kind(event, text_.at("on").as_string())) return false;
  if (const Json* method = member("method"); method != nullptr && !is_among(event.method, *method)) return false;
  if (const Json* revision = member("revision"); revision != nullptr && !is_among(event.revision, *revision))
    return false;
  const bool modern = event.revision >= "2026-07-28";
  if (const Json* era = member("era"); era != nullptr && (era->as_string() == "modern") != modern) return false;
  if (const Json* pattern = member("matches"); pattern != nullptr && !matches(event.line, *pattern)) return false;
  if (!all_meet(member("if"), event.message) || !all_meet(member("asked"), event.request) ||
      !all_noted(member("noted"), event, notes))
    return false;
  const Json* command = member("where");
  // NOLINTNEXTLINE(cert-env33-c): the rule is a shell command
  return command == nullptr || std::system(std::string(command->as_string()).c_str()) == 0;
}

std::vector<Fault> read_faults(const std::filesystem::path& file) {
  std::vector<Fault> faults;
  each_line(file, [&](const std::string& line) { faults.push_back(parse_fault(file.stem().string(), line)); });
  return faults;
}

std::vector<Fault> read_all_faults(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Fault> all;
  for (const auto& file : files) {
    for (Fault& fault : read_faults(file)) all.push_back(std::move(fault));
  }
  return all;
}

Fault read_fault(const std::filesystem::path& folder, const std::string& name) {
  const std::size_t slash = name.find('/');
  const std::string group = name.substr(0, slash);
  std::vector<Fault> found;
  const std::string start = R"({"fault": ")" + (slash == std::string::npos ? "" : name.substr(slash + 1)) + "\",";
  each_line(folder / (group + ".jsonl"), [&](const std::string& line) {
    if (line.starts_with(start)) found.push_back(parse_fault(group, line));
  });
  if (found.size() != 1) throw std::invalid_argument("no fault, or several, of the name " + name);
  return std::move(found.front());
}

}  // namespace mutants
