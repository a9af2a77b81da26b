// How a request is answered over HTTP: at once, as a stream, or not at all because its client has left (2026-07-28
// basic/transports/streamable-http, whose sections the cases name; basic/patterns/subscriptions).
#define BOOST_TEST_MODULE http_handler_answers_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <functional>
#include <future>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "http_recorder.hpp"
#include "toolwire/engine.hpp"
#include "toolwire/result.hpp"

using namespace std::chrono_literals;
using namespace toolwire;
using namespace toolwire::test;

namespace {

struct Sure {
  bool yes = false;
  static constexpr auto describe() { return fields(field<&Sure::yes>("Whether to")); }
};

struct Fixture {
  explicit Fixture(http::HandlerOptions handler_options = {}, ServerOptions options = {})
      : server({"s", "1"}, logging(std::move(options))),
        handler(std::in_place, server, patient(std::move(handler_options))) {
    server.tool("echo", "Says hello", [] { return "hello"; });
    server.tool("counts", "Reports progress", [](Context& context) {
      for (int i = 1; i <= 3; ++i) context.progress(i, 3, "step");
      return "counted";
    });
    server.tool("logs", "Writes to the log", [](Context& context) {
      context.log(LogLevel::warning, "careful");
      return "logged";
    });
    server.tool("waits", "Waits until it is told to go on or to stop", [this](Context& context) {
      ++waiting;
      while (!go_on && !context.stop_requested()) std::this_thread::sleep_for(1ms);
      if (context.stop_requested()) ++stopped;
      --waiting;
      return "waited";
    });
    server.tool("asks", "Asks", [](Context& context) -> Outcome<std::string> {
      if (!context.answer<Sure>("sure")) return ask<Sure>("sure", "Sure?");
      return "approved";
    });
    server.resource({.uri = "test://one", .name = "one", .subscribable = true}, [] { return "content"; });
  }
  ~Fixture() { go_on = true; }

