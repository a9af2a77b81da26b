// The rows of the group robustness-protocol that concern a server of tools; those about resources, templates and
// completion are in robustness_resources_test.cpp.
#define BOOST_TEST_MODULE robustness_protocol_test
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "rows.hpp"

using namespace toolwire_test;

namespace {

std::string initialize(const std::string& id, const std::string& capabilities = "{}",
                       const std::string& info = R"({"name":"c","version":"1"})") {
  return R"({"jsonrpc":"2.0","id":)" + id +
         R"(,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":)" + capabilities +
         R"(,"clientInfo":)" + info + "}}";
}

void legacy_init_storm(Era era) {
  Conversation talk(era);
  const std::string initialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
  for (int i = 0; i < 20; ++i) {
    talk.send(initialized);
    talk.send(initialize(std::to_string(i)));
    talk.send(talk.request("\"between\"", "tools/list"));
    BOOST_TEST(talk.code_of("\"between\"") == 0);
    talk.send(initialized);
    talk.send(initialized);
    BOOST_TEST(talk.code_of(std::to_string(i)) == 0);
  }
  talk.check_alive();
}

void modern_on_legacy(Era era) {
  Conversation talk(era);
  talk.send(
      R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
      R"("io.modelcontextprotocol/clientCapabilities":{}}}})");
  BOOST_TEST(talk.answer("1").at("result").at("resultType") == "complete");
  talk.check_alive();
}

void extra_params(Era era) {
  Conversation talk(era);
  talk.send(talk.request("1", "tools/list", R"("x":1)"));
  BOOST_TEST(talk.code_of("1") == 0);
  talk.send(talk.request("2", "tools/call", R"("x":1,"name":"echo","arguments":{"text":"t"})"));
  BOOST_TEST(talk.text_of("2") == "t");
  if (era == Era::modern) {
    talk.send(talk.request("3", "server/discover", R"("x":1)"));
    BOOST_TEST(talk.code_of("3") == 0);
  } else {
    talk.send(talk.request("3", "ping", R"("x":1)"));
    BOOST_TEST(talk.code_of("3") == 0);
  }
}

void future_capabilities(Era era) {
  Conversation talk(era);
  talk.send(initialize("1", R"({"sampling":true,"future":null,"elicitation":[]})"));
  BOOST_TEST(talk.code_of("1") == 0);
  talk.check_alive();
}

