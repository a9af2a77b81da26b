// Clients without a handshake say who they are with every request, in the same words, and a connection keeps the value
// of these. What a call is told has to be what came with it, whatever came before.
#include <toolwire/server.hpp>

#define BOOST_TEST_MODULE shared_meta_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <toolwire/json_members.hpp>

#include "gates.hpp"
#include "script_transport.hpp"

using namespace toolwire;
using toolwire_test::Gates;
using toolwire_test::ScriptTransport;

namespace {

struct Sure {
  bool sure = false;
  static constexpr auto describe() { return fields(field<&Sure::sure>("Whether you are sure")); }
};

struct Named {
  std::string name;
  static constexpr auto describe() { return fields(field<&Named::name>("Of a gate, or of a call")); }
};

/// All that a call can know of its `_meta`.
Json told(Context& context) {
  context.progress(1, 2, "half");
  context.log(LogLevel::info, "told");
  return JsonObject{{"meta", context.meta()},
                    {"client", context.client_info()},
                    {"caller", context.principal().id},
                    {"trace", context.trace().traceparent},
                    {"asks", context.can_ask(ask<Sure>("sure", "Sure?"))},
                    {"progress", context.wants_progress()},
                    {"log", context.wants_log(LogLevel::debug)}};
}

/// Its tools tell what they were told, at once, after a question, or once a gate is open.
struct Fixture {
  Fixture() : Fixture(ServerOptions{.threads = 4}) {}
  explicit Fixture(ServerOptions options) : server({.name = "s", .version = "1"}, completed(std::move(options))) {
    server.tool("tell", "Tells", [](Context& context) { return told(context); });
    server.tool("ask", "Asks and tells", [](Context& context) -> Outcome<Json> {
      if (!context.answer<Sure>("sure")) return ask<Sure>("sure", "Sure?");
      return told(context);
    });
    server.tool("wait", "Waits and tells", [this](Named gate, Context& context) {
      gates.open("began " + gate.name);
      gates.wait(gate.name, context.stop_token());
      gates.open("ended " + gate.name);
      return told(context);
    });
    server.tool("copy", "Tells what copies of its metadata say", [](Context& context) {
      JsonObject copy = context.meta();
      for (int i = 0; i < 20; ++i) copy["more" + std::to_string(i)] = context.meta();
      return std::string(text_member(copy.at("more19"), "caller"));
    });
  }

  static ServerOptions completed(ServerOptions options) {
    options.declares.logging = true;
    options.identify = [](const UnidentifiedRequest& request, Done<Principal> done) {
      done(std::string(text_member(request.meta, "caller")));
    };
    return options;
  }

  Gates gates;
  Server server;
};

/// One connection. One thread.
class Talk {
 public:
  explicit Talk(Server& server) : serving_([this, &server] { server.run(transport_); }) {}
  ~Talk() {
    transport_.end_input();
    serving_.join();
  }

  void tell(std::string_view line) { transport_.feed_line(line); }
  /// All that comes until the next answer, and that.
  std::string answer() {
    std::string all;
    while (const auto line = transport_.next()) {
      all.append(*line).append("\n");
      last_ = parse_json(*line);
      if (!last_.get_object().contains("method")) return all;
    }
    return all + "(nothing)";
  }
  std::string ask(std::string_view line) {
    tell(line);
    return answer();
  }
  const Json& result() const { return last_.at("result"); }
  /// What the tool has told.
  const Json& structured() const { return result().at("structuredContent"); }
  std::string caller() const { return std::string(text_member(structured(), "caller")); }

 private:
  ScriptTransport transport_;
  Json last_;
  std::thread serving_;
};

std::string request(std::string_view method, std::string_view members) {
  return std::string(R"({"jsonrpc":"2.0","id":1,"method":")").append(method).append(R"(","params":{)").append(members) +
         "}}";
}
std::string call(std::string_view members, std::string_view tool = "tell", std::string_view arguments = "{}") {
  const std::string first = R"("name":")" + std::string(tool) + R"(","arguments":)" + std::string(arguments) + ",";
  return request("tools/call", first + std::string(members));
}

const std::string version = R"("io.modelcontextprotocol/protocolVersion":"2026-07-28")";
const std::string client = R"("io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"})";
const std::string abilities = R"("io.modelcontextprotocol/clientCapabilities":{})";
const std::string asked_abilities = R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{}})";
const std::string common = version + "," + client + "," + abilities;

/// The member of the params, with something more.
std::string meta(const std::string& more = "") { return R"("_meta":{)" + common + more + "}"; }
std::string of(const std::string& caller) { return meta(R"(,"caller":")" + caller + "\""); }

std::string of_size(std::size_t size) {
  const std::size_t rest = meta(R"(,"long":"")").size() - std::string_view(R"("_meta":)").size();
  return meta(R"(,"long":")" + std::string(size - rest, 'x') + "\"");
}
std::string of_depth(std::size_t depth) {
  return meta(R"(,"deep":)" + std::string(depth, '[') + std::string(depth, ']'));
}

