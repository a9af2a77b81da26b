#include "catalogue/catalogue.hpp"

#define BOOST_TEST_MODULE conformance_catalogue_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

#include "catalogue/catalogue_text.hpp"
#include "catalogue/over_http.hpp"
#include "checks/groups.hpp"
#include "command/listing.hpp"
#include "command/options.hpp"
#include "driver/revision.hpp"

using namespace toolwire::conformance;

BOOST_AUTO_TEST_CASE(every_check_has_a_requirement) {
  for (const std::string_view id : checked_ids()) BOOST_TEST(find_requirement(id) != nullptr, id);
}

BOOST_AUTO_TEST_CASE(every_requirement_with_a_check_says_why_and_how_to_mend_it) {
  for (const std::string_view id : checked_ids()) {
    const Requirement* requirement = find_requirement(id);
    if (requirement == nullptr) continue;
    BOOST_TEST(!requirement->why.empty(), id << " has no why");
    BOOST_TEST(!requirement->fix.empty(), id << " has no fix");
    BOOST_TEST(!requirement->requirement.empty(), id << " asks nothing");
    if (requirement->level != Level::robustness) BOOST_TEST(!requirement->section.empty(), id << " has no section");
  }
}

BOOST_AUTO_TEST_CASE(no_id_stands_twice) {
  std::set<std::string_view> seen;
  for (const Requirement& requirement : requirements()) BOOST_TEST(seen.insert(requirement.id).second, requirement.id);
}

BOOST_AUTO_TEST_CASE(requirements_hold_in_published_revisions) {
  for (const Requirement& requirement : requirements()) {
    BOOST_TEST(!requirement.revisions.empty(), requirement.id);
    for (const std::string& revision : requirement.revisions)
      BOOST_TEST(find_revision(revision) != nullptr, requirement.id << " " << revision);
  }
}

BOOST_AUTO_TEST_CASE(the_checks_of_a_group_stand_in_its_file) {
  for (const Group& group : groups()) {
    for (const Check& check : group.checks) {
      const Requirement* requirement = find_requirement(check.id);
      if (requirement != nullptr) BOOST_TEST(requirement->group == group.name, check.id);
    }
  }
}

BOOST_AUTO_TEST_CASE(advice_is_never_a_failure) {
  const Requirement* advice = find_requirement("lint-names");
  BOOST_REQUIRE(advice != nullptr);
  BOOST_TEST((verdict_of(*advice) == Verdict::info));
}

BOOST_AUTO_TEST_CASE(what_only_some_revisions_imply_is_a_failure_in_the_others) {
  const Requirement* requirement = find_requirement("init-only-negotiated-capabilities");
  BOOST_REQUIRE(requirement != nullptr);
  BOOST_TEST((verdict_of(*requirement, "2025-03-26") == Verdict::warn));
  BOOST_TEST((verdict_of(*requirement, "2025-06-18") == Verdict::fail));
  BOOST_TEST((verdict_of(*requirement) == Verdict::fail));
}

BOOST_AUTO_TEST_CASE(there_are_at_least_three_hundred_checks) { BOOST_TEST(checked_ids().size() >= 300U); }

BOOST_AUTO_TEST_CASE(the_list_names_every_check) {
  const std::string list = list_of_checks();
  for (const std::string_view id : checked_ids())
    BOOST_TEST(list.find("  " + std::string(id) + " ") != std::string::npos, id);
}

BOOST_AUTO_TEST_CASE(an_explanation_tells_all_about_a_check_or_a_group) {
  const std::string one = explanation_of({"ping-prompt"});
  for (const char* part : {"MUST", "2025-11-25/basic/utilities/ping", "why", "fix"})
    BOOST_TEST(one.find(part) != std::string::npos, part);
  BOOST_TEST(explanation_of({"ping"}).find("ping-string-id") != std::string::npos);
  BOOST_CHECK_THROW(explanation_of({"nothing"}), UsageEnd);
}

BOOST_AUTO_TEST_CASE(what_is_not_judged_over_http_is_known_and_has_a_reason) {
  const toolwire::Json table = toolwire::parse_json(over_http_text());
  for (const auto& entry : table.as_object()) {
    const std::string_view name = entry.key();
    const auto& all = requirements();
    BOOST_TEST(std::ranges::any_of(all, [&](const auto& it) { return it.id == name || it.group == name; }), name);
    const toolwire::JsonObject* by_revision = entry.value().if_object();
    BOOST_TEST((by_revision != nullptr || entry.value().is_string()), name);
    if (by_revision == nullptr) continue;
    for (const auto& [revision, text] : *by_revision) BOOST_TEST(find_revision(revision) != nullptr, name);
  }
}

BOOST_AUTO_TEST_CASE(a_reason_holds_for_a_check_or_its_group_and_may_name_a_revision) {
  BOOST_TEST(!why_not_over_http(*find_requirement("exit-on-stdin-eof"), "2025-11-25").empty());
  BOOST_TEST(!why_not_over_http(*find_requirement("tools-call-malformed"), "2026-07-28").empty());
  BOOST_TEST(why_not_over_http(*find_requirement("tools-call-malformed"), "2025-11-25").empty());
  BOOST_TEST(why_not_over_http(*find_requirement("ping-empty-result"), "2025-11-25").empty());
  for (const Requirement& requirement : requirements()) {
    if (requirement.group == http_group)
      BOOST_TEST(why_not_over_http(requirement, "2026-07-28").empty(), requirement.id);
  }
}
