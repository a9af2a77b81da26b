#include "workspace/names/ignore_rules.hpp"

#include <algorithm>
#include <cstddef>
#include <toolwire/error.hpp>
#include <utility>

namespace workspace {
namespace {

constexpr std::string_view special = "*?[\\";
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_behind_backslash(std::string_view line, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && line[begin - 1] == '\\') --begin;
  return (at - begin) % 2 == 1;
}

// White space at the end counts only behind a backslash.
std::string_view without_end(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  while (line.ends_with(' ') && !is_behind_backslash(line, line.size() - 1)) line.remove_suffix(1);
  return line;
}

// Several stars go through folders only where they are all between two slashes; else they are one.
std::string_view stars_meant(std::string_view pattern, std::size_t begin, std::size_t end) {
  const bool is_part =
      (begin == 0 || pattern[begin - 1] == '/') && (end == pattern.size() || pattern[end] == '/') && end - begin > 1;
  return is_part ? "**" : "*";
}

// Braces and commas mean nothing in these patterns, and "./" at the start is no name that a path has.
std::string as_glob(std::string_view pattern) {
  std::string out = pattern.starts_with("./") ? "\\" : "";
  for (std::size_t at = 0; at < pattern.size();) {
    const char c = pattern[at];
    const std::size_t set = c == '[' ? size_of_set(pattern.substr(at)) : std::string_view::npos;
    std::size_t size = set == std::string_view::npos ? 1 : set;
    if (c == '\\' && at + 1 < pattern.size()) size = 2;
    if (c == '*') {
      size = std::min(pattern.find_first_not_of('*', at), pattern.size()) - at;
      out += stars_meant(pattern, at, at + size);
    } else {
      if (c == '{' || c == '}' || c == ',') out += '\\';
      out += pattern.substr(at, size);
    }
    at += size;
  }
  return out;
}

}  // namespace

IgnoreRules::IgnoreRules(std::string folder, std::string_view text) : folder_(std::move(folder)) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    add(without_end(text.substr(0, newline)));
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
  }
}

void IgnoreRules::add(std::string_view line) {
  if (line.empty() || line.starts_with('#')) return;
  Rule rule;
  rule.keeps = line.starts_with('!');
  if (rule.keeps) line.remove_prefix(1);
  rule.only_directories = line.ends_with('/');
  if (rule.only_directories) line.remove_suffix(1);
  if (line.empty()) return;
  const bool is_plain = line.find('/') == std::string_view::npos;
  if (is_plain && line.find_first_of(special) == std::string_view::npos) {
    rule.form = Form::name;
    rule.text = line;
  } else if (is_plain && line.starts_with('*') && line.find_first_of(special, 1) == std::string_view::npos) {
    rule.form = Form::ending;
    rule.text = line.substr(1);
  } else {
    try {
      rule.glob = std::make_unique<Glob>(as_glob(line));
    } catch (const toolwire::ToolError&) {
      return;
    }
  }
  rules_.push_back(std::move(rule));
}

bool IgnoreRules::fits(const Rule& rule, std::string_view below, std::string_view name) {
  switch (rule.form) {
    case Form::name:
      return name == rule.text;
    case Form::ending:
      return name.ends_with(rule.text);
    case Form::pattern:
      break;
  }
  return rule.glob->matches(below);
}

Verdict IgnoreRules::verdict(std::string_view path, bool is_directory) const {
  const std::string_view below = path.substr(folder_.size());
  const std::string_view name = below.substr(below.rfind('/') + 1);
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule) {
    if (rule->only_directories && !is_directory) continue;
    if (fits(*rule, below, name)) return rule->keeps ? Verdict::kept : Verdict::ignored;
  }
  return Verdict::none;
}

}  // namespace workspace
