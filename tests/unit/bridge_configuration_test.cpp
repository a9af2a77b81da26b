#include "configuration/configuration.hpp"

#define BOOST_TEST_MODULE bridge_configuration_test
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "configuration/environment_file.hpp"

using namespace toolwire;
using namespace toolwire::bridge;

namespace {

ExpansionSources sources() {
  return {.variable =
              [](const std::string& name) {
                return name == "NAME"    ? std::optional<std::string>("value")
                       : name == "EMPTY" ? std::optional<std::string>("")
                                         : std::nullopt;
              },
          .file = [](const std::string& path) { return "content of " + path + "\n"; },
          .command = [](const std::string& command) { return "output of " + command + "\n"; }};
}

std::string expanded(std::string_view text) {
  Findings findings("f");
  Expansion expansion(sources());
  const auto filled = expansion.expand(text, "/p", findings);
  return filled ? *filled : "problem: " + findings.take_problems("").front().text;
}

Configuration configuration(std::string_view text, const std::string& profile = {}) {
  ConfigurationReading reading = read_configuration(text, "/folder/bridge.json", profile, sources());
  for (const ManifestProblem& problem : reading.problems) BOOST_ERROR(problem.message());
  BOOST_REQUIRE(reading.configuration.has_value());
  return std::move(*reading.configuration);
}

}  // namespace

BOOST_AUTO_TEST_CASE(places_are_filled_in) {
  BOOST_TEST(expanded("a ${NAME} b ${env:NAME}") == "a value b value");
  for (const char* const half : {"${NOTHING:-other ${x}", "${NOTHING:-${NAME}}", "${NAME:-{}}"})
    BOOST_TEST(expanded(half).find("has a { behind \":-\"") != std::string::npos, expanded(half));
  BOOST_TEST(expanded("${EMPTY:-other}|${EMPTY}|${NAME:-other}") == "other||value");
  BOOST_TEST(expanded("${file:a/b}") == "content of a/b");
  BOOST_TEST(expanded("${cmd:x y}!") == "output of x y!");
  BOOST_TEST(expanded("$${NAME} $ $NAME {NAME}") == "${NAME} $ $NAME {NAME}");
  BOOST_TEST(expanded("${NOTHING}").starts_with("problem: expected NOTHING to be set"));
  BOOST_TEST(expanded("${a b}").starts_with("problem: ${a b} is unknown"));
  BOOST_TEST(expanded("${NAME").starts_with("problem: expected a closing }"));
}

BOOST_AUTO_TEST_CASE(what_comes_out_is_not_looked_into) {
  ExpansionSources looped = sources();
  looped.variable = [](const std::string&) { return std::optional<std::string>("${NAME}"); };
  Findings findings("f");
  BOOST_TEST(Expansion(looped).expand("${NAME}", "", findings).value() == "${NAME}");
}

