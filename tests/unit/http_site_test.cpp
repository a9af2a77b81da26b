// A site: HTTP without MCP behind it.
#include <toolwire/http/site.hpp>

#define BOOST_TEST_MODULE http_site_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gates.hpp"
#include "http_served.hpp"

using namespace std::chrono_literals;
using namespace toolwire;
using namespace toolwire_test;

namespace {

http::Reply text(int status, std::string body) {
  return {.status = status, .fields = {{"Content-Type", "text/plain"}}, .body = std::move(body)};
}

/// Answers with the body, unless told otherwise.
struct SiteServed {
  explicit SiteServed(http::SiteOptions options = {}, http::Site wanted = {})
      : site(completed(std::move(wanted)), options), running([this] { site.run(); }) {}
  ~SiteServed() { end(); }
  SiteServed(const SiteServed&) = delete;
  SiteServed& operator=(const SiteServed&) = delete;

  static http::Site completed(http::Site site) {
    if (!site.answer) {
      site.answer = [](http::Request request, const std::shared_ptr<http::Exchange>& exchange) {
        send(text(200, std::move(request.body)), *exchange);
      };
    }
    return site;
  }
  void end() {
    site.stop();
    if (running.joinable()) running.join();
  }
  RawHttp client(int room = 0) const { return RawHttp(site.port(), room); }
  std::optional<RawAnswer> ask(const std::string& request) const {
    RawHttp fresh = client();
    fresh.send(request);
    return fresh.answer();
  }
  bool answers() const { return ask(post("hello")).value().body == "hello"; }
  static std::string post(const std::string& body) {
    return "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }

  http::SiteServer site;
  std::thread running;
};

const std::string get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

}  // namespace

BOOST_AUTO_TEST_CASE(a_head_is_answered_before_the_body_is_read) {
  const auto at_head = [](const http::Request& head) {
    return head.method == "PUT" ? std::optional(text(405, "no")) : std::nullopt;
  };
  const SiteServed served({}, {.at_head = at_head});
  RawHttp refused = served.client();
  refused.send("PUT /x HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n");
  const auto answer = refused.answer();
  BOOST_TEST(answer.value().status == 405);
  BOOST_TEST(answer->body == "no");
  BOOST_TEST(answer->field("content-type") == "text/plain");
  BOOST_TEST(refused.is_over());
  BOOST_TEST(served.answers());
}

BOOST_AUTO_TEST_CASE(what_the_server_refuses_is_said_in_the_words_of_the_site) {
  const auto refuse = [](int status, std::string_view why) { return text(status, "<" + std::string(why) + ">"); };
  const SiteServed own({.max_body = 3}, {.refuse = refuse});
  BOOST_TEST(own.ask(SiteServed::post("four")).value().body == "<a body may have 3 bytes at most>");
  const SiteServed plain({.max_body = 3});
  const auto answer = plain.ask(SiteServed::post("four"));
  BOOST_TEST(answer.value().status == 413);
  BOOST_TEST(answer->field("content-type") == "text/plain");
  BOOST_TEST(answer->body == "a body may have 3 bytes at most\n");
}

BOOST_AUTO_TEST_CASE(an_answer_comes_later_from_another_thread_and_in_pieces) {
  std::list<std::jthread> threads;
  const auto answer = [&](const http::Request&, const std::shared_ptr<http::Exchange>& exchange) {
    threads.emplace_back([exchange] {
      exchange->start({.status = 200});
      for (const char* const piece : {"a", "b", "c"}) exchange->write(piece);
      exchange->finish();
    });
  };
  SiteServed served({}, {.answer = answer});
  const auto said = served.ask(get);
  BOOST_TEST(said.value().field("transfer-encoding") == "chunked");
  BOOST_TEST(said->body == "abc");
  served.end();
}

BOOST_AUTO_TEST_CASE(as_many_answers_as_there_are_threads_hold_up_no_reading) {
  Gates gates;
  std::atomic<int> waiting = 0;
  const auto at_head = [](const http::Request& head) {
    return head.method == "GET" ? std::optional(text(200, "quick")) : std::nullopt;
  };
  const auto answer = [&](const http::Request&, const std::shared_ptr<http::Exchange>& exchange) {
    ++waiting;
    gates.wait("all", {});
    send(text(200, "slow"), *exchange);
  };
  const SiteServed served({.threads = 3}, {.at_head = at_head, .answer = answer});
  std::vector<RawHttp> slow;
  for (int i = 0; i < 5; ++i) {
    slow.push_back(served.client());
    slow.back().send(SiteServed::post("x"));
  }
  BOOST_TEST(comes_true([&] { return waiting == 3; }));
  for (int i = 0; i < 5; ++i) BOOST_TEST(served.ask(get).value().body == "quick");
  BOOST_TEST(waiting == 3);
  gates.open("all");
  for (RawHttp& one : slow) BOOST_TEST(one.answer().value().body == "slow");
}

BOOST_AUTO_TEST_CASE(a_body_that_trickles_has_a_bound_as_a_whole) {
  http::SiteOptions options;
  options.limits.request_time = 300ms;
  const SiteServed served(options);
  RawHttp slow = served.client();
  slow.send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n");
  std::jthread trickle([&](const std::stop_token& stop) {
    while (!stop.stop_requested() && slow.send("x")) std::this_thread::sleep_for(5ms);
  });
  BOOST_TEST(slow.answer().value().status == 408);
}

BOOST_AUTO_TEST_CASE(an_answer_that_is_taken_too_slowly_has_a_bound_as_a_whole) {
  constexpr std::size_t size = 64'000'000, piece = 16'000;
  const auto answer = [](const http::Request&, const std::shared_ptr<http::Exchange>& exchange) {
    send(text(200, std::string(size, 'x')), *exchange);
  };
  http::SiteOptions options;
  options.limits.answer_time = 300ms;
  const SiteServed served(options, {.answer = answer});
  RawHttp slow = served.client(4'096);
  slow.send(get);
  std::size_t taken = 0;  // some all the time
  for (; slow.take_until(std::string(piece, 'x')); taken += piece) std::this_thread::sleep_for(1ms);
  BOOST_TEST(taken < size);
}

BOOST_AUTO_TEST_CASE(the_longest_idle_gives_way_and_one_that_is_in_a_request_does_not) {
  http::SiteOptions options;
  options.limits.connections = 2;
  options.limits.idle_gives_way = true;
  const SiteServed served(options);
  RawHttp asks = served.client();
  asks.send("POST /x HTTP/1.1\r\n");
  RawHttp idle = served.client();
  idle.send(get);
  BOOST_TEST(idle.answer().value().status == 200);
  BOOST_TEST(served.answers());
  BOOST_TEST(idle.is_over());
  BOOST_TEST(comes_true([&] { return served.answers(); }));
  asks.send("Host: h\r\nContent-Length: 2\r\n\r\nhi");
  BOOST_TEST(asks.answer().value().body == "hi");
}

BOOST_AUTO_TEST_CASE(where_none_is_idle_one_more_is_turned_away) {
  http::SiteOptions options;
  options.limits.connections = 2;
  options.limits.idle_gives_way = true;
  const SiteServed served(options);
  std::vector<RawHttp> busy;
  for (int i = 0; i < 2; ++i) {
    busy.push_back(served.client());
    busy.back().send(get);
    BOOST_TEST(busy.back().answer().value().status == 200);
    busy.back().send("POST /x HTTP/1.1\r\n");
  }
  BOOST_TEST(comes_true([&] {
    const auto answer = served.client().answer();  // once the beginnings were read
    return answer && answer->status == 503;
  }));
}

BOOST_AUTO_TEST_CASE(a_stop_answers_what_was_accepted_and_asks_the_site_meanwhile) {
  std::mutex mutex;
  std::shared_ptr<http::Exchange> kept;
  const auto at_head = [](const http::Request& head) {
    return head.method == "GET" ? std::optional(text(200, "still here")) : std::nullopt;
  };
  const auto answer = [&](const http::Request&, const std::shared_ptr<http::Exchange>& exchange) {
    const std::lock_guard lock(mutex);
    kept = exchange;
  };
  SiteServed served({.drain = 60s}, {.at_head = at_head, .answer = answer});
  RawHttp client = served.client();
  client.send(SiteServed::post("x"));
  BOOST_TEST(comes_true([&] {
    const std::lock_guard lock(mutex);
    return kept != nullptr;
  }));
  served.site.stop();
  const auto meanwhile = served.ask(get);
  BOOST_TEST(meanwhile.value().body == "still here");
  BOOST_TEST(meanwhile->field("connection") == "close");
  send(text(200, "done"), *kept);
  BOOST_TEST(client.answer().value().body == "done");
  served.running.join();
  BOOST_CHECK_THROW(served.client(), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(an_answer_after_the_end_is_nobodys) {
  std::mutex mutex;
  std::shared_ptr<http::Exchange> kept;
  const auto answer = [&](const http::Request&, const std::shared_ptr<http::Exchange>& exchange) {
    const std::lock_guard lock(mutex);
    kept = exchange;
  };
  {
    SiteServed served({.drain = 1ms}, {.answer = answer});
    RawHttp client = served.client();
    client.send(get);
    BOOST_TEST(comes_true([&] {
      const std::lock_guard lock(mutex);
      return kept != nullptr;
    }));
    served.end();
    BOOST_TEST(client.is_over());
  }
  send(text(200, "late"), *kept);
}

BOOST_AUTO_TEST_CASE(one_that_is_stopped_before_it_runs_or_never_runs_ends_at_once) {
  http::SiteServer never(SiteServed::completed({}), {});
  BOOST_TEST(never.port() != 0);
  http::SiteServer stopped(SiteServed::completed({}), {});
  stopped.stop();
  stopped.run();
}

BOOST_AUTO_TEST_CASE(options_that_cannot_be_meant_are_refused) {
  const auto make = [](const http::SiteOptions& options) { http::SiteServer(SiteServed::completed({}), options); };
  BOOST_CHECK_THROW(make({.max_body = 0}), std::invalid_argument);
  BOOST_CHECK_THROW(make({.threads = 0}), std::invalid_argument);
  http::SiteOptions options;
  options.limits.request_time = 0ms;
  BOOST_CHECK_THROW(make(options), std::invalid_argument);
  BOOST_CHECK_THROW(http::SiteServer(http::Site{}, http::SiteOptions{}), std::invalid_argument);
  BOOST_CHECK_THROW(make({.address = "localhost"}), std::system_error);
}
