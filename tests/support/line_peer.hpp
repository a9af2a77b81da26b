// A peer of an engine for tests: a pair of sockets, a line a message. The test holds the client's end.
#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include <array>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/engine.hpp"
#include "engine_bench.hpp"
#include "transport/descriptor_transport.hpp"

namespace toolwire_test {

/// `say` and `hear` are for the test; the rest belongs to the engine. A line that begins with '!' counts as a large
/// message. The time limit of `hear` only ends tests that fail.
class LinePeer : public toolwire::engine::Source {
 public:
  using OnLine = std::function<void(LinePeer&, const std::string&)>;

  LinePeer(const std::shared_ptr<toolwire::engine::Engine>& engine, OnLine on_line, std::size_t hard = 1u << 20)
      : LinePeer(engine, std::move(on_line), hard, sockets()) {}
  /// Reads from another descriptor.
  LinePeer(const std::shared_ptr<toolwire::engine::Engine>& engine, OnLine on_line,
           toolwire::system::FileDescriptor input)
      : LinePeer(engine, std::move(on_line), 1u << 20, sockets(std::move(input))) {}

  void attach() { engine_->attach(channel); }

  void say(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = ::send(client.get(), text.data(), text.size(), MSG_NOSIGNAL);
      if (written <= 0) return;
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  /// The next line the engine wrote; nothing at the end, or if none comes.
  std::optional<std::string> hear() {
    while (true) {
      const std::size_t end = heard_.find('\n');
      if (end != std::string::npos) {
        std::string line = heard_.substr(0, end);
        heard_.erase(0, end + 1);
        return line;
      }
      pollfd waiting{client.get(), POLLIN, 0};
      if (::poll(&waiting, 1, 30'000) <= 0) return std::nullopt;
      std::array<char, 65536> bytes{};
      const ssize_t count = ::recv(client.get(), bytes.data(), bytes.size(), 0);
      if (count <= 0) return std::nullopt;
      heard_.append(bytes.data(), static_cast<std::size_t>(count));
    }
  }
  void end_input() const { ::shutdown(client.get(), SHUT_WR); }
  void leave() { client.reset(); }

  void answer(const std::string& line) { output.append(line); }
  void enqueue(std::function<void()> work) { channel->enqueue(std::make_shared<FunctionJob>(std::move(work)), 0); }

  toolwire::system::FileDescriptor client;
  toolwire::transport::OwningDescriptorTransport transport;
  toolwire::engine::SendQueue output;
  std::atomic<bool> cancelled{false};
  std::atomic<std::size_t> lines{0};                     // handled
  std::function<bool()> answered = [] { return true; };  // set before the engine runs
  const std::shared_ptr<toolwire::engine::Channel> channel;

 private:
  struct Ends {
    toolwire::system::FileDescriptor client;
    toolwire::system::FileDescriptor in;
    toolwire::system::FileDescriptor out;
  };

  static Ends sockets(toolwire::system::FileDescriptor input = {}) {
    int ends[2];
    BOOST_REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    toolwire::system::FileDescriptor client{ends[0]};
    toolwire::system::FileDescriptor server{ends[1]};
    if (!input.is_open()) return {std::move(client), std::move(server), {}};
    return {std::move(client), std::move(input), std::move(server)};
  }

  LinePeer(const std::shared_ptr<toolwire::engine::Engine>& engine, OnLine on_line, std::size_t hard, Ends ends)
      : client(std::move(ends.client)),
        transport(std::move(ends.in), std::move(ends.out)),
        output(
            transport, limits(hard), [this] { channel->output_stalled(); }, [this] { channel->output_caught_up(); }),
        channel(std::make_shared<toolwire::engine::Channel>(engine, *this, output)),
        engine_(engine),
        on_line_(std::move(on_line)) {}

  static toolwire::Limits limits(std::size_t hard) {
    toolwire::Limits limits;
    limits.line = 1;
    limits.output_soft = hard / 2;
    limits.output_hard = hard;
    return limits;
  }

  Outcome wait_and_read() override { return read(true); }
  Outcome read_at_once() override { return read(false); }
  Outcome go_on() override {
    handle();
    return take_lines();
  }
  int input_descriptor() const override { return transport.input_descriptor(); }
  int output_descriptor() const override { return transport.output_descriptor(); }
  void interrupt() override { transport.interrupt(); }
  bool input_closed() override { return transport.input_closed(); }
  bool all_answered() override { return answered(); }
  void cancel_all() override { cancelled = true; }
  void over() override { ::shutdown(transport.output_descriptor(), SHUT_RDWR); }

  Outcome read(bool wait) {
    if (reading_.exchange(true)) std::abort();  // two threads at a time; the checks of Boost are for the test's own
    std::array<char, 4096> bytes{};
    const std::ptrdiff_t count =
        wait ? transport.read(bytes.data(), bytes.size()) : transport.read_at_once(bytes.data(), bytes.size());
    reading_ = false;
    if (count == toolwire::Transport::interrupted) return Outcome::nothing;
    if (wait) channel->turn_begins();
    if (count <= 0) return Outcome::ended;
    said_.append(bytes.data(), static_cast<std::size_t>(count));
    return take_lines();
  }

  Outcome take_lines() {
    while (said_.find('\n') != std::string::npos) {
      if (said_.front() == '!') return Outcome::large;
      handle();
    }
    return Outcome::more;
  }

  void handle() {
    const std::size_t end = said_.find('\n');
    const std::string line = said_.substr(0, end);
    said_.erase(0, end + 1);
    ++lines;
    on_line_(*this, line);
  }

  const std::shared_ptr<toolwire::engine::Engine> engine_;
  const OnLine on_line_;
  std::atomic<bool> reading_{false};
  std::string said_;
  std::string heard_;
};

}  // namespace toolwire_test