/// Each differs from the others in one thing, and often in one byte.
std::vector<std::string> lines() {
  std::vector<std::string> all;
  for (const std::string& members : {
           meta(),
           of("ann"),
           of("bob"),
           meta(R"(,"caller":"bo\u0062")"),
           meta(R"(,"caller":"bo\u0063")"),
           R"("_meta":{)" + client + "," + version + "," + abilities + "}",
           R"("_meta":{)" + version + R"(,"io.modelcontextprotocol/clientInfo":{"name":"d","version":"1"},)" +
               abilities + "}",
           R"("_meta":{)" + version + "," + client + "," + asked_abilities + "}",
           R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-29",)" + client + "," + abilities + "}",
           R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25",)" + client + "," + abilities + "}",
           meta(R"(,"io.modelcontextprotocol/logLevel":"debug")"),
           meta(R"(,"io.modelcontextprotocol/logLevel":"error")"),
           meta(R"(,"progressToken":"7")"),
           meta(R"(,"progressToken":7)"),
           meta(R"(,"progressToken":8)"),
           meta(R"(,"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")"),
           meta(R"(,"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00")"),
           meta(R"(,"caller":"ann","caller":"bob")"),
           meta(R"(,"caller":"bob","caller":"ann")"),
           meta(" "),
           R"("_meta" : {)" + common + "}",
           R"("\u005fmeta":{)" + common + "}",
           of_size(2047),
           of_size(2048),
           of_size(2049),
           of_depth(10),
           of_depth(70),
           of_depth(200),
           meta(R"(,"wide":"日本語 🙂")"),
           meta(",\"wide\":\"\xff\""),
           meta(R"(,"half":"\ud800")"),
           meta(R"(,"number":12345678901234567890123)"),
           // One after the other.
           meta() + "," + of("ann"),
           of("ann") + "," + meta(),
           of("ann") + "," + of("bob"),
           of("ann") + R"(,"\u005fmeta":{"caller":"eve"})",
           // Of another kind, or none.
           std::string(R"("_meta":{})"),
           std::string(R"("_meta":null)"),
           std::string(R"("_meta":[])"),
           std::string(R"("_meta":7)"),
           std::string(R"("_meta":71)"),
           std::string(R"("_meta":"{}")"),
           std::string(R"("other":1)"),
           // No message.
           meta() + "x",
           meta() + "}",
           meta() + "]",
           meta() + ",",
           R"("_meta":{)" + common,
       }) {
    all.push_back(call(members));
  }
  all.push_back(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{)" + meta() +
                R"(,"name":"tell","arguments":{}}})");
  all.push_back("[" + call(meta()) + "]");
  all.push_back(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9,)" + meta() + "}}\n" +
                call(meta()));
  all.push_back(R"({"jsonrpc":"2.0","id":9,"result":{)" + meta() + "}}\n" + call(meta()));
  all.push_back(request("server/discover", meta()));
  all.push_back(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":[)" + meta() + "]}");
  all.push_back(R"({"jsonrpc":"2.0","id":1,"method":"tools/call"})");
  return all;
}

/// What the line is answered if it is the only one.
std::string answered_alone(Server& server, const std::string& line) { return Talk(server).ask(line); }

}  // namespace

