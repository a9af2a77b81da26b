// What a tracer is told of requests: of every one, when it comes and how it ends, once; and what they pass on.
#include <toolwire/server_options.hpp>

#define BOOST_TEST_MODULE tracer_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <toolwire/json_members.hpp>

#include "toolwire/testing.hpp"

using namespace toolwire;

namespace {

const std::string sent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const std::string own = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";

/// One request, as it was told.
struct Seen {
  std::string method;
  std::string subject;
  std::string id;
  std::string revision;
  bool has_session = false;
  TraceContext parent;
  std::string end = {};  // empty: not yet
  int ends = 0;
};

std::string text_of(const RequestEnd& how) {
  switch (how.how) {
    case RequestEnd::How::answered:
      return "answered";
    case RequestEnd::How::asked:
      return "asked";
    case RequestEnd::How::cancelled:
      return "cancelled";
    case RequestEnd::How::failed:
      break;
  }
  return "failed " + (how.error != 0 ? std::to_string(how.error) : std::string(how.code));
}

/// Writes down what it is told. Everything is followed, and passes `context` on.
class Recorder final : public Tracer {
 public:
  std::unique_ptr<RequestSpan> begin(const TracedRequest& request) noexcept override {
    const std::lock_guard lock(mutex_);
    if (!follows) return nullptr;
    seen_.push_back({std::string(request.method), std::string(request.subject), std::string(request.id),
                     std::string(request.revision), request.connection != 0, request.parent});
    return std::make_unique<Span>(*this, seen_.size() - 1);
  }

  /// The last request of this method, once it has ended.
  Seen ended(const std::string& method) {
    std::unique_lock lock(mutex_);
    Seen* found = nullptr;
    BOOST_TEST(changed_.wait_for(lock, std::chrono::seconds(20), [&] {
      const auto last =
          std::find_if(seen_.rbegin(), seen_.rend(), [&](const Seen& one) { return one.method == method; });
      found = last == seen_.rend() ? nullptr : &*last;
      return found != nullptr && !found->end.empty();
    }));
    return found == nullptr ? Seen{} : *found;
  }
  std::vector<Seen> all() {
    const std::lock_guard lock(mutex_);
    return seen_;
  }

  TraceContext context{.traceparent = own};
  bool follows = true;

 private:
  class Span final : public RequestSpan {
   public:
    Span(Recorder& recorder, std::size_t index) : recorder_(recorder), index_(index) {}
    TraceContext context() const override { return recorder_.context; }
    void end(const RequestEnd& how) noexcept override {
      const std::lock_guard lock(recorder_.mutex_);
      Seen& seen = recorder_.seen_.at(index_);
      seen.end = text_of(how);
      ++seen.ends;
      recorder_.changed_.notify_all();
    }

   private:
    Recorder& recorder_;
    const std::size_t index_;
  };

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Seen> seen_;
};

/// What a tool says of its trace.
Json told(Context& context) {
  JsonObject meta;
  for (const char* const name : {"traceparent", "tracestate", "baggage", "vendor/key"}) {
    if (const Json* const value = context.meta().if_contains(name)) meta[name] = *value;
  }
  return JsonObject{{"trace", context.trace().traceparent}, {"meta", std::move(meta)}};
}

struct Sure {
  bool sure = false;
  static constexpr auto describe() { return fields(field<&Sure::sure>("Whether you are sure")); }
};

struct Fixture {
  std::shared_ptr<Recorder> recorder = std::make_shared<Recorder>();
  Server server{{.name = "s", .version = "1"}, {.tracer = recorder}};

  Fixture() {
    server.tool("trace", "Says what trace it is part of", [](Context& context) { return told(context); });
    server.tool("late", "Answers later", [](Context& context, Reply reply) { reply(ToolResult::of(told(context))); });
    server.tool("fail", "Fails", []() -> std::string { throw std::runtime_error("no"); });
    server.tool("say", "Says that it has failed", [] { return ToolResult::error("no"); });
    server.tool("busy", "Is busy", [] { return failure("busy", "later", true); });
    server.tool("refuse", "Refuses", []() -> std::string { throw ProtocolError(-32000, "refused"); });
    server.tool("wait", "Waits to be told to stop", [this](Context& context, Reply reply) {
      stop_.emplace(context.stop_token(), [] {});
      kept_.emplace(std::move(reply));
    });
    server.tool("ask", "Asks", [](Context& context) -> Outcome<std::string> {
      if (context.answer<Sure>("sure")) return "sure";
      return ask<Sure>("sure", "Are you sure?");
    });
    server.prompt("write", "Writes", [](Context& context) { return context.trace().traceparent; });
    server.resource({.uri = "note://one"}, [](Context& context) { return context.trace().traceparent; });
  }
  ~Fixture() { kept_.reset(); }

