// What a host and the daemon say to each other, as far as it has to be known when the daemon dies: which requests are
// unanswered, how the session began, which questions of the daemon are open. Moves no bytes itself.
//
// A new daemon is told the handshake again, and what the host has set since; the host hears nothing of that, but that
// lists may have changed. Requests that change nothing are sent again, once; others are answered with an error that
// says whether they may be repeated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace toolwire::attach {

/// Lines that go on, each with its line feed.
struct Lines {
  std::string to_host = {};
  std::string to_daemon = {};
};

/// One thread.
class Conversation {
 public:
  /// A line without its line feed. What becomes of it is added to `out`.
  void from_host(std::string_view line, Lines& out);
  void from_daemon(std::string_view line, Lines& out);

  /// The daemon has died and there is another, which knows nothing: `out` gets what this is told, and what the host is
  /// told instead of answers that will not come. `written`: how many of the bytes that `to_daemon` has had so far had
  /// reached the old one; lines that had not wholly, are the caller's to write to the new one, after these.
  void begin_again(std::uint64_t written, Lines& out);
  /// There is no daemon any more: every request is answered.
  void give_up(std::uint64_t written, Lines& out);

  /// How many bytes `to_daemon` has had so far.
  [[nodiscard]] std::uint64_t said() const { return said_; }
  /// Whether the handshake is being told again, so that what has not been written yet has to wait: `from_daemon` says
  /// when it is over.
  [[nodiscard]] bool is_beginning_again() const { return !awaited_.empty(); }
  [[nodiscard]] std::size_t unanswered() const { return requests_.size(); }

 private:
  enum class Kind { call, repeatable, other };
  struct Request {
    std::string id = {};  // as it stands in its message
    std::string method = {};
    Kind kind = Kind::other;
    bool is_safe = false;   // a call of a tool that is said to be read-only or idempotent
    std::string line = {};  // of what is repeatable
    std::uint64_t end = 0;  // of its line, among all that was said
    bool was_repeated = false;
  };
  /// A setting that the host has made, and that a new daemon is told again.
  struct Setting {
    std::string key = {};
    std::string line = {};
  };

  void say(std::string_view line, Lines& out);
  void note(std::string_view message, std::string_view line, bool is_alone);
  void note_setting(std::string_view method, std::string_view params, std::string_view line);
  bool answers_question(std::string_view message, std::string_view id, Lines& out);
  void answered(std::string_view message, std::string_view id);
  void note_tools(std::string_view result);
  void note_lists(std::string_view result);
  void tell_changes(Lines& out) const;
  std::string as_shown(std::string_view message, std::string_view id);
  std::string with_own_id(std::string_view line);
  void go_on(Lines& out);
  void end_questions(Lines& out);
  [[nodiscard]] std::string lost(const Request& request, bool has_begun) const;

  std::vector<Request> requests_;
  std::string initialize_;
  std::string initialized_;
  bool is_initialized_ = false;  // initialize was answered
  std::vector<Setting> settings_;
  std::vector<std::string_view> lists_;    // whose changes are told, as the daemon has said: "tools" …
  std::vector<std::uint64_t> safe_tools_;  // hashes of their names, in order
  std::string awaited_;                    // the id of the handshake that is told again
  std::vector<std::string> unwanted_;      // ids of answers that are not for the host
  std::vector<std::string> repeated_;      // lines to be said once the handshake is over
  unsigned own_ids_ = 0;
  std::uint64_t said_ = 0;
  std::uint64_t question_base_ = 0;       // added to the ids of the daemon's questions: each daemon counts from 1
  std::uint64_t highest_question_ = 0;    // that the host has seen
  std::vector<std::uint64_t> questions_;  // open, as the host knows them
};

}  // namespace toolwire::attach
