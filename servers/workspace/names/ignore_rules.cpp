#include "workspace/names/ignore_rules.hpp"

#include <toolwire/error.hpp>
#include <utility>

namespace workspace {
namespace {

constexpr std::string_view special = "*?[\\";

// White space at the end counts only behind a backslash.
std::string_view without_end(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  while (line.ends_with(' ') && !line.ends_with("\\ ")) line.remove_suffix(1);
  return line;
}

// Braces and commas mean nothing in these patterns.
std::string as_glob(std::string_view pattern) {
  std::string out;
  for (const char c : pattern) {
    if (c == '{' || c == '}' || c == ',') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

IgnoreRules::IgnoreRules(std::string folder, std::string_view text) : folder_(std::move(folder)) {
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
