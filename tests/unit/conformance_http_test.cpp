// The suite's own HTTP: URLs, the bytes of requests, replies as they come, and the headers that go with a message.
#include "driver/http_server.hpp"

#include "driver/http_challenge.hpp"
#include "driver/listening_port.hpp"

#define BOOST_TEST_MODULE conformance_http_test
#include <boost/test/unit_test.hpp>

#include <optional>
#include <stdexcept>

using namespace toolwire::conformance;
using toolwire::Json;

namespace {

HttpReply reply_of(const std::string& bytes, bool ends = true) {
  HttpReplyReader whole;
  whole.add(bytes);
  if (ends) whole.end();
  HttpReplyReader by_bytes;
  for (const char byte : bytes) by_bytes.add({&byte, 1});
  if (ends) by_bytes.end();
  BOOST_TEST(whole.reply().body == by_bytes.reply().body);
  BOOST_TEST(whole.reply().events.size() == by_bytes.reply().events.size());
  BOOST_TEST(whole.reply().is_complete == by_bytes.reply().is_complete);
  BOOST_TEST(whole.reply().problem == by_bytes.reply().problem);
  return whole.reply();
}

const Revision& modern = *find_revision("2026-07-28");
const Revision& legacy = *find_revision("2025-11-25");

std::string value_of(const HttpRequest& request, std::string_view name) {
  for (const auto& [key, value] : request.headers) {
    if (is_same_header(key, name)) return value;
  }
  return "(none)";
}

HttpServer local_server() { return HttpServer("http://127.0.0.1:8080/mcp", {{"Authorization", "Bearer x"}}); }

std::string modern_message(const std::string& method, const std::string& params) {
  return R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{)" + params +
         R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_url_has_its_parts) {
  const HttpUrl url = read_http_url("http://[::1]:8080/mcp?x=1#part");
  BOOST_TEST(url.host == "::1");
  BOOST_TEST(url.port == "8080");
  BOOST_TEST(url.authority == "[::1]:8080");
  BOOST_TEST(url.target == "/mcp?x=1");
  BOOST_TEST(read_http_url("http://localhost").port == "80");
  BOOST_TEST(read_http_url("http://localhost").target == "/");
  BOOST_TEST(read_http_url("http://localhost?x").target == "/?x");
}

BOOST_AUTO_TEST_CASE(what_is_no_http_url_is_refused) {
  for (const char* text : {"https://localhost/mcp", "localhost:8080", "http://", "http://a:b/", "http://user@host/",
                           "http://host/a b", "http://:80/", "http://host:/x"})
    BOOST_CHECK_THROW(read_http_url(text), std::invalid_argument);
}

/// As of "localhost", which is ::1 first on many machines, for a server at 127.0.0.1.
BOOST_AUTO_TEST_CASE(of_several_addresses_the_one_that_takes_connections_is_found) {
  const auto address = [](int port) {
    return addresses_of(read_http_url("http://127.0.0.1:" + std::to_string(port))).front();
  };
  int closed = 0;
  {
    const ListeningPort gone;
    closed = gone.number();
  }
  const ListeningPort open;
  BOOST_TEST((first_open({address(closed), address(open.number())}) == std::optional<std::size_t>(1)));
  BOOST_TEST(!first_open({address(closed)}));
  HttpServer server("http://127.0.0.1:" + std::to_string(open.number()) + "/mcp", {});
  BOOST_TEST(server.find());
}

BOOST_AUTO_TEST_CASE(a_reply_may_say_its_length_or_come_in_chunks_or_end_with_the_connection) {
  const HttpReply sized = reply_of("HTTP/1.1 202 Accepted\r\nX-A:  b \r\nContent-Length: 2\r\n\r\nokmore", false);
  BOOST_TEST(sized.status == 202);
  BOOST_TEST(sized.body == "ok");
  BOOST_TEST(sized.is_complete);
  BOOST_TEST(*sized.header("x-a") == "b");
  const HttpReply chunked =
      reply_of("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", false);
  BOOST_TEST(chunked.body == "abcde");
  BOOST_TEST(chunked.is_complete);
  const HttpReply open = reply_of("HTTP/1.1 200 OK\r\n\r\nuntil the end");
  BOOST_TEST(open.body == "until the end");
  BOOST_TEST(open.is_complete);
}

BOOST_AUTO_TEST_CASE(interim_replies_are_left_out_and_empty_ones_are_whole) {
  BOOST_TEST(reply_of("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", false).status ==
             200);
  BOOST_TEST(reply_of("HTTP/1.1 204 No Content\r\n\r\n", false).is_complete);
}

BOOST_AUTO_TEST_CASE(what_is_no_reply_has_a_problem) {
  for (const char* bytes :
       {"{\"jsonrpc\":\"2.0\"}\r\n\r\n", "HTTP/1.1 2x0 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", "HTTP/1.1 200"})
    BOOST_TEST(!reply_of(bytes).problem.empty(), bytes);
}

BOOST_AUTO_TEST_CASE(a_body_that_is_cut_is_not_complete) {
  BOOST_TEST(!reply_of("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc").is_complete);
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_before_the_events_is_no_part_of_them) {
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
  const HttpReply reply = reply_of(head + "\xEF\xBB\xBFid: 1\ndata:\n\n" + "\xEF\xBB\xBFid: 2\ndata: a\n\n");
  BOOST_REQUIRE(reply.events.size() == 2U);
  BOOST_TEST(*reply.events[0].id == "1");
  BOOST_TEST(!reply.events[1].id.has_value());
  BOOST_TEST(reply.events[1].data == "a");
}

BOOST_AUTO_TEST_CASE(events_end_with_an_empty_line_of_any_line_end) {
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Type: Text/Event-Stream; charset=utf-8\r\n\r\n";
  const HttpReply reply = reply_of(head +
                                   ": comment\r\nid: 1\r\ndata:\r\n\r\n"
                                   "event: message\rdata: a\rdata:b\r\r"
                                   "retry: 20\nevent: other\ndata:  c\n\n"
                                   "data: unfinished\n");
  BOOST_REQUIRE(reply.is_event_stream());
  BOOST_REQUIRE(reply.events.size() == 3U);
  BOOST_TEST(reply.events[0].data.empty());
  BOOST_TEST(*reply.events[0].id == "1");
  BOOST_TEST(reply.events[1].data == "a\nb");
  BOOST_TEST(reply.events[1].type.empty());
  BOOST_TEST(reply.events[2].data == " c");
  BOOST_TEST(reply.events[2].type == "other");
  BOOST_TEST(*reply.retry_ms == 20);
  BOOST_TEST(reply.last_event_id == "1");
}

BOOST_AUTO_TEST_CASE(a_request_says_its_length_unless_it_has_no_body) {
  const HttpUrl url = read_http_url("http://h:1/mcp");
  const std::string post = bytes_of(url, {.headers = {{"A", "b"}}, .body = "xyz"});
  BOOST_TEST(post == "POST /mcp HTTP/1.1\r\nHost: h:1\r\nA: b\r\nConnection: close\r\nContent-Length: 3\r\n\r\nxyz");
  const std::string get = bytes_of(url, {.method = "GET", .headers = {{"host", "other"}}});
  BOOST_TEST(get == "GET /mcp HTTP/1.1\r\nhost: other\r\nConnection: close\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(a_request_may_go_to_another_place_of_the_server) {
  const HttpUrl url = read_http_url("http://h:1/mcp");
  BOOST_TEST(
      bytes_of(url, {.method = "GET", .target = "/.well-known/x"}).starts_with("GET /.well-known/x HTTP/1.1\r\n"));
}

BOOST_AUTO_TEST_CASE(challenges_are_taken_apart) {
  const auto said = [](std::vector<std::string> values) {
    HttpReply reply;
    for (std::string& value : values) reply.headers.emplace_back("www-authenticate", std::move(value));
    return bearer_challenge(reply);
  };
  const auto plain = said({R"(Bearer error="insufficient_scope", scope="a b",resource_metadata="https://x/y?z=1,2")"});
  BOOST_TEST(parameter(plain, "error") == "insufficient_scope");
  BOOST_TEST(parameter(plain, "scope") == "a b");
  BOOST_TEST(parameter(plain, "resource_metadata") == "https://x/y?z=1,2");
  BOOST_TEST(parameter(plain, "realm") == "");
  const auto several =
      said({"Negotiate", R"(Basic realm="x, Bearer scope=1", bearer ERROR = invalid_token, scope="q\"r")"});
  BOOST_TEST(parameter(several, "error") == "invalid_token");
  BOOST_TEST(parameter(several, "scope") == "q\"r");
  BOOST_TEST(parameter(said({R"(Bearer scope="a", DPoP scope="b", error="c")"}), "error") == "");
  BOOST_TEST(said({"Bearer"}).has_value());
  BOOST_TEST(!said({"Basic realm=\"x\""}).has_value());
  BOOST_TEST(!said({}).has_value());
  for (const char* const broken : {"Bearer scope=\"", "Bearer scope=\"a\\", "Bearer =", "Bearer \"\"", "=", "\""})
    static_cast<void>(said({broken}));
}

BOOST_AUTO_TEST_CASE(headers_of_a_modern_request_repeat_its_body) {
  const HttpServer server = local_server();
  const HttpRequest call = server.post(modern, modern_message("tools/call", R"("name":"say",)"), "session");
  BOOST_TEST(value_of(call, method_header) == "tools/call");
  BOOST_TEST(value_of(call, name_header) == "say");
  BOOST_TEST(value_of(call, version_header) == "2026-07-28");
  BOOST_TEST(value_of(call, session_header) == "(none)");
  BOOST_TEST(value_of(call, "authorization") == "Bearer x");
  const HttpRequest read = server.post(modern, modern_message("resources/read", R"("uri":"x://\u00e9",)"));
  BOOST_TEST(value_of(read, name_header) == "=?base64?eDovL8Op?=");
}

BOOST_AUTO_TEST_CASE(headers_of_the_handshake_revisions_are_the_session_and_the_version) {
  const HttpServer server = local_server();
  const HttpRequest ping = server.post(legacy, R"({"jsonrpc":"2.0","id":1,"method":"ping"})", "session");
  BOOST_TEST(value_of(ping, session_header) == "session");
  BOOST_TEST(value_of(ping, version_header) == "2025-11-25");
  BOOST_TEST(value_of(ping, method_header) == "(none)");
  const HttpRequest opening = server.post(legacy, R"({"jsonrpc":"2.0","id":1,"method":"initialize"})", "session");
  BOOST_TEST(value_of(opening, session_header) == "(none)");
  BOOST_TEST(value_of(opening, version_header) == "(none)");
  const HttpRequest first = server.post(*find_revision("2025-03-26"), R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
  BOOST_TEST(value_of(first, version_header) == "(none)");
}

BOOST_AUTO_TEST_CASE(arguments_that_a_list_of_tools_annotates_go_into_headers) {
  HttpServer server = local_server();
  server.learn(toolwire::parse_json(R"({"result":{"tools":[{"name":"say","inputSchema":{"type":"object","properties":{
      "region":{"type":"string","x-mcp-header":"Region"},
      "place":{"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"N"}}}}}}]}})"));
  const HttpRequest call = server.post(
      modern, modern_message("tools/call", R"("name":"say","arguments":{"region":" x","place":{"n":42}},)"));
  BOOST_TEST(value_of(call, "Mcp-Param-Region") == "=?base64?IHg=?=");
  BOOST_TEST(value_of(call, "Mcp-Param-N") == "42");
  const HttpRequest without = server.post(modern, modern_message("tools/call", R"("name":"say","arguments":{},)"));
  BOOST_TEST(value_of(without, "Mcp-Param-Region") == "(none)");
}

BOOST_AUTO_TEST_CASE(values_that_could_be_mistaken_are_encoded) {
  BOOST_TEST(header_value("us-west1") == "us-west1");
  BOOST_TEST(header_value("Hello, \u4e16\u754c") == "=?base64?SGVsbG8sIOS4lueVjA==?=");
  BOOST_TEST(header_value(" padded ") == "=?base64?IHBhZGRlZCA=?=");
  BOOST_TEST(header_value("line1\nline2") == "=?base64?bGluZTEKbGluZTI=?=");
  BOOST_TEST(header_value("=?base64?literal?=") == "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=");
}
