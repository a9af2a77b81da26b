#include <toolwire/http/detail/http_client.hpp>

#define BOOST_TEST_MODULE http_client_test
#include <boost/test/unit_test.hpp>

#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>

#include "http_test_server.hpp"

namespace {

using namespace toolwire;
using std::chrono::steady_clock;
using toolwire_test::HttpAnswer;
using toolwire_test::HttpTestServer;

HttpRequest request_to(const std::string& url) {
  HttpRequest request;
  request.url = url;
  request.origin = HttpOrigin::operators;
  request.deadline = steady_clock::now() + std::chrono::seconds(30);
  return request;
}

HttpResponse response_of(HttpOutcome outcome) {
  if (const auto* failure = std::get_if<HttpFailure>(&outcome)) BOOST_FAIL(failure->code + ": " + failure->text);
  return std::get<HttpResponse>(std::move(outcome));
}

HttpFailure failure_of(HttpOutcome outcome) {
  if (std::holds_alternative<HttpResponse>(outcome)) BOOST_FAIL("expected a failure");
  return std::get<HttpFailure>(std::move(outcome));
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Collects the outcomes of many requests.
class Outcomes {
 public:
  HttpClient::Callback taker() {
    return [this](HttpOutcome&& outcome) {
      const std::lock_guard lock(mutex_);
      outcomes_.push_back(std::move(outcome));
      changed_.notify_all();
    };
  }
  bool wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(60), [&] { return outcomes_.size() >= count; });
  }
  std::vector<HttpOutcome> all() {
    const std::lock_guard lock(mutex_);
    return outcomes_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<HttpOutcome> outcomes_;
};

std::size_t thread_count() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

HttpAnswer ok(const std::string&) { return HttpAnswer::of(200, "fine"); }

}  // namespace

BOOST_AUTO_TEST_CASE(an_answer_brings_status_headers_and_body) {
  HttpTestServer server([](const std::string&) { return HttpAnswer::of(404, "gone", "X-Kind: a\r\nx-kind: b\r\n"); });
  HttpClient client;
  const HttpResponse response = response_of(client.fetch(request_to(server.url("/x"))));
  BOOST_TEST(response.status == 404);
  BOOST_TEST(!response.success());
  BOOST_TEST(response.body == "gone");
  BOOST_TEST(response.header("x-kind").value() == "a");
  BOOST_TEST(!response.header("x-other").has_value());
}

BOOST_AUTO_TEST_CASE(method_headers_and_body_are_sent_as_given_and_nothing_surprising_is_added) {
  HttpTestServer server(ok);
  HttpClient client;
  HttpRequest request = request_to(server.url("/a%2Fb?q=1"));
  request.method = "PATCH";
  request.headers = {{"Content-Type", "application/json"}, {"X-Empty", ""}};
  request.body = "{\"a\":1}";
  response_of(client.fetch(request));
  const std::string sent = server.requests().at(0);
  BOOST_TEST(sent.starts_with("PATCH /a%2Fb?q=1 HTTP/1.1\r\n"), sent);
  BOOST_TEST(contains(sent, "\r\nContent-Type: application/json\r\n"));
  BOOST_TEST(contains(sent, "\r\nX-Empty:\r\n"), sent);
  BOOST_TEST(!contains(sent, "Expect"));
  BOOST_TEST(sent.ends_with("\r\n\r\n{\"a\":1}"));
}

BOOST_AUTO_TEST_CASE(a_get_has_no_body_and_a_post_without_one_says_so) {
  HttpTestServer server(ok);
  HttpClient client;
  HttpRequest request = request_to(server.url("/"));
  response_of(client.fetch(request));
  request.method = "POST";
  response_of(client.fetch(request));
  BOOST_TEST(!contains(server.requests().at(0), "Content-"));
  BOOST_TEST(contains(server.requests().at(1), "Content-Length: 0\r\n"));
  BOOST_TEST(!contains(server.requests().at(1), "Content-Type"));
}

BOOST_AUTO_TEST_CASE(a_port_where_nobody_listens_is_unavailable_and_may_be_retried) {
  std::string url;
  {
    HttpTestServer server(ok);
    url = server.url("/secret-path?token=hunter2");
  }
  HttpClient client;
  const HttpFailure failure = failure_of(client.fetch(request_to(url)));
  BOOST_TEST(failure.code == "unavailable");
  BOOST_TEST(failure.retryable());
  BOOST_TEST(contains(failure.text, "Connection refused"), failure.text);
}

BOOST_AUTO_TEST_CASE(a_connection_that_breaks_before_the_answer_is_unavailable) {
  HttpTestServer server([](const std::string&) { return HttpAnswer{}; });
  HttpClient client;
  const HttpFailure broken = failure_of(client.fetch(request_to(server.url("/"))));
  BOOST_TEST(broken.code == "unavailable");
  BOOST_TEST(broken.is_unknown());
}

