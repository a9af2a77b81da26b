// What a hostile server, or a hostile value in a request, may try with the HTTP client.
#include <toolwire/http/detail/http_client.hpp>

#define BOOST_TEST_MODULE http_client_attacks_test
#include <boost/test/unit_test.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "http_test_server.hpp"

namespace {

using namespace toolwire;
using toolwire_test::HttpAnswer;
using toolwire_test::HttpTestServer;

HttpRequest request_to(const std::string& url, HttpOrigin origin = HttpOrigin::operators) {
  HttpRequest request;
  request.url = url;
  request.origin = origin;
  request.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  return request;
}

std::string code_of(const HttpOutcome& outcome) {
  const auto* failure = std::get_if<HttpFailure>(&outcome);
  return failure != nullptr ? failure->code : "answered";
}

std::string text_of(const HttpOutcome& outcome) {
  const auto* failure = std::get_if<HttpFailure>(&outcome);
  return failure != nullptr ? failure->text : "answered";
}

HttpAnswer redirect(int status, const std::string& to) {
  return HttpAnswer::of(status, "", "Location: " + to + "\r\n");
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// `size` zero bytes as gzip packs them.
std::string packed_zeros(std::size_t size) {
  // NOLINTNEXTLINE(cert-env33-c): the command is fixed
  std::FILE* gzip = ::popen(("head -c " + std::to_string(size) + " /dev/zero | gzip -9").c_str(), "r");
  BOOST_REQUIRE(gzip != nullptr);
  std::string packed;
  std::array<char, 65536> bytes{};
  while (const std::size_t count = std::fread(bytes.data(), 1, bytes.size(), gzip)) packed.append(bytes.data(), count);
  BOOST_REQUIRE(::pclose(gzip) == 0);
  return packed;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_redirect_within_the_origin_is_followed) {
  HttpTestServer server([](const std::string& request) {
    return request.starts_with("GET /end ") ? HttpAnswer::of(200, "arrived") : redirect(302, "/end");
  });
  HttpClient client;
  const HttpOutcome outcome = client.fetch(request_to(server.url("/")));
  BOOST_TEST(std::get<HttpResponse>(outcome).body == "arrived");
}

BOOST_AUTO_TEST_CASE(a_redirect_to_another_host_is_not_followed) {
  HttpTestServer other([](const std::string&) { return HttpAnswer::of(200, "stolen"); });
  for (const std::string& to :
       {other.url("/"), std::string("http://169.254.169.254/latest/meta-data/"), std::string("http://localhost:1/"),
        std::string("//example.com/"), std::string("https://example.com/"), std::string("file:///etc/passwd"),
        std::string("gopher://127.0.0.1/"), std::string("http://user:pw@127.0.0.1/")}) {
    HttpTestServer server([&](const std::string&) { return redirect(307, to); });
    HttpClient client;
    const HttpOutcome outcome = client.fetch(request_to(server.url("/")));
    BOOST_TEST(code_of(outcome) == "denied", to + ": " + text_of(outcome));
    BOOST_TEST(!contains(text_of(outcome), "meta-data"));
  }
  BOOST_TEST(other.requests().empty());
}

BOOST_AUTO_TEST_CASE(redirects_in_a_circle_end) {
  HttpTestServer server([](const std::string&) { return redirect(308, "/again"); });
  HttpClient client;
  BOOST_TEST(code_of(client.fetch(request_to(server.url("/")))) == "back_end_error");
  BOOST_TEST(server.requests().size() == 6U);
}

BOOST_AUTO_TEST_CASE(a_redirected_post_is_repeated_as_it_was_or_not_at_all) {
  HttpTestServer server([](const std::string& request) {
    if (request.starts_with("POST /end ")) return HttpAnswer::of(200, "arrived");
    return redirect(request.starts_with("POST /kept ") ? 307 : 302, "/end");
  });
  HttpClient client;
  HttpRequest request = request_to(server.url("/kept"));
  request.method = "POST";
  request.body = "payload";
  BOOST_TEST(std::get<HttpResponse>(client.fetch(request)).body == "arrived");
  BOOST_TEST(server.requests().back().ends_with("payload"));
  request.url = server.url("/vague");
  BOOST_TEST(code_of(client.fetch(request)) == "back_end_error");
}

BOOST_AUTO_TEST_CASE(an_origin_from_elsewhere_does_not_reach_this_machine) {
  HttpTestServer server([](const std::string&) { return HttpAnswer::of(200, "inside"); });
  HttpClient client;
  const std::string port = std::to_string(server.port());
  for (const std::string host : {"127.0.0.1", "localhost", "0.0.0.0", "2130706433", "0x7f.1", "127.1", "017700000001",
                                 "[::ffff:127.0.0.1]", "[::1]", "[::]"}) {
    const HttpOutcome outcome = client.fetch(request_to("http://" + host + ":" + port + "/", HttpOrigin::other));
    BOOST_TEST(code_of(outcome) == "denied", host + ": " + text_of(outcome));
  }
  BOOST_TEST(server.requests().empty());
}

BOOST_AUTO_TEST_CASE(a_kept_connection_of_the_operator_is_no_way_in_for_others) {
  HttpTestServer server([](const std::string&) {
    HttpAnswer answer = HttpAnswer::of(200, "inside");
    answer.keep = true;
    return answer;
  });
  HttpClient client;
  BOOST_TEST(code_of(client.fetch(request_to(server.url("/")))) == "answered");
  BOOST_TEST(code_of(client.fetch(request_to(server.url("/"), HttpOrigin::other))) == "denied");
  BOOST_TEST(server.requests().size() == 1U);
}

BOOST_AUTO_TEST_CASE(an_allowed_address_is_reached_by_all) {
  HttpTestServer server([](const std::string&) { return HttpAnswer::of(200, "inside"); });
  HttpClientOptions options;
  options.allowed_addresses = {"127.0.0.0/8"};
  HttpClient client(options);
  BOOST_TEST(code_of(client.fetch(request_to(server.url("/"), HttpOrigin::other))) == "answered");
}

BOOST_AUTO_TEST_CASE(link_local_addresses_are_not_reached_even_when_written_by_the_operator) {
  HttpClient client;
  for (const char* url : {"http://169.254.169.254/latest/", "http://[fe80::1]/", "http://[fd00:ec2::254]/"})
    BOOST_TEST(code_of(client.fetch(request_to(url))) == "denied", url);
}

BOOST_AUTO_TEST_CASE(headers_cannot_be_smuggled_into_a_request) {
  HttpTestServer server([](const std::string&) { return HttpAnswer::of(200, ""); });
  HttpClient client;
  const std::vector<std::pair<std::string, std::string>> bad = {{"X-A", "a\r\nX-Evil: 1"},
                                                                {"X-A", "a\nX-Evil: 1"},
                                                                {"X-A", "a\rb"},
                                                                {"X-A", std::string("a\0b", 3)},
                                                                {"X-A\r\nX-Evil", "1"},
                                                                {"X A", "1"},
                                                                {"", "1"},
                                                                {"X:A", "1"},
                                                                {"Content-Length", "0"},
                                                                {"Transfer-Encoding", "chunked"},
                                                                {"connection", "upgrade"}};
  for (const auto& header : bad) {
    HttpRequest request = request_to(server.url("/"));
    request.headers = {header};
    BOOST_TEST(code_of(client.fetch(request)) == "invalid_request", header.first);
  }
  for (const char* method : {"", "GET /evil HTTP/1.1\r\nX: y", "get", "CONNECT", "TRACE", "G ET"}) {
    HttpRequest request = request_to(server.url("/"));
    request.method = method;
    BOOST_TEST(code_of(client.fetch(request)) == "invalid_request", method);
  }
  BOOST_TEST(server.requests().empty());
}

BOOST_AUTO_TEST_CASE(an_oversized_answer_is_ended) {
  HttpTestServer server([](const std::string&) {
    return HttpAnswer{.bytes = "HTTP/1.1 200 OK\r\n\r\n", .repeated = std::string(65536, 'x')};
  });
  HttpClient client;
  HttpRequest request = request_to(server.url("/"));
  request.response_limit = 1 << 20;
  const HttpOutcome outcome = client.fetch(request);
  BOOST_TEST(code_of(outcome) == "too_large");
  BOOST_TEST(contains(text_of(outcome), "1048576 bytes"));
  BOOST_TEST(server.wait_until_idle());
}

BOOST_AUTO_TEST_CASE(an_answer_of_exactly_the_limit_is_taken) {
  HttpTestServer server([](const std::string&) { return HttpAnswer::of(200, std::string(1000, 'x')); });
  HttpClient client;
  HttpRequest request = request_to(server.url("/"));
  request.response_limit = 1000;
  BOOST_TEST(code_of(client.fetch(request)) == "answered");
  request.response_limit = 999;
  BOOST_TEST(code_of(client.fetch(request)) == "too_large");
}

BOOST_AUTO_TEST_CASE(a_compressed_bomb_is_counted_as_it_unpacks) {
  const std::string bomb = packed_zeros(std::size_t{256} << 20);
  HttpTestServer server([&](const std::string&) { return HttpAnswer::of(200, bomb, "Content-Encoding: gzip\r\n"); });
  HttpClient client;
  const HttpOutcome outcome = client.fetch(request_to(server.url("/")));
  BOOST_TEST(bomb.size() < 1U << 20);
  BOOST_TEST(code_of(outcome) == "too_large");
}

BOOST_AUTO_TEST_CASE(a_packed_answer_is_unpacked) {
  const std::string packed = packed_zeros(65536);
  HttpTestServer server([&](const std::string&) { return HttpAnswer::of(200, packed, "Content-Encoding: gzip\r\n"); });
  HttpClient client;
  const HttpOutcome outcome = client.fetch(request_to(server.url("/")));
  BOOST_TEST(std::get<HttpResponse>(outcome).body == std::string(65536, '\0'));
}

BOOST_AUTO_TEST_CASE(endless_headers_are_ended) {
  HttpTestServer server([](const std::string&) {
    return HttpAnswer{.bytes = "HTTP/1.1 200 OK\r\n", .repeated = "X-Filler: " + std::string(1000, 'x') + "\r\n"};
  });
  HttpClient client;
  BOOST_TEST(code_of(client.fetch(request_to(server.url("/")))) == "too_large");
}

BOOST_AUTO_TEST_CASE(a_header_of_an_answer_is_one_line_under_a_name) {
  HttpTestServer server([](const std::string&) {
    return HttpAnswer::of(200, "", "X-Kind: a\rX-Other: b\x1b]c\x7f\r\nX Bad: c\r\n\x01: d\r\nX-Last: e\tf\r\n");
  });
  HttpClient client;
  const HttpOutcome outcome = client.fetch(request_to(server.url("/")));
  const auto& response = std::get<HttpResponse>(outcome);
  BOOST_TEST(response.header("x-kind").value_or("none") == "a X-Other: b ]c ");
  BOOST_TEST(response.header("x-last").value_or("none") == "e\tf");
  BOOST_TEST(response.headers.size() == 3U);  // with the length
}

BOOST_AUTO_TEST_CASE(a_proxy_of_the_environment_is_not_used_unasked) {
  HttpTestServer server([](const std::string&) { return HttpAnswer::of(200, "direct"); });
  HttpTestServer proxy([](const std::string&) { return HttpAnswer::of(200, "through the proxy"); });
  ::setenv("http_proxy", proxy.origin().c_str(), 1);
  ::setenv("ALL_PROXY", proxy.origin().c_str(), 1);
  HttpClient direct;
  BOOST_TEST(std::get<HttpResponse>(direct.fetch(request_to(server.url("/")))).body == "direct");
  HttpClientOptions options;
  options.proxy = proxy.origin();
  HttpClient asked(options);
  const HttpOutcome outcome = asked.fetch(request_to("http://example.invalid/", HttpOrigin::other));
  BOOST_TEST(std::get<HttpResponse>(outcome).body == "through the proxy");
  ::unsetenv("http_proxy");
  ::unsetenv("ALL_PROXY");
}

BOOST_AUTO_TEST_CASE(no_error_repeats_a_secret) {
  HttpClient client;
  HttpTestServer server([](const std::string& request) {
    if (request.starts_with("POST /redirect")) return redirect(307, "http://127.0.0.1:1/hunter2");
    if (request.starts_with("POST /large")) return HttpAnswer::of(200, "hunter2");
    return HttpAnswer{.bytes = "hunter2 hunter2\r\n"};
  });
  for (const char* path : {"/redirect/hunter2?k=hunter2", "/large/hunter2?k=hunter2", "/broken/hunter2?k=hunter2"}) {
    HttpRequest request = request_to(server.url(path));
    request.method = "POST";
    request.headers = {{"Authorization", "Bearer hunter2"}};
    request.body = "hunter2";
    request.response_limit = 3;
    const HttpOutcome outcome = client.fetch(request);
    BOOST_TEST(std::holds_alternative<HttpFailure>(outcome));
    BOOST_TEST(!contains(text_of(outcome), "hunter2"), text_of(outcome));
  }
  HttpRequest request = request_to(server.url("/"));
  request.headers = {{"Authorization", "Bearer hunter2\n"}};
  BOOST_TEST(!contains(text_of(client.fetch(request)), "hunter2"));
  BOOST_TEST(!contains(text_of(client.fetch(request_to("http://joe:hunter2@127.0.0.1/"))), "hunter2"));
}