BOOST_AUTO_TEST_CASE(contents_of_files_and_values_named_like_secrets_are_secrets) {
  const Configuration read = configuration(R"j({"mcpServers": {"a": {"command": "x",
    "env": {"PLACE": "here and there", "API_KEY": "value-of-key", "F": "${file:f}"}}}})j");
  BOOST_TEST(read.secrets == (std::vector<std::string>{"content of f", "value-of-key", "value-of-key"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(no_problem_repeats_what_was_filled_in) {
  ExpansionSources filled = sources();
  filled.variable = [](const std::string&) { return std::optional<std::string>("s3cr3t"); };
  filled.file = [](const std::string&) { return std::string("s3cr3t\nof lines"); };
  for (const char* const text :
       {R"j({"mcpServers": {"a": {"type": "${file:x}http", "command": "x"}}})j",
        R"j({"mcpServers": {"a": {"type": "${X}http", "command": "x"}}})j",
        R"j({"mcpServers": {"a": {"command": "${file:x}"}}})j",
        R"j({"mcpServers": {"a": {"command": ["${file:x}"]}}})j",
        R"j({"mcpServers": {"a": {"command": "x", "cwd": "${cmd:x}"}}})j",
        R"j({"mcpServers": {"a": {"command": "x", "envFile": "${file:x}"}}})j",
        R"j({"toolwire": {"approval": "${file:x}"}})j", R"j({"toolwire": {"manifests": ["${file:x}"]}})j"}) {
    const ConfigurationReading reading = read_configuration(text, "/folder/bridge.json", "", filled);
    BOOST_TEST_CONTEXT(text) {
      BOOST_TEST(!reading.configuration.has_value());
      for (const ManifestProblem& problem : reading.problems)
        BOOST_TEST(problem.message().find("s3cr3t") == std::string::npos, problem.message());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_file_of_variables_is_read_from_where_all_files_are) {
  ExpansionSources files = sources();
  files.file = [](const std::string& path) {
    if (path != "/folder/pipe") return "PLACE=" + path;
    throw std::runtime_error("expected a readable file");
  };
  const auto reading_of = [&](const std::string& file) {
    return read_configuration(R"j({"mcpServers": {"a": {"command": "x", "envFile": ")j" + file + "\"}}}",
                              "/folder/bridge.json", "", files);
  };
  const ConfigurationReading read = reading_of("variables");
  BOOST_REQUIRE(read.configuration.has_value());
  BOOST_TEST(read.configuration->servers[0].environment.at("PLACE") == "/folder/variables");
  const ConfigurationReading refused = reading_of("pipe");
  BOOST_REQUIRE(refused.problems.size() == 1U);
  BOOST_TEST(refused.problems[0].message().ends_with("/mcpServers/a/envFile: expected a readable file"));
  files.file = [](const std::string& path) -> std::string { throw std::runtime_error("expected a file: " + path); };
  BOOST_TEST(reading_of("x").problems.at(0).message().ends_with("/envFile: expected a file: /folder/x"));
  BOOST_TEST(
      reading_of("${NAME}").problems.at(0).message().ends_with("/envFile: expected what leads to a readable file"));
  files.file = [](const std::string&) { return "A=b\nvalue"; };
  BOOST_TEST(reading_of("${NAME}").problems.at(0).message().ends_with("/envFile: line 2: expected NAME=value"));
}

BOOST_AUTO_TEST_CASE(servers_stand_in_the_order_of_the_file) {
  const Configuration read = configuration(R"j({"mcpServers": {
    "z": {"command": "z", "args": ["1"]}, "off": {"command": "", "disabled": true}, "a": {"command": ["a", "2"]}}})j");
  BOOST_REQUIRE(read.servers.size() == 2U);
  BOOST_TEST(read.servers[0].name == "z");
  BOOST_TEST(read.servers[0].command == (std::vector<std::string>{"z", "1"}), boost::test_tools::per_element());
  BOOST_TEST(read.servers[0].directory == "/folder");
  BOOST_TEST(read.servers[1].name == "a");
}

BOOST_AUTO_TEST_CASE(an_entry_says_nothing_where_it_has_null) {
  const Configuration read = configuration(R"j({"mcpServers": {
    "a": {"command": "a", "args": null, "enabled": null, "disabled": null, "envFile": null, "env": null, "cwd": null,
          "type": null, "url": null, "headers": null, "oauth": null, "tools": null, "excludeTools": null},
    "b": {"command": null, "args": null, "url": "http://b/mcp"}}})j");
  BOOST_REQUIRE(read.servers.size() == 2U);
  BOOST_TEST(read.servers[0].command == std::vector<std::string>{"a"}, boost::test_tools::per_element());
  BOOST_TEST(read.servers[1].url == "http://b/mcp");
}

BOOST_AUTO_TEST_CASE(a_profile_replaces_takes_away_and_keeps_the_order) {
  const Configuration read = configuration(R"j({"mcpServers": {}, "toolwire": {
    "tools": {"a": {"enabled": true}, "b": {"enabled": true}, "c": {"enabled": true}}, "prefix": "never",
    "profiles": {"dev": {"tools": {"a": null, "b": {"enabled": false}}, "prefix": null, "audit": "log"}}}})j",
                                           "dev");
  BOOST_TEST(to_json_text(Json(read.own)) == R"({"tools":{"b":{"enabled":false},"c":{"enabled":true}},"audit":"log"})");
  BOOST_TEST(read.place_of("/tools/b/enabled") == "/toolwire/profiles/dev/tools/b/enabled");
  BOOST_TEST(read.place_of("/tools/c/enabled") == "/toolwire/tools/c/enabled");
}

