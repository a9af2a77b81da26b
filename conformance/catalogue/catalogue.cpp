#include "catalogue/catalogue.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <stdexcept>
#include <utility>

#include "catalogue/catalogue_text.hpp"
#include "driver/message.hpp"
#include "driver/revision.hpp"

namespace toolwire::conformance {
namespace {

Level level_of(std::string_view text) {
  if (text.starts_with("MUST")) return Level::must;
  if (text.starts_with("SHOULD")) return Level::should;
  if (text == "SCHEMA") return Level::schema;
  if (text == "MAY-if") return Level::may;
  if (text == "ROBUSTNESS") return Level::robustness;
  if (text == "INFO") return Level::info;
  throw std::logic_error("the catalogue has the unknown level " + std::string(text));
}

std::vector<std::string> revisions_of(const Json& value) {
  std::vector<std::string> names;
  if (value == Json("all")) {
    for (const Revision& revision : revisions) names.emplace_back(revision.name);
  } else {
    for (const Json& name : value.as_array()) names.emplace_back(text_of(name));
  }
  return names;
}

/// "inferred", or "keyword; inferred in 2024-11-05, 2025-03-26".
std::vector<std::string> inferred_in(std::string_view basis, const std::vector<std::string>& revisions) {
  if (basis == "inferred") return revisions;
  std::vector<std::string> names;
  std::ranges::copy_if(revisions, std::back_inserter(names),
                       [&](const std::string& it) { return basis.find(it) != std::string_view::npos; });
  return names;
}

Requirement read_requirement(std::string_view line, std::string_view group) {
  const Json row = parse_json(line, {.duplicate_keys = DuplicateKeys::refuse});
  auto text = [&](std::string_view name) { return std::string(text_of(get(row, name))); };
  const auto revisions = revisions_of(get(row, "revisions"));
  return {.id = text("id"),
          .group = std::string(group),
          .level = level_of(text("level")),
          .level_text = text("level"),
          .first = text("priority") == "P1",
          .revisions = revisions,
          .inferred_in = inferred_in(text("basis"), revisions),
          .requirement = text("requirement"),
          .stimulus = text("stimulus"),
          .expected = text("expected"),
          .fixture = text("fixture"),
          .section = text("section"),
          .note = text("note"),
          .why = text("why"),
          .fix = text("fix")};
}

/// Those of hosts stand in files of their own.
bool is_of_hosts(const CatalogueFile& file) { return file.group.starts_with("client-"); }

std::deque<Requirement> read_all(bool of_hosts) {
  std::deque<Requirement> all;
  for (const CatalogueFile& file : catalogue_files()) {
    if (is_of_hosts(file) != of_hosts) continue;
    std::string_view rest = file.text;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      if (end > 0) all.push_back(read_requirement(rest.substr(0, end), file.group));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return all;
}

struct Catalogue {
  std::deque<Requirement> all = read_all(false);
  std::map<std::string_view, const Requirement*> by_id = {};

  Catalogue() {
    for (const Requirement& requirement : all) by_id.emplace(requirement.id, &requirement);
  }
  void add(Requirement own) {
    all.push_back(std::move(own));
    by_id.emplace(all.back().id, &all.back());
  }
};

Catalogue& catalogue() {
  static Catalogue all;
  return all;
}

}  // namespace

bool Requirement::holds_in(std::string_view revision) const {
  return std::find(revisions.begin(), revisions.end(), revision) != revisions.end();
}

bool Requirement::is_inferred_in(std::string_view revision) const {
  return std::find(inferred_in.begin(), inferred_in.end(), revision) != inferred_in.end();
}

namespace {

Verdict verdict_of_level(const Requirement& requirement, bool inferred) {
  switch (requirement.level) {
    case Level::must:
    case Level::schema:
      return inferred ? Verdict::warn : Verdict::fail;
    case Level::may:
      return Verdict::fail;  // it need not be there, but it is, and wrong
    case Level::info:
      return Verdict::info;
    case Level::should:
    case Level::robustness:
      break;
  }
  return Verdict::warn;
}

}  // namespace

Verdict verdict_of(const Requirement& requirement, std::string_view revision) {
  return verdict_of_level(requirement, requirement.is_inferred_in(revision));
}

Verdict verdict_of(const Requirement& requirement) { return verdict_of_level(requirement, requirement.is_inferred()); }

const std::deque<Requirement>& requirements() { return catalogue().all; }

std::deque<Requirement> host_requirements() { return read_all(true); }

const Requirement* find_requirement(std::string_view id) {
  const auto found = catalogue().by_id.find(id);
  return found != catalogue().by_id.end() ? found->second : nullptr;
}

void add_requirement(Requirement own) { catalogue().add(std::move(own)); }

const Json& default_profile() {
  static const Json profile = parse_json(fixtures_text(), {.duplicate_keys = DuplicateKeys::refuse});
  return profile;
}

}  // namespace toolwire::conformance
