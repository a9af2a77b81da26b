#include "json/parse.hpp"

#define BOOST_TEST_MODULE parse_envelope
#include <boost/test/unit_test.hpp>

using namespace std::string_literals;
using toolwire::json::Envelope;
using toolwire::json::ParseError;

namespace {

Envelope envelope_of(std::string_view line) {
  auto result = toolwire::json::parse_envelope(line, {128});
  if (const auto* const error = std::get_if<ParseError>(&result)) {
    BOOST_FAIL("'" << line << "' was refused: " << error->message);
  }
  return std::get<Envelope>(std::move(result));
}

std::string id_of(const std::string& raw) {
  const Envelope envelope = envelope_of(R"({"params":{"id":99},"id": )" + raw + R"( ,"a":[{"id":98}]})");
  BOOST_TEST(envelope.has_id);
  return envelope.id_text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_id_is_kept_byte_for_byte) {
  for (const auto* const raw : {"1",
                                "0",
                                "-0",
                                "-12",
                                "1e3",
                                "1.0",
                                "9007199254740993",
                                "18446744073709551615",
                                "18446744073709551616",
                                "1E+2",
                                R"("")",
                                R"("abc")",
                                R"("\u0041")",
                                R"("a\"b")",
                                R"("\\")",
                                R"("a\/b")",
                                R"("\ud83d\ude00")",
                                "\"\xC3\xA9\"",
                                R"("x,\"id\":2")",
                                "null",
                                "true",
                                "false",
                                "[1,{\"id\":2}]",
                                "{\"id\" : 3}",
                                "[]"}) {
    BOOST_TEST(id_of(raw) == raw);
  }
}

BOOST_AUTO_TEST_CASE(long_string_ids_with_escapes_are_kept_too) {
  const std::string raw = "\"" + std::string(10'000, 'x') + "\\n" + std::string(10'000, 'y') + "\"";
  BOOST_TEST(id_of(raw) == raw);
}

BOOST_AUTO_TEST_CASE(an_id_with_half_a_surrogate_pair_is_kept_as_sent_while_its_value_is_repaired) {
  const Envelope envelope = envelope_of(R"({"id":"\ud83d","s":"\ude00"})");
  BOOST_TEST(envelope.id_text == R"("\ud83d")");
  BOOST_TEST(envelope.value.at("id").as_string() == "\xEF\xBF\xBD");
  BOOST_TEST(envelope_of(R"({"id":7,"s":"\ude00"})").id_text == "7");
}

BOOST_AUTO_TEST_CASE(a_name_with_escapes_is_the_id_as_well) {
  for (const auto* const name : {R"("\u0069d")", R"("i\u0064")", R"("\u0069\u0064")"}) {
    BOOST_TEST(envelope_of("{"s + name + ":5}").id_text == "5");
    BOOST_TEST(envelope_of("{"s + name + R"(:"\n"})").id_text == R"("\n")");
  }
}

BOOST_AUTO_TEST_CASE(only_the_member_of_the_outermost_object_is_the_id) {
  for (const auto* const line : {R"({"params":{"id":1}})", R"([{"id":1}])", R"({"a":"\"id\":1"})",
                                 R"({"ID":1,"i":2,"idx":3,"":4})", R"({"a":["id",1]})", "{}", "7", R"("id")"}) {
    const Envelope envelope = envelope_of(line);
    BOOST_TEST(!envelope.has_id, line);
    BOOST_TEST(envelope.id_text.empty(), line);
  }
}

BOOST_AUTO_TEST_CASE(a_doubled_member_of_the_envelope_is_named) {
  BOOST_TEST(envelope_of(R"({"id":1,"method":"a","id":2})").duplicate == "id");
  BOOST_TEST(envelope_of(R"({"id":1,"method":"a","id":2})").id_text == "2");
  BOOST_TEST(envelope_of(R"({"id":1,"\u0069d":"\u0041"})").id_text == R"("\u0041")");
  BOOST_TEST(envelope_of(R"({"method":1,"x":{"y":1},"m\u0065thod":2})").duplicate == "method");
  BOOST_TEST(envelope_of(R"({"":1,"":2})").duplicate == "\"\"");
  BOOST_TEST(envelope_of(R"({"\ud83d":1,"\ude00":2})").duplicate == "\xEF\xBF\xBD");
}

BOOST_AUTO_TEST_CASE(doubled_members_below_the_envelope_are_not_reported) {
  const Envelope envelope = envelope_of(R"({"id":1,"params":{"a":1,"a":2}})");
  BOOST_TEST(envelope.duplicate.empty());
  BOOST_TEST(envelope.value.at("params").at("a").as_int64() == 2);
  BOOST_TEST(envelope_of(R"([{"a":1,"a":2}])").duplicate.empty());
}

BOOST_AUTO_TEST_CASE(doubled_members_of_large_envelopes_are_found) {
  for (const int members : {65, 66, 1000, 1001}) {
    std::string line = "{\"twice\":0";
    for (int i = 2; i < members; ++i) line += ",\"k" + std::to_string(i) + "\":0";
    BOOST_TEST(envelope_of(line + "}").duplicate.empty());
    BOOST_TEST(envelope_of(line + ",\"twice\":1}").duplicate == "twice");
  }
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_and_white_space_around_the_line_are_skipped) {
  BOOST_TEST(envelope_of("\xEF\xBB\xBF{\"id\":1}").id_text == "1");
  BOOST_TEST(envelope_of("\xEF\xBB\xBF \t{\"id\":\"\\n\"} \t\r").id_text == "\"\\n\"");
  BOOST_TEST(std::holds_alternative<ParseError>(toolwire::json::parse_envelope("{}\xEF\xBB\xBF", {128})));
}

BOOST_AUTO_TEST_CASE(every_cut_of_a_line_is_refused_without_harm) {
  const std::string line = R"({"jsonrpc":"2.0","id":"a\n","p":{"x":[1,-2.5e3,true,null,"\u00e9\ud83d\ude00"],"é":{}}})";
  for (std::size_t length = 0; length < line.size(); ++length) {
    const std::string cut(line, 0, length);  // its own memory, so that a sanitizer sees a read behind its end
    BOOST_TEST(std::holds_alternative<ParseError>(toolwire::json::parse_envelope(cut, {128})), cut);
  }
}

BOOST_AUTO_TEST_CASE(a_text_with_nothing_in_it_is_refused) {
  for (const auto* const line : {"", " ", "\r", "\xEF\xBB\xBF"}) {
    BOOST_TEST(std::holds_alternative<ParseError>(toolwire::json::parse_envelope(line, {128})));
  }
}
