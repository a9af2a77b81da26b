// What passed between a host and a played server, as a file: one process of the server writes it, the suite reads it
// when the host has ended. No judgement.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "driver/message.hpp"

namespace toolwire::conformance {

enum class From { host, server, note };

/// A line, or a note of the server about itself.
struct PlayedLine {
  std::chrono::milliseconds at{0};  // on the steady clock of the system
  From from = From::note;
  std::string text = {};  // valid UTF-8; at most the first `kept_text` bytes
  std::size_t size = 0;   // bytes that it really has
  bool ended = true;      // by a line feed
  bool valid = true;      // as UTF-8
  Message message = {};   // of the host: what it is
};

inline constexpr std::size_t kept_text = std::size_t{64} << 10;

/// The notes that checks look for.
namespace note {
inline constexpr std::string_view stimulus = "stimulus";  // what the case is about comes next
inline constexpr std::string_view answered = "answered";  // the main request has its right answer
inline constexpr std::string_view played = "played";      // the case is through
inline constexpr std::string_view input_ended = "input ended";
inline constexpr std::string_view terminated = "signal 15";
inline constexpr std::string_view interrupted = "signal 2";
inline constexpr std::string_view unread = "nobody reads the output";
inline constexpr std::string_view ended = "ended";  // the process ends by itself, or as the case says
}  // namespace note

/// Appends lines to a file of its own process. Not thread-safe.
class PlayedLinesWriter {
 public:
  explicit PlayedLinesWriter(const std::filesystem::path& folder);
  PlayedLinesWriter(const PlayedLinesWriter&) = delete;
  PlayedLinesWriter& operator=(const PlayedLinesWriter&) = delete;
  ~PlayedLinesWriter();

  void add(From from, std::string_view text, bool ended = true);

 private:
  int file_ = -1;
};

/// One process of the played server.
struct PlayedSession {
  pid_t process = 0;
  std::vector<PlayedLine> lines = {};
  /// The place of a note, or the end of the lines.
  std::size_t place_of(std::string_view note) const;
  bool has(std::string_view note) const { return place_of(note) < lines.size(); }
};

/// Those of all processes, in the order in which they were started.
std::vector<PlayedSession> read_sessions(const std::filesystem::path& folder);

/// How many bytes they have written so far, which tells whether anything happens.
std::uintmax_t recorded_bytes(const std::filesystem::path& folder);

}  // namespace toolwire::conformance
