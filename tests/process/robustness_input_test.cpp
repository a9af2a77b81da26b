// The rows of the group robustness-input: whatever comes in, the server neither ends nor falls out of step.
#define BOOST_TEST_MODULE robustness_input_test
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "rows.hpp"

using namespace toolwire_test;

namespace {

using Lines = std::vector<std::string>;

std::string repeated(std::size_t count, const std::string& text) {
  std::string all;
  all.reserve(count * text.size());
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

std::string nested(std::size_t depth) { return repeated(depth, "[") + repeated(depth, "]"); }

/// Sends lines that no answer with an id belongs to; each is answered by an error with this code, without an id.
void each_is_refused(Era era, const Lines& lines, std::int64_t code) {
  Conversation talk(era);
  for (const std::string& line : lines) talk.send(line);
  talk.check_alive();
  BOOST_TEST(talk.unaddressed() == std::vector<std::int64_t>(lines.size(), code), boost::test_tools::per_element());
  BOOST_TEST(talk.end().code == 0);
}

/// What a tool says back of a JSON text given as its argument.
std::string echoed(Conversation& talk, const std::string& value) {
  talk.send(talk.call("\"echo\"", "echo_json", R"({"value":)" + value + "}"));
  return talk.text_of("\"echo\"");
}

void parse_error_recovery(Era era) {
  each_is_refused(era,
                  {"{", "}", R"({"a":)", "[1,2", "abc", "nul", R"({"jsonrpc":"2.0",,})", "{'jsonrpc':'2.0'}",
                   R"({"a":1} // x)", R"({"a":1,})", "NaN", "Infinity", "-", "\"", "/* */ {}"},
                  -32700);
}

void parse_error_many(Era era) { each_is_refused(era, Lines(1000, "{"), -32700); }

void invalid_utf8(Era era) {
  each_is_refused(era,
                  {"\xff\xfe", "{\"a\":\"\xc0\x80\"}", "{\"a\":\"\xe2\x82\"}", "{\"a\":\"\xed\xa0\x80\"}",
                   "{\"a\":\"\xf8\x88\x80\x80\x80\"}"},
                  -32700);
}

void lone_surrogate_escape(Era era) {
  Conversation talk(era);
  for (const char* escape : {"\\ud83d", "\\udc00", "\\ude00\\ud83d", "x\\ud83dy"}) {
    talk.send(talk.call("1", "echo", std::string(R"({"text":")") + escape + "\"}"));
    BOOST_TEST(talk.text_of("1").find("\xef\xbf\xbd") != std::string::npos);
  }
  talk.send(talk.request(R"("\ud83d")", "no/such"));
  talk.check_alive();
  BOOST_TEST(talk.answers_kept() == (era == Era::legacy ? 2u : 1u));  // that of the handshake is the other one
}

void nul_escape(Era era) {
  Conversation talk(era);
  talk.send(talk.call("\"a\\u0000b\"", "echo", R"({"text":"a\u0000b"})"));
  BOOST_TEST(talk.text_of("\"a\\u0000b\"") == std::string("a\0b", 3));
  talk.send(talk.request("1", "tools/list\\u0000x"));
  BOOST_TEST(talk.code_of("1") == -32601);
}

void raw_nul_byte(Era era) {
  const std::string nul(1, '\0');
  each_is_refused(era, {nul, nul + nul, "{\"a\":\"" + nul + "\"}", "{" + nul + "}"}, -32700);
}

void raw_control_chars(Era era) {
  each_is_refused(era, {"{\"a\":\"\t\"}", "{\"a\":\"\x01\"}", "{\"a\":\"\x1b\"}"}, -32700);
}

void line_separators(Era era) {
  Conversation talk(era);
  const std::string odd = "\xe2\x80\xa8\xe2\x80\xa9\xc2\x85";
  talk.send(talk.call("\"" + odd + "\"", "echo", "{\"text\":\"" + odd + "\"}"));
  BOOST_TEST(talk.text_of("\"" + odd + "\"") == odd);
  talk.send(talk.request("2", "tools/list" + odd));
  BOOST_TEST(talk.code_of("2") == -32601);
}

void deep_nesting(Era era) {
  Conversation talk(era);
  for (std::size_t depth : {1'000u, 10'000u, 100'000u, 1'000'000u}) {
    talk.send(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":)" + nested(depth) + "}");
    BOOST_TEST(talk.code_of("1") == -32700);
    talk.send(R"({"jsonrpc":"2.0","id":2,"method":"ping","params":)" + repeated(depth, R"({"a":)") + "1" +
              repeated(depth, "}") + "}");
    BOOST_TEST(talk.code_of("2") == -32700);
    talk.send(repeated(depth, "["));
  }
  talk.check_alive();
  BOOST_TEST(talk.unaddressed().size() == 4u);
}

void deep_nesting_argument(Era era) {
  Conversation talk(era);
  talk.send(talk.call("1", "echo_json", R"({"value":)" + nested(5000) + "}"));
  BOOST_TEST(talk.code_of("1") == -32700);
  const std::string deepest = nested(100);
  BOOST_TEST(echoed(talk, deepest) == R"({"value":)" + deepest + "}");
}

void huge_numbers(Era era) {
  Conversation talk(era);
  for (const std::string& number :
       {std::string("1e400"), std::string("-1e400"), "1" + repeated(400, "0"), repeated(1'000'000, "9")}) {
    talk.send(talk.call("1", "echo_json", R"({"value":)" + number + "}"));
    BOOST_TEST(talk.code_of("1") == -32700);
  }
  BOOST_TEST(echoed(talk, "1e-400") == R"({"value":0})");
  BOOST_TEST(echoed(talk, "-0.0") == R"({"value":-0.0})");
  BOOST_TEST(echoed(talk, "1E+2") == R"({"value":100})");
  BOOST_TEST(echoed(talk, "0.1") == R"({"value":0.1})");
}

void int_precision(Era era) {
  Conversation talk(era);
  for (const std::string number :
       {"9007199254740993", "18446744073709551615", "-9223372036854775808", "9223372036854775807"}) {
    BOOST_TEST(echoed(talk, number) == R"({"value":)" + number + "}");
  }
}

void duplicate_keys(Era era) {
  each_is_refused(
      era,
      {R"({"jsonrpc":"2.0","id":1,"id":2,"method":"ping"})", R"({"jsonrpc":"2.0","id":1,"method":"ping","method":"x"})",
       R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{},"params":{}})"},
      -32600);
  Conversation talk(era);
  talk.send(talk.call("1", "echo", R"({"text":"first","text":"last"})"));
  BOOST_TEST(talk.text_of("1") == "last");
}

void proto_keys(Era era) {
  Conversation talk(era);
  for (const std::string key : {"__proto__", "constructor", "toString", "hasOwnProperty"}) {
    BOOST_TEST(echoed(talk, "{\"" + key + "\":{}}") == "{\"value\":{\"" + key + "\":{}}}");
    talk.send(talk.call("1", key));
    BOOST_TEST(talk.code_of("1") == -32602);
    talk.send(talk.request("2", key));
    BOOST_TEST(talk.code_of("2") == -32601);
    talk.send(talk.call("3", "echo", R"({"text":"x"})", "\"" + key + "\":1"));
    BOOST_TEST(talk.text_of("3") == "x");
    talk.send(talk.request("4", "tools/list", "\"" + key + "\":1"));
    BOOST_TEST(talk.code_of("4") == 0);
  }
}

void huge_line(Era era) {
  Conversation talk(era);
  for (std::size_t size : {std::size_t{1} << 20, std::size_t{10} << 20, std::size_t{64} << 20}) {
    talk.send(talk.call("1", "echo", "{\"text\":\"" + std::string(size, 'x') + "\"}"));
    BOOST_TEST(talk.text_of("1").size() == size);
  }
  talk.send(talk.call("2", "echo", "{\"text\":\"" + std::string(std::size_t{81} << 20, 'x') + "\"}"));
  BOOST_TEST(talk.code_of("2") == -32600);
  talk.check_alive();
}

void line_over_64k(Era era) {
  Conversation talk(era);
  const std::size_t around = talk.call("1", "echo", R"({"text":""})").size();
  for (std::size_t length : {65'530u, 65'535u, 65'536u, 65'537u, 131'073u}) {
    talk.send(talk.call("1", "echo", "{\"text\":\"" + std::string(length - around, 'x') + "\"}"));
    BOOST_TEST(talk.text_of("1").size() == length - around);
  }
}

void huge_string_method(Era era) {
  Conversation talk(era);
  const std::string long_text(1 << 20, 'm');
  talk.send(talk.request("1", long_text));
  BOOST_TEST(talk.code_of("1") == -32601);
  talk.send(talk.request("\"" + long_text + "\"", "no/such"));
  BOOST_TEST(talk.code_of("\"" + long_text + "\"") == -32601);
}

void many_keys(Era era) {
  Conversation talk(era);
  std::string members;
  for (int i = 0; i < 100'000; ++i) members += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":" + std::to_string(i);
  talk.send(talk.request("1", "tools/list", members));
  BOOST_TEST(talk.code_of("1") == 0);
  talk.send(talk.call("2", "echo", "{" + members + "}"));
  BOOST_TEST(talk.code_of("2") == 0);
  BOOST_TEST(echoed(talk, "{" + members + "}").size() > members.size());
}

void split_byte_by_byte(Era era) {
  Conversation talk(era);
  const std::string line = talk.call("1", "echo", "{\"text\":\"\xe2\x98\x83 \\u2603 \\\\\"}") + "\n";
  for (char byte : line) talk.send_bytes(std::string(1, byte));
  BOOST_TEST(talk.text_of("1") == "\xe2\x98\x83 \xe2\x98\x83 \\");
}

void coalesced_messages(Era era) {
  Conversation talk(era);
  std::string all;
  for (int i = 0; i < 500; ++i) all += talk.request(std::to_string(i), "tools/list") + "\n";
  talk.send_bytes(all);
  for (int i = 0; i < 500; ++i) BOOST_TEST(talk.code_of(std::to_string(i)) == 0);
}

void partial_then_rest(Era era) {
  Conversation talk(era);
  const std::string second = talk.call("2", "echo", R"({"text":"second"})") + "\n";
  talk.send_bytes(talk.call("1", "echo", R"({"text":"first"})") + "\n" + second.substr(0, second.size() / 2));
  BOOST_TEST(talk.text_of("1") == "first");
  talk.send_bytes(second.substr(second.size() / 2));
  BOOST_TEST(talk.text_of("2") == "second");
}

/// The same call with other bytes around it.
void surrounded(Era era, const std::string& before, const std::string& after) {
  Conversation talk(era);
  for (const char* id : {"1", "2"}) {
    talk.send_bytes(before + talk.call(id, "echo", R"({"text":"x"})") + after);
    BOOST_TEST(talk.text_of(id) == "x");
  }
  BOOST_TEST(talk.unaddressed().empty());
}

void crlf(Era era) { surrounded(era, "", "\r\n"); }
void blank_lines(Era era) { surrounded(era, "\n\r\n   \n\t\n", "\n\n"); }
void leading_whitespace(Era era) { surrounded(era, "  \t", "\t  \n"); }

void bom(Era era) {
  Conversation talk(era);
  talk.send("\xef\xbb\xbf" + talk.request("1", "tools/list"));
  talk.check_alive();
  BOOST_TEST(talk.answers_kept() + talk.unaddressed().size() >= 1u);
}

/// Every line that is read is checked for these; here they are asked for on purpose.
void clean_output(Era era) {
  toolwire::ChildProcess process(fixture_program());
  Conversation talk(era);
  const std::string line = talk.request("1", era == Era::modern ? "tools/list" : "ping") + "\n";
  process.transport().write(line.data(), line.size(), toolwire::Transport::Blocking::yes);
  process.close_input();
  std::string output;
  char byte = 0;
  while (process.transport().read(&byte, 1) == 1) output.push_back(byte);
  BOOST_TEST(output.front() == '{');
  BOOST_TEST(output.find('\r') == std::string::npos);
  BOOST_TEST(output.find('\n') == output.size() - 1);
}

const Row rows[] = {
    {"rb-parse-error-recovery", parse_error_recovery},
    {"rb-parse-error-many", parse_error_many},
    {"rb-invalid-utf8", invalid_utf8},
    {"rb-lone-surrogate-escape", lone_surrogate_escape},
    {"rb-nul-escape", nul_escape},
    {"rb-raw-nul-byte", raw_nul_byte},
    {"rb-raw-control-chars", raw_control_chars},
    {"rb-line-separators", line_separators},
    {"rb-deep-nesting", deep_nesting},
    {"rb-deep-nesting-argument", deep_nesting_argument},
    {"rb-huge-numbers", huge_numbers},
    {"rb-int-precision", int_precision},
    {"rb-duplicate-keys", duplicate_keys},
    {"rb-proto-keys", proto_keys},
    {"rb-huge-line", huge_line},
    {"rb-line-over-64k", line_over_64k},
    {"rb-huge-string-method", huge_string_method},
    {"rb-many-keys", many_keys},
    {"rb-split-byte-by-byte", split_byte_by_byte},
    {"rb-coalesced-messages", coalesced_messages},
    {"rb-partial-then-rest", partial_then_rest},
    {"rb-crlf", crlf},
    {"rb-blank-lines", blank_lines},
    {"rb-leading-whitespace", leading_whitespace},
    {"rb-bom", bom},
    {"rb-bom-output", clean_output},
    {"rb-crlf-output", clean_output},
};

const bool registered = register_rows(rows);

}  // namespace
