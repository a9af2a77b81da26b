#include <toolwire/redact.hpp>

#define BOOST_TEST_MODULE redact_test
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include <toolwire/json.hpp>

using toolwire::names_a_secret;
using toolwire::redact;
using toolwire::without;

namespace {

bool unchanged(const std::string& text) { return redact(text) == text; }

}  // namespace

BOOST_AUTO_TEST_CASE(names_of_secrets_are_known_in_all_spellings) {
  for (const char* const name :
       {"password", "Password", "user_password", "apiKey", "api_key", "API-KEY", "x-api-key", "token", "accessToken",
        "Authorization", "client_secret", "secrets", "privateKey", "set-cookie", "pwd"}) {
    BOOST_TEST(names_a_secret(name), name);
  }
}

BOOST_AUTO_TEST_CASE(ordinary_names_and_the_progress_token_are_not_secrets) {
  for (const char* const name : {"progressToken", "key", "path", "author", "name", "nextCursor", "shipping", ""}) {
    BOOST_TEST(!names_a_secret(name), name);
  }
}

BOOST_AUTO_TEST_CASE(a_secret_goes_at_any_depth_and_all_else_stays_byte_for_byte) {
  BOOST_TEST(redact(R"j({"a": [1.50, {"password" : "hunter2" ,"b":"A"}], "n":1e2})j") ==
             R"j({"a": [1.50, {"password" : "(redacted)" ,"b":"A"}], "n":1e2})j");
  BOOST_TEST(unchanged(R"j({"jsonrpc":"2.0","id":1,"params":{"_meta":{"progressToken":"p-1"}},"x":"say \"hi\""})j"));
}

BOOST_AUTO_TEST_CASE(everything_below_a_secret_goes_but_its_structure_stays) {
  BOOST_TEST(redact(R"j({"credentials":{"user":"u","pin":[1,"x",true,null]},"after":"kept"})j") ==
             R"j({"credentials":{"user":"(redacted)","pin":["(redacted)","(redacted)",true,null]},"after":"kept"})j");
}

BOOST_AUTO_TEST_CASE(numbers_that_are_secret_go_and_counts_of_tokens_stay) {
  BOOST_TEST(redact(R"j({"password":1234,"maxTokens":100})j") == R"j({"password":"(redacted)","maxTokens":100})j");
}

BOOST_AUTO_TEST_CASE(a_secret_given_twice_goes_twice) {
  BOOST_TEST(redact(R"j({"token":"one","token":"two"})j") == R"j({"token":"(redacted)","token":"(redacted)"})j");
}

BOOST_AUTO_TEST_CASE(a_name_spelled_with_escapes_is_recognised) {
  BOOST_TEST(redact(R"j({"pass\u0077ord":"x"})j") == R"j({"pass\u0077ord":"(redacted)"})j");
}

BOOST_AUTO_TEST_CASE(the_value_of_an_authorization_is_recognised_without_a_name) {
  BOOST_TEST(redact(R"j(["Bearer abc.def"])j") == R"j(["(redacted)"])j");
  BOOST_TEST(unchanged(R"j(["Basic knowledge of arithmetic"])j"));
}

BOOST_AUTO_TEST_CASE(of_sealed_state_only_the_length_is_kept) {
  BOOST_TEST(redact(R"j({"requestState":"abcdef"})j") == R"j({"requestState":"(requestState, 6 bytes)"})j");
}

BOOST_AUTO_TEST_CASE(json_inside_of_a_string_is_searched_too) {
  BOOST_TEST(redact(R"j({"type":"text","text":"{\"token\":\"abc\",\"n\":1}"})j") ==
             R"j({"type":"text","text":"{\"token\":\"(redacted)\",\"n\":1}"})j");
  BOOST_TEST(redact(R"j(["Result: {\"a\":\"{\\\"secret\\\":\\\"x\\\"}\"}"])j") ==
             R"j(["Result: {\"a\":\"{\\\"secret\\\":\\\"(redacted)\\\"}\"}"])j");
}

