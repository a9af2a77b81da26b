// A stream of bytes in both directions: standard input and output, a socket, a pair of descriptors, memory. Independent
// of lines, JSON and MCP, which belong to the layers above.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace toolwire {

/// One connection. At any time at most one thread reads and at most one thread writes; reading and writing may overlap.
/// `interrupt` and `input_closed` may be called from any thread. Must outlive the session that uses it.
class Transport {
 public:
  enum class Blocking { no, yes };
  /// What `read` and `write` return besides a number of bytes.
  static constexpr std::ptrdiff_t end_of_input = 0;
  static constexpr std::ptrdiff_t interrupted = -1;
  static constexpr std::ptrdiff_t peer_gone = -1;

  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  /// Waits for at least one byte and stores up to `room` of them. Returns their number, `end_of_input` when there will
  /// be no more (the peer closed, hung up, or the descriptor failed), or `interrupted`.
  virtual std::ptrdiff_t read(char* into, std::size_t room) = 0;

  /// Writes `count` bytes. With Blocking::yes it waits until all are accepted; with Blocking::no it writes what is
  /// accepted without waiting, possibly nothing. Returns the number written, or `peer_gone` when the other side no
  /// longer reads.
  virtual std::ptrdiff_t write(const char* bytes, std::size_t count, Blocking blocking) = 0;

  /// Makes a `read` that is blocked at this moment return `interrupted`. It may miss a read that is just about to
  /// block, so callers repeat it until the reader has reacted.
  virtual void interrupt() = 0;

  /// True once the peer has closed its sending side, even if bytes are still unread; does not consume anything.
  virtual bool input_closed() = 0;

  /// Why there is no more input, where the transport knows more than that the peer has closed; else empty.
  virtual std::string end_reason() { return {}; }
};

/// Two descriptors as a transport; takes ownership of neither. `in` and `out` may be the same (a socket).
/// Uses no signals: an interrupt goes through an event descriptor, at the price of one more system call for each read.
std::unique_ptr<Transport> descriptor_transport(int in, int out);

/// Takes standard input and output out of the reach of the program, as `standard_streams` does, before there is a
/// server: first thing in main, so that no banner that the program or one of its libraries prints (printf, std::cout)
/// reaches the client. Such text goes to standard error. `Server::run_stdio` and `standard_streams` then serve what was
/// claimed; --help, --version, --list and --call have the real streams back. Once for the process: a second call, or
/// one when they are served already, does nothing. Throws std::system_error if descriptors have run out.
void claim_stdio();

/// Gives them back, for a program that turns out to be no server this time (a command of its own that prints). What was
/// printed meanwhile goes to standard error before. Does nothing if they are not claimed, or are served already.
void release_stdio();

/// Standard input and output, once: from now on descriptor 0 reads nothing and 1 is standard error, so that whatever
/// else is printed does not reach the other side. Reads with a plain read(2), which SIGURG ends. Throws
/// std::system_error.
std::unique_ptr<Transport> standard_streams();

/// The two ends of a connection inside this process, for tests and for embedding; their buffers have no bound.
/// Destroying one end is the end of input for the other.
std::pair<std::unique_ptr<Transport>, std::unique_ptr<Transport>> memory_transports();

/// Connects to the Unix domain socket at `path` and says the token, if there is one (see UnixSocket in server.hpp); a
/// wrong one shows when the server is asked something. Throws std::system_error if that fails.
std::unique_ptr<Transport> connect_unix_socket(const std::string& path, const std::string& token = {});

/// Connects to a port of 127.0.0.1 and says the token (see LoopbackPort). Throws as `connect_unix_socket`.
std::unique_ptr<Transport> connect_loopback(std::uint16_t port, const std::string& token);

}  // namespace toolwire
