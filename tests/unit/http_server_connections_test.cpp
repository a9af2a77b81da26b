// Connections of an HTTP server: what one does to itself, and what it does not do to others.
#include <toolwire/http/listen.hpp>

#define BOOST_TEST_MODULE http_server_connections_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "http_served.hpp"

using namespace std::chrono_literals;
using namespace toolwire;
using namespace toolwire_test;

namespace {

std::string texts_in(const std::string& body) {
  const std::string mark = R"("text":")";
  const std::size_t begin = body.find(mark);
  if (begin == std::string::npos) return "none";
  return body.substr(begin + mark.size(), body.find('"', begin + mark.size()) - begin - mark.size());
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_connection_serves_many_requests) {
  const HttpServed served;
  RawHttp client = served.client();
  for (int i = 0; i < 100; ++i) {
    client.send(served.echo(std::to_string(i)).text());
    const auto answer = client.answer();
    BOOST_REQUIRE(answer.has_value());
    BOOST_TEST(texts_in(answer->body) == std::to_string(i));
  }
}

BOOST_AUTO_TEST_CASE(what_is_sent_ahead_is_answered_in_its_order) {
  HttpServed served;
  RawHttp client = served.client();
  std::string ahead = served.call("hold", R"({"gate":"first"})").text();
  for (int i = 0; i < 200; ++i) ahead += served.echo(std::to_string(i)).text();
  client.send(ahead + "GET /health HTTP/1.1\r\nHost: x\r\n\r\n" + served.echo("last").text());
  BOOST_TEST(comes_true([&] { return served.running_tools == 1; }));
  BOOST_TEST(client.is_silent());  // although the others are quicker
  served.gates.open("first");
  BOOST_TEST(texts_in(client.answer()->body) == "went on");
  for (int i = 0; i < 200; ++i) BOOST_TEST(texts_in(client.answer()->body) == std::to_string(i));
  BOOST_TEST(client.answer()->body == R"({"status":"ok"})");
  BOOST_TEST(texts_in(client.answer()->body) == "last");
}