BOOST_AUTO_TEST_CASE(an_answer_cut_short_is_unavailable_and_not_half_an_answer) {
  HttpTestServer server(
      [](const std::string&) { return HttpAnswer{.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"}; });
  HttpClient client;
  BOOST_TEST(failure_of(client.fetch(request_to(server.url("/")))).code == "unavailable");
}

BOOST_AUTO_TEST_CASE(a_server_that_does_not_speak_http_is_an_error_of_the_back_end) {
  HttpTestServer server([](const std::string&) { return HttpAnswer{.bytes = "SSH-2.0-hello\r\n"}; });
  HttpClient client;
  BOOST_TEST(failure_of(client.fetch(request_to(server.url("/")))).code == "back_end_error");
}

BOOST_AUTO_TEST_CASE(a_status_of_more_or_fewer_than_three_digits_is_an_error_of_the_back_end) {
  for (const std::string line : {"HTTP/222222222222222", "HTTP/2 99999999999", "HTTP/2 1000", "HTTP/1.1 099 Low"}) {
    HttpTestServer server(
        [&line](const std::string&) { return HttpAnswer{.bytes = line + "\r\nContent-Length: 0\r\n\r\n"}; });
    HttpClient client;
    const HttpFailure failure = failure_of(client.fetch(request_to(server.url("/"))));
    BOOST_TEST(failure.code == "back_end_error", line << ": " << failure.code);
  }
}

BOOST_AUTO_TEST_CASE(a_deadline_ends_a_request_that_is_not_answered) {
  HttpTestServer server([](const std::string&) { return HttpAnswer{.held = true}; });
  HttpClient client;
  HttpRequest request = request_to(server.url("/"));
  request.deadline = steady_clock::now() + std::chrono::milliseconds(50);
  BOOST_TEST(failure_of(client.fetch(request)).code == "timeout");
  BOOST_TEST(server.wait_until_idle());
}

BOOST_AUTO_TEST_CASE(a_stop_ends_a_request_and_closes_its_connection) {
  HttpTestServer server([](const std::string&) { return HttpAnswer{.held = true}; });
  Outcomes outcomes;
  HttpClient client;
  std::stop_source stop;
  client.start(request_to(server.url("/")), stop.get_token(), outcomes.taker());
  BOOST_TEST(server.wait_for_requests(1));
  stop.request_stop();
  BOOST_REQUIRE(outcomes.wait_for(1));
  BOOST_TEST(failure_of(outcomes.all().at(0)).code == "cancelled");
  BOOST_TEST(server.wait_until_idle());
}

BOOST_AUTO_TEST_CASE(a_request_stopped_before_it_begins_is_never_sent) {
  HttpTestServer server(ok);
  HttpClient client;
  std::stop_source stop;
  stop.request_stop();
  BOOST_TEST(failure_of(client.fetch(request_to(server.url("/")), stop.get_token())).code == "cancelled");
  response_of(client.fetch(request_to(server.url("/second"))));
  BOOST_TEST(server.requests().size() == 1U);
}

BOOST_AUTO_TEST_CASE(closing_the_client_answers_what_is_under_way) {
  HttpTestServer server([](const std::string&) { return HttpAnswer{.held = true}; });
  Outcomes outcomes;
  {
    HttpClient client;
    for (int i = 0; i < 10; ++i) client.start(request_to(server.url("/")), {}, outcomes.taker());
    BOOST_TEST(server.wait_for_requests(10));
  }
  BOOST_TEST(outcomes.all().size() == 10U);
}

BOOST_AUTO_TEST_CASE(a_closed_client_answers_what_is_under_way_and_what_comes_later_with_cancelled) {
  HttpTestServer server([](const std::string&) { return HttpAnswer{.held = true}; });
  Outcomes outcomes;
  auto client = std::make_shared<HttpClient>();
  const std::weak_ptr<HttpClient> watched = client;
  client->start(request_to(server.url("/")), {}, [client, taker = outcomes.taker()](HttpOutcome&& outcome) mutable {
    client.reset();
    taker(std::move(outcome));
  });
  BOOST_REQUIRE(server.wait_for_requests(1));
  client->close();
  client->start(request_to(server.url("/")), {}, outcomes.taker());
  const auto all = outcomes.all();
  BOOST_REQUIRE(all.size() == 2U);
  for (const HttpOutcome& outcome : all) BOOST_TEST(std::get<HttpFailure>(outcome).code == "cancelled");
  client.reset();
  BOOST_TEST(watched.expired());
}

BOOST_AUTO_TEST_CASE(two_thousand_waiting_requests_hold_no_threads) {
  HttpTestServer server([](const std::string&) {
    HttpAnswer answer = HttpAnswer::of(200, "late");
    answer.held = true;
    return answer;
  });
  Outcomes outcomes;
  HttpClientOptions options;
  options.max_connections = 200;  // what a machine's limit of descriptors leaves: the others wait for their turn
  HttpClient client(options);
  const std::size_t before = thread_count();
  for (int i = 0; i < 2000; ++i) {
    HttpRequest request = request_to(server.url("/"));
    request.deadline = steady_clock::now() + std::chrono::seconds(60);
    client.start(std::move(request), {}, outcomes.taker());
  }
  BOOST_TEST(server.wait_for_requests(200));
  BOOST_TEST(thread_count() <= before + 2);  // the engine's own, however many requests wait
  server.release();
  BOOST_REQUIRE(outcomes.wait_for(2000));
  for (HttpOutcome& outcome : outcomes.all()) {
    const HttpResponse response = response_of(std::move(outcome));
    BOOST_TEST(response.body == "late");
  }
}

BOOST_AUTO_TEST_CASE(more_requests_than_allowed_are_refused_as_busy) {
  HttpTestServer server([](const std::string&) { return HttpAnswer{.held = true}; });
  Outcomes outcomes;
  HttpClientOptions options;
  options.max_requests = 2;
  HttpClient client(options);
  for (int i = 0; i < 3; ++i) client.start(request_to(server.url("/")), {}, outcomes.taker());
  BOOST_REQUIRE(outcomes.wait_for(1));
  BOOST_TEST(failure_of(outcomes.all().at(0)).code == "busy");
}

BOOST_AUTO_TEST_CASE(a_deadline_holds_for_a_request_that_waits_for_its_turn) {
  HttpTestServer server([](const std::string&) { return HttpAnswer{.held = true}; });
  Outcomes ignored;
  HttpClientOptions options;
  options.max_connections = 1;
  HttpClient client(options);
  client.start(request_to(server.url("/")), {}, ignored.taker());
  HttpRequest request = request_to(server.url("/"));
  request.deadline = steady_clock::now() + std::chrono::milliseconds(20);
  BOOST_TEST(failure_of(client.fetch(request)).code == "timeout");
}

BOOST_AUTO_TEST_CASE(an_origin_is_the_same_however_it_is_written) {
  BOOST_TEST(http_origin_of("HTTP://LocalHost/a?b").value() == "http://localhost:80");
  BOOST_TEST(http_origin_of("https://[::1]:8443/").value() == "https://[::1]:8443");
  BOOST_TEST(http_origin_of("http://0x7f.1:5").value() == "http://127.0.0.1:5");
  for (const char* text : {"", "ftp://x", "file:///etc/passwd", "http://", "http://user:pw@host/", "http://a b/",
                           "http://a/\r\nX: y", "http://ho\xc3\xa9st/", "gopher://x", "//host", "http:\\\\host"})
    BOOST_TEST(!http_origin_of(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(an_answer_is_handed_over_while_it_comes_until_no_more_is_wanted) {
  HttpTestServer server([](const std::string&) {
    return HttpAnswer{.bytes = "HTTP/1.1 200 OK\r\nX-Kind: a\r\n\r\nfirst", .repeated = "more"};
  });
  HttpClient client;
  HttpRequest request = request_to(server.url("/"));
  std::vector<std::string> pieces;
  request.on_piece = [&](const HttpResponse& head, std::string_view piece) {
    BOOST_TEST(head.status == 200);
    BOOST_TEST(head.header("x-kind").value_or("") == "a");
    pieces.emplace_back(piece);
    return pieces.size() < 3;
  };
  const HttpResponse response = response_of(client.fetch(request));
  BOOST_TEST(response.body.empty());
  BOOST_TEST_REQUIRE(pieces.size() == 3U);
  BOOST_TEST(pieces[0].empty());
  BOOST_TEST(pieces[1].starts_with("first"));
  BOOST_TEST(server.wait_until_idle());
}

BOOST_AUTO_TEST_CASE(what_redirects_is_not_handed_over) {
  HttpTestServer server([](const std::string& request) {
    return request.starts_with("GET /b") ? HttpAnswer::of(200, "there") : HttpAnswer::of(302, "x", "Location: /b\r\n");
  });
  HttpClient client;
  HttpRequest request = request_to(server.url("/a"));
  std::string all;
  request.on_piece = [&](const HttpResponse&, std::string_view piece) { return all.append(piece), true; };
  BOOST_TEST(response_of(client.fetch(request)).status == 200);
  BOOST_TEST(all == "there");
}

BOOST_AUTO_TEST_CASE(a_request_begins_when_it_may_and_can_be_cancelled_before) {
  HttpTestServer server(ok);
  HttpClient client;
  HttpRequest request = request_to(server.url("/"));
  request.not_before = steady_clock::now() + std::chrono::milliseconds(50);
  response_of(client.fetch(request));
  BOOST_TEST((steady_clock::now() >= *request.not_before));
  request.not_before = steady_clock::now() + std::chrono::hours(1);
  std::stop_source stop;
  Outcomes outcomes;
  client.start(request, stop.get_token(), outcomes.taker());
  stop.request_stop();
  BOOST_TEST_REQUIRE(outcomes.wait_for(1));
  BOOST_TEST(failure_of(outcomes.all().at(0)).code == "cancelled");
  BOOST_TEST(server.requests().size() == 1U);
}