  static ServerOptions logging(ServerOptions options) {
    options.declares.logging = true;
    return options;
  }
  std::shared_ptr<HttpRecorder> sent(http::Request request) { return send(*handler, std::move(request)); }
  void wait_until(const std::function<bool()>& what) {
    for (int i = 0; i < 20'000 && !what(); ++i) std::this_thread::sleep_for(1ms);
    BOOST_TEST(what());
  }

  std::atomic<bool> go_on{false};
  std::atomic<int> waiting{0};
  std::atomic<int> stopped{0};
  Server server;
  std::optional<http::Handler> handler;
};

const JsonObject token{{"progressToken", "t"}};

http::Request listening(JsonObject notifications) {
  return modern("subscriptions/listen", {{"notifications", std::move(notifications)}}, {}, {}, "sub");
}

}  // namespace

// Receiving Messages

BOOST_FIXTURE_TEST_CASE(progress_makes_a_stream_that_ends_with_the_answer, Fixture) {
  const auto answer = sent(modern_call("counts", {}, token));
  BOOST_TEST(answer->status() == 200);
  BOOST_TEST(answer->is_stream());
  BOOST_TEST(answer->field("X-Accel-Buffering") == "no");
  BOOST_TEST(answer->field("Cache-Control") == "no-cache");
  BOOST_TEST(!answer->head().length.has_value());
  const auto events = answer->events();
  BOOST_TEST_REQUIRE(events.size() >= 2u);
  for (std::size_t i = 0; i + 1 < events.size(); ++i) {
    BOOST_TEST(events[i].at("method") == Json("notifications/progress"));
    BOOST_TEST(events[i].at("params").at("progressToken") == Json("t"));
  }
  BOOST_TEST(events.back().at("id") == Json(1));
  BOOST_TEST(events.back().at("result").at("content").at(0).at("text") == Json("counted"));
}

BOOST_FIXTURE_TEST_CASE(without_a_wish_for_progress_there_is_one_json_object, Fixture) {
  BOOST_TEST(!sent(modern_call("counts"))->is_stream());
  BOOST_TEST(!sent(modern_call("logs"))->is_stream());
}

BOOST_FIXTURE_TEST_CASE(the_log_makes_a_stream, Fixture) {
  const auto answer = sent(modern_call("logs", {}, {{"io.modelcontextprotocol/logLevel", "info"}}));
  const auto events = answer->events();
  BOOST_TEST_REQUIRE(events.size() == 2u);
  BOOST_TEST(events[0].at("method") == Json("notifications/message"));
  BOOST_TEST(events[1].at("id") == Json(1));
}

BOOST_AUTO_TEST_CASE(what_takes_long_becomes_a_stream) {
  Fixture fixture({.stream_after = 5ms});
  const auto answer = fixture.sent(modern_call("waits"));
  BOOST_TEST(answer->head().status == 200);  // before the answer is there
  BOOST_TEST(answer->is_stream());
  BOOST_TEST(!answer->is_finished());
  fixture.go_on = true;
  BOOST_TEST(answer->events().size() == 1u);
}

BOOST_AUTO_TEST_CASE(what_is_quick_enough_is_one_json_object) {
  Fixture fixture({.stream_after = 60s});
  const auto answer = fixture.sent(modern_call("waits"));
  fixture.wait_until([&] { return fixture.waiting == 1; });
  fixture.go_on = true;
  BOOST_TEST(answer->status() == 200);
  BOOST_TEST(!answer->is_stream());
}

BOOST_FIXTURE_TEST_CASE(questions_are_a_result_and_never_a_request_of_the_server, Fixture) {
  const JsonObject asked{{"elicitation", JsonObject()}};
  const auto first = sent(modern_call("asks", {}, {}, asked));
  BOOST_TEST(!first->is_stream());
  const Json result = first->json().at("result");
  BOOST_TEST(result.at("resultType") == Json("input_required"));
  const auto again = sent(modern("tools/call",
                                 {{"name", "asks"},
                                  {"arguments", JsonObject()},
                                  {"requestState", result.at("requestState")},
                                  {"inputResponses", {{"sure", {{"action", "accept"}, {"content", {{"yes", true}}}}}}}},
                                 {}, asked, 2));
  BOOST_TEST(again->json().at("result").at("content").at(0).at("text") == Json("approved"));
}

BOOST_FIXTURE_TEST_CASE(requests_run_beside_each_other, Fixture) {
  const auto slow = sent(modern_call("waits"));
  wait_until([&] { return waiting == 1; });
  BOOST_TEST(sent(modern_call("echo"))->status() == 200);  // with the same id: each POST is its own
  BOOST_TEST(!slow->is_finished());
  go_on = true;
  BOOST_TEST(slow->status() == 200);
}

// Cancellation

BOOST_FIXTURE_TEST_CASE(a_client_that_leaves_cancels_its_request, Fixture) {
  const auto gone = sent(modern_call("waits"));
  wait_until([&] { return waiting == 1; });
  const std::string so_far = gone->so_far();
  gone->closed();
  gone->closed();
  wait_until([&] { return stopped == 1 && waiting == 0; });
  BOOST_TEST(sent(modern_call("echo"))->status() == 200);
  BOOST_TEST(gone->so_far() == so_far);
}

BOOST_FIXTURE_TEST_CASE(a_client_that_leaves_concerns_no_other, Fixture) {
  const auto stays = sent(modern_call("waits"));
  const auto gone = sent(modern_call("waits"));
  wait_until([&] { return waiting == 2; });
  gone->closed();
  wait_until([&] { return stopped == 1; });
  go_on = true;
  BOOST_TEST(stays->status() == 200);
  BOOST_TEST(stopped == 1);
}

BOOST_FIXTURE_TEST_CASE(a_client_may_be_found_to_have_left_inside_of_a_write, Fixture) {
  const auto exchange = std::make_shared<HttpRecorder>();
  exchange->on_write = [&exchange] { exchange->closed(); };
  handler->handle(modern_call("counts", {}, token), exchange);
  BOOST_TEST(exchange->wait_for("data: "));
  BOOST_TEST(sent(modern_call("echo"))->status() == 200);
}

BOOST_FIXTURE_TEST_CASE(a_client_that_has_left_before_its_request_was_handled_is_noticed, Fixture) {
  const auto exchange = std::make_shared<HttpRecorder>();
  exchange->closed();
  handler->handle(modern_call("waits"), exchange);
  BOOST_TEST(sent(modern_call("echo"))->status() == 200);
  BOOST_TEST(waiting == 0);
  BOOST_TEST(exchange->so_far().empty());
}

BOOST_FIXTURE_TEST_CASE(leaving_after_the_answer_does_nothing, Fixture) {
  const auto answer = sent(modern_call("echo"));
  BOOST_TEST(answer->status() == 200);
  answer->closed();
  answer->caught_up();
  BOOST_TEST(sent(modern_call("echo"))->status() == 200);
}

/// Nothing of the stream is kept for them, whatever they say of the last event.
BOOST_FIXTURE_TEST_CASE(who_comes_back_sends_a_new_request_and_nothing_is_resumed, Fixture) {
  std::atomic<int> runs{0};
  server.tool("steps", "Reports progress, and waits", [&](Context& context) {
    const int run = ++runs;
    context.progress(run, 9, "of run " + std::to_string(run));
    while (!go_on && !context.stop_requested()) std::this_thread::sleep_for(1ms);
    return "run " + std::to_string(run);
  });
  const auto gone = sent(modern_call("steps", {}, token));
  BOOST_TEST(gone->wait_for("of run 1"));
  BOOST_TEST(gone->so_far().find("id:") == std::string::npos);  // no event could be named later on
  gone->closed();

  http::Request again = modern_call("steps", {}, token);
  with(again, "Last-Event-ID", "0");
  const auto anew = sent(std::move(again));
  BOOST_TEST(anew->wait_for("of run 2"));
  go_on = true;
  const auto events = anew->events();
  BOOST_TEST(events.size() == 2U);
  BOOST_TEST(anew->body().find("of run 1") == std::string::npos);
  BOOST_TEST(events.back().at("result").at("content").at(0).at("text") == Json("run 2"));
  BOOST_TEST(runs == 2);

  http::Request asked = modern_call("steps");
  asked.method = "GET";
  asked.body.clear();
  with(asked, "Last-Event-ID", "0");
  BOOST_TEST(sent(std::move(asked))->status() == 405);
}

BOOST_AUTO_TEST_CASE(a_task_goes_on_when_the_stream_it_was_promised_on_has_ended) {
  Fixture fixture;
  fixture.server.tool({.name = "slow", .description = "Becomes a task", .long_running = true}, [&](Context& context) {
    while (!fixture.go_on && !context.stop_requested()) std::this_thread::sleep_for(1ms);
    return context.stop_requested() ? "stopped" : "done";
  });
  const JsonObject extension{{"extensions", {{"io.modelcontextprotocol/tasks", JsonObject()}}}};
  const auto promised = fixture.sent(modern_call("slow", {}, {}, extension));
  const Json id = promised->json().at("result").at("taskId");
  promised->closed();
  const auto state = [&] { return fixture.sent(modern("tasks/get", {{"taskId", id}}, {}, extension))->json(); };
  BOOST_TEST(state().at("result").at("status") == Json("working"));
  fixture.go_on = true;
  fixture.wait_until([&] { return state().at("result").at("status") == Json("completed"); });
}

// subscriptions/listen

BOOST_FIXTURE_TEST_CASE(a_subscription_is_a_stream_that_stays, Fixture) {
  const auto stream = sent(listening({{"toolsListChanged", true}}));
  BOOST_TEST(stream->wait_for("notifications/subscriptions/acknowledged"));
  BOOST_TEST(stream->is_stream());
  server.tool("new", "New", [] { return ""; });
  BOOST_TEST(stream->wait_for("notifications/tools/list_changed"));
  BOOST_TEST(!stream->is_finished());
  for (const Json& event : HttpRecorder::events_in(stream->so_far()))
    BOOST_TEST(event.at("params").at("_meta").at("io.modelcontextprotocol/subscriptionId") == Json("sub"));
  BOOST_TEST(HttpRecorder::events_in(stream->so_far()).front().at("method") ==
             Json("notifications/subscriptions/acknowledged"));
}

BOOST_FIXTURE_TEST_CASE(changes_of_resources_reach_only_who_asked_for_them, Fixture) {
  const auto one = sent(listening({{"resourceSubscriptions", {"test://one"}}}));
  const auto lists = sent(listening({{"resourcesListChanged", true}}));
  BOOST_TEST(one->wait_for("acknowledged"));
  BOOST_TEST(lists->wait_for("acknowledged"));
  server.resource_updated("test://one");
  server.resource_list_changed();
  BOOST_TEST(one->wait_for("notifications/resources/updated"));
  BOOST_TEST(lists->wait_for("notifications/resources/list_changed"));
  BOOST_TEST(one->so_far().find("list_changed") == std::string::npos);
  BOOST_TEST(lists->so_far().find("resources/updated") == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(progress_and_log_never_go_to_a_subscription, Fixture) {
  const auto stream = sent(listening({{"toolsListChanged", true}}));
  BOOST_TEST(stream->wait_for("acknowledged"));
  sent(modern_call("counts", {}, token))->status();
  sent(modern_call("logs", {}, {{"io.modelcontextprotocol/logLevel", "debug"}}))->status();
  BOOST_TEST(HttpRecorder::events_in(stream->so_far()).size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_stop_ends_subscriptions_with_a_complete_result, Fixture) {
  const auto stream = sent(listening({{"toolsListChanged", true}}));
  BOOST_TEST(stream->wait_for("acknowledged"));
  server.stop();
  const auto events = stream->events();
  BOOST_TEST_REQUIRE(events.size() == 2u);
  BOOST_TEST(events[1].at("id") == Json("sub"));
  BOOST_TEST(events[1].at("result").at("resultType") == Json("complete"));
  BOOST_TEST(events[1].at("result").at("_meta").at("io.modelcontextprotocol/subscriptionId") == Json("sub"));
}

BOOST_AUTO_TEST_CASE(a_subscription_that_is_opened_while_the_server_stops_ends_with_a_complete_result) {
  std::promise<Done<Principal>> asked;
  ServerOptions options;
  options.limits.drain = 30s;
  options.identify = [&](const UnidentifiedRequest& request, Done<Principal> done) {
    request.method == "subscriptions/listen" ? asked.set_value(std::move(done)) : done({});
  };
  Fixture fixture({}, std::move(options));
  const auto stream = fixture.sent(listening({{"toolsListChanged", true}}));
  Done<Principal> done = asked.get_future().get();
  fixture.server.stop();
  fixture.wait_until([&] { return fixture.sent(modern_call("echo"))->status() == 503; });
  done({});
  const auto events = stream->events();
  BOOST_TEST_REQUIRE(events.size() == 2u);
  BOOST_TEST(events[0].at("method") == Json("notifications/subscriptions/acknowledged"));
  BOOST_TEST(events[1].at("result").at("resultType") == Json("complete"));
}

BOOST_FIXTURE_TEST_CASE(the_program_may_end_subscriptions, Fixture) {
  const auto stream = sent(listening({{"toolsListChanged", true}}));
  BOOST_TEST(stream->wait_for("acknowledged"));
  server.end_subscriptions();
  BOOST_TEST(stream->events().size() == 2u);
  BOOST_TEST(sent(modern_call("echo"))->status() == 200);
}

BOOST_FIXTURE_TEST_CASE(a_subscriber_that_leaves_is_forgotten, Fixture) {
  for (int i = 0; i < 200; ++i) {  // more than may be open at once on one connection
    const auto stream = sent(listening({{"toolsListChanged", true}}));
    BOOST_TEST(stream->wait_for("acknowledged"));
    stream->closed();
  }
  server.resource_list_changed();
  BOOST_TEST(sent(modern_call("echo"))->status() == 200);
}

BOOST_AUTO_TEST_CASE(a_stream_is_kept_alive_by_comments) {
  Fixture fixture({.keep_alive = 5ms});
  const auto stream = fixture.sent(listening({{"toolsListChanged", true}}));
  BOOST_TEST(stream->wait_for("\n\n:\n\n:\n\n"));
  fixture.server.tool("new", "New", [] { return ""; });
  BOOST_TEST(stream->wait_for("list_changed"));
  BOOST_TEST(HttpRecorder::events_in(stream->so_far()).size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_call_that_takes_long_is_kept_alive_and_one_json_object_is_not) {
  Fixture fixture({.stream_after = 1ms, .keep_alive = 5ms});
  const auto stream = fixture.sent(modern_call("waits"));
  BOOST_TEST(stream->wait_for(":\n\n:\n\n"));
  fixture.go_on = true;
  BOOST_TEST(stream->events().size() == 1u);
}

namespace {

/// In which job of an engine the comments of several streams are written.
class Comments {
 public:
  explicit Comments(std::shared_ptr<Engine> engine) : engine_(std::move(engine)) {}

  /// A stream whose comments are noted under its number.
  std::shared_ptr<http::Exchange> stream(int number) { return std::make_shared<Stream>(*this, number); }
  int count(int number) const {
    const std::lock_guard lock(mutex_);
    int count = 0;
    for (const auto& [job, streams] : by_job_) count += streams.contains(number) ? 1 : 0;
    return count;
  }
  std::map<int, std::set<int>> by_job() const {
    const std::lock_guard lock(mutex_);
    return by_job_;
  }

 private:
  struct Stream final : http::Exchange {
    Stream(Comments& comments, int stream) : to(comments), number(stream) {}
    void start(const http::Head&) override {}
    void write(std::string_view bytes) override {
      if (bytes == ":\n\n") to.note(number);
    }
    void finish() override {}
    Comments& to;
    const int number;
  };
  void note(int number) {
    {
      const std::lock_guard lock(mutex_);
      by_job_[job_].insert(number);
    }
    engine_->post([this] {  // runs once the job that writes this is over
      const std::lock_guard lock(mutex_);
      ++job_;
    });
  }

  const std::shared_ptr<Engine> engine_;
  mutable std::mutex mutex_;
  int job_ = 0;
  std::map<int, std::set<int>> by_job_;
};

}  // namespace

/// A process with thousands of quiet streams is woken once for all of them.
BOOST_AUTO_TEST_CASE(the_comments_of_all_streams_are_gathered) {
  const auto engine = std::make_shared<Engine>(EngineOptions{.threads = 1});
  Comments comments(engine);
  Fixture fixture({.keep_alive = 6ms}, {.engine = engine});
  for (int i = 0; i < 3; ++i) {
    fixture.handler->handle(listening({{"toolsListChanged", true}}), comments.stream(i));
    fixture.wait_until([&] { return comments.count(i) > 0; });
    std::promise<void> apart;  // each begins at a time of its own between the comments of the others
    engine->after(2ms, [&] { apart.set_value(); });
    apart.get_future().wait();
  }
  const int before = comments.count(0);
  fixture.wait_until([&] { return comments.count(0) > before + 20; });
  fixture.handler.reset();  // no job of it goes on; the last one may have been cut short
  auto by_job = comments.by_job();
  by_job.erase(std::prev(by_job.end()));
  bool all_are_there = false;
  int gathered = 0;
  for (const auto& [job, streams] : by_job) {
    all_are_there = all_are_there || streams.contains(2);
    if (!all_are_there) continue;
    BOOST_TEST(streams.size() == 3U);
    ++gathered;
  }
  BOOST_TEST(gathered >= 20);
  std::promise<void> over;  // what `comments` has posted
  engine->post([&] { over.set_value(); });
  over.get_future().wait();
}

// The end

BOOST_FIXTURE_TEST_CASE(after_a_stop_the_service_is_unavailable, Fixture) {
  server.stop();
  wait_until([&] { return sent(modern_call("echo"))->status() == 503; });
  const auto answer = sent(modern_call("echo"));
  BOOST_TEST(answer->json().at("id") == Json(1));
  BOOST_TEST(answer->json().at("error").at("data").at("retryable") == Json(true));
}

BOOST_FIXTURE_TEST_CASE(a_stop_lets_what_runs_finish, Fixture) {
  const auto answer = sent(modern_call("waits"));
  wait_until([&] { return waiting == 1; });
  server.stop();
  go_on = true;
  BOOST_TEST(answer->status() == 200);
}

BOOST_AUTO_TEST_CASE(a_stop_cancels_what_does_not_finish) {
  Fixture fixture({}, {.limits = {.drain = 5ms}});
  const auto answer = fixture.sent(modern_call("waits"));
  fixture.wait_until([&] { return fixture.waiting == 1; });
  fixture.server.stop();
  BOOST_TEST(answer->status() == 503);
  fixture.wait_until([&] { return fixture.stopped == 1; });
}

BOOST_FIXTURE_TEST_CASE(a_handler_that_goes_finishes_every_exchange, Fixture) {
  const auto call = sent(modern_call("waits"));
  const auto stream = sent(listening({{"toolsListChanged", true}}));
  BOOST_TEST(stream->wait_for("acknowledged"));
  wait_until([&] { return waiting == 1; });
  handler.reset();
  BOOST_TEST(call->is_finished());
  BOOST_TEST(call->status() == 503);
  BOOST_TEST(stream->is_finished());
  BOOST_TEST(stopped == 1);
  server.tool("new", "New", [] { return ""; });  // nobody is told any more
}

BOOST_AUTO_TEST_CASE(a_server_may_have_several_handlers_one_after_the_other_and_beside_each_other) {
  Fixture fixture;
  {
    http::Handler second(fixture.server, {.path = "/other"});
    http::Request request = modern_call("echo");
    request.target = "/other";
    BOOST_TEST(send(second, std::move(request))->status() == 200);
    BOOST_TEST(fixture.sent(modern_call("echo"))->status() == 200);
  }
  BOOST_TEST(fixture.sent(modern_call("echo"))->status() == 200);
}

BOOST_AUTO_TEST_CASE(a_handler_works_on_the_engine_of_the_server) {
  const auto engine = std::make_shared<Engine>(EngineOptions{.threads = 2});
  {
    Fixture fixture({.stream_after = 1ms}, {.engine = engine});
    const auto slow = fixture.sent(modern_call("waits"));
    BOOST_TEST(fixture.sent(modern_call("echo"))->status() == 200);
    BOOST_TEST(slow->is_stream());
    fixture.handler.reset();
    BOOST_TEST(slow->is_finished());
    BOOST_TEST(fixture.waiting == 0);
  }
  const auto ran = std::make_shared<std::promise<void>>();
  engine->post([ran] { ran->set_value(); });
  ran->get_future().wait();
}

// Back-pressure

BOOST_FIXTURE_TEST_CASE(nothing_is_written_to_who_is_behind, Fixture) {
  const auto exchange = std::make_shared<HttpRecorder>();
  exchange->set_behind(true);
  handler->handle(modern_call("echo"), exchange);
  BOOST_TEST(sent(modern_call("echo"))->status() == 200);
  BOOST_TEST(!exchange->is_finished());
  exchange->set_behind(false);
  exchange->caught_up();
  BOOST_TEST(exchange->status() == 200);
}

BOOST_FIXTURE_TEST_CASE(changes_do_not_pile_up_for_who_is_behind_and_leaves, Fixture) {
  const auto stream = sent(listening({{"toolsListChanged", true}}));
  BOOST_TEST(stream->wait_for("acknowledged"));
  stream->set_behind(true);
  for (int i = 0; i < 1000; ++i) server.resource_list_changed();
  stream->closed();
  BOOST_TEST(sent(modern_call("echo"))->status() == 200);
}
