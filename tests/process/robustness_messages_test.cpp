// The rest of the group robustness-input: where the input ends, and messages that are JSON and still not what they
// should be.
#define BOOST_TEST_MODULE robustness_messages_test
#include <boost/test/unit_test.hpp>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "rows.hpp"

using namespace toolwire_test;

namespace {

/// Processor time a process has used, in ticks of a hundredth of a second.
long ticks_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  std::istringstream fields(text.substr(text.rfind(')') + 2));
  std::string field;
  long user = 0;
  long system = 0;
  for (int i = 3; i < 14 && fields >> field; ++i) {
  }
  fields >> user >> system;
  return user + system;
}

void no_final_newline(Era era) {
  Conversation talk(era);
  talk.send_bytes(talk.call("1", "echo", R"({"text":"x"})"));
  BOOST_TEST(talk.end().code == 0);
  BOOST_TEST(talk.text_of("1") == "x");
}

void eof_mid_message(Era era) {
  Conversation talk(era);
  const std::string line = talk.call("1", "echo", R"({"text":"x"})");
  talk.send_bytes(line.substr(0, line.size() / 2));
  BOOST_TEST(talk.end().code == 0);
}

void eof_no_spin(Era era) {
  Conversation talk(era);
  talk.check_alive();
  const long before = ticks_of(talk.process().id());
  BOOST_TEST(!talk.process().wait_for(std::chrono::milliseconds(600)).has_value());
  BOOST_TEST(ticks_of(talk.process().id()) - before <= 3);
}

void multiple_types_of_id(Era era) {
  Conversation talk(era);
  for (const char* id : {"-1", "2147483648", "9007199254740991", "9007199254740993", "9223372036854775807",
                         "18446744073709551615", "\"\"", "\"0\""}) {
    talk.send(talk.request(id, "no/such"));
    BOOST_TEST(talk.code_of(id) == -32601);
  }
  const std::vector<const char*> illegal{"1.5", "true", "[]", "{}", "null"};
  for (const char* id : illegal) talk.send(talk.request(id, "no/such"));
  talk.check_alive();
  BOOST_TEST(talk.unaddressed() == std::vector<std::int64_t>(illegal.size(), -32600), boost::test_tools::per_element());
}

void id_format(Era era) {
  Conversation talk(era);
  for (const char* id : {"1000000", "12345678901", "1000000000000000000"}) {
    talk.send(talk.request(id, "no/such"));
    BOOST_TEST(talk.code_of(id) == -32601);
  }
}

void duplicate_inflight_id(Era era) {
  Conversation talk(era);
  talk.send(talk.call("1", "wait", R"({"gate":"a"})"));
  talk.send(talk.call("1", "wait", R"({"gate":"b"})"));
  BOOST_TEST(talk.code_of("1") == -32600);
  talk.send(talk.call("2", "open", R"({"gate":"a"})"));
  BOOST_TEST(talk.text_of("1") == "opened");
  talk.check_alive();
}

void id_reuse_sequential(Era era) {
  Conversation talk(era);
  for (int i = 0; i < 100; ++i) {
    talk.send(talk.call("1", "echo", "{\"text\":\"" + std::to_string(i) + "\"}"));
    BOOST_TEST(talk.text_of("1") == std::to_string(i));
  }
}

