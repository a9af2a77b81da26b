// What cases are written with: the streams of a played server, a correct server that answers what a case leaves to it,
// and notes for the recording. It knows no case.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "driver/message.hpp"
#include "play/played_lines.hpp"
#include "play/served.hpp"
#include "play/settings.hpp"

namespace toolwire::conformance {

/// Thrown once the host has ended the input, or asked for the end by a signal.
struct InputEnded {};

/// Not thread-safe; one for each process, as it takes its standard streams and its signals.
class Stage {
 public:
  Stage(const PlaySettings& settings, PlayedLinesWriter& lines);

  const PlaySettings& settings() const { return settings_; }
  bool modern() const { return settings_.revision->modern; }
  Served& served() { return served_; }
  void note(std::string_view text) { lines_.add(From::note, text); }
  /// From now on signals that ask for the end are noted and nothing else.
  void ignore_signals() { obeys_signals_ = false; }

  /// Reads nothing any more; what is written to it finds no reader.
  void close_input();

  /// Messages end so from now on; with a line feed before.
  void end_lines_with(std::string_view ending) { line_ending_ = ending; }

  /// A message as a line; bytes as they are. A host that does not read is waited for as long as for an answer.
  void send(const Json& message);
  void write(std::string_view bytes);
  void write_error(std::string_view bytes);

  /// The next line of the host, unserved; nothing if the time passes. Throws InputEnded.
  std::optional<Message> next(std::chrono::milliseconds time);
  /// What a correct server does with a message.
  void serve(const Message& message);
  /// The same for all that comes, until the first that fits, which is left to the case; nothing if the time passes.
  using Fits = std::function<bool(const Message&)>;
  std::optional<Message> serve_until(const Fits& fits, std::chrono::milliseconds time);
  void serve_for(std::chrono::milliseconds time);
  /// A request of this method, however long it takes.
  Message await(std::string_view method);
  /// The main request, and a note that what the case is about comes next.
  Message stimulus();
  /// The right answer to the main request.
  void answer(const Message& main);
  /// Asks the host, and serves it until it has answered; nothing if it does not in time.
  std::optional<Message> ask(const Json& id, std::string_view method, JsonObject params = {});
  /// Whether the host still hears: a ping where the revision has them.
  void probe(std::string_view id = "toolwire-probe");
  /// The case is through; serves on until the host ends the input.
  void finish();
  /// Ends the process at once.
  [[noreturn]] void end(int status);

 private:
  bool read_some(std::chrono::milliseconds time);
  void take_signals();

  const PlaySettings& settings_;
  PlayedLinesWriter& lines_;
  Served served_;
  int signals_ = -1;
  bool obeys_signals_ = true, input_ended_ = false, broken_ = false;
  std::string partial_, line_ending_ = "\n";
  std::deque<Message> waiting_;
};

}  // namespace toolwire::conformance
