// The servers that are compared, each a process of its own.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace toolwire::bench {

/// Started by `fork`, so before there are threads; killed at the end.
class ServerProcess {
 public:
  /// Serves for ever; tells its port by writing it, as text, to a descriptor.
  using Serve = void (*)(int told);

  explicit ServerProcess(Serve serve);
  /// A program that prints its port.
  explicit ServerProcess(const std::vector<std::string>& command);
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;
  ~ServerProcess();

  std::uint16_t port() const { return port_; }
  /// Nanoseconds on CPUs so far, of all its threads.
  std::uint64_t cpu() const;
  /// Bytes of resident memory.
  std::size_t memory() const;

 private:
  template <class Serving>
  void start(const Serving& serve);

  pid_t id_ = -1;
  std::uint16_t port_ = 0;
};

void tell_port(int told, std::uint16_t port);
/// What a call with `asked` bytes in all is answered by those who do not look at it: as much text as `call_text` has
/// put into it.
std::string_view constant_answer(std::size_t asked);

/// One epoll loop that answers whatever ends like a call, with a result that is always the same.
void serve_raw(int told);
/// The shape of Boost.Beast's own examples: one thread, asynchronous reads and writes; the result is always the same.
void serve_beast(int told);
/// A tool `echo` of a toolwire server.
void serve_toolwire(int told);

}  // namespace toolwire::bench