 private:
  std::optional<std::stop_callback<std::function<void()>>> stop_;
  std::optional<Reply> kept_;
};

template <class Use>
void refused(Use use) {
  BOOST_CHECK_THROW(use(), ProtocolError);
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(every_request_is_told_once_in_both_eras, Fixture) {
  for (const std::string revision : {"2025-11-25", "2026-07-28"}) {
    {
      testing::Client client(server, {.revision = revision});
      client.call("trace");
      client.get_prompt("write");
      read_resource(client, "note://one");
      client.list_tools();
    }
    const Seen call = recorder->ended("tools/call");
    BOOST_TEST(call.subject == "trace");
    BOOST_TEST(call.revision == revision);
    BOOST_TEST(call.has_session == (revision == "2025-11-25"));
    BOOST_TEST(!call.id.empty());
    BOOST_TEST(call.parent.is_empty());
    BOOST_TEST(recorder->ended("prompts/get").subject == "write");
    BOOST_TEST(recorder->ended("resources/read").subject == "note://one");
    BOOST_TEST(recorder->ended("tools/list").subject == "");
    BOOST_TEST(recorder->ended(revision == "2025-11-25" ? "initialize" : "server/discover").end == "answered");
  }
  for (const Seen& one : recorder->all()) {
    BOOST_TEST(one.ends == 1, one.method);
    BOOST_TEST(one.end == "answered", one.method);
  }
}

BOOST_FIXTURE_TEST_CASE(a_request_passes_the_span_on_and_keeps_the_rest_of_its_metadata, Fixture) {
  const CallOptions options{.meta = {{"vendor/key", 7}},
                            .trace = {.traceparent = sent, .tracestate = "a=1", .baggage = "b=2"}};
  for (const std::string revision : {"2025-11-25", "2026-07-28"}) {
    testing::Client client(server, {.revision = revision});
    for (const std::string tool : {"trace", "late"}) {
      const Json said = *client.call(tool, {}, options).structured;
      BOOST_TEST(text_or(said, "trace") == own);
      BOOST_TEST(said.at("meta") == (Json{{"traceparent", own}, {"vendor/key", 7}}));
      const Seen call = recorder->ended("tools/call");
      BOOST_TEST(call.parent.traceparent == sent);
      BOOST_TEST(call.parent.tracestate == "a=1");
      BOOST_TEST(call.parent.baggage == "b=2");
    }
    BOOST_TEST(to_json_text(client.get_prompt("write").raw).find(own) != std::string::npos);
    BOOST_TEST(read_resource(client, "note://one").at(0).contents == own);
  }
}

BOOST_FIXTURE_TEST_CASE(what_is_not_followed_keeps_what_came_with_it, Fixture) {
  recorder->follows = false;
  testing::Client client(server);
  BOOST_TEST(text_or(*client.call("trace", {}, {.trace = {.traceparent = sent}}).structured, "trace") == sent);
  recorder->follows = true;
  recorder->context = {};
  BOOST_TEST(text_or(*client.call("trace", {}, {.trace = {.traceparent = sent}}).structured, "trace") == "");
}

BOOST_FIXTURE_TEST_CASE(errors_say_what_they_are, Fixture) {
  for (const std::string revision : {"2025-11-25", "2026-07-28"}) {
    testing::Client client(server, {.revision = revision});
    const auto end = [&] { return recorder->ended("tools/call").end; };
    client.call("fail");
    BOOST_TEST(end() == "failed execution");
    client.call("say");
    BOOST_TEST(end() == "failed ");
    client.call("busy");
    BOOST_TEST(end() == "failed busy");
    refused([&] { client.call("refuse"); });
    BOOST_TEST(end() == "failed -32000");
    refused([&] { client.call("a secret that is no name"); });
    BOOST_TEST(end() == "failed -32602");
    BOOST_TEST(recorder->ended("tools/call").subject == "");
    refused([&] { client.request("no/method"); });
    BOOST_TEST(recorder->ended("no/method").end == "failed -32601");
  }
}

BOOST_FIXTURE_TEST_CASE(a_cancelled_call_has_ended_although_its_tool_goes_on, Fixture) {
  testing::Client client(server);
  auto call = client.start_call("wait");
  call.cancel("enough");
  BOOST_TEST(recorder->ended("tools/call").end == "cancelled");
  BOOST_TEST(recorder->ended("tools/call").ends == 1);
}

BOOST_FIXTURE_TEST_CASE(a_call_that_asks_is_a_request_for_each_round, Fixture) {
  ClientOptions options{.revision = "2026-07-28"};
  options.on_elicitation = [](const Elicitation&) {
    return ElicitationReply{ElicitationReply::Action::accept, JsonObject{{"sure", true}}};
  };
  testing::Client client(server, options);
  BOOST_TEST(client.call("ask").text() == "sure");
  std::vector<std::string> ends;
  recorder->ended("tools/call");
  for (const Seen& one : recorder->all()) {
    if (one.method == "tools/call") ends.push_back(one.end);
  }
  BOOST_TEST(ends == (std::vector<std::string>{"asked", "answered"}), boost::test_tools::per_element());
}
