// What an HTTP server does with requests that are right, wrong, or late: one row each, over a connection of its own.
#include <toolwire/http/listen.hpp>

#define BOOST_TEST_MODULE http_server_requests_test
#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>
#include <vector>

#include "http_served.hpp"

using namespace std::chrono_literals;
using namespace toolwire;
using namespace toolwire_test;

namespace {

/// What is sent, and what comes of it.
struct Row {
  const char* name;
  std::string bytes;
  int status;
  bool closes = true;  // else the connection serves another request
  bool is_head = false;
};

struct Requests {
  explicit Requests(const std::string& own_host) : host(own_host) {}

  std::string head(const std::string& more) const { return call.head() + more + "\r\n"; }
  /// With these fields in the place of the length.
  std::string post(const std::string& fields) const { return head(fields) + call.body(); }
  std::string length() const { return std::to_string(call.body().size()); }
  std::string right(const std::string& more = "") const { return post("Content-Length: " + length() + "\r\n" + more); }
  /// A body in one chunk, whose size is said so.
  std::string chunked(const std::string& line, const std::string& end = "\r\n0\r\n\r\n") const {
    return head("Transfer-Encoding: chunked\r\n") + line + "\r\n" + call.body() + end;
  }
  std::string size() const {
    std::string digits;
    for (std::size_t rest = call.body().size(); rest > 0; rest /= 16)
      digits.insert(0, 1, "0123456789abcdef"[rest % 16]);
    return digits;
  }
  std::string get(const std::string& line, const std::string& more = "") const {
    return line + "\r\nHost: " + host + "\r\n" + more + "\r\n";
  }
  static std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    BOOST_REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
  }

  const std::string host;
  const RawCall call{.host = host};
};

std::vector<Row> rows_of_lengths(const Requests& ask) {
  const std::string own = ask.length();
  const auto coded = [&](const std::string& coding) { return ask.post("Transfer-Encoding: " + coding + "\r\n"); };
  return {
      {"a right request", ask.right(), 200, false},
      {"two lengths that are the same", ask.post("Content-Length: " + own + "\r\nContent-Length: " + own + "\r\n"),
       400},
      {"two lengths that differ", ask.post("Content-Length: 1\r\nContent-Length: " + own + "\r\n"), 400},
      {"a list of lengths", ask.post("Content-Length: " + own + ", " + own + "\r\n"), 400},
      {"a length with a sign", ask.post("Content-Length: +47\r\n"), 400},
      {"a negative length", ask.post("Content-Length: -1\r\n"), 400},
      {"a length in hexadecimal", ask.post("Content-Length: 0x10\r\n"), 400},
      {"an empty length", ask.post("Content-Length: \r\n"), 400},
      {"two numbers as a length", ask.post("Content-Length: 4 7\r\n"), 400},
      {"a length beyond numbers", ask.post("Content-Length: 99999999999999999999999\r\n"), 400},
      {"a length and a coding", ask.post("Content-Length: " + own + "\r\nTransfer-Encoding: chunked\r\n"), 400},
      {"a coding and a length", ask.post("Transfer-Encoding: chunked\r\nContent-Length: " + own + "\r\n"), 400},
      // Where the end of the body is not known: 400 (RFC 9112 §6.3, rule 4). Where it is, but a coding below the
      // chunks is not understood: 501 (§6.1).
      {"a coding that does not end", coded("gzip"), 400},
      {"a coding that is not known", coded("gzip, chunked"), 501},
      {"a coding that ends like a known one", coded("xchunked"), 400},
      {"chunks of chunks", coded("chunked, chunked"), 400},
      {"chunked, and not at last", coded("chunked, gzip"), 400},
      {"an empty coding", coded(""), 400},
      {"chunked, said twice", ask.post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), 400},
      {"a coding before HTTP/1.1", Requests::replaced(coded("chunked"), "HTTP/1.1", "HTTP/1.0"), 400},
      {"no length for a body", ask.post(""), 400, false},
      {"a body that is too large", ask.post("Content-Length: 20000000\r\n"), 413},
  };
}

