#include <toolwire/bridge/resolution.hpp>

#define BOOST_TEST_MODULE resolution
#include <boost/test/unit_test.hpp>

using namespace toolwire;
using namespace toolwire::bridge;

namespace {

ToolDefinition tool(std::optional<std::string> activity = {}) {
  return {.name = "send", .activity = std::move(activity)};
}

struct Fixture {
  ActivityRegistry activities;
  void add(const char* name) {
    activities.add(name, [](const Json&) { return Json(true); });
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(an_activity_that_is_named_runs_the_tool, Fixture) {
  add("smtp");
  add("send");
  BOOST_TEST((resolve(tool("smtp"), activities) == Resolution{"smtp", false}));
}

BOOST_FIXTURE_TEST_CASE(an_activity_of_the_same_name_runs_a_tool_that_names_none, Fixture) {
  add("send");
  BOOST_TEST((resolve(tool(), activities) == Resolution{"send", false}));
}

BOOST_FIXTURE_TEST_CASE(a_tool_without_an_activity_is_latent, Fixture) {
  add("other");
  BOOST_TEST(resolve(tool(), activities).is_latent());
}

BOOST_FIXTURE_TEST_CASE(an_empty_activity_is_latent_even_if_there_is_one_of_the_same_name, Fixture) {
  add("send");
  BOOST_TEST(resolve(tool(""), activities).is_latent());
}

BOOST_FIXTURE_TEST_CASE(an_activity_that_is_not_there_is_never_silently_latent, Fixture) {
  add("send");
  BOOST_TEST((resolve(tool("smtp"), activities) == Resolution{"smtp", true}));
}

BOOST_FIXTURE_TEST_CASE(an_activity_that_is_not_there_is_latent_if_that_is_asked_for, Fixture) {
  BOOST_TEST(resolve(tool("smtp"), activities, Dangling::latent).is_latent());
  add("smtp");
  BOOST_TEST((resolve(tool("smtp"), activities, Dangling::latent) == Resolution{"smtp", false}));
}
