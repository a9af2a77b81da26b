// Activities made from the text of a bindings file, as the bridge makes them.
#pragma once

#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>
#include <vector>

#include "activities/factory.hpp"

namespace toolwire_test {

/// What the Activities of one test run on.
inline toolwire::bridge::ActivityServices new_services() {
  return {.http = std::make_shared<toolwire::HttpClient>(),
          .processes = std::make_shared<toolwire::bridge::ProcessRunner>()};
}

/// The entry "tool" of a file with only that entry, `{KIND: {…}}`. Fails the test if anything is wrong with it.
inline toolwire::bridge::ActivityPointer bound_activity(const std::string& entry,
                                                        const toolwire::bridge::ActivityServices& services,
                                                        const std::vector<toolwire::bridge::ToolDefinition>& tools = {},
                                                        const std::string& directory = "/") {
  using namespace toolwire::bridge;
  const BindingsReading reading = read_bindings("{\"bindings\": {\"tool\": " + entry + "}}", "", "test", directory);
  for (const ManifestProblem& problem : reading.problems) BOOST_ERROR(problem.message());
  BOOST_REQUIRE(reading.bindings.has_value());
  const BoundActivities made = make_bound_activities(*reading.bindings, tools, services);
  for (const ManifestProblem& problem : made.problems) BOOST_ERROR(problem.message());
  BOOST_REQUIRE(made.activities.size() == 1U);
  return made.activities.front().second;
}

/// The problems of such an entry, in one text.
inline std::string binding_problems(const std::string& entry,
                                    const std::vector<toolwire::bridge::ToolDefinition>& tools = {}) {
  using namespace toolwire::bridge;
  const BindingsReading reading = read_bindings("{\"bindings\": {\"tool\": " + entry + "}}", "", "", "/");
  std::string all;
  for (const ManifestProblem& problem : reading.problems) all += problem.message() + "\n";
  if (!reading.bindings) return all;
  for (const ManifestProblem& problem : make_bound_activities(*reading.bindings, tools, {}).problems)
    all += problem.message() + "\n";
  return all;
}

}  // namespace toolwire_test