void params_positional(Era era) {
  Conversation talk(era);
  for (const char* method : {"ping", "tools/list", "tools/call", "initialize", "server/discover"}) {
    for (const char* params : {"[]", "[1]", "\"x\"", "5", "true"}) {
      talk.send(std::string(R"({"jsonrpc":"2.0","id":1,"method":")") + method + R"(","params":)" + params + "}");
      BOOST_TEST(talk.code_of("1") == -32602);
    }
  }
  talk.check_alive();
}

void params_null_absent(Era era) {
  Conversation talk(era);
  const bool legacy = era == Era::legacy;
  talk.send(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
  BOOST_TEST(talk.code_of("1") == (legacy ? 0 : -32602));
  talk.send(R"({"jsonrpc":"2.0","id":2,"method":"tools/list","params":null})");
  BOOST_TEST(talk.code_of("2") == (legacy ? 0 : -32602));
  talk.send(R"({"jsonrpc":"2.0","id":3,"method":"ping"})");
  BOOST_TEST(talk.code_of("3") == 0);
  talk.check_alive();
}

void unknown_methods_burst(Era era) {
  Conversation talk(era);
  const std::vector<std::string> methods{
      "", "rpc.x", "__proto__", std::string(10'000, 'x'), "\xe6\x97\xa5\xe6\x9c\xac", "tools/call/"};
  for (int i = 0; i < 300; ++i)
    talk.send(talk.request(std::to_string(i), methods[static_cast<std::size_t>(i) % methods.size()]));
  for (int i = 0; i < 300; ++i) BOOST_TEST(talk.code_of(std::to_string(i)) == -32601);
}

/// Lines that are to be passed over in silence.
void are_silent(Era era, const std::vector<std::string>& lines) {
  Conversation talk(era);
  for (const std::string& line : lines) talk.send(line);
  talk.check_alive();
  BOOST_TEST(talk.unaddressed().empty());
  BOOST_TEST(talk.answers_kept() == (era == Era::legacy ? 1u : 0u));  // that of the handshake
  BOOST_TEST(talk.others().empty());
}

void unknown_notifications(Era era) {
  are_silent(era, {R"({"jsonrpc":"2.0","method":"notifications/foo"})", R"({"jsonrpc":"2.0","method":""})",
                   R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":[]})",
                   R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}})",
                   R"({"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo","arguments":{"text":"x"}}})"});
}

void response_to_nothing(Era era) {
  are_silent(
      era,
      {R"({"jsonrpc":"2.0","id":99,"result":{}})", R"({"jsonrpc":"2.0","id":99,"error":{"code":1,"message":"x"}})",
       R"({"jsonrpc":"2.0","id":null,"result":{}})", R"({"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}})",
       R"({"jsonrpc":"2.0","id":"99","result":5})"});
}

void request_and_response_hybrid(Era era) {
  Conversation talk(era);
  talk.send(R"({"jsonrpc":"2.0","id":1,"method":"ping","result":{}})");
  BOOST_TEST(talk.code_of("1") == -32600);
  talk.check_alive();
}

/// Lines that are answered by errors without an id, or not at all; what comes after them is served.
void are_survived(Era era, const std::vector<std::string>& lines) {
  Conversation talk(era);
  for (const std::string& line : lines) talk.send(line);
  talk.check_alive();
  BOOST_TEST(talk.unaddressed().size() <= lines.size());
  talk.check_alive();
  BOOST_TEST(talk.end().code == 0);
}

void case_and_extra_members(Era era) {
  are_survived(era, {R"({"jsonrpc":"2.0","ID":1,"Method":"ping"})", R"({"JSONRPC":"2.0","id":1,"method":"ping"})"});
}
void concatenated_json(Era era) {
  are_survived(era,
               {R"({"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"})", "{}{}", "[][]"});
}
void pretty_printed_input(Era era) {
  are_survived(era, {"{", "  \"jsonrpc\": \"2.0\",", "  \"id\": 1,", "  \"method\": \"ping\"", "}"});
}
void http_or_lsp_input(Era era) {
  are_survived(era, {"GET / HTTP/1.1\r", "Host: x\r", "\r", "Content-Length: 20\r", "\r", "POST /mcp HTTP/1.1\r"});
}

const Row rows[] = {
    {"rb-no-final-newline", no_final_newline},
    {"rb-eof-mid-message", eof_mid_message},
    {"rb-eof-no-spin", eof_no_spin},
    {"rb-multiple-types-of-id", multiple_types_of_id},
    {"rb-id-1000000-format", id_format},
    {"rb-duplicate-inflight-id", duplicate_inflight_id},
    {"rb-id-reuse-sequential", id_reuse_sequential},
    {"rb-params-positional", params_positional},
    {"rb-params-null-absent", params_null_absent},
    {"rb-unknown-methods-burst", unknown_methods_burst},
    {"rb-unknown-notifications", unknown_notifications},
    {"rb-response-to-nothing", response_to_nothing},
    {"rb-request-and-response-hybrid", request_and_response_hybrid},
    {"rb-case-and-extra-members", case_and_extra_members},
    {"rb-concatenated-json", concatenated_json},
    {"rb-pretty-printed-input", pretty_printed_input},
    {"rb-http-or-lsp-input", http_or_lsp_input},
};

const bool registered = register_rows(rows);

}  // namespace
