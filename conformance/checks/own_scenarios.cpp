#include "checks/own_scenarios.hpp"

#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "catalogue/catalogue.hpp"
#include "scenario/play.hpp"

namespace toolwire::conformance {
namespace {

/// Views of the checks lead here.
struct Own {
  std::map<std::string, Scenario, std::less<>> by_id;
  std::map<std::string, std::vector<Check>, std::less<>> by_group;
};

Own& own() {
  static Own all;
  return all;
}

void play_own(Probe& probe) { play(probe, own().by_id.at(probe.requirement().id)); }

void refuse_taken(const Requirement& added) {
  if (find_requirement(added.id) != nullptr)
    throw std::invalid_argument("the id \"" + added.id + "\" is taken by another check");
  for (const Requirement& other : requirements()) {
    if (other.group == added.group && !own().by_group.contains(added.group))
      throw std::invalid_argument("the group \"" + added.group + "\" is one of the suite's; choose another name");
  }
}

}  // namespace

void add_scenarios(std::vector<Scenario> scenarios) {
  for (Scenario& scenario : scenarios) {
    refuse_taken(scenario.requirement);
    add_requirement(scenario.requirement);
    const std::string id = scenario.requirement.id;
    const auto [added, is_new] = own().by_id.emplace(id, std::move(scenario));
    own().by_group[added->second.requirement.group].push_back({added->first, play_own});
  }
}

std::vector<Group> groups_of_scenarios() {
  std::vector<Group> groups;
  for (const auto& [name, checks] : own().by_group) groups.push_back({name, checks});
  return groups;
}

}  // namespace toolwire::conformance
