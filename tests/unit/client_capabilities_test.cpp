// A client declares what it has functions for, and answers with them.
#include <toolwire/testing.hpp>

#define BOOST_TEST_MODULE client_capabilities_test
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace toolwire;

namespace {

struct Form {
  bool sure = false;
  static constexpr auto describe() { return fields(field<&Form::sure>("Whether it is meant")); }
};

std::string abilities(Context& context) {
  std::string list;
  if (context.can_ask(ask<Form>("form", "Sure?"))) list += "forms ";
  if (context.can_ask(ask_model("model", "Say it"))) list += "model ";
  if (context.can_ask(ask_roots("roots"))) list += "roots ";
  return list;
}

Outcome<std::string> said_by_model(Context& context) {
  const auto answer = context.model_answer("model");
  if (!answer) return ask_model("model", "Say it");
  return answer->accepted() ? answer->value->text() : "refused";
}

Outcome<std::string> named_roots(Context& context) {
  const auto answer = context.roots("roots");
  if (!answer) return ask_roots("roots");
  std::string names;
  for (const Root& root : answer->value.value_or(std::vector<Root>{})) names += root.uri + "=" + root.name + ";";
  return names;
}

struct Asking {
  Asking() {
    server.tool("abilities", "", abilities);
    server.tool("model", "", said_by_model);
    server.tool("roots", "", named_roots);
  }
  std::string call(const char* tool, ClientOptions options, const char* revision) {
    options.revision = revision;
    testing::Client client(server, options);
    return client.call(tool).text();
  }
  Server server{{"asking", "1"}};
};

ElicitationReply say_no(const Elicitation&) { return {.action = ElicitationReply::Action::decline}; }
Json say_hello(const Json& params) {
  const char* const text = params.at("messages").is_array() ? "hello" : "there are no messages";
  return {{"role", "assistant"}, {"model", "m"}, {"content", {{"type", "text"}, {"text", text}}}};
}
std::vector<Root> two_roots() { return {{"file:///a", "A"}, {"file:///b", ""}}; }

const std::vector<const char*> revisions{"2025-06-18", "2025-11-25", "2026-07-28"};

}  // namespace

BOOST_FIXTURE_TEST_CASE(what_has_a_function_is_declared_and_nothing_else, Asking) {
  for (const char* const revision : revisions) {
    BOOST_TEST_CONTEXT(revision) {
      BOOST_TEST(call("abilities", {}, revision) == "");
      BOOST_TEST(call("abilities", {.on_elicitation = say_no}, revision) == "forms ");
      BOOST_TEST(call("abilities", {.on_sampling = say_hello}, revision) == "model ");
      BOOST_TEST(call("abilities", {.on_roots = two_roots}, revision) == "roots ");
      BOOST_TEST(call("abilities", {.on_sampling = say_hello, .on_roots = two_roots}, revision) == "model roots ");
    }
  }
}

BOOST_FIXTURE_TEST_CASE(the_functions_answer, Asking) {
  for (const char* const revision : revisions) {
    BOOST_TEST_CONTEXT(revision) {
      BOOST_TEST(call("model", {.on_sampling = say_hello}, revision) == "hello");
      BOOST_TEST(call("roots", {.on_roots = two_roots}, revision) == "file:///a=A;file:///b=;");
    }
  }
}

BOOST_FIXTURE_TEST_CASE(a_model_that_refuses_is_heard_by_the_tool, Asking) {
  const auto refuse = [](const Json&) -> Json { throw ProtocolError(-1, "The user says no"); };
  BOOST_TEST(call("model", {.on_sampling = refuse}, "2025-11-25") == "refused");
}

BOOST_FIXTURE_TEST_CASE(what_is_declared_by_hand_stands, Asking) {
  const ClientOptions options{.capabilities = {{"sampling", {{"tools", JsonObject{}}}}}, .on_sampling = say_hello};
  ClientOptions named = options;
  named.revision = "2025-11-25";
  bool knows_tools = false;
  server.tool("model_with_tools", "", [&](Context& context) {
    knows_tools = context.can_ask(ask_model("m", {.messages = {ModelMessage::user("x")}, .tools = {{"t", "T"}}}));
  });
  testing::Client(server, named).call("model_with_tools");
  BOOST_TEST(knows_tools);
}
