// `pattern` and `format` of described strings: published, and held to.
#include <toolwire/testing.hpp>

#define BOOST_TEST_MODULE text_form_test
#include <boost/test/unit_test.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace toolwire;

namespace {

struct Contact {
  std::string id;
  std::optional<std::string> mail;
  std::string page = "https://example.org/";
  static constexpr auto describe() {
    return fields(field<&Contact::id>("Its number").length(2, 6).pattern("^[a-z]{2}\\d*$"),
                  field<&Contact::mail>("Address").format("email"),
                  field<&Contact::page>("Page").format("uri").pattern("^https:").optional());
  }
};

struct LookAhead {
  std::string text;
  static constexpr auto describe() { return fields(field<&LookAhead::text>("").pattern("a(?=b)")); }
};
struct Unclosed {
  std::string text;
  static constexpr auto describe() { return fields(field<&Unclosed::text>("").pattern("(a")); }
};
struct Misspelt {
  std::string text;
  static constexpr auto describe() { return fields(field<&Misspelt::text>("").format("emial")); }
};
struct BrokenDefault {
  std::string text = "a";
  static constexpr auto describe() { return fields(field<&BrokenDefault::text>("").pattern("^b").optional()); }
};
struct Form {
  std::string mail, host, code, day, time;
  static constexpr auto describe() {
    return fields(field<&Form::mail>("").format("email"), field<&Form::host>("").format("hostname"),
                  field<&Form::code>("").pattern("^[0-9]{4}$"), field<&Form::day>("").format("date"),
                  field<&Form::time>("").format("date-time"));
  }
};

template <class T>
std::string wrong(const char* json) {
  T value{};
  Violations violations;
  decode(parse_json(json), value, "", violations);
  return violations.text();
}

template <class T>
std::string refusal() {
  try {
    schema_of<T>();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

}  // namespace

BOOST_AUTO_TEST_CASE(both_are_published) {
  BOOST_TEST(to_json_text(schema_of<Contact>().at("properties")) ==
             R"({"id":{"type":"string","description":"Its number","minLength":2,"maxLength":6,)"
             R"("pattern":"^[a-z]{2}\\d*$"},"mail":{"type":"string","description":"Address","format":"email"},)"
             R"("page":{"type":"string","description":"Page","pattern":"^https:","format":"uri",)"
             R"("default":"https://example.org/"}})");
  const std::string returned = to_json_text(returned_schema_of<Contact>());  // bounds hold for arguments
  BOOST_TEST(returned.find("\"pattern\"") == std::string::npos);
  BOOST_TEST(returned.find("\"format\"") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_text_has_to_match) {
  BOOST_TEST(wrong<Contact>(R"({"id":"ab1","mail":"a@example.org","page":"https://a/"})") == "");
  BOOST_TEST(wrong<Contact>(R"({"id":"ab\n","mail":"ann at home","page":"http://a/"})") ==
             "id: \"ab\\n\" does not match the pattern ^[a-z]{2}\\d*$\n"
             "mail: \"ann at home\" is not a valid email\n"
             "page: \"http://a/\" does not match the pattern ^https:");
  BOOST_TEST(wrong<Contact>(R"({"id":"a"})") == "id: expected 2 to 6 characters, found 1");
  BOOST_TEST(wrong<Contact>("{}") ==
             "id: missing (a string of 2 to 6 characters that matches ^[a-z]{2}\\d*$: Its number)");
}

BOOST_AUTO_TEST_CASE(a_pattern_matches_anywhere_in_characters_and_not_bytes) {
  struct Any {
    std::string text;
    static constexpr auto describe() { return fields(field<&Any::text>("").pattern("b.d")); }
  };
  BOOST_TEST(wrong<Any>(R"({"text":"abédé"})") == "");
  BOOST_TEST(!wrong<Any>(R"({"text":"abdé"})").empty());
}

BOOST_AUTO_TEST_CASE(what_cannot_be_checked_is_refused_when_the_schema_is_made) {
  BOOST_TEST(refusal<LookAhead>() ==
             "the member \"text\": the pattern \"a(?=b)\": look-ahead cannot run in linear time");
  BOOST_TEST(refusal<Unclosed>().starts_with("the member \"text\": the pattern \"(a\""), refusal<Unclosed>());
  BOOST_TEST(refusal<Misspelt>() == "the member \"text\": there is no format \"emial\" in JSON Schema");
  BOOST_TEST(refusal<BrokenDefault>().ends_with("text: \"a\" does not match the pattern ^b"), refusal<BrokenDefault>());
  Server server({"broken", "1"});
  BOOST_CHECK_THROW(server.tool("t", "", [](const LookAhead&) {}), std::invalid_argument);
  BOOST_CHECK_THROW(server.tool("t", "", args(arg("a").format("emial")), [](const std::string&) {}),
                    std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_form_publishes_what_forms_have_and_its_answer_is_held_to_all) {
  BOOST_TEST(to_json_text(form_schema_of<Form>().at("properties")) ==
             R"({"mail":{"type":"string","format":"email"},"host":{"type":"string"},"code":{"type":"string"},)"
             R"("day":{"type":"string","format":"date"},"time":{"type":"string","format":"date-time"}})");
  BOOST_TEST(
      wrong<Form>(R"({"mail":"a@b.de","host":"-","code":"12","day":"2026-02-28","time":"2026-02-28T12:00:00Z"})") ==
      "host: \"-\" is not a valid hostname\ncode: \"12\" does not match the pattern ^[0-9]{4}$");
}

BOOST_AUTO_TEST_CASE(arguments_of_every_kind_are_held_to_them) {
  Server server({"contacts", "1"});
  server.tool("id", "", [](const Contact& contact) { return contact.id; });
  server.tool("hour", "", args(arg("time", "When").format("time"), arg("zone").pattern("^[A-Z]+$")),
              [](const std::string& time, const std::optional<std::string>& zone) { return time + zone.value_or(""); });
  server.prompt("write", "", [](const Contact& contact) { return contact.id; });
  testing::Client client(server);
  BOOST_TEST(client.call("id", {{"id", "ab"}}).text() == "ab");
  BOOST_TEST(client.call("id", {{"id", "AB"}}).text() == "id: \"AB\" does not match the pattern ^[a-z]{2}\\d*$");
  BOOST_TEST(client.call("hour", {{"time", "10:00:00Z"}, {"zone", "UTC"}}).text() == "10:00:00ZUTC");
  BOOST_TEST(client.call("hour", {{"time", "10"}, {"zone", "utc"}}).text() ==
             "time: \"10\" is not a valid time\nzone: \"utc\" does not match the pattern ^[A-Z]+$");
  BOOST_TEST(client.call("hour", JsonObject{}).text() == "time: missing (a string in the format time: When)");
  BOOST_CHECK_THROW(client.get_prompt("write", {{"id", "1"}}), ProtocolError);
}

BOOST_AUTO_TEST_CASE(patterns_are_compiled_once_whichever_thread_asks) {
  std::vector<std::thread> threads;
  std::vector<std::string> said(8);
  for (std::string& one : said) {
    threads.emplace_back([&one] {
      for (int i = 0; i < 100; ++i) one = wrong<Contact>(R"({"id":"1x"})");
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& one : said) BOOST_TEST(one == "id: \"1x\" does not match the pattern ^[a-z]{2}\\d*$");
}