BOOST_AUTO_TEST_CASE(a_schema_keeps_a_property_named_like_a_secret) {
  BOOST_TEST(unchanged(
      R"j({"inputSchema":{"type":"object","properties":{"token":{"type":"string","minLength":8}},"required":["token"]}})j"));
  BOOST_TEST(redact(R"j({"inputSchema":{"token":"x"}})j") == R"j({"inputSchema":{"token":"(redacted)"}})j");
}

BOOST_AUTO_TEST_CASE(a_line_that_is_cut_or_broken_keeps_no_secret) {
  BOOST_TEST(redact(R"j({"password":"hunt)j") == R"j({"password":"(redacted)")j");
  BOOST_TEST(redact(R"j(]}{"password":"x"]{"token":["y)j") == R"j(]}{"password":"(redacted)"]{"token":["(redacted)")j");
  BOOST_TEST(redact(R"j({"text":"{\"password\":\"hun)j") == R"j({"text":"(redacted)")j");
}

BOOST_AUTO_TEST_CASE(what_is_no_json_at_all_passes) {
  BOOST_TEST(unchanged("hello?"));
  BOOST_TEST(unchanged(""));
  BOOST_TEST(unchanged("\\ \x80 ] 'a'"));
}

BOOST_AUTO_TEST_CASE(values_that_are_given_go_wherever_they_stand) {
  const std::vector<std::string> secrets{"hunter2", "two\nlines", "4711", "hunter2-of-sam"};
  BOOST_TEST(redact(R"j({"\u0068unter2":["hunter2-of-sam",4711,147110,"a two\nlines b","\u0068unter2"]})j", secrets) ==
             R"j({"(redacted)":["(redacted)","(redacted)","(redacted)","a (redacted) b","(redacted)"]})j");
  BOOST_TEST(redact(R"j({"text":"{\"deep\":\"{\\\"n\\\":\\\"hunter2\\\"}\"}"})j", secrets) ==
             R"j({"text":"{\"deep\":\"{\\\"n\\\":\\\"(redacted)\\\"}\"}"})j");
  BOOST_TEST(redact("said hunter2-of-sam, 4711 times", secrets) == "said (redacted), \"(redacted)\" times");
  BOOST_TEST(redact(R"j({"password":"x","as":"it is"})j", secrets) == R"j({"password":"(redacted)","as":"it is"})j");
  BOOST_TEST(without("two\nlines of hunter2", secrets) == "(redacted) of (redacted)");
}

BOOST_AUTO_TEST_CASE(json_stays_json_and_byte_for_byte_where_there_is_no_value) {
  BOOST_TEST(redact(R"j([true,false,null,"true"])j", {"true", "null"}) ==
             R"j(["(redacted)",false,"(redacted)","(redacted)"])j");
  const std::string text = R"j({"a":"\u0041 \"b\"", "n": 1.50 ,"s":"x\/y"})j";
  BOOST_TEST(redact(text, {"hunter2"}) == text);
  BOOST_TEST(redact(text, {""}) == text);
  BOOST_TEST(without("text", {""}) == "text");
}

BOOST_AUTO_TEST_CASE(a_string_that_was_cut_hides_no_value_behind_escapes) {
  BOOST_TEST(redact(R"j({"text":"a key: two\nlines and mo)j", {"two\nlines"}) == R"j({"text":"(redacted)")j");
  BOOST_TEST(redact(R"j({"text":"a key: two and mo)j", {"two"}) == R"j({"text":"a key: (redacted) and mo)j");
}

BOOST_AUTO_TEST_CASE(a_value_that_is_a_piece_of_json_does_not_break_what_is_around_it) {
  const std::string text = R"j({"key":{"id":"k-1","n":[1,2]},"other":"kept"})j";
  for (const char* const secret : {R"j({"id":"k-1","n":[1,2]})j", "[1,2]", R"j("k-1")j", R"j(,"other":)j", "}"}) {
    const std::string clean = redact(text, {secret});
    BOOST_TEST(clean.find(secret) == std::string::npos, clean);
    BOOST_CHECK_NO_THROW(toolwire::parse_json(clean));
  }
  BOOST_TEST(redact(R"j({"text":"{\"a\":[1,2]}","b":3})j", {"[1,2]"}) == R"j({"text":"\"(redacted)\"","b":3})j");
  BOOST_TEST(redact("it is [1,2], not 3", {"[1,2]"}) == "it is (redacted), not 3");
}
