// The servers that are compared, each a process of its own.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

namespace toolwire::bench {

/// Started by `fork`, so before there are threads; killed at the end.
class ServerProcess {
 public:
  /// Serves for ever; tells its port by writing it to a descriptor.
  using Serve = void (*)(int told);

  explicit ServerProcess(Serve serve);
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;
  ~ServerProcess();

  std::uint16_t port() const { return port_; }
  /// Nanoseconds on CPUs so far, of all its threads.
  std::uint64_t cpu() const;
  /// Bytes of resident memory.
  std::size_t memory() const;

 private:
  pid_t id_ = -1;
  std::uint16_t port_ = 0;
};

/// One epoll loop that answers whatever ends like a call, with a result that is always the same.
void serve_raw(int told);
/// A tool `echo` of a toolwire server.
void serve_toolwire(int told);

}  // namespace toolwire::bench
