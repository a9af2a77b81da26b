#include <toolwire/client.hpp>

#define BOOST_TEST_MODULE client_stream_test
#include <algorithm>
#include <atomic>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/test/unit_test.hpp>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "comes_true.hpp"
#include "scripted_server.hpp"

using namespace std::chrono_literals;
using toolwire::Client;
using toolwire::ClientOptions;
using toolwire::ConnectionError;
using toolwire::Json;
using toolwire::JsonArray;
using toolwire::JsonObject;
using toolwire::ProtocolError;

namespace {

Json changed_notification(const Json& subscription) {
  JsonObject notification{{"jsonrpc", "2.0"}, {"method", "notifications/tools/list_changed"}};
  if (!subscription.is_null())
    notification["params"] = {{"_meta", {{"io.modelcontextprotocol/subscriptionId", subscription}}}};
  return notification;
}

Json acknowledgement(const Json& subscription) {
  return {{"jsonrpc", "2.0"},
          {"method", "notifications/subscriptions/acknowledged"},
          {"params",
           {{"_meta", {{"io.modelcontextprotocol/subscriptionId", subscription}}},
            {"notifications", {{"toolsListChanged", true}}}}}};
}

constexpr std::string_view nameless_error = R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}})";

/// Whether a request was refused as `nameless_error` says.
bool is_refused_so(const ProtocolError& error) {
  return error.code == -32700 && std::string_view{error.what()} == "what?";
}

/// What ClientOptions::on_malformed was told.
struct Reasons {
  ClientOptions options() {
    ClientOptions made;
    made.on_malformed = [this](const std::string&, const std::string& reason) {
      const std::lock_guard lock{mutex};
      told.push_back(reason);
    };
    return made;
  }
  bool are_told(std::size_t count) {
    return toolwire_test::comes_true([&] {
      const std::lock_guard lock{mutex};
      return told.size() == count;
    });
  }
  bool is_told(const std::string& part) {
    return toolwire_test::comes_true([&] {
      const std::lock_guard lock{mutex};
      return std::any_of(told.begin(), told.end(),
                         [&](const std::string& one) { return one.find(part) != std::string::npos; });
    });
  }

  std::mutex mutex = {};
  std::vector<std::string> told = {};
};

/// The server of tests that end, or give up, before it could answer.
void never_answer(ScriptedServer& server) {
  server.be_modern();
  server.receive();
}

/// A transport whose other side reads only when told to.
class StuckTransport final : public toolwire::Transport {
 public:
  explicit StuckTransport(std::unique_ptr<Transport> inner) : inner_{std::move(inner)} {}
  std::ptrdiff_t read(char* into, std::size_t room) override { return inner_->read(into, room); }
  std::ptrdiff_t write(const char* bytes, std::size_t count, Blocking blocking) override {
    if (gone) return peer_gone;
    if (stuck) return 0;
    return inner_->write(bytes, std::min(count, most_at_once.load()), blocking);
  }
  void interrupt() override { inner_->interrupt(); }
  bool input_closed() override { return inner_->input_closed(); }

  std::atomic<bool> stuck = false;
  std::atomic<bool> gone = false;
  std::atomic<std::size_t> most_at_once = 1000;

 private:
  std::unique_ptr<Transport> inner_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_modern_subscription_is_acknowledged_told_of_changes_and_cancelled) {
  Json listen;
  Json cancellation;
  ScriptedServer peer{[&](ScriptedServer& server) {
    server.be_modern();
    listen = server.receive();
    server.send(acknowledgement(listen.at("id")));
    server.send(changed_notification("somebody else's"));
    server.send(changed_notification(listen.at("id")));
    cancellation = server.receive();
    server.send(changed_notification(listen.at("id")));
    server.reply(server.receive(), JsonObject{});
  }};
  Client client{std::move(peer.client_end)};
  std::atomic<int> changes = 0;
  std::promise<void> first;
  {
    const auto subscription = client.subscribe_tools([&] {
      if (++changes == 1) first.set_value();
    });
    first.get_future().wait();
    BOOST_TEST(subscription.is_active());
  }
  client.request("anything");
  BOOST_TEST(changes == 1);
  BOOST_TEST(listen.at("params").at("notifications") == (Json{{"toolsListChanged", true}}));
  BOOST_TEST(ScriptedServer::method_of(cancellation) == "notifications/cancelled");
  BOOST_TEST(cancellation.at("params").at("requestId") == listen.at("id"));
}