BOOST_AUTO_TEST_CASE(templates_of_bindings_are_left_alone) {
  const Configuration read = configuration(R"j({"toolwire": {"audit": "${NAME}",
    "bindings": {"x": {"http": {"headers": {"A": "${env:NOTHING}"}}}}}})j");
  BOOST_TEST(read.own.at("audit") == Json("value"));
  BOOST_TEST(read.own.at("bindings").at("x").at("http").at("headers").at("A") == Json("${env:NOTHING}"));
}

BOOST_AUTO_TEST_CASE(documents_are_told_apart) {
  const auto kind = [](const char* text) { return kind_of_document(parse_json(text)); };
  BOOST_TEST((kind(R"j({"mcpServers": {}})j") == DocumentKind::configuration));
  BOOST_TEST((kind(R"j({"mcpServer": {}})j") == DocumentKind::configuration));
  BOOST_TEST((kind(R"j({"servers": {"a": {}}})j") == DocumentKind::configuration));
  BOOST_TEST((kind(R"j({"servers": {"a": {}}, "bindings": {}})j") == DocumentKind::bindings));
  BOOST_TEST((kind(R"j({"tools": []})j") == DocumentKind::manifest));
  BOOST_TEST((kind(R"j({"tools": {}})j") == DocumentKind::preferences));
  BOOST_TEST((kind(R"j({"properties": {"_tool": {"const": "x"}}})j") == DocumentKind::tool_schema));
  BOOST_TEST((kind(R"j({"type": "object", "properties": {"mcp": {}}})j") == DocumentKind::schema));
  BOOST_TEST((kind("5") == DocumentKind::unknown));
}

BOOST_AUTO_TEST_CASE(files_of_variables_are_read) {
  const auto read = environment_from("# one\n\nA=b\r\nexport B = \"c d\"\nC='=e'\nD=\n");
  BOOST_TEST(read.size() == 4U);
  BOOST_TEST(read.at("A") == "b");
  BOOST_TEST(read.at("B") == "c d");
  BOOST_TEST(read.at("C") == "=e");
  BOOST_TEST(read.at("D").empty());
  BOOST_CHECK_EXCEPTION(environment_from("A=1\nwhat"), std::invalid_argument, [](const std::invalid_argument& error) {
    return std::string(error.what()) == "line 2: expected NAME=value";
  });
}

BOOST_AUTO_TEST_CASE(what_a_file_of_variables_could_mean_in_two_ways_is_refused) {
  const auto read = environment_from(
      "\xEF\xBB\xBF"
      "A=b\nB='c # d' # a comment\nC=\"e\"# f\nD=a#b\nE=\"it's\"\n");
  BOOST_TEST(read.at("A") == "b");
  BOOST_TEST(read.at("B") == "c # d");
  BOOST_TEST(read.at("C") == "e");
  BOOST_TEST(read.at("D") == "a#b");
  BOOST_TEST(read.at("E") == "it's");
  for (const auto& [text, said] :
       {std::pair{"A=b # c", "line 1: expected quotes around a value with a # behind a space"},
        {"A=b\nB=\"c", "line 2: expected the closing quote in the same line"},
        {"A='b' c", "line 1: expected nothing but a comment behind the closing quote"},
        {"A B=c", "line 1: expected NAME=value"}}) {
    BOOST_CHECK_EXCEPTION(
        environment_from(text), std::invalid_argument,
        [expected = said](const std::invalid_argument& error) { return std::string(error.what()) == expected; });
  }
  BOOST_CHECK_THROW(environment_from(std::string_view("A=b\0c", 5)), std::invalid_argument);
}
