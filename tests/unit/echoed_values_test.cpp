// Errors that repeat what a peer has sent, through whatever layer finds them: nothing hides in the message.
#define BOOST_TEST_MODULE echoed_values_test
#include <boost/test/unit_test.hpp>
#include <string>
#include <toolwire/schema.hpp>
#include <toolwire/testing.hpp>
#include <toolwire/text.hpp>

#include "json/parse.hpp"
#include "misleading_texts.hpp"

using namespace toolwire;
using toolwire::tests::misleading_texts;
using toolwire::tests::MisleadingText;

namespace {

struct Wanted {
  int number = 0;

  static constexpr auto describe() { return fields(field<&Wanted::number>("How many")); }
};

/// JSON writes control characters as escapes of its own, and U+FFFD for what is not UTF-8.
bool is_changed_by_json(const MisleadingText& it) {
  return !text::is_valid(it.bytes) || it.bytes.find('\x1b') != std::string_view::npos;
}

void check(const MisleadingText& it, const std::string& message) {
  BOOST_TEST_CONTEXT(it.what << ": " << message) {
    BOOST_TEST((text::visible(message, text::lines) == message));
    if (!is_changed_by_json(it)) BOOST_TEST(message.find(it.visible) != std::string::npos);
  }
}

template <class Call>
std::string refusal(Call call) {
  try {
    return call().text();
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_server_shows_what_hides_in_the_names_it_refuses) {
  Server server({.name = "test", .version = "1"});
  server.tool("count", "Counts", [](const Wanted& wanted) { return wanted.number; });
  testing::Client client{server};
  for (const MisleadingText& it : misleading_texts) {
    const std::string bytes(it.bytes);
    check(it, refusal([&] { return client.call(bytes, {}); }));
    check(it, refusal([&] { return client.call("count", {{bytes, 1}, {"number", 1}}); }));
    check(it, refusal([&] { return client.call("count", {{"number", bytes}}); }).append(it.visible));
  }
}

BOOST_AUTO_TEST_CASE(a_schema_shows_what_hides_in_the_values_it_refuses) {
  const Schema schema = Schema::compile(parse_json(R"({"additionalProperties":{"enum":["one"]}})"));
  for (const MisleadingText& it : misleading_texts) {
    const std::string bytes(it.bytes);
    for (const SchemaViolation& violation : schema.validate(JsonObject{{bytes, "two"}})) check(it, violation.text());
    for (const SchemaViolation& violation : schema.validate(JsonObject{{"x", bytes}}))
      check(it, violation.text().append(it.visible));  // the value need not be repeated
  }
}

BOOST_AUTO_TEST_CASE(a_parser_shows_what_hides_around_the_place_it_cannot_read) {
  for (const MisleadingText& it : misleading_texts) {
    if (is_changed_by_json(it)) continue;
    const std::string line = "{\"" + std::string(it.bytes) + "\":{\"x\":nothing}}";
    const auto read = json::parse(line, {});
    check(it, std::get<json::ParseError>(read).message);
    const std::string member = '"' + std::string(it.bytes) + "\":1";
    const auto doubled = json::parse("{\"x\":{" + member + ',' + member + "}}", {});
    if (const auto* error = std::get_if<json::ParseError>(&doubled)) check(it, error->message);
  }
}
