#include "activities/bindings.hpp"

#define BOOST_TEST_MODULE bridge_bindings
#include <boost/test/unit_test.hpp>

#include <algorithm>

#include "scratch_folder.hpp"

namespace {

using namespace toolwire::bridge;

BindingsReading read(std::string_view text, const std::string& profile = "") {
  return read_bindings(text, profile, "tools.bindings.json", "/folder");
}

Bindings good(std::string_view text, const std::string& profile = "") {
  const BindingsReading reading = read(text, profile);
  for (const ManifestProblem& problem : reading.problems) BOOST_ERROR(problem.message());
  BOOST_REQUIRE(reading.bindings.has_value());
  return *reading.bindings;
}

bool has_problem(const BindingsReading& reading, const std::string& pointer, const std::string& text = "") {
  return std::any_of(reading.problems.begin(), reading.problems.end(), [&](const ManifestProblem& problem) {
    return problem.pointer == pointer && problem.text.find(text) != std::string::npos;
  });
}

constexpr const char* with_profiles = R"({
  "bindings": {
    "weather": {"http": {"url": "https://api.example/weather"}},
    "echo": {"process": {"argv": ["cat"]}}
  },
  "servers": {"files": {"command": ["files"]}},
  "latent": "sampling",
  "profiles": {
    "dev": {"bindings": {"weather": {"constant": {"result": 20}}, "echo": null}, "latent": "hidden"},
    "prod": {"servers": {"files": null, "other": {"command": ["other"]}}, "dangling": "latent"}
  }
})";

}  // namespace

BOOST_AUTO_TEST_CASE(entries_are_read_with_their_kinds_and_places) {
  const Bindings bindings = good(with_profiles);
  BOOST_TEST(bindings.by_name.size() == 2U);
  BOOST_TEST(bindings.by_name.at("weather").kind == "http");
  BOOST_TEST(bindings.by_name.at("weather").pointer == "/bindings/weather/http");
  BOOST_TEST(bindings.servers.contains("files"));
  BOOST_TEST((bindings.latent == toolwire::bridge::Latent::sampling));
  BOOST_TEST(!bindings.dangling.has_value());
  BOOST_TEST(bindings.profiles == (std::vector<std::string>{"dev", "prod"}), boost::test_tools::per_element());
  BOOST_TEST(bindings.directory == "/folder");
}

BOOST_AUTO_TEST_CASE(a_profile_replaces_and_removes_entries) {
  const Bindings dev = good(with_profiles, "dev");
  BOOST_TEST(dev.by_name.size() == 1U);
  BOOST_TEST(dev.by_name.at("weather").kind == "constant");
  BOOST_TEST(dev.by_name.at("weather").pointer == "/profiles/dev/bindings/weather/constant");
  BOOST_TEST((dev.latent == Latent::hidden));
  const Bindings prod = good(with_profiles, "prod");
  BOOST_TEST(prod.by_name.size() == 2U);
  BOOST_TEST(!prod.servers.contains("files"));
  BOOST_TEST(prod.servers.contains("other"));
  BOOST_TEST((prod.dangling == Dangling::latent));
}

BOOST_AUTO_TEST_CASE(an_unknown_profile_is_refused_naming_those_there_are) {
  const BindingsReading reading = read(with_profiles, "staging");
  BOOST_TEST(!reading.bindings.has_value());
  BOOST_TEST(has_problem(reading, "/profiles", "\"dev\", \"prod\""));
  BOOST_TEST(has_problem(read("{}", "dev"), "/profiles", "none"));
}

BOOST_AUTO_TEST_CASE(all_problems_are_named_at_once_with_their_places_and_lines) {
  const BindingsReading reading = read(R"({
  "bindings": {
    "a": {"process": {"argv": []}},
    "b": {"http": {"url": 5}},
    "c": {},
    "d": {"process": {"argv": ["x"]}, "http": {"url": "http://x/"}},
    "e": {"ftp": {}},
    "f": {"process": {"argv": ["x", {"when": "y"}], "shell": true}}
  },
  "latent": "sometimes",
  "extra": 1
})");
  BOOST_TEST(!reading.bindings.has_value());
  for (const char* pointer : {"/bindings/a/process/argv", "/bindings/b/http/url", "/bindings/c", "/bindings/d",
                              "/bindings/e", "/bindings/f/process", "/latent"})
    BOOST_TEST(std::any_of(reading.problems.begin(), reading.problems.end(),
                           [&](const ManifestProblem& problem) { return problem.pointer.starts_with(pointer); }),
               pointer);
  const auto found = std::find_if(reading.problems.begin(), reading.problems.end(), [](const ManifestProblem& problem) {
    return problem.pointer == "/bindings/b/http/url";
  });
  BOOST_REQUIRE((found != reading.problems.end()));
  BOOST_TEST(found->message() == "tools.bindings.json:4: /bindings/b/http/url: expected a string");
}

BOOST_AUTO_TEST_CASE(an_unknown_kind_is_refused_naming_the_known_ones) {
  const BindingsReading reading = read(R"({"bindings": {"e": {"ftp": {}}}})");
  BOOST_TEST(has_problem(reading, "/bindings/e", "\"process\""));
}

BOOST_AUTO_TEST_CASE(what_is_not_json_or_names_a_member_twice_is_refused) {
  BOOST_TEST(has_problem(read("{"), "", "expected JSON"));
  BOOST_TEST(has_problem(read(R"({"bindings": {}, "bindings": {}})"), "", "expected JSON"));
  BOOST_TEST(has_problem(read("[]"), ""));
}

BOOST_AUTO_TEST_CASE(a_file_is_read_and_its_folder_remembered) {
  const toolwire_test::ScratchFolder folder;
  const std::string path =
      folder.file("tools.bindings.json", R"({"bindings": {"echo": {"process": {"argv": ["cat"]}}}})");
  const BindingsReading reading = read_bindings_file(path, "");
  BOOST_REQUIRE(reading.bindings.has_value());
  BOOST_TEST(reading.bindings->directory == folder.text());
  BOOST_TEST(has_problem(read_bindings_file((folder / "missing.json").string(), ""), "", "No such file"));
  BOOST_TEST(!read_bindings_file(folder.text(), "").bindings.has_value());
}

BOOST_AUTO_TEST_CASE(bindings_lie_beside_the_manifest) {
  BOOST_TEST(bindings_path_of("/a/tools.json") == "/a/tools.bindings.json");
  BOOST_TEST(bindings_path_of("tools") == "tools.bindings.json");
}
