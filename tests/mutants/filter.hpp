// Stands between the host and the server within one process: what the host writes goes through the rules of a fault to
// the server, and what the server writes goes through them to the host. The server keeps what is its process's: its id,
// signals, memory, descriptors.
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "reaction.hpp"

namespace mutants {

/// One per process, on the main thread. Ends with the process: its threads may wait for the host.
class Filter {
 public:
  /// Takes descriptors 0 and 1 and puts pipes in their place.
  explicit Filter(Fault fault);
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;
  ~Filter() = delete;

  /// After the server has closed its ends: waits until the host has all of its output, then ends the process.
  [[noreturn]] void leave(int status);

 private:
  void read_host();
  void read_server();
  void pass_line(Direction direction, std::string_view line);
  void carry_out(const Reaction& reaction, Direction direction);
  void before(const toolwire::JsonObject& rule);
  void after(const toolwire::JsonObject& rule);
  void start_program(const toolwire::Json& wish);
  void tell_host(std::string_view bytes);
  void tell_host_later(std::string bytes, std::chrono::milliseconds delay);
  void send_what_is_due();

  Reactions reactions_;
  const int host_in_, host_out_;
  int server_in_ = -1, server_out_ = -1;  // our ends of the pipes
  std::mutex host_mutex_;                 // of host_out_
  std::mutex later_mutex_;
  std::condition_variable later_changed_;
  std::multimap<std::chrono::steady_clock::time_point, std::string> later_;
  bool ending_ = false;
  std::thread from_host_, from_server_, timer_;
};

}  // namespace mutants
