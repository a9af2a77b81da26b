// A process of this server's own code that does what the server may not do itself once it is confined. It is forked
// before that, and answers each call in a process of its own. Independent of what is asked of it.
#pragma once

#include <functional>
#include <string>
#include <toolwire/system/file_descriptor.hpp>
#include <vector>

namespace workspace {

/// What the helper does, in its own process.
struct HelperWork {
  /// Confines the process and returns the descriptors to be kept open. Throws std::system_error if it cannot.
  std::function<std::vector<int>()> prepare;
  /// Answers one call by its end of the connection, in a process of its own.
  std::function<void(int call)> answer;
  /// When the server has ended and every call is answered; may be empty.
  std::function<void()> finish = {};
};

/// Any number of threads may call one.
class HelperProcess {
 public:
  /// None.
  HelperProcess() = default;
  /// Forks: before the first thread. Throws std::system_error.
  static HelperProcess start(const HelperWork& work);

  HelperProcess(HelperProcess&&) noexcept = default;
  HelperProcess& operator=(HelperProcess&&) noexcept = default;
  /// Waits for the helper's end, which waits for the calls'.
  ~HelperProcess();

  bool is_there() const { return socket_.is_open(); }

  /// This server's end of a new call; closed if the helper has ended. Throws std::system_error.
  toolwire::system::FileDescriptor call() const;

 private:
  toolwire::system::FileDescriptor socket_;
  int process_ = -1;
};

/// In a process that is forked and no program: neither the client's streams nor anything else of the server stays open.
void close_all_but(std::vector<int> kept);

/// In a helper that outlives its server: what is sent to all of a service or a terminal (SIGTERM, SIGINT, SIGHUP,
/// SIGQUIT) is not for it.
void ignore_requests_to_end();

/// Waits until nobody holds the other end of a descriptor any more.
void wait_until_hung_up(int descriptor);

}  // namespace workspace
