#include "pack/arguments.hpp"

#define BOOST_TEST_MODULE pack_arguments_test
#include <boost/test/unit_test.hpp>

#include <string>
#include <toolwire/json.hpp>
#include <vector>

#include "install/request.hpp"

using namespace toolwire;
using namespace toolwire::pack;
using toolwire::install::Misuse;

namespace {

using Words = std::vector<std::string>;

Arguments of(const Words& words, const std::map<std::string, std::string>& descriptions = {}) {
  return arguments_from(words, descriptions);
}

std::string mistake_in(const Words& words, const std::map<std::string, std::string>& descriptions = {}) {
  try {
    of(words, descriptions);
    return "";
  } catch (const Misuse& error) {
    return error.what();
  }
}

const Words all_kinds{"--verbose", "--log={folder:log_place}/x", "{folder:log_place}", "{folders:roots}", "{other}"};

}  // namespace

BOOST_AUTO_TEST_CASE(several_folders_become_several_arguments) {
  const ChosenValues folders{{"log_place", {"/l"}}, {"roots", {"/a b", "/c"}}};
  const Words expected{"--verbose", "--log=/l/x", "/l", "/a b", "/c", "{other}"};
  BOOST_TEST(filled(of(all_kinds), folders) == expected, boost::test_tools::per_element());
  BOOST_TEST(arguments_by_host(bundle_arguments(of(all_kinds)), "/bundle", folders) == expected,
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_manifest_has_the_variables_of_hosts) {
  const Arguments arguments = of(all_kinds, {{"roots", "What to search"}});
  BOOST_TEST(Json(bundle_arguments(arguments)) ==
             parse_json(R"(["--verbose", "--log=${user_config.log_place}/x", "${user_config.log_place}",
                            "${user_config.roots}", "{other}"])"));
  BOOST_TEST(Json(bundle_settings(arguments)) == parse_json(R"({
    "log_place": {"type": "directory", "title": "Log place", "description": "The folder that the server works in",
                  "required": true},
    "roots": {"type": "directory", "title": "Roots", "description": "What to search", "required": true,
              "multiple": true}})"));
  BOOST_TEST(bundle_settings(of({"--verbose"})).empty());
}

BOOST_AUTO_TEST_CASE(the_folder_of_the_bundle_is_filled_in) {
  BOOST_TEST(arguments_by_host({"${__dirname}/server/x", "a${__dirname}b${__dirname}"}, "/d", {}) ==
                 (Words{"/d/server/x", "a/db/d"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_registry_has_hints_and_variables) {
  BOOST_TEST(Json(registry_arguments(of({"--verbose", "--log={folder:log}/x", "{folders:roots}"}))) == parse_json(R"([
    {"type": "positional", "value": "--verbose"},
    {"type": "positional", "value": "--log={log}/x", "variables":
      {"log": {"description": "The folder that the server works in", "isRequired": true, "format": "filepath"}}},
    {"type": "positional", "valueHint": "roots", "description": "The folders that the server works in",
     "isRequired": true, "format": "filepath", "isRepeated": true}])"));
}

BOOST_AUTO_TEST_CASE(mistakes_say_what_was_expected) {
  const auto starts = [](const std::string& text, const std::string& start) {
    BOOST_TEST(text.starts_with(start), "\"" << text << "\", expected " << start);
  };
  for (const char* const word : {"{folder:}", "{folder:1}", "{folder:a b}", "{folder:a", "{folders:a-b}", "{folder:ä}"})
    starts(mistake_in({word}), "the argument \"" + std::string(word) + "\": expected {folder:KEY} or {folders:KEY}");
  BOOST_TEST(mistake_in({"{folder:" + std::string(50, 'k') + "}"}).empty());
  starts(mistake_in({"{folder:" + std::string(51, 'k') + "}"}), "the argument ");
  starts(mistake_in({"{folder:a}{folder:b}"}), "the argument \"{folder:a}{folder:b}\": expected one folder");
  starts(mistake_in({"--roots={folders:a}"}), "the argument \"--roots={folders:a}\": expected {folders:a} alone");
  starts(mistake_in({"{folder:a}", "{folders:a}"}),
         "the arguments: \"a\" stands there as {folder:…} and as {folders:…}");
  starts(mistake_in({"${HOME}/x"}), "the argument \"${HOME}/x\": expected no ${");
  starts(mistake_in({"\xff"}), "the arguments: expected UTF-8");
  starts(mistake_in({"{folder:a}"}, {{"b", "text"}}), "--folder: expected {folder:b} or {folders:b}");
}
