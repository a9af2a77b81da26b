// Lines that are no messages, and messages that come as nobody expects: each before the right answer to the main
// request.
#include <array>

#include "play/cases.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::size_t huge = std::size_t{4} << 20;
constexpr std::size_t deep = 20000;

/// The bytes, whether the host still hears, and the right answer.
void bytes_before_answer(Stage& stage, std::string_view bytes) {
  const Message main = stage.stimulus();
  stage.write(bytes);
  stage.probe();
  stage.answer(main);
  stage.finish();
}

void banner(Stage& stage) {
  stage.note(note::stimulus);
  stage.write("Played server 1.0 is running\n");
  const Message main = stage.await(stage.settings().main);
  stage.probe();
  stage.answer(main);
  stage.finish();
}

void byte_order_mark(Stage& stage) {
  stage.note(note::stimulus);
  stage.write("\xEF\xBB\xBF");
  const Message main = stage.await(stage.settings().main);
  stage.probe();
  stage.answer(main);
  stage.finish();
}

void foreign_line(Stage& stage) { bytes_before_answer(stage, "DEBUG: called the tool\n"); }
void coloured_line(Stage& stage) { bytes_before_answer(stage, "\x1b[32minfo\x1b[0m called {\"a\": 1}\n"); }
void empty_lines(Stage& stage) { bytes_before_answer(stage, "\n\n  \n"); }
void broken_json(Stage& stage) { bytes_before_answer(stage, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\n"); }
void scalars(Stage& stage) { bytes_before_answer(stage, "7\n\"text\"\nnull\ntrue\n"); }
void empty_array(Stage& stage) { bytes_before_answer(stage, "[]\n[1]\n"); }
void empty_object(Stage& stage) { bytes_before_answer(stage, "{}\n{\"jsonrpc\":\"2.0\"}\n"); }
void twice_named(Stage& stage) {
  bytes_before_answer(stage, R"({"jsonrpc":"2.0","method":"notifications/message","method":"toolwire/unknown"})"
                             "\n");
}

void invalid_bytes(Stage& stage) {
  bytes_before_answer(
      stage,
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\""
      "\xff\xfe\xc3\"}}\n");
}

void lone_surrogate(Stage& stage) {
  bytes_before_answer(
      stage,
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\""
      "\\ud800 and \\udc00\"}}\n");
}

void zero_bytes(Stage& stage) { bytes_before_answer(stage, std::string_view("\0\0\0\n", 4)); }

void deep_nesting(Stage& stage) {
  bytes_before_answer(stage,
                      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\","
                      "\"data\":" +
                          std::string(deep, '[') + std::string(deep, ']') + "}}\n");
}

void long_foreign_line(Stage& stage) { bytes_before_answer(stage, std::string(huge, 'x') + "\n"); }

/// A correct answer that is long.
void long_answer(Stage& stage) {
  const Message main = stage.stimulus();
  Json answer = stage.served().response_to(main);
  answer.as_object()["result"].as_object()["_meta"].emplace_object()["toolwire/long"] = std::string(huge, 'x');
  stage.send(answer);
  stage.note(note::answered);
  stage.probe();
  stage.finish();
}

/// The answer with characters of two, three and four bytes in its texts.
std::string accented_answer(Stage& stage, const Message& main) {
  std::string line = to_json_text(stage.served().response_to(main)) + "\n";
  for (const std::string_view right : {answer_marker, listed_marker}) {
    const std::size_t at = line.find(right);
    if (at != std::string::npos) line.insert(at + right.size(), " é€𐍈é€𐍈é€𐍈é€𐍈");
  }
  return line;
}

/// Seven bytes at a time, with a pause in the middle of each character that is cut.
void pieces(Stage& stage) {
  const Message main = stage.stimulus();
  const std::string line = accented_answer(stage, main);
  for (std::size_t at = 0; at < line.size(); at += 7) {
    stage.write(std::string_view(line).substr(at, 7));
    const bool is_cut = at + 7 < line.size() && (static_cast<unsigned char>(line[at + 7]) & 0xC0U) == 0x80U;
    if (is_cut || at % 70 == 0) stage.serve_for(std::chrono::milliseconds{is_cut ? 5 : 1});
  }
  stage.note(note::answered);
  stage.probe();
  stage.finish();
}

/// Three messages and half of a fourth in one write.
void joined(Stage& stage) {
  const Message main = stage.stimulus();
  const std::string log = to_json_text(notification("notifications/message", {{"level", "info"}, {"data", 1}})) + "\n";
  const std::string answer = to_json_text(stage.served().response_to(main)) + "\n";
  stage.write(log + log + answer + log.substr(0, log.size() / 2));
  stage.serve_for(std::chrono::milliseconds{30});
  stage.write(std::string_view(log).substr(log.size() / 2));
  stage.note(note::answered);
  stage.probe();
  stage.finish();
}

void carriage_returns(Stage& stage) {
  const Message main = stage.stimulus();
  stage.end_lines_with("\r\n");
  stage.probe();
  stage.answer(main);
  stage.finish();
}

void separators(Stage& stage) {
  bytes_before_answer(
      stage,
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\""
      "\xE2\x80\xA8 \xE2\x80\xA9 \xC2\x85\"}}\n");
}

constexpr std::array all_line_cases{
    Case{"banner", Played::newest, "prints a line when it starts", banner},
    Case{"byte-order-mark", Played::newest, "begins with a byte order mark", byte_order_mark},
    Case{"foreign-line", Played::newest, "prints a line of a log", foreign_line},
    Case{"coloured-line", Played::newest, "prints a line with colours and a brace", coloured_line},
    Case{"empty-lines", Played::newest, "sends empty lines", empty_lines},
    Case{"broken-json", Played::newest, "sends half of a message", broken_json},
    Case{"scalars", Played::newest, "sends JSON that is no object", scalars},
    Case{"empty-array", Played::newest, "sends an empty batch", empty_array},
    Case{"empty-object", Played::newest, "sends objects that are no messages", empty_object},
    Case{"twice-named", Played::newest, "sends a message with two methods", twice_named},
    Case{"invalid-bytes", Played::newest, "sends bytes that are no UTF-8", invalid_bytes},
    Case{"lone-surrogate", Played::newest, "sends halves of surrogate pairs", lone_surrogate},
    Case{"zero-bytes", Played::newest, "sends zero bytes", zero_bytes},
    Case{"deep-nesting", Played::newest, "sends 20000 nested arrays", deep_nesting},
    Case{"long-foreign-line", Played::newest, "prints a line of 4 MiB", long_foreign_line},
    Case{"long-answer", Played::newest, "answers with a line of 4 MiB", long_answer},
    Case{"pieces", Played::newest, "writes its answer in pieces of seven bytes", pieces},
    Case{"joined", Played::newest, "writes three messages and a half at once", joined},
    Case{"carriage-returns", Played::newest, "ends lines with a carriage return and a line feed", carriage_returns},
    Case{"separators", Played::newest, "sends the separators of lines of Unicode inside a text", separators},
};

}  // namespace

std::span<const Case> line_cases() { return all_line_cases; }

}  // namespace toolwire::conformance
