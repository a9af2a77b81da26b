// Standard input and output on one side, the daemon's socket on the other: whole lines are passed both ways until the
// host or a signal ends it. What a line means is the conversation's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "attach/conversation.hpp"
#include "attach/daemon.hpp"
#include "attach/descriptor.hpp"

namespace toolwire::attach {

/// One thread, once in a process: it takes SIGTERM, SIGINT and SIGHUP, which end the input, and SIGPIPE.
class Relay {
 public:
  explicit Relay(const Daemon& daemon) : daemon_(daemon) {}
  /// The exit status: 1 if there is no daemon to be had or standard output cannot be written although the host may
  /// still read it, which standard error is told.
  int run();

 private:
  enum class Outcome { go_on, over };

  bool know_secret();
  bool connect();
  Outcome step();
  void wait(short& host, short& daemon, short& output);
  void patience_is_over(short& output);
  void read_host();
  Outcome read_daemon();
  Outcome write_to_host();
  void note_lost_output(int error);
  bool write_to_daemon();
  void end_input();
  Outcome daemon_is_gone();
  Outcome give_up();
  void flush_to_host();
  [[nodiscard]] bool wants_more_of_host() const;

  const Daemon& daemon_;
  Conversation conversation_;
  std::string secret_;  // what a daemon hears first
  Descriptor socket_;
  Descriptor daemon_process_;
  int daemon_id_ = 0;
  std::string from_host_;    // the beginning of a line
  std::string from_daemon_;  // the same; dropped with its daemon
  std::string to_host_;
  std::size_t told_ = 0;  // of to_host_
  std::string first_;     // what a new daemon is told before all else
  std::string to_daemon_;
  std::size_t written_ = 0;          // of to_daemon_: the beginning of a line whose end is still there
  std::uint64_t lines_written_ = 0;  // bytes of whole lines that are not in to_daemon_ any more
  bool host_has_ended_ = false;
  bool input_has_ended_ = false;  // of the daemon
  bool has_lost_output_ = false;
  bool has_asked_ = false;  // this daemon
  long answer_due_ = 0;     // its first word, after which its silence is told of; 0: nothing is due
  long connected_at_ = 0;   // in milliseconds, as the one before and the next one
  long ends_by_ = 0;        // 0: when the host ends
  unsigned deaths_ = 0;     // in a row, of daemons that lived for a short time
};

}  // namespace toolwire::attach
