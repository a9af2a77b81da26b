#include "target/learned_values.hpp"

#define BOOST_TEST_MODULE conformance_learned_values_test
#include <boost/test/unit_test.hpp>

using toolwire::Json;
using toolwire::JsonObject;
using toolwire::parse_json;
using toolwire::to_json_text;
using toolwire::conformance::LearnedValues;

namespace {

Json result(const char* text) { return {{"content", {{{"type", "text"}, {"text", text}}}}}; }

/// What is in the place of "text" for an argument of that name, once `results` have come; "" if it stays.
std::string learned(std::string_view argument, std::initializer_list<Json> results, const char* type = "string") {
  LearnedValues values;
  for (const Json& it : results) values.learn(it);
  const Json schema = {{"type", "object"}, {"properties", {{argument, {{"type", type}}}}}, {"required", {argument}}};
  const auto better = values.better(schema, JsonObject{{argument, "text"}});
  return better ? to_json_text(better->at(argument)) : "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_path_in_a_text_is_one_for_files_and_folders) {
  const Json folders = result("Allowed directories:\n/home/user/notes\n/tmp");
  for (const char* argument : {"path", "directory", "filePath", "source_folder"})
    BOOST_TEST(learned(argument, {folders}) == R"("/home/user/notes")", argument);
  BOOST_TEST(learned("query", {folders}).empty());
}

BOOST_AUTO_TEST_CASE(what_only_looks_like_a_path_is_none) {
  BOOST_TEST(learned("path", {result("yes/no, and 1 / 2, see https://example.com/a")}).empty());
}

BOOST_AUTO_TEST_CASE(members_are_values_for_arguments_of_their_names) {
  const Json notes = {{"structuredContent", {{"notes", {{{"id", "n-1"}, {"tags", {"red", "blue"}}}}}}}};
  BOOST_TEST(learned("id", {notes}) == R"("n-1")");
  BOOST_TEST(learned("note_id", {notes}) == R"("n-1")");
  BOOST_TEST(learned("tag", {notes}) == R"("red")");
  BOOST_TEST(learned("id", {result(R"([{"id": "of a text"}, {"id": "another"}])")}) == R"("of a text")");
}

BOOST_AUTO_TEST_CASE(a_uri_is_one_whatever_it_is_called) {
  BOOST_TEST(learned("page_uri", {{{"structuredContent", {{"uri", "own://a"}}}}}) == R"("own://a")");
}

BOOST_AUTO_TEST_CASE(an_array_gets_one_of_them) {
  LearnedValues values;
  values.learn("path", "/a");
  const Json schema = parse_json(
      R"({"type": "object", "required": ["paths", "id"],
          "properties": {"paths": {"type": "array", "items": {"type": "string"}}, "id": {"type": "integer"}}})");
  values.learn("id", "no number");  // what does not fit leaves the others alone
  const auto better = values.better(schema, JsonObject{{"paths", {"text"}}, {"id", 1}});
  BOOST_TEST((better == JsonObject{{"paths", {"/a"}}, {"id", 1}}));
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_not_taken) {
  BOOST_TEST(learned("id", {result(R"({"id": 5})")}).empty());
  BOOST_TEST(learned("id", {result(R"({"id": 5})")}, "integer") == "5");
}

BOOST_AUTO_TEST_CASE(what_was_learned_first_stays) {
  BOOST_TEST(learned("id", {result(R"({"id": "a"})"), result(R"({"id": "b"})")}) == R"("a")");
}
