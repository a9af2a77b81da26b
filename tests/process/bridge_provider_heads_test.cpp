// `toolwire-bridge http` and clients that do not speak HTTP as they should, or not in time: which status each gets, and
// that nobody else notices.
#define BOOST_TEST_MODULE bridge_provider_heads_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "process_bench.hpp"
#include "raw_http.hpp"
#include "serve_bench.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

const std::string execute = R"({"tool_name":"spawn_coding_agent","arguments":{"task":"x"}})";
const std::string get = "GET /api/v1/tools HTTP/1.1\r\n";
const std::string post = "POST /api/v1/tools/execute HTTP/1.1\r\n";
const std::string host = "Host: localhost\r\n";
const std::string json = "Content-Type: application/json\r\n";

/// The program, which listens on a port of its own.
class Provider {
 public:
  explicit Provider(const ServeFixture& fixture) : process_(program(fixture)) {
    std::string line;
    for (char c = 0; process_.transport().read(&c, 1) == 1 && c != '\n';) line += c;
    const std::string before = "listening on http://127.0.0.1:";
    BOOST_REQUIRE(line.starts_with(before));
    port_ = static_cast<std::uint16_t>(std::stoi(line.substr(before.size())));
  }
  RawHttp client() const { return RawHttp(port_); }
  /// The status of the answer to this, sent at once; 0: there is none.
  int status(const std::string& text) const {
    RawHttp connection = client();
    connection.send(text);
    const auto answer = connection.answer();
    if (answer && answer->status >= 400) BOOST_TEST(parse_json(answer->body).is_object(), text + answer->body);
    return answer ? answer->status : 0;
  }
  bool answers() const { return status(get + host + "\r\n") == 200; }
  ChildProcess& process() { return process_; }

 private:
  static Program program(const ServeFixture& fixture) {
    Program made{.command = {bridge_program, "http", fixture.write_manifest(), "--listen", "127.0.0.1:0"}};
    made.environment["XDG_STATE_HOME"] = fixture.folder.text();
    return made;
  }

  ChildProcess process_;
  std::uint16_t port_ = 0;
};

std::string length(const std::string& number) { return "Content-Length: " + number + "\r\n"; }
std::string length_of(const std::string& body) { return length(std::to_string(body.size())); }

}  // namespace