BOOST_AUTO_TEST_CASE(a_subscription_the_server_ends_is_not_active_any_more) {
  for (const bool politely : {true, false}) {
    ScriptedServer peer{[&](ScriptedServer& server) {
      server.be_modern();
      const Json listen = server.receive();
      server.send(acknowledgement(listen.at("id")));
      const Json request = server.receive();
      if (politely) {
        server.reply(listen, {{"resultType", "complete"}});
      } else {
        server.send(Json{
            {"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", listen.at("id")}}}});
      }
      server.reply(request, JsonObject{});
    }};
    Client client{std::move(peer.client_end)};
    const auto subscription = client.subscribe_tools([] {});
    client.request("anything");
    BOOST_TEST(!subscription.is_active());
  }
}

BOOST_AUTO_TEST_CASE(a_refused_subscription_throws) {
  ScriptedServer peer{[](ScriptedServer& server) {
    server.be_modern();
    server.refuse(server.receive(), -32601, "Method not found");
  }};
  Client client{std::move(peer.client_end)};
  BOOST_CHECK_THROW(static_cast<void>(client.subscribe_tools([] {})), ProtocolError);
}

BOOST_AUTO_TEST_CASE(a_legacy_subscription_sends_nothing_and_may_use_the_client) {
  ScriptedServer peer{[&](ScriptedServer& server) {
    server.be_legacy();
    server.expect(ScriptedServer::method_of(server.receive()) == "notifications/ready");
    server.send(changed_notification(nullptr));
    const Json request = server.receive();
    server.expect(ScriptedServer::method_of(request) == "tools/list");
    server.reply(request, {{"tools", JsonArray{}}});
  }};
  Client client{std::move(peer.client_end)};
  std::promise<std::size_t> count;
  const auto subscription = client.subscribe_tools([&] { count.set_value(client.list_tools().size()); });
  client.notify("notifications/ready");
  BOOST_TEST(count.get_future().get() == 0U);
}

BOOST_AUTO_TEST_CASE(other_notifications_go_to_the_program) {
  ScriptedServer peer{[&](ScriptedServer& server) {
    server.be_legacy();
    server.send_line(R"({"jsonrpc":"2.0","method":"notifications/message","params":{"data":"hello"}})");
    server.receive();
  }};
  std::promise<Json> seen;
  ClientOptions options;
  options.on_notification = [&](const std::string& method, const Json& params) {
    seen.set_value({{"method", method}, {"params", params}});
  };
  const Client client{std::move(peer.client_end), options};
  BOOST_TEST(seen.get_future().get() == (Json{{"method", "notifications/message"}, {"params", {{"data", "hello"}}}}));
}

BOOST_AUTO_TEST_CASE(lines_that_are_no_messages_are_passed_over_and_reported) {
  ScriptedServer peer{[](ScriptedServer& server) {
    server.send_line("Welcome to my server!");
    server.send_line("");
    server.be_modern();
    const Json request = server.receive();
    server.send_line("{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}");
    server.send_line("{\"jsonrpc\":\"2.0\",\"id\":\"02\",\"result\":{}}");
    server.send_line("[]");
    server.reply(request, {{"fine", true}});
  }};
  std::promise<std::string> first_line;  // functions of the client run on a thread of its own
  bool told = false;
  ClientOptions options;
  options.on_malformed = [&](const std::string& line, const std::string& reason) {
    if (!reason.empty() && !std::exchange(told, true)) first_line.set_value(line);
  };
  Client client{std::move(peer.client_end), options};
  BOOST_TEST(client.request("anything") == (Json{{"fine", true}}));
  BOOST_TEST(first_line.get_future().get() == "Welcome to my server!");
}

BOOST_AUTO_TEST_CASE(what_a_dead_server_printed_is_in_the_error) {
  ScriptedServer peer{[](ScriptedServer& server) { server.send_line("Usage: server --port N"); }};
  BOOST_CHECK_EXCEPTION(Client{std::move(peer.client_end)}, ConnectionError, [](const ConnectionError& error) {
    return std::string_view{error.what()}.find("Usage: server --port N") != std::string_view::npos;
  });
}

