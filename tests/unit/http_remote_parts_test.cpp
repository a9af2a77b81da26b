// What is decided about messages over HTTP, without a connection.
#include "remote/event_stream.hpp"

#define BOOST_TEST_MODULE http_remote_parts_test
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include <toolwire/http/detail/parameter_headers.hpp>
#include "remote/missed_changes.hpp"
#include "remote/sent_message.hpp"

using namespace toolwire;
using namespace toolwire::remote;
using namespace std::chrono_literals;

namespace {

/// The data of all events, however the text is cut.
std::vector<std::string> data_of(const std::string& text, std::size_t piece = 1) {
  EventStream stream(1000);
  std::vector<std::string> all;
  for (std::size_t at = 0; at < text.size(); at += piece)
    BOOST_TEST(stream.take(std::string_view(text).substr(at, piece),
                           [&](std::string&& data) { all.push_back(std::move(data)); }));
  return all;
}

using Texts = std::vector<std::string>;

std::string wrong(const std::string& schema) { return wrong_parameter_header(parse_json(schema)).value_or("fine"); }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_CASE(events_are_read_with_every_end_of_line_and_however_they_are_cut) {
  const std::string text =
      "\xef\xbb\xbf"
      "data: a\r\ndata:b\r\n\r\n: comment\rdata: c\r\r\ndata: d\n\n";
  for (std::size_t piece = 1; piece <= text.size(); ++piece)
    BOOST_TEST((data_of(text, piece) == Texts{"a\nb", "c", "d"}));
}

BOOST_AUTO_TEST_CASE(what_is_no_message_is_passed_over) {
  BOOST_TEST((data_of("event: ping\ndata: x\n\nevent: message\ndata: y\n\nnonsense: z\ndata\n\nid: 1\n\ndata: cut") ==
              Texts{"y"}));
}

BOOST_AUTO_TEST_CASE(ids_count_once_their_event_is_whole) {
  EventStream stream(1000);
  const auto ignore = [](std::string&&) {};
  stream.take("id: 1\ndata: a\n\nid: 2\ndata: b\n", ignore);
  BOOST_TEST(stream.last_id() == "1");
  stream.end();
  stream.take("\n", ignore);
  BOOST_TEST(stream.last_id() == "1");
  stream.take("id: 3\nretry: 250\n\nretry: soon\n\n", ignore);
  BOOST_TEST(stream.last_id() == "3");
  BOOST_TEST((stream.retry() == 250ms));
  stream.take(std::string("id: a\0b\n\n", 9) + "id: c\x01\n\nid: " + std::string(1100, 'x'), ignore);
  BOOST_TEST(stream.last_id() == "3");
  stream.take("\n\nid\n\n", ignore);
  BOOST_TEST(stream.last_id().empty());
}

BOOST_AUTO_TEST_CASE(a_line_or_an_event_that_is_too_large_ends_the_stream) {
  const auto ignore = [](std::string&&) {};
  EventStream line(100);
  BOOST_TEST(!line.take("data: " + std::string(200, 'x'), ignore));
  EventStream event(100);
  bool goes_on = true;
  for (int i = 0; i < 50 && goes_on; ++i) goes_on = event.take("data: 0123456789\n", ignore);
  BOOST_TEST(!goes_on);
}

BOOST_AUTO_TEST_CASE(a_message_says_what_its_headers_repeat) {
  const SentMessage read = sent_message(R"({"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"a:b",
    "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})");
  BOOST_TEST(read.is_request());
  BOOST_TEST(read.modern());
  BOOST_TEST(read.name == "a:b");
  BOOST_TEST(read.only_reads());
  const SentMessage answer = sent_message(R"({"jsonrpc":"2.0","id":"q","result":{}})");
  BOOST_TEST((answer.kind == SentMessage::Kind::response));
  BOOST_TEST(!sent_message(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}})").only_reads());
}