void clientinfo_variants(Era era) {
  Conversation talk(era);
  const std::vector<std::string> variants{R"({"name":"","version":""})",
                                          "{\"name\":\"" + std::string(10'000, 'n') + "\",\"version\":\"1\"}",
                                          R"({"name":"c","version":"1","icons":[{"src":"x"}],"extra":{}})"};
  for (const std::string& info : variants) {
    talk.send(initialize("1", "{}", info));
    BOOST_TEST(talk.code_of("1") == 0);
  }
  talk.check_alive();
}

void tool_name_attacks(Era era) {
  Conversation talk(era);
  for (const std::string& name :
       {std::string(), std::string("../x"), std::string(10'000, 'x'), std::string("a\\u0000b"),
        std::string("\xf0\x9f\x98\x80"), std::string("constructor"), std::string("echo\\n")}) {
    talk.send(talk.call("1", name));
    BOOST_TEST(talk.code_of("1") == -32602);
  }
  talk.check_alive();
}

void regex_redos(Era era) {
  Conversation talk(era);
  talk.send(talk.call("1", "match", "{\"word\":\"" + std::string(100'000, 'a') + "\"}"));
  BOOST_TEST(talk.text_of("1") == "100000");
  talk.send(talk.call("2", "match", "{\"word\":\"" + std::string(100'000, 'a') + "!\"}"));
  BOOST_TEST(talk.answer("2").at("result").at("isError") == true);
}

std::string listen(const Conversation& talk, const std::string& id) {
  return talk.request(id, "subscriptions/listen", R"("notifications":{"toolsListChanged":true})");
}

void listen_many(Era era) {
  if (era == Era::legacy) return;
  Conversation talk(era, fixture_program(R"({"limits":{"listens":1000}})"));
  for (int i = 0; i < 1000; ++i) talk.send(listen(talk, std::to_string(i)));
  talk.send(listen(talk, "1000"));
  BOOST_TEST(talk.code_of("1000") == -32603);
  BOOST_TEST(talk.others().size() == 1000u);
  for (int i = 0; i < 1000; ++i)
    talk.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + std::to_string(i) +
              "}}");
  talk.send(listen(talk, "\"again\""));
  talk.check_alive();
  BOOST_TEST(talk.others().size() == 1001u);
  BOOST_TEST(talk.end().code == 0);
  BOOST_TEST(talk.answers_kept() == 1u);  // of the one that was still open
}

void listen_duplicate_id(Era era) {
  if (era == Era::legacy) return;
  Conversation talk(era);
  talk.send(listen(talk, "1"));
  talk.send(listen(talk, "1"));
  BOOST_TEST(talk.code_of("1") == -32600);
  talk.send(talk.call("2", "grow", R"({"name":"new"})"));
  BOOST_TEST(talk.text_of("2") == "new");
  talk.check_alive();
  BOOST_TEST(talk.others().size() == 2u);  // one acknowledgement, one change
}

void version_type_confusion(Era era) {
  if (era == Era::legacy) return;
  Conversation talk(era);
  auto code_for = [&](const std::string& version) {
    talk.send(
        R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":)" +
        version + R"(,"io.modelcontextprotocol/clientCapabilities":{}}}})");
    return talk.code_of("1");
  };
  for (const char* version : {"[]", "{}", "null", "5", "true", R"(["2026-07-28"])"})
    BOOST_TEST(code_for(version) == -32602);
  for (const std::string& version :
       {std::string("\"\""), "\"" + std::string(1 << 20, '2') + "\"", std::string("\"2026-07-28\\u0000\"")}) {
    BOOST_TEST(code_for(version) == -32022);
  }
  talk.check_alive();
}

void mrtr_state_attacks(Era era) {
  if (era == Era::legacy) return;
  Conversation talk(era);
  const std::string bomb(10 << 20, 'A');
  for (const std::string& state :
       {std::string("\"" + bomb + "\""), std::string(R"("!!")"), std::string(R"("eyJhbGciOiJub25lIn0.e30.")"),
        std::string("{}"), std::string("[[[[[[]]]]]]"), std::string("\"\\u0000\"")}) {
    talk.send(talk.request("1", "tools/call", R"("name":"ask","arguments":{"target":"x"},"requestState":)" + state));
    BOOST_TEST(talk.code_of("1") == -32602);
  }
  talk.check_alive();
}

/// What the tool `ask` makes of an answer, given as the era requires. `question` is the number of the server's request.
std::string text_after(Conversation& talk, Era era, int question, const std::string& answer) {
  std::string call = talk.call("1", "ask", R"({"target":"x"})");
  const std::size_t heard = talk.others().size();
  talk.send(call);
  if (era == Era::legacy) {
    while (talk.others().size() == heard && talk.read_one()) {
    }
    talk.send(R"({"jsonrpc":"2.0","id":)" + std::to_string(question) + R"(,"result":)" + answer + "}");
  } else {
    const std::string state(std::string_view(talk.answer("1").at("result").at("requestState").as_string()));
    call.insert(call.size() - 2, R"(,"requestState":")" + state + R"(","inputResponses":{"confirm":)" + answer + "}");
    talk.send(call);
  }
  return talk.text_of("1");
}

void elicitation_answer_attacks(Era era) {
  Conversation talk(era);
  const std::string huge(1 << 20, 'h');
  auto ask = [&](int question, const std::string& answer) { return text_after(talk, era, question, answer); };
  BOOST_TEST(ask(1, "{\"action\":\"accept\",\"content\":{\"sure\":true,\"note\":\"" + huge + "\"}}").size() >
             huge.size());
  BOOST_TEST(ask(2, R"({"action":"accept","content":{"sure":true,"extra":1}})").find("extra") != std::string::npos);
  BOOST_TEST(ask(3, R"({"action":"accept","content":{"sure":true,"__proto__":{}}})").find("__proto__") !=
             std::string::npos);
  BOOST_TEST(ask(4, R"({"action":"decline","__proto__":{}})") == "x: declined");
  talk.check_alive();
}

const Row rows[] = {
    {"rb-legacy-init-storm", legacy_init_storm},
    {"rb-modern-on-legacy", modern_on_legacy},
    {"rb-extra-params-all-methods", extra_params},
    {"rb-future-capabilities", future_capabilities},
    {"rb-clientinfo-variants", clientinfo_variants},
    {"rb-tool-name-attacks", tool_name_attacks},
    {"rb-regex-redos", regex_redos},
    {"rb-listen-many", listen_many},
    {"rb-listen-duplicate-id", listen_duplicate_id},
    {"rb-version-type-confusion", version_type_confusion},
    {"rb-mrtr-state-attacks", mrtr_state_attacks},
    {"rb-elicitation-answer-attacks", elicitation_answer_attacks},
};

const bool registered = register_rows(rows);

}  // namespace
