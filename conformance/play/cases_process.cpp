// The process of the server: how it starts and ends, and what it does with its streams.
#include <unistd.h>

#include <array>
#include <csignal>
#include <thread>

#include "play/cases.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::chrono::milliseconds slow_start_time{700};
constexpr std::chrono::milliseconds slow_end_time{300};
constexpr std::size_t flood = std::size_t{512} << 10;  // eight times what a pipe holds

void exits_at_start(Stage& stage) {
  stage.note(note::stimulus);
  stage.write_error("the variable TOKEN is missing\n");
  stage.end(1);
}

void silent(Stage& stage) {
  stage.note(note::stimulus);
  while (stage.next(stage.settings().watch)) {
  }
  stage.finish();
}

void exits_in_call(Stage& stage) {
  stage.stimulus();
  stage.write_error("fatal: something is wrong\n");
  stage.end(1);
}

void exits_well_in_call(Stage& stage) {
  stage.stimulus();
  stage.end(0);
}

void killed_in_call(Stage& stage) {
  stage.stimulus();
  stage.note(note::played);
  stage.note(note::ended);
  ::kill(::getpid(), SIGKILL);
  stage.finish();
}

void half_an_answer(Stage& stage) {
  const Message main = stage.stimulus();
  const std::string line = to_json_text(stage.served().response_to(main));
  stage.write(std::string_view(line).substr(0, line.size() / 2));
  stage.end(1);
}

void no_line_feed(Stage& stage) {
  const Message main = stage.stimulus();
  stage.write(to_json_text(stage.served().response_to(main)));
  stage.note(note::answered);
  stage.end(0);
}

/// The process lives on, but nothing comes any more.
void output_closed(Stage& stage) {
  stage.stimulus();
  ::close(STDOUT_FILENO);
  stage.finish();
}

/// Nothing is read any more; what comes is written.
void input_closed(Stage& stage) {
  const Message main = stage.stimulus();
  stage.close_input();
  stage.answer(main);
  stage.note(note::played);
  stage.serve_for(stage.settings().wait);
  stage.end(0);
}

void errors_flood(Stage& stage) {
  const Message main = stage.stimulus();
  for (std::size_t at = 0; at < flood; at += 64) stage.write_error(std::string(63, 'e') + "\n");
  stage.note("the flood is through");
  stage.probe();
  stage.answer(main);
  stage.finish();
}

void errors_bytes(Stage& stage) {
  const Message main = stage.stimulus();
  constexpr char bytes[] = "\xff\xfe\x00 caf\xe9 \x1b[2J and no line feed";
  stage.write_error(std::string_view(bytes, sizeof bytes - 1));
  stage.probe();
  stage.answer(main);
  stage.finish();
}

void errors_words(Stage& stage) {
  const Message main = stage.stimulus();
  stage.write_error("ERROR: this is only a line of a log\nTraceback (most recent call last):\n");
  stage.probe();
  stage.answer(main);
  stage.finish();
}

void starts_slowly(Stage& stage) {
  stage.note(note::stimulus);
  std::this_thread::sleep_for(slow_start_time);
  const Message main = stage.await(stage.settings().main);
  stage.answer(main);
  stage.finish();
}

void ends_slowly(Stage& stage) {
  try {
    stage.finish();
  } catch (const InputEnded&) {
    stage.note(note::stimulus);
    stage.ignore_signals();
    try {
      stage.serve_for(slow_end_time);
    } catch (const InputEnded&) {
      std::this_thread::sleep_for(slow_end_time);
    }
    stage.end(0);
  }
}

/// Neither the end of its input nor a signal that can be ignored ends it.
void stubborn(Stage& stage) {
  stage.ignore_signals();
  try {
    stage.finish();
  } catch (const InputEnded&) {
    stage.note(note::stimulus);
  }
  for (;;) {
    try {
      stage.serve_for(std::chrono::hours{1});
    } catch (const InputEnded&) {
    }
  }
}

constexpr std::array all_process_cases{
    Case{"exits-at-start", Played::newest, "ends when it starts", exits_at_start},
    Case{"silent", Played::newest, "never answers", silent},
    Case{"exits-in-call", Played::newest, "ends during a request", exits_in_call},
    Case{"exits-well-in-call", Played::newest, "ends with status 0 during a request", exits_well_in_call},
    Case{"killed-in-call", Played::newest, "is killed during a request", killed_in_call},
    Case{"half-an-answer", Played::newest, "ends in the middle of an answer", half_an_answer},
    Case{"no-line-feed", Played::newest, "ends after an answer without a line feed", no_line_feed},
    Case{"output-closed", Played::newest, "closes its output during a request, and lives on", output_closed},
    Case{"input-closed", Played::newest, "closes its input during a request", input_closed, true},
    Case{"errors-flood", Played::newest, "writes half a MiB to standard error before it answers", errors_flood},
    Case{"errors-bytes", Played::newest, "writes bytes that are no text to standard error", errors_bytes},
    Case{"errors-words", Played::newest, "writes of errors to standard error", errors_words},
    Case{"starts-slowly", Played::newest, "reads nothing for 700 ms", starts_slowly},
    Case{"ends-slowly", Played::newest, "ends 300 ms after its input", ends_slowly},
    Case{"stubborn", Played::newest, "ends neither with its input nor at SIGTERM", stubborn, true},
};

}  // namespace

std::span<const Case> process_cases() { return all_process_cases; }

}  // namespace toolwire::conformance
