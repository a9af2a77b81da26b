#include "activities/factory.hpp"

#define BOOST_TEST_MODULE bridge_activities_readme
#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iterator>

#include "bound_activity.hpp"
#include "scratch_folder.hpp"
#include "waited_call.hpp"

namespace {

using namespace toolwire;
using namespace toolwire::bridge;
using namespace toolwire_test;

std::string file(const char* name) {
  std::ifstream stream(std::string(TOOLWIRE_SOURCE_DIR "/bridge/activities/") + name);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// The example of the README.
std::string example() {
  const std::string text = file("README.md");
  const std::size_t begin = text.find("```json\n");
  BOOST_REQUIRE(begin != std::string::npos);
  return text.substr(begin + 8, text.find("```\n", begin + 8) - begin - 8);
}

ActivityPointer activity(const std::string& name, const std::string& profile) {
  const BindingsReading reading = read_bindings(example(), profile, "README.md", "/");
  for (const ManifestProblem& problem : reading.problems) BOOST_ERROR(problem.message());
  BOOST_REQUIRE(reading.bindings.has_value());
  const BoundActivities made = make_bound_activities(*reading.bindings, {}, new_services());
  for (const ManifestProblem& problem : made.problems) BOOST_ERROR(problem.message());
  for (const auto& [its_name, its_activity] : made.activities) {
    if (its_name == name) return its_activity;
  }
  return nullptr;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_programs_of_the_example_run) {
  BOOST_TEST(text_of(call(*activity("count_words", ""), JsonObject{{"text", "one two three"}})) == "3\n");
  const ScratchFolder folder;
  folder.file("seen");
  folder.file(".hidden");
  const auto list = activity("list_files", "");
  BOOST_TEST(text_of(call(*list, JsonObject{{"folder", folder.text()}})) == "seen\n");
  BOOST_TEST(text_of(call(*list, JsonObject{{"folder", folder.text()}, {"all", true}})) == ".hidden\nseen\n");
  BOOST_TEST(call(*list, JsonObject{{"folder", "--help"}}).is_error);  // behind "--" it is the name of a folder
}

BOOST_AUTO_TEST_CASE(the_profiles_of_the_example_stand_for_the_real_thing) {
  BOOST_TEST((call(*activity("weather", "dev"), JsonObject{{"city", "Bern"}}).structured ==
              parse_json(R"({"city": "Bern", "celsius": 20})")));
  BOOST_TEST(text_of(call(*activity("weather", "test"), JsonObject{})) == "no weather today");
  BOOST_TEST(activity("weather", "")->kind() == "http");
  BOOST_TEST(activity("spawn_agent", "")->kind() == "http");
  BOOST_TEST((activity("spawn_agent", "test") == nullptr));
}

BOOST_AUTO_TEST_CASE(every_member_of_the_schema_is_explained) {
  const std::string text = file("README.md");
  const Json schema = parse_json(file("bindings.schema.json"));
  for (const char* kind : {"process", "http", "constant"}) {
    for (const auto& [name, ignored] : schema.at("$defs").at(kind).at("properties").as_object()) {
      const bool is_explained = text.find("`" + std::string(name)) != std::string::npos ||
                                text.find("\"" + std::string(name) + "\"") != std::string::npos;
      BOOST_TEST(is_explained, kind << "." << name);
    }
  }
}