BOOST_AUTO_TEST_CASE(an_answer_that_cannot_be_read_fails_its_call_only) {
  ScriptedServer peer{[](ScriptedServer& server) {
    server.be_modern();
    const auto first = std::to_string(server.receive().at("id").as_int64());
    const auto second = std::to_string(server.receive().at("id").as_int64());
    const Json third = server.receive();
    server.send_line(R"({"jsonrpc":"2.0","id":)" + first + R"(,"result":{"bad":}})");
    server.send_line(R"({"jsonrpc":"2.0","id":)" + second + R"(,"result":")" + std::string(20'000, 'x') + "\"}");
    server.reply(third, {{"content", JsonArray{}}});
  }};
  ClientOptions options;
  options.max_line = 10'000;
  Client client{std::move(peer.client_end), options};
  auto first = client.start_call("a");
  auto second = client.start_call("b");
  auto third = client.start_call("c");
  BOOST_CHECK_EXCEPTION(first.wait(), ProtocolError, [](const ProtocolError& error) { return error.code == -32700; });
  BOOST_CHECK_EXCEPTION(second.wait(), ProtocolError, [](const ProtocolError& error) {
    return std::string_view{error.what()}.find("longer than 10000 bytes") != std::string_view::npos;
  });
  BOOST_TEST(third.wait().content.empty());
}