BOOST_AUTO_TEST_CASE(values_are_coded_where_a_header_could_not_carry_them) {
  BOOST_TEST(header_value("us-west1") == "us-west1");
  BOOST_TEST(header_value("Hello, 世界") == "=?base64?SGVsbG8sIOS4lueVjA==?=");
  BOOST_TEST(header_value(" padded ") == "=?base64?IHBhZGRlZCA=?=");
  BOOST_TEST(header_value("line1\nline2") == "=?base64?bGluZTEKbGluZTI=?=");
  BOOST_TEST(header_value("=?base64?literal?=") == "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=");
}

BOOST_AUTO_TEST_CASE(annotations_that_cannot_be_followed_are_found_wherever_they_stand) {
  const std::string fine = R"({"type":"string","x-mcp-header":"A"})";
  BOOST_TEST(wrong(R"({"properties":{"a":)" + fine + R"(,"x-mcp-header":{"type":"string"}}})") == "fine");
  BOOST_TEST(wrong(R"({"properties":{"o":{"properties":{"a":)" + fine + "}}}}") == "fine");
  BOOST_TEST(has(wrong(R"({"items":)" + fine + "}"), "properties alone"));
  BOOST_TEST(has(wrong(R"({"anyOf":[{"properties":{"a":)" + fine + "}}]}"), "properties alone"));
  BOOST_TEST(has(wrong(R"({"properties":{"a":)" + fine + R"(,"b":{"type":"string","x-mcp-header":"a"}}})"), "two of"));
  BOOST_TEST(has(wrong(R"({"properties":{"a":{"type":"number","x-mcp-header":"A"}}})"), "neither string"));
  BOOST_TEST(has(wrong(R"({"properties":{"a":{"type":"string","x-mcp-header":"A\r\nB: c"}}})"), "no name"));
  BOOST_TEST(has(wrong(R"({"properties":{"a":{"type":"string","x-mcp-header":""}}})"), "no name"));
}

BOOST_AUTO_TEST_CASE(parameters_that_are_missing_or_null_have_no_header) {
  ParameterHeaders headers;
  headers.learn(parse_json(R"({"tools":[{"name":"t","inputSchema":{"properties":{
    "s":{"type":"string","x-mcp-header":"S"},"b":{"type":"boolean","x-mcp-header":"B"},
    "i":{"type":"integer","x-mcp-header":"I"}}}}]})"));
  BOOST_TEST(headers.headers_for("t", parse_json(R"({"s":null})")).empty());
  BOOST_TEST(headers.headers_for("other", parse_json(R"({"s":"x"})")).empty());
  const auto all = headers.headers_for("t", parse_json(R"({"s":"x","b":false,"i":-7})"));
  BOOST_TEST_REQUIRE(all.size() == 3U);
  BOOST_TEST(all[0].second + all[1].second + all[2].second == "xfalse-7");
}

BOOST_AUTO_TEST_CASE(a_stream_is_opened_again_as_the_server_wishes_but_not_without_end) {
  BOOST_TEST((wait_before(0) == 500ms));
  BOOST_TEST((wait_before(2) == 2000ms));
  BOOST_TEST((wait_before(1000) == 30'000ms));
  BOOST_TEST((wait_before(5, 0ms) == 0ms));
  BOOST_TEST((wait_before(6, 0ms) == 1000ms));
  BOOST_TEST((wait_before(1000, 0ms) == 30'000ms));
  BOOST_TEST((wait_before(1000, 60'000ms) == 60'000ms));
}

BOOST_AUTO_TEST_CASE(what_may_have_been_missed_is_said_of_what_was_subscribed_to) {
  const auto lines = missed_changes(
      parse_json(R"({"toolsListChanged":true,"promptsListChanged":false,"resourceSubscriptions":["a:1"]})"), 5);
  BOOST_TEST_REQUIRE(lines.size() == 2U);
  BOOST_TEST(has(lines[0], R"("method":"notifications/tools/list_changed")"));
  BOOST_TEST(has(lines[0], R"("io.modelcontextprotocol/subscriptionId":5)"));
  BOOST_TEST(has(lines[1], R"("uri":"a:1")"));
}