BOOST_AUTO_TEST_CASE(each_line_is_answered_as_if_it_were_the_only_one) {
  Fixture fixture(ServerOptions{.threads = 0});
  const std::vector<std::string> all = lines();
  std::vector<std::string> alone;
  for (const std::string& line : all) alone.push_back(answered_alone(fixture.server, line));
  Talk talk(fixture.server);
  const auto check = [&](std::size_t which) { BOOST_REQUIRE_EQUAL(talk.ask(all[which]), alone[which]); };
  for (std::size_t first = 0; first < all.size(); ++first) {
    for (std::size_t second = 0; second < all.size(); ++second) {
      BOOST_TEST_CONTEXT(all[first] << "\n" << all[second]) {
        // One that is shared and then another; one that has come once and then another.
        for (const std::size_t which : {first, first, first, second}) check(which);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_tool_sees_what_was_sent) {
  Fixture fixture(ServerOptions{.threads = 0});
  Talk talk(fixture.server);
  int seen = 0;
  for (const std::string& line : lines()) {
    for (int i = 0; i < 4; ++i) {
      const std::string answer = talk.ask(line);
      if (answer.find("structuredContent") == std::string::npos || line.find('\n') != std::string::npos) continue;
      ++seen;
      BOOST_TEST(talk.structured().at("meta") == parse_json(line).at("params").at("_meta"), line);
    }
  }
  BOOST_TEST(seen >= 100);
}

BOOST_FIXTURE_TEST_CASE(a_call_that_goes_on_keeps_what_came_with_it, Fixture) {
  Talk talk(server);
  for (int i = 0; i < 4; ++i) {
    const std::string caller = "ann" + std::to_string(i / 2);
    for (int j = 0; j < 3; ++j) talk.ask(call(of(caller)));
    const std::string gate = "gate " + std::to_string(i);
    talk.tell(call(of(caller), "wait", R"({"name":")" + gate + R"("})"));
    gates.wait("began " + gate, {});
    for (int j = 0; j < 3; ++j) {
      talk.ask(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"tell","arguments":{},)" + of("bob") +
               "}}");
      BOOST_TEST(talk.caller() == "bob");
    }
    gates.open(gate);
    talk.answer();
    BOOST_TEST(talk.caller() == caller);
    BOOST_TEST(text_member(talk.structured().at("meta"), "caller") == caller);
  }
}

BOOST_FIXTURE_TEST_CASE(a_cancellation_with_the_same_metadata_reaches_its_call, Fixture) {
  Talk talk(server);
  for (int i = 0; i < 3; ++i) talk.ask(call(of("ann")));
  talk.tell(call(of("ann"), "wait", R"({"name":"never"})"));
  gates.wait("began never", {});
  talk.tell(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{)" + of("ann") + R"(,"requestId":1}})");
  BOOST_TEST(gates.wait("ended never", {}));
  talk.ask(call(of("bob")));
  BOOST_TEST(talk.caller() == "bob");
}

BOOST_FIXTURE_TEST_CASE(an_answer_to_a_question_comes_with_metadata_of_its_own, Fixture) {
  Talk talk(server);
  const std::string asks = R"("_meta":{)" + version + "," + client + "," + asked_abilities + R"(,"caller":"ann")";
  const auto retry = [&](const std::string& more) {
    std::string members = R"("inputResponses":{"sure":{"action":"accept","content":{"sure":true}}},"requestState":)" +
                          to_json_text(talk.result().at("requestState")) + ",";
    talk.ask(call(members + asks + more + "}", "ask"));
  };
  for (const std::string more : {R"()", R"(,"progressToken":3)", R"(,"vendor":1)", R"()"}) {
    for (int i = 0; i < 3; ++i) talk.ask(call(asks + "}", "ask"));
    BOOST_REQUIRE(talk.result().at("resultType") == "input_required");
    retry(more);
    BOOST_TEST(talk.structured().at("meta") == parse_json("{" + asks + more + "}}").at("_meta"));
    BOOST_TEST(talk.structured().at("progress") == (more.find("progress") != std::string::npos));
  }
}

BOOST_FIXTURE_TEST_CASE(behind_a_handshake_nothing_is_left_of_what_came_before, Fixture) {
  Talk talk(server);
  for (int i = 0; i < 4; ++i) talk.ask(call(of("ann")));
  BOOST_REQUIRE(talk.caller() == "ann");
  talk.ask(request("initialize", R"("protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"old",)"
                                 R"("version":"2"},"_meta":{"caller":"ann"})"));
  BOOST_REQUIRE(text_member(talk.result(), "protocolVersion") == "2025-11-25");
  talk.tell(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  talk.ask(call(R"("other":1)"));
  BOOST_TEST(talk.structured().at("meta") == Json(JsonObject{}));
  BOOST_TEST(talk.caller() == "");
  BOOST_TEST(talk.structured().at("client").at("name") == "old");
  talk.ask(call(R"("_meta":{"caller":"bob"})"));
  BOOST_TEST(talk.structured().at("meta") == (Json{{"caller", "bob"}}));
}

BOOST_FIXTURE_TEST_CASE(what_calls_share_may_be_copied_on_many_threads, Fixture) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> peers;
  for (int peer = 0; peer < 2; ++peer) {
    peers.emplace_back([this, peer, &wrong] {
      Talk talk(server);
      std::map<std::string, std::string> expected;
      for (int i = 0; i < 300; ++i) {
        const std::string id = std::to_string(i);
        const std::string caller = "peer " + std::to_string(peer) + " as " + std::to_string(i / 20);
        expected[id] = caller;
        talk.tell(R"({"jsonrpc":"2.0","id":)" + id +
                  R"(,"method":"tools/call","params":{"name":"copy","arguments":{},)" + of(caller) + "}}");
      }
      for (int i = 0; i < 300; ++i) {
        const Json answer = parse_json(talk.answer());
        const std::string id = to_json_text(answer.at("id"));
        const std::string text(answer.at("result").at("content").at(0).at("text").get_string());
        if (text != expected[id]) ++wrong;
      }
    });
  }
  for (std::thread& peer : peers) peer.join();
  BOOST_TEST(wrong == 0);
}

namespace {

/// Follows every request, with a span of its own.
class Following final : public Tracer {
 public:
  std::unique_ptr<RequestSpan> begin(const TracedRequest&) noexcept override { return std::make_unique<Span>(); }

 private:
  struct Span final : RequestSpan {
    TraceContext context() const override {
      return {.traceparent = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"};
    }
    void end(const RequestEnd&) noexcept override {}
  };
};

}  // namespace

BOOST_AUTO_TEST_CASE(followed_requests_are_answered_as_if_each_were_the_only_one) {
  Fixture fixture(ServerOptions{.threads = 0, .tracer = std::make_shared<Following>()});
  Talk talk(fixture.server);
  for (const std::string& line : lines()) {
    const std::string alone = answered_alone(fixture.server, line);
    for (int i = 0; i < 4; ++i) BOOST_REQUIRE_EQUAL(talk.ask(line), alone);
  }
}
