#include "manifest/settings_reader.hpp"

#include <algorithm>

#include "manifest/members.hpp"

namespace toolwire::bridge {

std::string list_of(std::span<const std::string_view> names) {
  std::string all;
  for (const std::string_view name : names) all.append(all.empty() ? "" : ", ").append(name);
  return all;
}

void SettingsReader::problem(std::string_view name, const std::string& text) { problem_at(below(root_, name), text); }

void SettingsReader::problem(std::string_view name, std::size_t index, const std::string& text) {
  problem_at(below(below(root_, name), index), text);
}

void SettingsReader::problem_at(const std::string& pointer, const std::string& text) {
  is_fine_ = false;
  findings_.problem(place_of_(pointer), text);
}

void SettingsReader::refuse_unknown(std::span<const std::string_view> known) {
  for (const auto& [name, value] : json_) {
    const std::string_view written = name;
    if (std::ranges::find(known, written) != known.end()) continue;
    const std::string near = did_you_mean(written, known);
    problem(written, near.empty() ? "unknown; expected one of " + list_of(known) : "unknown" + near);
  }
}

std::string SettingsReader::text(std::string_view name) {
  const Json* const value = json_.if_contains(name);
  if (value == nullptr) return {};
  if (value->is_string() && !value->get_string().empty()) return std::string(value->get_string());
  problem(name, "expected a string that is not empty, found " + std::string(kind_of(*value)));
  return {};
}

std::string SettingsReader::needed_text(std::string_view name, std::string_view example) {
  if (has(name)) return text(name);
  problem_at(root_, "expected \"" + std::string(name) + "\", as " + std::string(example));
  return {};
}

std::optional<std::int64_t> SettingsReader::number(std::string_view name, std::int64_t least, std::int64_t most) {
  const Json* const value = json_.if_contains(name);
  if (value == nullptr) return std::nullopt;
  if (value->is_int64() && value->get_int64() >= least && value->get_int64() <= most) return value->get_int64();
  problem(name, "expected a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return std::nullopt;
}

std::optional<std::vector<std::string>> SettingsReader::texts(std::string_view name) {
  const Json* const value = json_.if_contains(name);
  if (value == nullptr) return std::nullopt;
  const JsonArray* const list = value->if_array();
  if (list == nullptr || list->empty()) {
    problem(name, "expected an array of strings that is not empty");
    return std::nullopt;
  }
  std::vector<std::string> made;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Json& one = (*list)[i];
    if (one.is_string() && !one.get_string().empty()) {
      made.emplace_back(one.get_string());
    } else {
      problem_at(below(below(root_, name), i), "expected a string that is not empty");
    }
  }
  return made;
}

}  // namespace toolwire::bridge