BOOST_FIXTURE_TEST_CASE(each_request_has_its_status, ServeFixture) {
  const Provider provider(*this);
  struct Case {
    std::string text;
    int status;
  };
  const std::string whole = post + host + json + length_of(execute) + "\r\n" + execute;
  const std::vector<Case> cases{
      {get + host + "\r\n", 200},
      {whole, 200},
      {post + host + json + "Transfer-Encoding: chunked\r\n\r\n3b\r\n" + execute + "\r\n0\r\n\r\n", 200},
      {"GET http://localhost/api/v1/tools HTTP/1.1\r\n" + host + "\r\n", 200},
      {"GET /api/v1/tools/spawn%5fcoding_agent?x=%00 HTTP/1.1\r\n" + host + "\r\n", 200},
      {"GET /api/v1/tools HTTP/1.0\r\n" + host + "\r\n", 200},
      {"\r\n" + get + host + "\r\n", 200},
      // a length that two readers could understand differently
      {post + host + json + length_of(execute) + length_of(execute) + "\r\n" + execute, 400},
      {post + host + json + length_of(execute) + length("1") + "\r\n" + execute, 400},
      {post + host + json + length("+59") + "\r\n" + execute, 400},
      {post + host + json + length("-1") + "\r\n" + execute, 400},
      {post + host + json + length("59, 59") + "\r\n" + execute, 400},
      {post + host + json + length("0x3b") + "\r\n" + execute, 400},
      {post + host + json + length("") + "\r\n" + execute, 400},
      {post + host + json + length("99999999999999999999") + "\r\n" + execute, 400},
      {post + host + json + length_of(execute) + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      {post + host + json + "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n", 400},
      {post + host + json + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501},
      {post + host + json + "Transfer-Encoding: chunked\r\n\r\n3b;a=\"\n1\"\r\n" + execute + "\r\n0\r\n\r\n", 400},
      {post + host + json + "Transfer-Encoding: chunked\r\n\r\n+3\r\nabc\r\n0\r\n\r\n", 400},
      {post + host + json + "Transfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n", 400},
      {"POST /api/v1/tools/execute HTTP/1.0\r\n" + host + json + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      // lines
      {"GET /api/v1/tools HTTP/1.1\nHost: localhost\n\n", 400},
      {get + host + "A: b\r\n c\r\n\r\n", 400},
      {get + host + "A : b\r\n\r\n", 400},
      {get + host + std::string("A: \0\r\n\r\n", 8), 400},
      {"hello\r\n\r\n", 400},
      {"GET /a b HTTP/1.1\r\n" + host + "\r\n", 400},
      {"GET /api/v1/tools HTTP/2.0\r\n" + host + "\r\n", 505},
      {"FETCH /api/v1/tools HTTP/1.1\r\n" + host + "\r\n", 501},
      {"GET /" + std::string(9'000, 'a') + " HTTP/1.1\r\n" + host + "\r\n", 414},
      {get + host + "A: " + std::string(20'000, 'a') + "\r\n\r\n", 431},
      {get + host +
           [] {
             std::string fields;
             for (int i = 0; i < 200; ++i) fields += "A: b\r\n";
             return fields;
           }() +
           "\r\n",
       431},
      // who is asked, and who asks
      {get + "\r\n", 400},
      {get + host + host + "\r\n", 400},
      {get + "Host: localhost:http\r\n\r\n", 400},
      {get + "Host: [::1\r\n\r\n", 400},
      {get + "Host: localhost@evil.test\r\n\r\n", 421},
      {get + "Host: evil.test\r\n\r\n", 421},
      {"GET http://evil.test/api/v1/tools HTTP/1.1\r\n" + host + "\r\n", 400},
      {get + host + "Origin: http://evil.test\r\n\r\n", 403},
      {get + host + "Origin: http://localhost\r\nOrigin: http://localhost\r\n\r\n", 403},
      // what it is, and where to
      {post + host + length_of(execute) + "\r\n" + execute, 415},
      {post + host + json + "Content-Encoding: gzip\r\n" + length_of(execute) + "\r\n" + execute, 415},
      {post + host + json + length("5000000") + "\r\n", 413},
      {post + host + json + "Expect: a miracle\r\n" + length_of(execute) + "\r\n" + execute, 417},
      {post + host + json + length("3") + "\r\n{}x", 400},
      {"PUT /api/v1/tools HTTP/1.1\r\n" + host + length("1") + "\r\nx", 405},
      {"POST /health HTTP/1.1\r\n" + host + length("0") + "\r\n", 405},
      {"GET /nowhere HTTP/1.1\r\n" + host + "\r\n", 404},
      {get + host + "Range: bytes=9-3\r\n\r\n", 416},
      {get + host + "Range: bytes=00000000000000000000000000-1\r\n\r\n", 200},
  };
  for (const Case& one : cases) BOOST_TEST(provider.status(one.text) == one.status, one.text.substr(0, 200));
  BOOST_TEST(provider.answers());
}

BOOST_FIXTURE_TEST_CASE(one_connection_serves_many_requests_in_their_order, ServeFixture) {
  const Provider provider(*this);
  RawHttp client = provider.client();
  std::string ahead;
  for (int i = 0; i < 5; ++i) {
    ahead += get + host + "\r\n" + post + host + json + length_of(execute) + "\r\n" + execute;
    ahead += "HEAD /api/v1/tools HTTP/1.1\r\n" + host + "\r\n";
  }
  client.send(ahead);
  for (int i = 0; i < 5; ++i) {
    BOOST_TEST(parse_json(client.answer().value().body).at("scenario").is_object());
    BOOST_TEST(parse_json(client.answer().value().body).at("success") == Json(true));
    BOOST_TEST(client.answer(true).value().body == "");
  }
  client.send(get + host + "Connection: close\r\n\r\n");
  BOOST_TEST(client.answer().value().field("connection") == "close");
  BOOST_TEST(client.is_over());
}

BOOST_FIXTURE_TEST_CASE(clients_that_send_nothing_or_not_all_delay_nobody, ServeFixture) {
  const Provider provider(*this);
  std::vector<RawHttp> silent;
  for (int i = 0; i < 300; ++i) {  // more than there may be
    silent.push_back(provider.client());
    if (i % 4 == 0) silent.back().send(get + "Host: loc");
  }
  for (int i = 0; i < 10; ++i) BOOST_TEST(provider.answers());
  BOOST_TEST(provider.status(post + host + json + length_of(execute) + "\r\n" + execute) == 200);
}

BOOST_FIXTURE_TEST_CASE(clients_that_take_their_time_are_given_up, ServeFixture) {
  const Provider provider(*this);
  RawHttp silent = provider.client();
  RawHttp head = provider.client();
  head.send(get + "Host: loc");
  RawHttp body = provider.client();
  body.send(post + host + json + length_of(execute) + "\r\n" + execute.substr(1));
  RawHttp trickling_head = provider.client();
  trickling_head.send(get + host + "A: ");
  RawHttp trickling_body = provider.client();
  trickling_body.send(post + host + json + length("1000000") + "\r\n");
  std::jthread trickle([&](const std::stop_token& stop) {
    while (!stop.stop_requested() && trickling_head.send("a") && trickling_body.send(" "))
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
  });
  BOOST_TEST(head.answer().value().status == 408);
  BOOST_TEST(body.answer().value().status == 408);
  BOOST_TEST(trickling_head.answer().value().status == 408);
  BOOST_TEST(trickling_body.answer().value().status == 408);
  trickle = {};
  BOOST_TEST(silent.is_over());
  BOOST_TEST(provider.answers());
}

BOOST_FIXTURE_TEST_CASE(it_ends_although_clients_stay, ServeFixture) {
  Provider provider(*this);
  RawHttp silent = provider.client();
  RawHttp head = provider.client();
  head.send(get);
  BOOST_TEST(provider.answers());
  provider.process().signal(SIGTERM);
  BOOST_TEST(provider.process().wait().code == 0);
  BOOST_TEST(silent.is_over());
  BOOST_TEST(head.is_over());
}
