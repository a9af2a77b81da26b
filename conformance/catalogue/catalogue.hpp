// The requirements as data: what each requires, where the specification says so, why it matters and how to fix a server
// that violates it. Compiled in from catalogue/*.jsonl. Independent of the code of the checks.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/json.hpp>

#include "catalogue/verdict.hpp"

namespace toolwire::conformance {

/// The wording of the specification. `info` is advice; it never fails a server.
enum class Level { must, should, schema, may, robustness, info };

struct Requirement {
  std::string id;
  std::string group;  // the name of its file
  Level level = Level::must;
  std::string level_text;                     // "MUST NOT", as in the text
  bool first = false;                         // of the first priority: what most hosts rely on
  std::vector<std::string> revisions;         // that have it
  std::vector<std::string> inferred_in = {};  // those of them whose text only implies it, without a keyword of its own
  std::string requirement, stimulus, expected, fixture, section, note;
  std::string why;  // what happens to users of a server that breaks it
  std::string fix;  // what its author should do
  bool holds_in(std::string_view revision) const;
  bool is_inferred_in(std::string_view revision) const;
  bool is_inferred() const { return !inferred_in.empty() && inferred_in == revisions; }  // in each of them
};

/// The verdict for violating it in a revision: FAIL for MUST (WARN where the text only implies it), WARN for SHOULD and
/// for robustness, FAIL for an optional feature that is present and wrong.
Verdict verdict_of(const Requirement& requirement, std::string_view revision);
/// The worst of all its revisions.
Verdict verdict_of(const Requirement& requirement);

/// In the order of the files, then those that were added. References to them stay.
const std::deque<Requirement>& requirements();
/// Of the user's own. Before threads are started. Its id must not be there yet.
void add_requirement(Requirement own);
/// Those of hosts, which are no part of the others until they are added.
std::deque<Requirement> host_requirements();
/// Null if there is none.
const Requirement* find_requirement(std::string_view id);
/// The fixtures that are looked for by default, as a profile (see fixtures.hpp).
const Json& default_profile();

}  // namespace toolwire::conformance
