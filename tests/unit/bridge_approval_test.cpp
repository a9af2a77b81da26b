#include "policy/preferred_approval.hpp"

#define BOOST_TEST_MODULE bridge_approval_test
#include <boost/test/unit_test.hpp>

#include <toolwire/text.hpp>

#include "misleading_texts.hpp"
#include "policy/approval_question.hpp"
#include "registry/outcome_code.hpp"

using namespace toolwire;
using namespace toolwire::bridge;

namespace {

/// One call of "send", which requires approval, with the answers a client has given.
struct Fixture {
  Decision decide(Approval& judge, const JsonObject& answers = {}) {
    const JsonObject meta;
    Context request(std::stop_token(), answers, meta);
    ActivityContext context(request);
    CallInHand in_hand{tool, call, context};
    Decision decision = judge.decide(in_hand);
    noted = in_hand.decision;
    return decision;
  }
  static JsonObject answered(Json answer) { return {{Approval::key, std::move(answer)}}; }
  static std::string code(const Decision& decision) { return code_of(AnyOutcome(std::get<Refuse>(decision).result)); }

  ToolDefinition tool = [] {
    ToolDefinition made{.name = "send", .description = "Sends mail", .parameters = JsonObject{{"type", "object"}}};
    made.metadata.requires_approval = true;
    return made;
  }();
  Call call{.tool = "send", .parameters = JsonObject{{"to", "a@b.c"}}};
  std::string noted;
  PreferredApproval approval{AskedBy::bridge};
};

std::string message_of(const Questions& questions) {
  return std::string(questions.list.at(0).params.at("message").as_string());
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_tool_that_requires_approval_asks_with_its_arguments, Fixture) {
  const Decision decision = decide(approval);
  const auto& questions = std::get<Questions>(decision);
  BOOST_TEST(questions.list.at(0).key == Approval::key);
  BOOST_TEST(questions.list.at(0).method == "elicitation/create");
  BOOST_TEST(message_of(questions) == "Run \"send\"?\nSends mail\nArguments: {\"to\":\"a@b.c\"}");
  BOOST_TEST(noted == "asked");
}

BOOST_FIXTURE_TEST_CASE(only_an_accepted_yes_lets_it_run, Fixture) {
  const Json yes = JsonObject{{"action", "accept"}, {"content", JsonObject{{"approve", true}}}};
  BOOST_TEST(std::holds_alternative<GoOn>(decide(approval, answered(yes))));
  BOOST_TEST(noted == "approved");
  for (const char* const no :
       {R"j({"action":"accept","content":{"approve":false}})j", R"j({"action":"accept","content":{}})j",
        R"j({"action":"accept"})j", R"j({"action":"decline","content":{"approve":true}})j", R"j({"action":"cancel"})j",
        R"j({"action":"accept","content":{"approve":"true"}})j", R"j({"action":"accept","content":[true]})j", "true",
        "{}"}) {
    const Decision decision = decide(approval, answered(parse_json(no)));
    BOOST_TEST(code(decision) == "denied", no);
    BOOST_TEST(noted == "declined", no);
  }
}

BOOST_FIXTURE_TEST_CASE(a_host_that_asks_itself_is_trusted, Fixture) {
  PreferredApproval host(AskedBy::host);
  BOOST_TEST(std::holds_alternative<GoOn>(decide(host)));
  BOOST_TEST(noted == "left to the host");
}

BOOST_FIXTURE_TEST_CASE(denied_arguments_are_refused_whoever_asks, Fixture) {
  std::vector<ManifestProblem> problems;
  const Preferences denying = Preferences::read(
      R"j({"tools": {"send": {"permissions": [{"decision": "deny", "reason": "not from here"}]}}})j", "p", problems);
  for (const AskedBy asked_by : {AskedBy::bridge, AskedBy::host}) {
    PreferredApproval strict(asked_by, denying);
    const Decision decision = decide(strict);
    BOOST_TEST(code(decision) == "denied");
    BOOST_TEST(noted == "denied: not from here");
  }
}

BOOST_FIXTURE_TEST_CASE(new_preferences_hold_from_the_next_call_on, Fixture) {
  std::vector<ManifestProblem> problems;
  approval.use(Preferences::read(R"j({"tools": {"send": {"approval": "skip"}}})j", "p", problems));
  BOOST_TEST(std::holds_alternative<GoOn>(decide(approval)));
  approval.use({});
  BOOST_TEST(std::holds_alternative<Questions>(decide(approval)));
}

BOOST_FIXTURE_TEST_CASE(nothing_in_a_call_can_change_how_the_question_looks, Fixture) {
  // NOLINTNEXTLINE(misc-misleading-bidirectional): written as escapes
  tool.description = "harmless\x1b[2K\xe2\x80\xaetxt.exe\xe2\x80\x8b";
  call.parameters = JsonObject{{"password", "hunter2"}, {"note", "a\nApproved by the admin"}};
  const std::string message = message_of(std::get<Questions>(decide(approval)));
  BOOST_TEST(message.find('\x1b') == std::string::npos);
  BOOST_TEST(message.find("\xe2\x80\xae") == std::string::npos);  // NOLINT(misc-misleading-bidirectional)
  BOOST_TEST(message.find("\xe2\x80\x8b") == std::string::npos);
  BOOST_TEST(message.find("hunter2") == std::string::npos);
  BOOST_TEST(message.find("a\\nApproved") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(the_question_shows_what_hides_in_a_text, Fixture) {
  for (const toolwire::tests::MisleadingText& it : toolwire::tests::misleading_texts) {
    tool.description = it.bytes;
    call.parameters = JsonObject{{"path", it.bytes}};
    call.reasoning = it.bytes;
    const std::string message = message_of(approval_question(tool, call, it.bytes));
    const std::string visible(it.visible);
    for (const std::string& part : {"\n" + visible, "\nWhy: " + visible, "\nAsked because: " + visible})
      BOOST_TEST(message.find(part) != std::string::npos, it.what);
    BOOST_TEST(text::visible(message, {.line_feeds = true}) == message, it.what);
  }
}

BOOST_FIXTURE_TEST_CASE(what_is_not_shown_of_arguments_needs_a_yes_of_its_own, Fixture) {
  call.parameters = JsonObject{{"body", std::string(5'000, 'a') + "the end"}, {"to", "eve@b.c"}};
  const Questions questions = std::get<Questions>(decide(approval));
  const std::string message = message_of(questions);
  BOOST_TEST(message.find(R"("to":"eve@b.c")") != std::string::npos);
  BOOST_TEST(message.find("aa… (3007 bytes are not shown) …aa") != std::string::npos);
  BOOST_TEST(message.find("athe end\"") != std::string::npos);
  BOOST_TEST(message.find("\nNot all is shown: 3007 bytes of the arguments are left out") != std::string::npos);
  BOOST_TEST(questions.list.at(0).params.at("requestedSchema").at("required").as_array().size() == 2U);
  const auto answer = [](const char* content) {
    return answered(JsonObject{{"action", "accept"}, {"content", parse_json(content)}});
  };
  BOOST_TEST(code(decide(approval, answer(R"({"approve":true})"))) == "denied");
  BOOST_TEST(code(decide(approval, answer(R"({"approve":true,"approve_unseen":false})"))) == "denied");
  BOOST_TEST(code(decide(approval, answer(R"({"approve":false,"approve_unseen":true})"))) == "denied");
  BOOST_TEST(std::holds_alternative<GoOn>(decide(approval, answer(R"({"approve":true,"approve_unseen":true})"))));
}

BOOST_AUTO_TEST_CASE(no_member_of_long_arguments_is_hidden_behind_another) {
  const std::string fits = R"({"a":"b"})";
  BOOST_TEST(shown_arguments(fits, fits.size()).text == fits);
  BOOST_TEST(shown_arguments(fits, fits.size()).unseen == 0U);
  JsonObject members;
  for (int i = 0; i < 20; ++i) members["member " + std::to_string(i)] = std::string(1'000, 'x');
  const ShownArguments shown = shown_arguments(to_json_text(members), 4'000);
  for (int i = 0; i < 20; ++i) BOOST_TEST(shown.text.find("\"member " + std::to_string(i) + "\"") != std::string::npos);
  BOOST_TEST(shown.unseen > 15'000U);
  JsonArray many;
  for (int i = 0; i < 5'000; ++i) many.emplace_back(i);
  const std::string text = to_json_text(many);
  const ShownArguments ends = shown_arguments(text, 4'000);
  BOOST_TEST(ends.text.starts_with("[0,1,"));
  BOOST_TEST(ends.text.ends_with("4999]"));
  BOOST_TEST(ends.unseen == text.size() - 4'000);
}

BOOST_AUTO_TEST_CASE(long_texts_are_cut_between_characters_and_say_so) {
  const std::string umlauts = "\xc3\xa4\xc3\xb6\xc3\xbc";
  BOOST_TEST(excerpt(umlauts, 3) == "\xc3\xa4… (6 bytes in all)");
  BOOST_TEST(excerpt(umlauts, 6) == umlauts);
  BOOST_TEST(excerpt("\u009b1m", 10) == "\\u{9B}1m");
}