std::vector<Row> rows_of_chunks(const Requests& ask) {
  const std::string size = ask.size();
  return {
      {"a body in a chunk", ask.chunked(size), 200, false},
      {"a size with zeros in front", ask.chunked("000" + size), 200, false},
      {"an extension", ask.chunked(size + ";name=value"), 200, false},
      {"a field behind the body", ask.chunked(size, "\r\n0\r\nMcp-Name: other\r\n\r\n"), 200, false},
      {"a size with a sign", ask.chunked("+" + size), 400},
      {"a negative size", ask.chunked("-" + size), 400},
      {"a size with a prefix", ask.chunked("0x" + size), 400},
      {"a size that is none", ask.chunked("many"), 400},
      {"an empty size", ask.chunked(""), 400},
      {"white space before a size", ask.chunked(" " + size), 400},
      {"a size beyond numbers", ask.chunked("fffffffffffffffff"), 400},
      {"a chunk that is too large", ask.chunked("ffffffff"), 413},
      {"a chunk that is longer than it says", ask.chunked("1"), 400},
      {"an extension in quotes", ask.chunked(size + ";name=\"value\""), 200, false},
      {"a line end in an extension in quotes", ask.chunked(size + ";name=\"\n0\""), 400},
      {"a line end in a field behind the body", ask.chunked(size, "\r\n0\r\nA: b\nC: d\r\n\r\n"), 400},
      {"an extension that is none", ask.chunked(size + " name"), 400},
      {"a line without end", ask.chunked(size + ";" + std::string(10'000, 'x')), 400},
      {"a line feed alone behind a size", ask.head("Transfer-Encoding: chunked\r\n") + size + "\n" + ask.call.body(),
       400},
      {"a length behind the body", ask.chunked(size, "\r\n0\r\nContent-Length: 1\r\n\r\n"), 400},
  };
}

std::vector<Row> rows_of_heads(const Requests& ask) {
  const auto with = [&](const std::string& line) { return ask.get("GET /mcp HTTP/1.1", line); };
  std::string many;
  for (int i = 0; i < 200; ++i) many += "X-Field: " + std::to_string(i) + "\r\n";
  return {
      {"empty lines in front", "\r\n\r\n" + ask.right(), 200, false},
      {"no Host", "GET /mcp HTTP/1.1\r\n\r\n", 400},
      {"no Host, long ago", "GET /mcp HTTP/1.0\r\n\r\n", 403},
      {"two Hosts", with("Host: " + ask.host + "\r\n"), 400},
      {"the Host of somebody else", "GET /mcp HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403, false},
      {"another port as Host", "GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n", 403, false},
      {"a Host without its port", "GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 403, false},
      {"the Origin of somebody else", ask.right("Origin: https://evil.example\r\n"), 403},
      {"the Origin null", ask.right("Origin: null\r\n"), 403},
      {"its own Origin", ask.right("Origin: http://" + ask.host + "\r\n"), 200, false},
      {"two Origins", ask.right("Origin: http://" + ask.host + "\r\nOrigin: http://" + ask.host + "\r\n"), 400},
      {"two Mcp-Method", ask.right("Mcp-Method: tools/call\r\n"), 400, false},
      {"two Mcp-Name", ask.right("Mcp-Name: other\r\n"), 400, false},
      {"two MCP-Protocol-Version", ask.right("mcp-protocol-version: 2026-07-28\r\n"), 400, false},
      {"two Mcp-Session-Id", ask.right("Mcp-Session-Id: a\r\nMCP-SESSION-ID: a\r\n"), 400, false},
      {"two Mcp-Param of one argument", ask.right("Mcp-Param-A: 1\r\nmcp-param-a: 1\r\n"), 400, false},
      {"an Mcp-Param of each of two arguments", ask.right("Mcp-Param-A: 1\r\nMcp-Param-B: 1\r\n"), 200, false},
      {"lines that end with LF", "GET /mcp HTTP/1.1\nHost: " + ask.host + "\n\n", 400},
      {"one line that ends with LF", with("X-Field: 1\nX-Other: 2\r\n"), 400},
      {"a CR in a line", with("X-Field: 1\rX-Other: 2\r\n"), 400},
      {"a NUL byte", with(std::string("X-Field: 1\0\r\n", 13)), 400},
      {"a control character", with("X-Field: \x01\r\n"), 400},
      {"a field on two lines", with("X-Field: 1\r\n 2\r\n"), 400},
      {"a space before the colon", with("X-Field : 1\r\n"), 400},
      {"a line without a colon", with("X-Field\r\n"), 400},
      {"a field without a name", with(": 1\r\n"), 400},
      {"a name that is none", with("X(Field): 1\r\n"), 400},
      {"a head that is too large", with("X-Field: " + std::string(70'000, 'x') + "\r\n"), 431},
      {"too many fields", with(many), 431},
      {"an expectation that is not known", ask.right("Expect: miracles\r\n"), 417},
      {"another Content-Type", Requests::replaced(ask.right(), "application/json\r\n", "text/plain\r\n"), 415},
      {"a body that is compressed", ask.right("Content-Encoding: gzip\r\n"), 415},
      {"no events accepted", Requests::replaced(ask.right(), ", text/event-stream", ""), 406},
      {"a TLS handshake", std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11), 400},
  };
}

std::vector<Row> rows_of_first_lines(const Requests& ask) {
  return {
      {"a target that is too long", ask.get("GET /" + std::string(10'000, 'x') + " HTTP/1.1"), 414},
      {"a target without end", "GET /" + std::string(10'000, 'x'), 414},
      {"another version", ask.get("GET /mcp HTTP/1.2"), 505},
      {"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505},
      {"a version that is none", ask.get("GET /mcp HTTP/1.x"), 400},
      {"a version in lower case", ask.get("GET /mcp http/1.1"), 400},
      {"no version", ask.get("GET /mcp"), 400},
      {"one word", "GET\r\n\r\n", 400},
      {"two words", "GET /mcp\r\n\r\n", 400},
      {"two spaces", ask.get("GET  /mcp HTTP/1.1"), 400},
      {"no method", ask.get(" /mcp HTTP/1.1"), 400},
      {"a method that is none", ask.get("G(T /mcp HTTP/1.1"), 400},
      {"a method that is not known", ask.get("FETCH /mcp HTTP/1.1"), 501},
      {"a method in lower case", ask.get("post /mcp HTTP/1.1"), 501},
      {"GET", ask.get("GET /mcp HTTP/1.1"), 405, false},
      {"HEAD", ask.get("HEAD /mcp HTTP/1.1"), 405, false, true},
      {"OPTIONS", ask.get("OPTIONS /mcp HTTP/1.1"), 405, false},
      {"OPTIONS of all", ask.get("OPTIONS * HTTP/1.1"), 404, false},
      {"DELETE", ask.get("DELETE /mcp HTTP/1.1"), 405, false},
      {"TRACE", ask.get("TRACE /mcp HTTP/1.1"), 405, false},
      {"CONNECT", ask.get("CONNECT other.example:443 HTTP/1.1"), 400},
      {"another path", ask.get("GET /other HTTP/1.1"), 404, false},
      {"a whole URL", Requests::replaced(ask.right(), "/mcp", "http://" + ask.host + "/mcp"), 200, false},
      {"the URL of another host", Requests::replaced(ask.right(), "/mcp", "http://evil.example/mcp"), 400},
      {"a target without a slash", ask.get("GET mcp HTTP/1.1"), 400},
      {"the health", ask.get("GET /health HTTP/1.1"), 200, false},
      {"the head of the health", ask.get("HEAD /health HTTP/1.1"), 200, false, true},
      {"the health, asked by whatever name", "GET /health?now HTTP/1.1\r\nHost: balancer\r\n\r\n", 200, false},
      {"the health, told", ask.get("POST /health HTTP/1.1", "Content-Length: 0\r\n"), 405, false},
      {"the health, with a body", ask.get("GET /health HTTP/1.1", "Content-Length: 9\r\n"), 200},
      {"a request of HTTP/1.0", ask.get("GET /health HTTP/1.0"), 200},
      {"a request that is to be the last", ask.get("GET /health HTTP/1.1", "Connection: close\r\n"), 200},
      {"HTTP/1.0 that goes on", ask.get("GET /health HTTP/1.0", "Connection: keep-alive\r\n"), 200, false},
  };
}

void check(const HttpServed& served, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    BOOST_TEST_CONTEXT(row.name) {
      RawHttp client = served.client();
      client.send(row.bytes);
      const auto answer = client.answer(row.is_head);
      BOOST_REQUIRE(answer.has_value());
      BOOST_TEST(answer->status == row.status);
      BOOST_TEST(answer->field("date").ends_with(" GMT"));
      BOOST_TEST((answer->field("connection") == "close") == row.closes);
      if (row.bytes.find("HTTP/1.0\r\n") != std::string::npos)
        BOOST_TEST(answer->field("connection") == (row.closes ? "close" : "keep-alive"));
      if (row.closes) {
        client.end_output();
        BOOST_TEST(client.is_over());
      } else {
        client.send(served.echo("again").text());
        const auto next = client.answer();
        // What stands behind a request without a length is one more request, and none.
        BOOST_TEST((next && (next->status == 200 || row.bytes.ends_with('}'))));
      }
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_body_has_one_length) {
  const HttpServed served;
  check(served, rows_of_lengths(Requests(served.host())));
}

BOOST_AUTO_TEST_CASE(chunks_are_what_they_say) {
  const HttpServed served;
  check(served, rows_of_chunks(Requests(served.host())));
}

BOOST_AUTO_TEST_CASE(a_head_reads_in_one_way) {
  const HttpServed served;
  check(served, rows_of_heads(Requests(served.host())));
}

BOOST_AUTO_TEST_CASE(methods_targets_and_versions) {
  const HttpServed served;
  check(served, rows_of_first_lines(Requests(served.host())));
}

BOOST_AUTO_TEST_CASE(the_answers_of_the_protocol_have_their_status) {
  const HttpServed served;
  const auto post = [&](std::string text, const std::string& from, const std::string& to) {
    text = Requests::replaced(std::move(text), from, to);
    const std::string body = text.substr(text.find("\r\n\r\n") + 4);
    const std::size_t length = text.find("Content-Length: ") + 16;
    return text.replace(length, text.find("\r\n", length) - length, std::to_string(body.size()));
  };
  const std::string right = served.echo("hello").text();
  check(served,
        {{"no JSON", post(right, "{\"jsonrpc\"", "{jsonrpc"), 400, false},
         {"another method than in the head", post(right, "\"tools/call\"", "\"tools/list\""), 400, false},
         {"another tool than in the head", post(right, "\"name\":\"echo\"", "\"name\":\"other\""), 400, false}});
}

BOOST_AUTO_TEST_CASE(bytes_that_come_one_by_one_are_read_as_in_one) {
  const HttpServed served;
  const Requests ask(served.host());
  const std::string empty = ask.head("Transfer-Encoding: chunked\r\n") + "0\r\n\r\n";
  const std::string line_end_first = ask.chunked("1\r\n\n\r\n" + ask.size());
  const std::pair<std::string, int> rows[] = {
      {ask.right(), 200}, {ask.chunked(ask.size()), 200}, {line_end_first, 200}, {empty, 400}};
  for (const auto& [text, status] : rows) {
    RawHttp client = served.client();
    for (const char byte : text) client.send({&byte, 1});
    const auto answer = client.answer();
    BOOST_TEST((answer && answer->status == status));
  }
}

BOOST_AUTO_TEST_CASE(a_body_is_asked_for_where_it_is_wanted) {
  const HttpServed served;
  const RawCall call = served.echo("expected");
  const auto head = [&](const std::string& length, const std::string& more = "") {
    return call.head() + more + "Expect: 100-continue\r\nContent-Length: " + length + "\r\n\r\n";
  };
  RawHttp client = served.client();
  client.send(head(std::to_string(call.body().size())));
  BOOST_TEST(client.answer()->status == 100);
  client.send(call.body());
  BOOST_TEST(client.answer()->status == 200);

  client.send(head("20000000"));
  BOOST_TEST(client.answer()->status == 413);

  RawHttp stranger = served.client();
  stranger.send(head("5", "Origin: https://evil.example\r\n"));
  BOOST_TEST(stranger.answer()->status == 403);
}

BOOST_AUTO_TEST_CASE(an_answer_to_http_1_0_ends_with_the_connection) {
  const HttpServed served;
  RawHttp client = served.client();
  std::string text = served.call("flood", R"({"count":3})").text();
  client.send(text.replace(text.find("HTTP/1.1"), 8, "HTTP/1.0"));
  const auto head = client.take_until("\r\n\r\n");
  BOOST_REQUIRE(head.has_value());
  BOOST_TEST(head->find("Transfer-Encoding") == std::string::npos);
  BOOST_TEST(head->find("Connection: close") != std::string::npos);
  BOOST_TEST(client.take_until("reported").has_value());
  BOOST_TEST(client.take_until("\n\n").has_value());
  client.end_output();
  BOOST_TEST(client.is_over());
}

BOOST_AUTO_TEST_CASE(what_comes_too_late_is_refused) {
  http::Port port = patient();
  port.limits.head_time = 40ms;
  port.limits.body_pause = 40ms;
  port.limits.idle = 40ms;
  const HttpServed served(port);
  const Requests ask(served.host());
  const std::string right = ask.right();
  const std::size_t body = right.find("\r\n\r\n") + 4;
  const std::string chunked = ask.head("Transfer-Encoding: chunked\r\n");
  check(served, {{"one byte", "P", 408},
                 {"a first line", "POST /mcp HTTP/1.1\r\n", 408},
                 {"a head without its end", right.substr(0, body - 2), 408},
                 {"a head without its body", right.substr(0, body), 408},
                 {"a part of a body", right.substr(0, body + 10), 408},
                 {"a chunked body that does not begin", chunked, 408},
                 {"a part of the size of a chunk", chunked + "1", 408},
                 {"a part of a chunk", chunked + "10\r\n{", 408},
                 {"a chunked body that does not end", ask.chunked(ask.size(), "\r\n"), 408}});
  RawHttp silent = served.client();
  BOOST_TEST(silent.is_over());
}

/// A head has its time altogether: a byte now and then does not buy more of it.
BOOST_AUTO_TEST_CASE(a_head_that_drips_is_cut) {
  http::Port port = patient();
  port.limits.head_time = 40ms;
  const HttpServed served(port);
  RawHttp client = served.client();
  client.send("GET /health HTTP/1.1\r\nX-Slow: ");
  while (client.is_silent()) {
    client.send("x");
    std::this_thread::sleep_for(1ms);
  }
  BOOST_TEST(client.answer()->status == 408);
}