/// More than is read ahead waits in the socket, and is read when its turn comes.
BOOST_AUTO_TEST_CASE(more_is_sent_ahead_than_the_server_keeps) {
  HttpServed served;
  RawHttp client = served.client();
  const std::string text(3'000, 'x');
  client.send(served.call("hold", R"({"gate":"first"})").text());
  std::thread sending([&] {
    for (int i = 0; i < 300; ++i) client.send(served.echo(text).text());
  });
  BOOST_TEST(comes_true([&] { return served.running_tools == 1; }));
  served.gates.open("first");
  BOOST_TEST(texts_in(client.answer()->body) == "went on");
  for (int i = 0; i < 300; ++i) BOOST_REQUIRE(texts_in(client.answer()->body) == text);
  sending.join();
}

BOOST_AUTO_TEST_CASE(silent_connections_delay_no_call) {
  const HttpServed served;
  std::vector<RawHttp> silent;
  for (int i = 0; i < 70; ++i) {
    silent.push_back(served.client());
    if (i % 2 == 0) silent.back().send("POST /mcp HTTP/1.1\r\nHost: ");  // and goes no further
  }
  for (int i = 0; i < 10; ++i) BOOST_TEST(served.answers());
  BOOST_TEST(std::ranges::all_of(silent, &RawHttp::is_silent));
}

BOOST_AUTO_TEST_CASE(streams_that_stay_delay_no_call) {
  HttpServed served(http::Port{});  // where an answer becomes a stream when it takes its time
  const RawCall listen{.host = served.host(),
                       .method = "subscriptions/listen",
                       .params = R"("notifications":{"toolsListChanged":true})"};
  std::list<RawHttp> waiting;
  for (int i = 0; i < 70; ++i) {
    waiting.push_back(served.client());
    waiting.back().send(listen.text());
    BOOST_TEST(waiting.back().take_until("acknowledged").has_value());
  }
  BOOST_TEST(served.answers());
  served.server.tool("another", "A new one", [] { return "new"; });
  for (RawHttp& one : waiting) BOOST_TEST(one.take_until("notifications/tools/list_changed").has_value());
  served.end();
  for (RawHttp& one : waiting) BOOST_TEST(one.take_until("\r\n0\r\n\r\n").has_value());  // a whole end
}

namespace {

constexpr int flood = 20'000;  // reports of 4 KiB each

/// How many are reported while nobody reads them; all are, in the end.
int reported_unread(ServerOptions options) {
  options.limits.progress_per_second = 10'000'000;
  HttpServed served(patient(), options);
  RawHttp slow = served.client(8'192);
  slow.send(served.call("flood", R"({"count":20000})").text());
  BOOST_TEST(comes_true([&] { return served.events > 0; }));
  int unread = 0, rounds_of_rest = 0;
  BOOST_TEST(comes_true([&] {
    std::this_thread::sleep_for(10ms);
    rounds_of_rest = std::exchange(unread, served.events.load()) == unread ? rounds_of_rest + 1 : 0;
    return rounds_of_rest == 50;
  }));
  BOOST_TEST(served.answers());
  BOOST_TEST(slow.take_until("reported").has_value());
  BOOST_TEST(served.events == flood);
  return unread;
}

}  // namespace

BOOST_AUTO_TEST_CASE(who_does_not_read_a_stream_holds_up_its_tool_alone) {
  ServerOptions options;
  options.limits.line = options.limits.output_soft = 64u << 10;
  BOOST_TEST(reported_unread(options) < flood);
}

BOOST_AUTO_TEST_CASE(of_a_stream_that_nobody_reads_little_is_kept) {
  BOOST_TEST(reported_unread({}) < flood / 2);  // the system keeps some MiB, too
}

BOOST_AUTO_TEST_CASE(who_takes_nothing_is_left) {
  http::Port port = patient();
  port.limits.stalled = 100ms;
  HttpServed served(port);
  RawHttp deaf = served.client(4'096);
  deaf.send(served.call("large", R"({"size":16000000})").text() + served.call("hold", R"({"gate":"never"})").text());
  BOOST_TEST(comes_true([&] { return !deaf.send("more"); }));
  BOOST_TEST(served.answers());
  BOOST_TEST(served.running_tools == 0);
}

BOOST_AUTO_TEST_CASE(whoever_leaves_has_the_tool_cancelled) {
  HttpServed served;
  const auto leave_by = [&](const auto& leave) {
    const int before = served.cancelled_tools;
    RawHttp client = served.client();
    client.send(served.call("hold", R"({"gate":"never"})").text());
    BOOST_TEST(comes_true([&] { return served.running_tools == 1; }));
    leave(client);
    BOOST_TEST(comes_true([&] { return served.cancelled_tools == before + 1; }));
  };
  leave_by([](RawHttp& client) { client.close(); });
  leave_by([](RawHttp& client) { client.reset(); });
  leave_by([](RawHttp& client) {
    client.end_output();
    BOOST_TEST(client.is_over());
  });
  leave_by([&](RawHttp& client) {  // with more behind than the server reads ahead
    std::string ahead;
    while (ahead.size() < 100'000) ahead += served.echo("never").text();
    client.send(ahead);
    client.reset();
  });
  BOOST_TEST(served.answers());
}

BOOST_AUTO_TEST_CASE(what_was_answered_is_sent_to_who_sends_no_more) {
  const HttpServed served;
  RawHttp client = served.client();
  client.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
  client.end_output();
  BOOST_TEST(client.answer()->status == 200);
  BOOST_TEST(client.is_over());
}

BOOST_AUTO_TEST_CASE(an_idle_connection_is_closed_and_one_that_waits_for_its_answer_is_not) {
  http::Port port = patient();
  port.limits.idle = 40ms;
  port.limits.head_time = 40ms;
  HttpServed served(port);
  RawHttp waits = served.client();
  waits.send(served.call("hold", R"({"gate":"late"})").text());
  RawHttp idle = served.client();
  idle.send(served.echo("here").text());
  BOOST_TEST(idle.answer()->status == 200);
  BOOST_TEST(idle.is_over());
  RawHttp another = served.client();
  BOOST_TEST(another.is_over());
  served.gates.open("late");
  BOOST_TEST(texts_in(waits.answer()->body) == "went on");
}

BOOST_AUTO_TEST_CASE(one_connection_too_many_is_turned_away) {
  http::Port port = patient();
  port.limits.connections = 2;
  HttpServed served(port);
  RawHttp first = served.client();
  RawHttp second = served.client();
  for (RawHttp* const client : {&first, &second}) {
    client->send(served.echo("here").text());
    BOOST_TEST(client->answer()->status == 200);
  }
  RawHttp third = served.client();
  BOOST_TEST(third.answer()->status == 503);
  first.close();
  BOOST_TEST(comes_true([&] {
    RawHttp fourth = served.client();
    fourth.send(served.echo("here").text());
    const auto answer = fourth.answer();
    return answer && answer->status == 200;
  }));
}

BOOST_AUTO_TEST_CASE(a_stop_answers_what_was_accepted_and_closes_what_waits) {
  ServerOptions options;
  options.limits.drain = 30s;
  HttpServed served(patient(), options);
  RawHttp asks = served.client();
  asks.send(served.call("hold", R"({"gate":"go on"})").text());
  RawHttp idle = served.client();
  idle.send(served.echo("here").text());
  BOOST_TEST(idle.answer()->status == 200);
  BOOST_TEST(comes_true([&] { return served.running_tools == 1; }));
  served.server.stop();
  BOOST_TEST(idle.is_over());
  served.gates.open("go on");
  const auto answer = asks.answer();
  BOOST_REQUIRE(answer.has_value());
  BOOST_TEST(texts_in(answer->body) == "went on");
  BOOST_TEST(answer->field("connection") == "close");
  BOOST_TEST(asks.is_over());
  served.end();
  BOOST_CHECK_THROW(served.client(), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(while_it_stops_a_server_says_that_it_is_not_healthy) {
  ServerOptions options;
  options.limits.drain = 30s;
  HttpServed served(patient(), options);
  const auto health = [&] {
    RawHttp balancer = served.client();
    balancer.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
    return balancer.answer().value();
  };
  RawHttp asks = served.client();
  asks.send(served.call("hold", R"({"gate":"go on"})").text());
  BOOST_TEST(comes_true([&] { return served.running_tools == 1; }));
  BOOST_TEST(health().status == 200);
  served.server.stop();
  const RawAnswer stopping = health();
  BOOST_TEST(stopping.status == 503);
  BOOST_TEST(stopping.body == R"({"status":"stopping"})");
  BOOST_TEST(stopping.field("connection") == "close");
  RawHttp late = served.client();
  late.send(served.echo("late").text());
  BOOST_TEST(late.answer().value().status == 503);
  served.gates.open("go on");
  BOOST_TEST(texts_in(asks.answer().value().body) == "went on");
}

BOOST_AUTO_TEST_CASE(a_large_answer_is_sent_to_its_end_although_the_server_stops) {
  ServerOptions options;
  options.limits.drain = 30s;
  HttpServed served(patient(), options);
  RawHttp slow = served.client(8'192);
  slow.send(served.call("large", R"({"size":8000000})").text());
  BOOST_TEST(slow.take_until("xxx").has_value());
  served.server.stop();
  BOOST_TEST(slow.take_until(std::string(7'999'997, 'x')).has_value());
}

BOOST_AUTO_TEST_CASE(a_stop_ends_what_does_not_end_by_itself) {
  ServerOptions options;
  options.limits.drain = 50ms;
  HttpServed served(patient(), options);
  RawHttp asks = served.client();
  asks.send(served.call("hold", R"({"gate":"never"})").text());
  BOOST_TEST(comes_true([&] { return served.running_tools == 1; }));
  served.end();
  BOOST_TEST(served.cancelled_tools == 1);
  const auto answer = asks.answer();
  if (answer) BOOST_TEST(answer->status == 503);
  BOOST_TEST(asks.is_over());
}

/// Each call is answered, or was cancelled because its client had left; nothing is left over, and nobody else notices.
BOOST_AUTO_TEST_CASE(connections_that_are_reset_at_any_time_leave_nothing_behind) {
  constexpr unsigned threads = 4, rounds = 100;
  HttpServed served{http::Port{}};
  std::atomic<int> answered = 0, left = 0, wrong = 0;
  const auto play = [&](unsigned thread) {
    unsigned chance = thread * 7919 + 1;
    for (unsigned round = 0; round < rounds; ++round) {
      chance = chance * 1664525u + 1013904223u;
      RawHttp client = served.client();
      const RawCall call = chance >> 30 == 0   ? served.call("hold", R"({"gate":"never"})")
                           : chance >> 30 == 1 ? served.call("flood", R"({"count":50})")
                                               : served.echo("here");
      const std::string text = call.text();
      const bool leaves = (chance >> 28 & 3u) != 3 || call.tool == "hold";
      client.send(text.substr(0, leaves && (chance >> 27 & 1u) == 0 ? (chance >> 8) % text.size() : text.size()));
      if (leaves) {
        if ((chance >> 26 & 1u) == 0) std::this_thread::sleep_for(std::chrono::microseconds(chance >> 5 & 1023u));
        (chance >> 25 & 1u) == 0 ? client.reset() : client.close();
        ++left;
      } else if (const auto answer = client.answer(); answer && answer->status == 200) {
        ++answered;
      } else {
        ++wrong;
      }
    }
  };
  std::vector<std::thread> playing;
  for (unsigned thread = 0; thread < threads; ++thread) playing.emplace_back(play, thread);
  for (std::thread& one : playing) one.join();
  BOOST_TEST(wrong == 0);
  BOOST_TEST(answered + left == int{threads * rounds});
  BOOST_TEST(answered > 0);
  BOOST_TEST(comes_true([&] { return served.running_tools == 0; }));
  BOOST_TEST(served.answers());
}
