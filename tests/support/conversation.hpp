// A conversation with a server program: what is sent is text, what comes back is checked line by line and kept by id.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "toolwire/child_process.hpp"
#include "toolwire/json.hpp"

namespace toolwire_test {

enum class Era { legacy, modern };

/// The fixture server as a program, with options as JSON text (FixtureOptions), on two pipes and with its errors kept.
toolwire::Program fixture_program(std::string options = "{}");
/// The same behind a shell command in which `"$0" "$1"` is the server.
toolwire::Program fixture_behind_shell(const std::string& command, std::string options = "{}");

/// One thread, except that `send…` may be used by another one. A server that does not answer is killed after
/// `patience`, so that the test fails instead of hanging; no test depends on that time.
class Conversation {
 public:
  static constexpr std::chrono::seconds patience{120};

  /// Begins with the handshake in the legacy era.
  explicit Conversation(Era era, const toolwire::Program& program = fixture_program());
  ~Conversation();
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  /// A line with a request; `params` is the text of an object's members, e.g. `"name":"echo"`.
  std::string request(std::string_view id_text, std::string_view method, std::string_view params = "") const;
  std::string call(std::string_view id_text, std::string_view tool, std::string_view arguments = "{}",
                   std::string_view meta = "") const;

  void send(std::string_view line) { send_bytes(std::string(line) + "\n"); }
  void send_bytes(std::string_view bytes);
  void close_input() { process_.close_input(); }

  /// The answer with this id, reading as much as that takes. Throws std::runtime_error when the server ends before.
  toolwire::Json answer(std::string_view id_text);
  /// The text of a call's result, or of its error's message.
  std::string text_of(std::string_view id_text);
  /// The code of an error answer, 0 for a result.
  std::int64_t code_of(std::string_view id_text);
  /// A call succeeds: the server has neither ended nor lost track of the messages.
  void check_alive();
  /// The error answers without an id that have been read so far, in order. Reads nothing.
  const std::vector<std::int64_t>& unaddressed() const { return unaddressed_; }
  /// The server's notifications and requests that have been read so far.
  const std::vector<toolwire::Json>& others() const { return others_; }
  /// Ends the input, reads the rest, and waits for the exit. Answers that were kept can still be requested by id.
  toolwire::ExitStatus end();
  /// Reads one line and keeps it; false at the end. Throws if it is no JSON-RPC message on a line of its own.
  bool read_one();

  toolwire::ChildProcess& process() { return process_; }
  std::size_t answers_kept() const { return answers_.size(); }

 private:
  bool read_line(std::string& line);
  void keep(const toolwire::Json& message, const std::string& line);
  void watch();

  const Era era_;
  toolwire::ChildProcess process_;
  std::string read_;
  std::size_t taken_ = 0;                                       // of read_
  std::map<std::string, toolwire::Json, std::less<>> answers_;  // by the id's text
  std::vector<std::int64_t> unaddressed_;
  std::vector<toolwire::Json> others_;
  int checks_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread watchdog_;
};

}  // namespace toolwire_test