BOOST_AUTO_TEST_CASE(an_answer_of_too_many_values_fails_its_call_only) {
  std::string values = "[[]";
  for (int i = 1; i < 5'000; ++i) values += ",[]";
  values += "]";
  ScriptedServer peer{[&values](ScriptedServer& server) {
    server.be_modern();
    const auto first = std::to_string(server.receive().at("id").as_int64());
    const Json second = server.receive();
    server.send_line(R"({"jsonrpc":"2.0","id":)" + first + R"(,"result":{"content":[],"structuredContent":)" + values +
                     "}}");
    server.reply(second, {{"content", JsonArray{}}});
  }};
  ClientOptions options;
  options.max_values = 5'000;
  Client client{std::move(peer.client_end), options};
  auto first = client.start_call("a");
  auto second = client.start_call("b");
  BOOST_CHECK_EXCEPTION(first.wait(), ProtocolError, [](const ProtocolError& error) {
    return error.code == -32700 &&
           std::string_view{error.what()}.find("expected at most 5000 values and names") != std::string_view::npos;
  });
  BOOST_TEST(second.wait().content.empty());
}

BOOST_AUTO_TEST_CASE(a_batch_of_answers_is_taken_apart) {
  ScriptedServer peer{[](ScriptedServer& server) {
    server.be_legacy("2025-03-26");
    const Json first = server.receive();
    const Json second = server.receive();
    server.send(Json(
        JsonArray{Json{{"jsonrpc", "2.0"}, {"id", second.at("id")}, {"result", {{"content", JsonArray{}}}}},
                  Json{{"jsonrpc", "2.0"}, {"id", first.at("id")}, {"error", {{"code", -32602}, {"message", "no"}}}}}));
  }};
  Client client{std::move(peer.client_end)};
  auto first = client.start_call("a");
  auto second = client.start_call("b");
  BOOST_TEST(second.wait().content.empty());
  BOOST_CHECK_THROW(first.wait(), ProtocolError);
}

BOOST_AUTO_TEST_CASE(a_server_that_does_not_read_holds_up_neither_timeouts_nor_destruction) {
  ScriptedServer peer{never_answer};
  StuckTransport transport{std::move(peer.client_end)};
  {
    Client client{transport};
    transport.stuck = true;
    BOOST_CHECK_THROW(client.call("a", {{"much", std::string(100'000, 'x')}}, {.timeout = 5ms}),
                      toolwire::TimeoutError);
  }
}

BOOST_AUTO_TEST_CASE(a_request_that_is_given_up_before_it_could_be_written_is_not_written) {
  std::vector<Json> received;
  ScriptedServer peer{[&](ScriptedServer& server) {
    server.be_modern();
    for (int i = 0; i < 3; ++i) {
      received.push_back(server.receive());
      if (received.back().at("method") == "tools/call") server.reply(received.back(), {{"content", JsonArray{}}});
    }
  }};
  StuckTransport transport{std::move(peer.client_end)};
  {
    Client client{transport};
    transport.stuck = true;
    auto first = client.start_call("first");
    BOOST_CHECK_EXCEPTION(client.call("late", {}, {.timeout = 5ms}), toolwire::TimeoutError, [](const auto& error) {
      return std::string_view{error.what()}.find("not even sent") != std::string_view::npos;
    });
    auto cancelled = client.start_call("cancelled");
    cancelled.cancel();
    BOOST_CHECK_THROW(cancelled.wait(), toolwire::CancelledError);
    auto last = client.start_call("last");
    transport.stuck = false;
    first.wait();
    last.wait();
    client.notify("notifications/roots/list_changed");
  }
  peer.finish();
  BOOST_REQUIRE(received.size() == 3U);
  BOOST_TEST(received[0].at("params").at("name") == Json("first"));
  BOOST_TEST(received[1].at("params").at("name") == Json("last"));
  BOOST_TEST(received[2].at("method") == Json("notifications/roots/list_changed"));
}

BOOST_AUTO_TEST_CASE(the_wait_for_room_counts_as_time_of_the_call) {
  ScriptedServer peer{never_answer};
  StuckTransport transport{std::move(peer.client_end)};
  Client client{transport};
  transport.stuck = true;
  const JsonObject very_much{{"text", std::string(std::size_t{65} << 20, 'x')}};
  BOOST_CHECK_THROW(client.call("first", very_much, {.timeout = 20ms}), toolwire::TimeoutError);
  const auto held = client.start_call("held", very_much, {.timeout = 20ms});
  BOOST_CHECK_THROW(client.request("anything", {}, 20ms), toolwire::TimeoutError);
}

BOOST_AUTO_TEST_CASE(room_that_has_come_back_is_used) {
  ScriptedServer peer{[](ScriptedServer& server) {
    server.be_modern();
    for (int i = 0; i < 2; ++i) server.reply(server.receive(), {{"content", JsonArray{}}});
  }};
  StuckTransport transport{std::move(peer.client_end)};
  transport.most_at_once = std::size_t{1} << 20;
  Client client{transport};
  transport.stuck = true;
  const JsonObject much{{"text", std::string(std::size_t{40} << 20, 'x')}};
  auto first = client.start_call("first", much);
  transport.stuck = false;
  BOOST_TEST(first.wait().content.empty());
  constexpr auto never = std::chrono::milliseconds::max();  // the test has a time limit of its own
  BOOST_TEST(client.call("second", much, {.timeout = never}).content.empty());
}

BOOST_AUTO_TEST_CASE(large_requests_arrive_whole_at_a_server_that_reads_slowly) {
  const std::string much(300'000, 'x');
  ScriptedServer peer{[&](ScriptedServer& server) {
    server.be_modern();
    for (int i = 0; i < 5; ++i) {
      const Json request = server.receive();
      server.expect(request.at("params").at("arguments").at("much") == Json(much));
      server.reply(request, {{"content", JsonArray{}}});
    }
  }};
  StuckTransport transport{std::move(peer.client_end)};
  Client client{transport};
  std::vector<toolwire::CallHandle> calls;
  calls.reserve(5);
  for (int i = 0; i < 5; ++i) calls.push_back(client.start_call("a", {{"much", much}}));
  for (auto& call : calls) call.wait();
}

BOOST_AUTO_TEST_CASE(a_server_that_reads_no_more_fails_calls) {
  ScriptedServer peer{never_answer};
  StuckTransport transport{std::move(peer.client_end)};
  Client client{transport};
  transport.gone = true;
  BOOST_CHECK_THROW(client.call("a"), ConnectionError);
}

BOOST_AUTO_TEST_CASE(many_threads_share_a_client) {
  ScriptedServer peer{[](ScriptedServer& server) {
    server.be_modern();
    for (Json request = server.receive(); !request.is_null(); request = server.receive())
      server.reply(request, {{"content", JsonArray{}}, {"structuredContent", request.at("params").at("arguments")}});
  }};
  Client client{std::move(peer.client_end)};
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  threads.reserve(4);
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 100; ++i) {
        const Json arguments{{"thread", thread}, {"call", i}};
        if (client.call("echo", arguments).structured == arguments) ++right;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(right == 400);
}

BOOST_AUTO_TEST_CASE(answers_that_are_put_strangely_are_answers_and_said_once) {
  ScriptedServer server{[](ScriptedServer& server) {
    server.be_modern();
    for (int round = 0; round < 2; ++round) {
      const auto first = std::to_string(server.receive().at("id").as_int64());
      server.send_line(R"({"jsonrpc":"2.0","id":)" + first + R"(,"result":{"n":1},"error":null})");
      const auto second = std::to_string(server.receive().at("id").as_int64());
      server.send_line(R"({"jsonrpc":"2.0","id":)" + second + R"(,"result":null,"error":{"code":-9,"message":"no"}})");
      const auto third = std::to_string(server.receive().at("id").as_int64());
      server.send_line(R"({"jsonrpc":"2.0","id":null,"result":{}})");
      server.send_line(R"([{"jsonrpc":"2.0","id":)" + third +
                       R"(,"result":{},"error":{"code":-9,"message":"no"}},{"jsonrpc":"2.0","id":"else","result":1}])");
    }
    server.receive();
  }};
  Reasons reasons;
  {
    Client client{std::move(server.client_end), reasons.options()};
    for (int round = 0; round < 2; ++round) {
      BOOST_TEST(client.request("one", {}, 10s).at("n") == Json(1));
      BOOST_CHECK_EXCEPTION(client.request("two", {}, 10s), ProtocolError,
                            [](const ProtocolError& error) { return error.code == -9; });
      BOOST_CHECK_EXCEPTION(client.request("three", {}, 10s), ProtocolError, [](const ProtocolError& error) {
        return std::string{error.what()}.find("a result and an error in one answer") != std::string::npos;
      });
    }
    BOOST_TEST(reasons.are_told(5));
  }
  BOOST_TEST(reasons.told.size() == 5U);
}

BOOST_AUTO_TEST_CASE(an_answer_with_the_id_as_a_text_is_taken_and_said_once) {
  ScriptedServer peer{[](ScriptedServer& server) {
    server.be_modern();
    for (int i = 0; i < 2; ++i) {
      const Json first = server.receive();
      const Json second = server.receive();
      const auto text_of = [](const Json& request) { return std::to_string(request.at("id").as_int64()); };
      server.send_line(R"({"jsonrpc":"2.0","id":")" + text_of(second) + R"(","error":{"code":-9,"message":"no"}})");
      server.send_line(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":")" +
                       text_of(first) + R"(","progress":1}})");
      server.send_line(R"({"jsonrpc":"2.0","id":")" + text_of(first) + R"(","result":{"content":[]}})");
    }
  }};
  Reasons reasons;
  {
    Client client{std::move(peer.client_end), reasons.options()};
    for (int i = 0; i < 2; ++i) {
      std::atomic<int> reports = 0;
      auto first = client.start_call("a", {}, {.timeout = 10s, .on_progress = [&](const auto&) { ++reports; }});
      auto second = client.start_call("b", {}, {.timeout = 10s});
      BOOST_TEST(first.wait().content.empty());
      BOOST_TEST(reports == 1);
      BOOST_CHECK_EXCEPTION(second.wait(), ProtocolError, [](const ProtocolError& error) { return error.code == -9; });
    }
    BOOST_TEST(reasons.are_told(1));
  }
  BOOST_REQUIRE(reasons.told.size() == 1U);
  BOOST_TEST(reasons.told.front() == "the id of a request as a text; expected the number that it is");
}

BOOST_AUTO_TEST_CASE(an_error_without_an_id_fails_the_only_request_under_way) {
  ScriptedServer peer{[](ScriptedServer& server) {
    server.be_modern();
    for (int i = 0; i < 2; ++i) {
      server.receive();
      server.send_line(nameless_error);
    }
    server.reply(server.receive(), {{"content", JsonArray{}}});
    server.receive();
    server.send_line(R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"what?"}})");
    const Json listen = server.receive();
    server.send(acknowledgement(listen.at("id")));
    server.receive();  // a subscription that was acknowledged is not meant
    server.send_line(nameless_error);
    server.receive();
  }};
  Reasons reasons;
  Client client{std::move(peer.client_end), reasons.options()};
  BOOST_CHECK_EXCEPTION(client.call("a", {}, {.timeout = 20s}), ProtocolError, is_refused_so);
  BOOST_CHECK_EXCEPTION(client.request("b", {}, 20s), ProtocolError, is_refused_so);
  BOOST_TEST(client.call("c").content.empty());
  BOOST_CHECK_EXCEPTION(client.call("d", {}, {.timeout = 20s}), ProtocolError, is_refused_so);
  const auto subscription = client.subscribe_tools([] {});
  BOOST_CHECK_EXCEPTION(client.call("e", {}, {.timeout = 20s}), ProtocolError, is_refused_so);
  BOOST_TEST(subscription.is_active());
  BOOST_TEST(reasons.is_told("an error without the id of a request; the only one that was under way fails with it"));
}

BOOST_AUTO_TEST_CASE(an_error_without_an_id_lets_several_requests_wait) {
  ScriptedServer peer{[](ScriptedServer& server) {
    server.be_modern();
    const Json first = server.receive();
    const Json second = server.receive();
    server.send_line(nameless_error);
    server.reply(first, {{"content", JsonArray{}}});
    server.reply(second, {{"content", JsonArray{}}});
  }};
  Reasons reasons;
  Client client{std::move(peer.client_end), reasons.options()};
  auto first = client.start_call("a");
  auto second = client.start_call("b");
  BOOST_TEST(first.wait().content.empty());
  BOOST_TEST(second.wait().content.empty());
  BOOST_TEST(reasons.is_told("an error without the id of a request; nobody can say for which"));
}

BOOST_AUTO_TEST_CASE(an_error_without_an_id_may_be_for_a_notification_or_what_was_given_up) {
  ScriptedServer peer{[](ScriptedServer& server) {
    server.be_legacy();
    const Json listed = server.receive();
    server.send_line(nameless_error);  // of notifications/initialized
    server.reply(listed, {{"tools", JsonArray{}}});
    server.receive();  // given up
    server.receive();  // and cancelled
    const Json call = server.receive();
    server.send_line(nameless_error);
    server.reply(call, {{"content", JsonArray{}}});
    server.receive();  // a notification of the program
    const Json next = server.receive();
    server.send_line(nameless_error);
    server.reply(next, {{"content", JsonArray{}}});
    const Json asked = server.receive();
    server.send_line(R"({"jsonrpc":"2.0","id":"q","method":"ping"})");
    server.receive();  // the answer
    server.send_line(nameless_error);
    server.reply(asked, {{"content", JsonArray{}}});
    server.reply(server.receive(), {{"content", JsonArray{}}});
    server.receive();  // at last there is nothing else
    server.send_line(nameless_error);
  }};
  Reasons reasons;
  Client client{std::move(peer.client_end), reasons.options()};
  BOOST_TEST(client.list_tools().empty());
  BOOST_CHECK_THROW(client.call("late", {}, {.timeout = 1ms}), toolwire::TimeoutError);
  BOOST_TEST(client.call("a").content.empty());
  client.notify("notifications/roots/list_changed");
  BOOST_TEST(client.call("b").content.empty());
  BOOST_TEST(client.call("c").content.empty());
  BOOST_TEST(client.call("d").content.empty());
  BOOST_CHECK_EXCEPTION(client.call("e", {}, {.timeout = 20s}), ProtocolError, is_refused_so);
}

BOOST_AUTO_TEST_CASE(a_probe_that_was_refused_without_an_id_leads_to_the_handshake) {
  ScriptedServer at_once{[](ScriptedServer& server) {
    server.receive();
    server.send_line(nameless_error);
    server.shake_hands("2025-11-25");
  }};
  ClientOptions patient;
  patient.probe_timeout = 60s;
  BOOST_TEST(Client(std::move(at_once.client_end), patient).server().revision == "2025-11-25");
  ScriptedServer late{[](ScriptedServer& server) {
    server.receive();
    const Json initialize = server.receive();
    server.send_line(nameless_error);  // of the probe
    server.reply(initialize, {{"protocolVersion", "2025-11-25"}, {"capabilities", JsonObject{}}});
    server.receive();
  }};
  ClientOptions hasty;
  hasty.probe_timeout = 1ms;
  BOOST_TEST(Client(std::move(late.client_end), hasty).server().revision == "2025-11-25");
}
