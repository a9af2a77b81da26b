#include "activities/mcp/tool_names.hpp"

#include <cstddef>

namespace toolwire::bridge::mcp {
namespace {

constexpr std::size_t max_length = 128;  // the framework's bound; hosts agree best on names up to 50

bool is_allowed(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

std::string with_suffix(const std::string& name, const std::string& suffix) {
  return name.substr(0, max_length - suffix.size()) + suffix;
}

/// RFC 3986 §3.1: a letter, then letters, digits, '+', '-' and '.'.
std::string as_scheme(const std::string& server) {
  std::string scheme = mapped_name(server);
  for (char& c : scheme) c = c == '_' ? '-' : c;
  const char first = scheme.front();
  return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') ? scheme : "s" + scheme;
}

}  // namespace

std::string mapped_name(std::string_view name) {
  std::string mapped;
  for (const char c : name) {
    if (!continues_character(c)) mapped += is_allowed(c) ? c : '_';
  }
  return mapped.empty() ? "_" : mapped.substr(0, max_length);
}

const std::string& ToolNames::name(const std::string& server, const std::string& tool, Prefix prefix,
                                   const std::string& wanted_name) {
  Given& known = given_[{server, tool}];
  std::string& given = known.name;
  if (!given.empty() && known.wanted == wanted_name) return given;
  taken_.erase(given);
  known = {.wanted = wanted_name};
  const std::string& plain = wanted_name.empty() ? tool : wanted_name;
  const std::string prefixed = mapped_name(server + "_" + plain);
  const bool as_it_is = prefix != Prefix::always || !wanted_name.empty();
  std::string wanted = as_it_is ? mapped_name(plain) : prefixed;
  known.first_choice = wanted;
  if (is_taken(wanted)) {
    if (prefix == Prefix::never) return given;
    wanted = prefixed;
  }
  std::string free = wanted;
  for (int number = 2; is_taken(free); ++number) free = with_suffix(wanted, "_" + std::to_string(number));
  taken_.insert(free);
  return given = free;
}

void ToolNames::take_back_changed(std::set<std::string> reserved, const Wanted& wanted) {
  std::set<std::string> free = std::exchange(reserved_, std::move(reserved));
  const auto take_back = [this](Given& given) {
    taken_.erase(given.name);
    given = {};
  };
  for (auto& [tool, given] : given_) {
    const bool is_wanted = given.wanted == wanted(tool.first, tool.second);
    if (is_wanted && !reserved_.contains(given.name)) continue;
    free.insert(given.name);
    take_back(given);
  }
  for (auto& [tool, given] : given_) {
    const std::string& first = given.first_choice;
    if (given.name != first && free.contains(first) && !is_taken(first)) take_back(given);
  }
}

std::optional<std::string> UriPrefixes::prefix(const std::string& server, const std::string& uri, Prefix prefix) {
  const auto known = given_.find({server, uri});
  if (known != given_.end()) return known->second;
  if (prefix == Prefix::never && taken_.contains(uri)) return std::nullopt;
  std::string& given = given_[{server, uri}];
  const std::string scheme = as_scheme(server);
  if (prefix == Prefix::always || taken_.contains(uri)) given = scheme + "+";
  for (int number = 2; taken_.contains(given + uri); ++number) given = scheme + "-" + std::to_string(number) + "+";
  taken_.insert(given + uri);
  return given;
}

}  // namespace toolwire::bridge::mcp
