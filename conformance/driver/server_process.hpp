// One run of the server under test: started in a session of its own, driven over raw pipes, cleaned up for certain. It
// moves bytes and does not interpret them.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/connection.hpp"

namespace toolwire::conformance {

class HttpServer;

/// How to start the server, or to reach it.
struct Launch {
  std::shared_ptr<HttpServer> http = {};  // where it is, if it is judged over HTTP; the rest starts it then
  std::vector<std::string> command = {};
  std::string directory = {};                           // empty: ours
  std::map<std::string, std::string> environment = {};  // added
  bool inherit_environment = true;
  bool sockets = false;        // standard input and output are socket pairs, as Node makes them, instead of pipes
  bool errors_unread = false;  // nobody reads its stderr: the pipe fills
};

struct Ending {
  bool exited = false;
  int code = -1;
  int signal = 0;
  rusage usage = {};
  bool crashed() const;      // by a fault of its own: a bad access, instruction or abort
  std::string text() const;  // "exited with status 0", "was killed by signal 11 (Segmentation fault)", "is running"
};

/// Whether this signal, unless somebody sends it, ends a process for a fault of its own; also for writing to nobody.
bool is_of_a_fault(int signal);

enum class Signal { terminate, interrupt, hangup, kill };

/// Not thread-safe: one thread per server. Destruction kills whatever is left of it, descendants that changed group or
/// session included.
class ServerProcess : public Connection {
 public:
  /// Lines are whole when a line feed ends them. Throws std::system_error naming the command if it cannot be started.
  ServerProcess(const Launch& launch, Line on_line);
  ~ServerProcess() override;

  /// Queues bytes for its standard input; `pump` writes them as the server reads.
  void write(std::string_view bytes) override;
  std::size_t unwritten() const { return outgoing_.size() - written_; }
  /// Closes its standard input once all queued bytes are written; at once if `now`.
  void close_input(bool now = false);
  /// Closes our end of its standard output: it has no reader any more.
  void close_output() override;
  /// Leaves its output in the pipe until switched on again.
  void read_output(bool reading) { reading_ = reading; }

  void signal(Signal signal);
  /// Waits for its end while moving bytes.
  bool wait_for_end(std::chrono::milliseconds time);
  const Ending& ending();
  bool output_ended() const override { return output_ < 0; }
  bool has_ended() override { return ending().exited || output_ended(); }
  bool input_broken() const { return input_broken_; }
  /// Whether something was done that servers may end of: its input or output was closed, or a signal sent.
  bool end_expected() const override { return end_expected_; }

  pid_t id() const { return id_; }
  /// Processes it started that are still there, itself excluded.
  std::vector<pid_t> descendants() const;
  /// CPU time so far of the server and of its living descendants: the command may be a wrapper that starts it.
  std::chrono::milliseconds cpu_time() const;
  /// For how long each thread of them has run, or could not go on since others had the processors.
  std::map<pid_t, std::chrono::microseconds> wanted_cpu_times() const;

  const std::string& output() const { return output_bytes_; }  // the first 64 MiB of it
  const std::string& errors() const { return error_bytes_; }   // the first MiB of it
  std::size_t output_size() const override { return output_size_; }

 private:
  void write_some();
  /// Whether there may be more.
  bool read_output_once();
  bool read_errors_once();
  void read_what_is_left();
  void split_lines(std::string_view chunk);
  void look_for_end();
  bool move_what_comes(std::chrono::milliseconds time) override;

  pid_t id_ = -1;
  int input_ = -1, output_ = -1, errors_ = -1, end_ = -1;
  bool reading_ = true, close_when_written_ = false, input_broken_ = false, errors_unread_ = false;
  std::string outgoing_;
  std::size_t written_ = 0;
  std::string partial_line_;
  std::string output_bytes_, error_bytes_;
  std::size_t output_size_ = 0;
  std::string mark_;  // in the environment of every descendant
  Line on_line_;
  Ending ending_;
  bool end_expected_ = false;
};

}  // namespace toolwire::conformance
