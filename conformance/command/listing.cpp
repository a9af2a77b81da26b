#include "command/listing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "catalogue/catalogue.hpp"
#include "checks/groups.hpp"
#include "command/options.hpp"
#include "passive/passive.hpp"
#include "target/start_up.hpp"

namespace toolwire::conformance {
namespace {

std::string joined(const std::vector<std::string>& names) {
  if (names.size() == revisions.size()) return "all";
  return fmt::format("{}", fmt::join(names, ", "));
}

void line(std::string& text, std::string_view name, std::string_view value) {
  if (!value.empty()) text += fmt::format("  {:<12} {}\n", name, value);
}

std::string implied(const Requirement& requirement) {
  if (requirement.inferred_in.empty()) return "";
  if (requirement.is_inferred()) return " (implied by the text)";
  return fmt::format(" (implied by the text of {})", fmt::join(requirement.inferred_in, ", "));
}

std::string explained(const Requirement& requirement, const std::set<std::string_view>& ids) {
  std::string text = requirement.id + "\n";
  line(text, "group", requirement.group);
  line(text, "level", requirement.level_text + implied(requirement));
  line(text, "breaking it", text_of(verdict_of(requirement)));
  line(text, "revisions", joined(requirement.revisions));
  line(text, "section", requirement.section);
  line(text, "asks", requirement.requirement);
  line(text, "stimulus", requirement.stimulus);
  line(text, "expected", requirement.expected);
  line(text, "fixture", requirement.fixture == "none" ? "" : requirement.fixture);
  line(text, "why", requirement.why);
  line(text, "fix", requirement.fix);
  line(text, "note", requirement.note);
  if (!ids.contains(requirement.id)) line(text, "judged", "no: it cannot be seen from outside the server");
  return text;
}

}  // namespace

const std::set<std::string_view>& checked_ids() {
  static const std::set<std::string_view> all = [] {
    const auto start_up = start_up_checks();
    std::set<std::string_view> ids(start_up.begin(), start_up.end());
    for (const Group& group : groups()) {
      for (const Check& check : group.checks) ids.insert(check.id);
    }
    for (const PassiveCheck& check : passive_checks()) ids.insert(check.id);
    return ids;
  }();
  return all;
}

std::string list_of_checks(const std::set<std::string_view>& ids) {
  std::string text;
  std::string_view group;
  std::size_t count = 0;
  for (const Requirement& requirement : requirements()) {
    if (!ids.contains(requirement.id)) continue;
    if (requirement.group != group) text += fmt::format("{}{}\n", group.empty() ? "" : "\n", requirement.group);
    group = requirement.group;
    text += fmt::format("  {:<40} {:<11} {}\n", requirement.id, requirement.level_text, requirement.requirement);
    ++count;
  }
  return text + fmt::format("\n{} checks; --explain CHECK tells all about one\n", count);
}

std::string explanation_of(const std::vector<std::string>& names, const std::set<std::string_view>& ids) {
  std::string text;
  for (const std::string& name : names) {
    const std::size_t before = text.size();
    for (const Requirement& requirement : requirements()) {
      if (requirement.id != name && requirement.group != name) continue;
      text += (text.empty() ? "" : "\n") + explained(requirement, ids);
    }
    if (text.size() == before) throw UsageEnd(2, "\"" + name + "\" is neither a check nor a group; --list names them");
  }
  return text;
}

}  // namespace toolwire::conformance
