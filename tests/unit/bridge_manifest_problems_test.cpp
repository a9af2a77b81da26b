#include <toolwire/bridge/manifest.hpp>

#define BOOST_TEST_MODULE bridge_manifest_problems_test
#include <boost/test/unit_test.hpp>

#include "manifest_document.hpp"
#include "scratch_folder.hpp"

using namespace toolwire;
using namespace toolwire::bridge;
using namespace toolwire_test;

BOOST_AUTO_TEST_CASE(one_member_in_both_spellings_is_a_problem) {
  BOOST_TEST(one_problem(with("/tools/0/metadata/timeoutSeconds", 5), "/tools/0/metadata/timeoutSeconds",
                         "\"timeout_seconds\""));
}

BOOST_AUTO_TEST_CASE(every_problem_is_reported_at_once_with_file_line_and_place) {
  const std::string text = R"({
  "protocol_version": "2.0",
  "scenario": {"name": "", "version": 1},
  "tools": [
    {"name": "a-b", "description": "d", "category": "none",
     "parameters": {"type": "string"},
     "metadata": {"enabled_by_default": "yes"}},
    7
  ],
  "generated_at": "yesterday"
})";
  const auto problems = read_manifest(text, "m.json").problems;
  std::vector<std::string> places;
  places.reserve(problems.size());
  for (const ManifestProblem& problem : problems)
    places.push_back(problem.message().substr(0, problem.message().size() - problem.text.size() - 2));
  const std::vector<std::string> expected{"m.json:2: /protocol_version",
                                          "m.json:3: /scenario/version",
                                          "m.json:3: /scenario/description",
                                          "m.json:3: /scenario/name",
                                          "m.json:5: /tools/0/name",
                                          "m.json:6: /tools/0/parameters/type",
                                          "m.json:7: /tools/0/metadata/enabled_by_default",
                                          "m.json:7: /tools/0/metadata/requires_approval",
                                          "m.json:5: /tools/0/category",
                                          "m.json:8: /tools/1",
                                          "m.json:10: /generated_at"};
  BOOST_TEST(places == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(versions_of_major_one_are_accepted_and_others_refused_by_name) {
  for (const char* const version : {"1", "1.0", "1.7", "1.0.12"}) {
    BOOST_TEST(manifest_problems(with("/protocol_version", version)).empty());
  }
  for (const char* const version : {"2.0", "0.9", "11.0"}) {
    BOOST_TEST(one_problem(with("/protocol_version", version), "/protocol_version", version));
  }
  for (const char* const version : {"", "1.", ".1", "1.0.0.0", "v1", "1.x", "01.0", "1.0 ", "99999999999999999999"}) {
    BOOST_TEST(one_problem(with("/protocol_version", version), "/protocol_version", "expected a version"));
  }
  BOOST_TEST(one_problem(with("/protocol_version", 1), "/protocol_version", "expected a string, found a number"));
}

BOOST_AUTO_TEST_CASE(names_are_letters_digits_and_underscores) {
  for (const std::string& name : {std::string("a"), std::string(100, 'x'), std::string("read_file_2")}) {
    BOOST_TEST(manifest_problems(with("/tools/0/name", Json(name))).empty());
  }
  for (const std::string& name : {std::string(), std::string(101, 'x'), std::string("a.b"), std::string("a b"),
                                  std::string("\xc3\xa9"), std::string("a\x1b[31m")}) {
    BOOST_TEST(one_problem(with("/tools/0/name", Json(name)), "/tools/0/name", "[A-Za-z0-9_]"));
  }
  BOOST_TEST(hinted(with("/tools/0/name", "spawnAgent"), "/tools/0/name"));
  BOOST_TEST(hinted(with("/tools/0/name", "_x"), "/tools/0/name"));
  BOOST_TEST(!hinted(seed_text(), "/tools/0/name"));
}

BOOST_AUTO_TEST_CASE(a_name_used_twice_names_both_places) {
  Json document = parse_json(seed_text());
  JsonArray& tools = document.at_pointer("/tools").as_array();
  tools.push_back(Json(tools[0]));
  BOOST_TEST(one_problem(to_json_text(document), "/tools/1/name", "/tools/0/name"));
  document = parse_json(seed_text());
  JsonArray& categories = document.at_pointer("/categories").as_array();
  categories.push_back(Json(categories[0]));
  BOOST_TEST(one_problem(to_json_text(document), "/categories/1/id", "/categories/0/id"));
}

BOOST_AUTO_TEST_CASE(a_category_that_is_not_there_is_a_problem_that_names_those_that_are) {
  BOOST_TEST(one_problem(with("/tools/0/category", "other"), "/tools/0/category", "\"agent_lifecycle\""));
  BOOST_TEST(one_problem(without("", "categories"), "/tools/0/category", "there are no categories"));
}

BOOST_AUTO_TEST_CASE(examples_must_fit_the_parameters) {
  const std::string input = "/tools/0/metadata/examples/0/input";
  BOOST_TEST(one_problem(with(input + "/task", 7), input + "/task", "expected a string"));
  BOOST_TEST(one_problem(with(input, JsonObject{}), input, "task: missing"));
  BOOST_TEST(one_problem(with(input, "text"), input, "found a string"));
  BOOST_TEST(one_problem(without("/tools/0/metadata/examples/0", "input"), input, "missing"));
}

BOOST_AUTO_TEST_CASE(an_expected_output_must_fit_the_output_schema) {
  Json document = parse_json(seed_text());
  put(document, "/tools/0/_output", parse_json(R"({"type":"object","required":["run_id"]})"));
  put(document, "/tools/0/metadata/examples/0/expected_output", JsonObject{});
  BOOST_TEST(one_problem(to_json_text(document), "/tools/0/metadata/examples/0/expected_output", "run_id: missing"));
  put(document, "/tools/0/metadata/examples/0/expected_output", JsonObject{{"run_id", "7"}});
  BOOST_TEST(manifest_problems(to_json_text(document)).empty());
}

BOOST_AUTO_TEST_CASE(a_schema_that_does_not_compile_is_named_with_its_place) {
  BOOST_TEST(one_problem(with("/tools/0/parameters/properties/task/minLength", -1),
                         "/tools/0/parameters/properties/task/minLength", "JSON Schema"));
  BOOST_TEST(one_problem(with("/tools/0/parameters/properties/task/pattern", "("),
                         "/tools/0/parameters/properties/task/pattern", "JSON Schema"));
}

BOOST_AUTO_TEST_CASE(members_of_the_wrong_type_are_named) {
  const std::string metadata = "/tools/0/metadata";
  BOOST_TEST(one_problem(with(metadata + "/timeout_seconds", "30"), metadata + "/timeout_seconds", "found a string"));
  BOOST_TEST(one_problem(with(metadata + "/timeout_seconds", 0), metadata + "/timeout_seconds", "from 1 to"));
  BOOST_TEST(one_problem(with(metadata + "/timeout_seconds", 1e300), metadata + "/timeout_seconds", "from 1 to"));
  BOOST_TEST(one_problem(with(metadata + "/timeout_seconds", 1.5), metadata + "/timeout_seconds", "found 1.5"));
  BOOST_TEST(one_problem(with(metadata + "/idempotent", "no"), metadata + "/idempotent", "true or false"));
  BOOST_TEST(one_problem(with(metadata + "/tags/1", 3), metadata + "/tags/1", "expected a string"));
  BOOST_TEST(one_problem(with(metadata + "/async_behavior", 3), metadata + "/async_behavior", "an object"));
  BOOST_TEST(one_problem(with("/scenario/base_url", "localhost:15000"), "/scenario/base_url", "http"));
  BOOST_TEST(manifest_problems(with("/categories", 1)).front() == "/categories: expected an array, found a number");
  BOOST_TEST(manifest_problems("[]") == std::vector<std::string>{": expected an object, found an array"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(duplicate_keys_are_refused_and_the_rest_is_checked_too) {
  std::string text = seed_text();
  text.insert(text.find("\"scenario\""), "\"protocol_version\": \"3.0\", ");
  const auto problems = manifest_problems(text);
  BOOST_TEST(problems.size() == 2U);
  BOOST_TEST(problems[0].find("protocol_version") != std::string::npos);
  BOOST_TEST(problems[1].starts_with("/protocol_version: "));
}

BOOST_AUTO_TEST_CASE(reserved_names_are_no_parameters) {
  for (const char* const name : {"_scopes", "_imports", "_delegate", "_anything"}) {
    const std::string place = std::string("/tools/0/parameters/properties/") + name;
    BOOST_TEST(one_problem(with(place, JsonObject{}), place, "belong to the system"));
  }
  const std::string tool = "/tools/0/parameters/properties/_tool";
  BOOST_TEST(one_problem(with(tool, JsonObject{{"const", "other"}}), tool, "spawn_coding_agent"));
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_read_is_a_problem) {
  BOOST_CHECK_EXCEPTION(load_manifest("/nowhere/m.json"), ManifestError, [](const ManifestError& error) {
    return std::string(error.what()).find("/nowhere/m.json: cannot be read") == 0;
  });
  const toolwire_test::ScratchFolder folder;
  BOOST_CHECK_THROW(load_manifest(folder.text()), ManifestError);
  BOOST_CHECK_THROW(load_manifest(folder.file("empty.json").string()), ManifestError);
}

BOOST_AUTO_TEST_CASE(hostile_documents_are_refused_and_nothing_else) {
  const std::string text = seed_text();
  for (std::size_t length = 0; length < text.size(); length += 3) {
    BOOST_TEST(!read_manifest(text.substr(0, length), "cut").manifest.has_value());
  }
  BOOST_TEST(!read_manifest(std::string(100'000, '['), "deep").manifest.has_value());
  BOOST_TEST(!read_manifest(std::string("\0\0", 2), "nul").manifest.has_value());
  BOOST_TEST(!read_manifest(std::string(max_manifest + 1, ' '), "long").manifest.has_value());
  std::string many = R"({"tools":[)";
  for (int i = 0; i < 20'000; ++i) many += "0,";
  const ManifestReading reading = read_manifest(many + "0]}", "many");
  BOOST_TEST(reading.problems.size() < 300U);
  BOOST_TEST(reading.problems.back().text.starts_with("and "));
}

BOOST_AUTO_TEST_CASE(messages_carry_no_control_characters) {
  const auto problems = manifest_problems(with("/tools/0/category", "\x1b]0;x\a\n"));
  BOOST_REQUIRE(problems.size() == 1U);
  BOOST_TEST(std::ranges::none_of(problems[0], [](char c) { return static_cast<unsigned char>(c) < 0x20; }));
}
