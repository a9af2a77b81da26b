#include "library/passage.hpp"

#include <array>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include <toolwire/json.hpp>
#include <toolwire/system/ready_set.hpp>

#include "streams/system/endpoint.hpp"
#include "streams/system/wait.hpp"
#include "system/random_text.hpp"

namespace toolwire::nats {
namespace {

using streams::Moved;
using streams::Stream;
using Time = std::chrono::steady_clock::time_point;
namespace ready = system::ready;

constexpr std::size_t most_in_a_line = std::size_t{64} << 10;
constexpr std::size_t most_under_way = std::size_t{256} << 10;
constexpr std::string_view line_end = "\r\n";
constexpr std::string_view greeting = "INFO ";

[[noreturn]] void fail(const std::string& why) { throw std::runtime_error(why); }

void wait_for(int socket, std::uint32_t wanted, Time until) {
  if (!streams::wait_until_ready(socket, wanted, until)) fail("it does not answer");
}

system::FileDescriptor connected_to(const streams::SocketAddress& address, Time until) {
  system::FileDescriptor socket = streams::begin_to_connect(address);
  wait_for(socket.get(), ready::to_write, until);
  if (const int error = streams::connect_error(socket.get()); error != 0)
    throw std::system_error(error, std::generic_category());
  return socket;
}

/// To the first of its addresses that is there.
system::FileDescriptor connected(const streams::Way& way, Time until) {
  const auto addresses = streams::addresses_of(way.endpoint, way.reach);
  for (std::size_t i = 0;; ++i) {
    try {
      return connected_to(addresses[i], until);
    } catch (const std::system_error& error) {
      if (i + 1 == addresses.size()) fail(error.code().message());
    }
  }
}

/// Nothing may come behind it: that would be taken for what came over TLS.
std::string first_line(int socket, Time until) {
  std::string line;
  std::array<char, Stream::most_at_once> bytes{};
  while (line.find(line_end) == std::string::npos) {
    const Moved moved = streams::receive_some(socket, bytes);
    if (!moved.error.empty()) fail(moved.error);
    if (moved.waits_for != 0) wait_for(socket, moved.waits_for, until);
    line.append(bytes.data(), moved.count);
    if (line.size() > most_in_a_line) fail("its greeting does not end");
  }
  if (line.find(line_end) + line_end.size() != line.size()) fail("it says more than its greeting before TLS");
  return line;
}

JsonObject read_greeting(std::string_view line) {
  if (line.starts_with(greeting)) {
    try {
      const Json said = parse_json(line.substr(greeting.size(), line.size() - greeting.size() - line_end.size()));
      if (const JsonObject* const about = said.if_object()) return *about;
    } catch (const std::exception&) {  // no JSON
    }
  }
  fail("it does not greet as a NATS does");
}

bool is_set(const JsonObject& object, std::string_view name) {
  const Json* const value = object.if_contains(name);
  return value != nullptr && *value == Json(true);
}

/// Without what it says of TLS and of other servers.
std::string greeting_for_libnats(std::string_view line) {
  JsonObject about = read_greeting(line);
  if (!is_set(about, "tls_required") && !is_set(about, "tls_available")) fail("it does not speak TLS");
  for (const char* const name : {"tls_required", "tls_available", "tls_verify", "connect_urls"}) about.erase(name);
  return std::string(greeting) + to_json_text(about) + std::string(line_end);
}

void shake_hands(Stream& stream, int socket, Time until) {
  for (;;) {
    const Moved begun = stream.begin();
    if (!begun.error.empty()) fail(begun.error);
    if (begun.waits_for == 0) return;
    if (!streams::wait_until_ready(socket, begun.waits_for, until)) fail("it does not answer in TLS");
  }
}

}  // namespace

Passage::Passage(const streams::Way& way, std::chrono::milliseconds deadline)
    : deadline_(deadline),
      name_("toolwire-" + bridge::random_text(4)),
      loop_(std::make_shared<Engine>(EngineOptions{.threads = 1})) {
  const Time until = std::chrono::steady_clock::now() + deadline;
  server_.socket = connected(way, until);
  greeting_ = greeting_for_libnats(first_line(server_.socket.get(), until));
  server_.stream = way.stream(server_.socket.get());
  shake_hands(*server_.stream, server_.socket.get(), until);
  loop_.post([this] { wait(); });
}

Passage::~Passage() {
  {
    MutexLock lock(mutex_);
    const auto until = std::chrono::steady_clock::now() + deadline_;
    left_.wait_until(lock, until, [this]() TOOLWIRE_REQUIRES(mutex_) { return !is_used_; });
  }
  loop_.stop();
  if (server_.stream) server_.stream->end();
}

std::string Passage::why() const {
  const MutexLock lock(mutex_);
  return why_;
}

/// For what there is to do next: somebody to let in, or bytes to move.
void Passage::wait() {
  if (!local_.socket.is_open()) {
    if (!loop_.watch(port_.descriptor(), ready::to_read, [this](std::uint32_t) { let_in(); })) finish();
    return;
  }
  watch(local_, up_.from_waits | down_.to_waits);
  if (!port_.is_open()) watch(server_, down_.from_waits | up_.to_waits);
}

/// One that has failed is told of again and again: where nothing is read from it, that is its end.
void Passage::watch(const End& one, std::uint32_t wanted) {
  if (!one.socket.is_open()) return;
  const bool is_watched = loop_.watch(one.socket.get(), wanted, [this, wanted](std::uint32_t came) {
    if ((came & ready::failed) != 0 && (wanted & ready::to_read) == 0) return finish();
    port_.is_open() ? greet() : turn();
  });
  if (!is_watched) finish();
}

/// Whoever comes, one at a time.
void Passage::let_in() {
  local_.socket = port_.accept();
  if (!local_.socket.is_open()) return;
  loop_.unwatch(port_.descriptor());
  say_used(true);
  local_.stream = std::make_unique<streams::PlainStream>(local_.socket.get());
  up_ = {};
  down_ = {.bytes = greeting_};
  greet();
}

/// Until it has said its name, which stands in its first line.
void Passage::greet() {
  give(down_, local_);
  take(up_, local_);
  if (is_libnats()) {
    port_.close();
    return turn();
  }
  const bool has_said = up_.bytes.find(line_end) != std::string::npos || up_.bytes.size() > most_in_a_line;
  if (has_said || up_.has_ended || down_.has_ended) {
    close(local_);
    say_used(false);
  }
  wait();
}

void Passage::say_used(bool is_used) {
  const MutexLock lock(mutex_);
  is_used_ = is_used;
  left_.notify_all();
}

bool Passage::is_libnats() const {
  const std::string_view said = up_.bytes;
  const std::size_t line = said.find(line_end);
  if (line == std::string_view::npos || !said.starts_with("CONNECT ")) return false;
  return said.substr(0, line).find("\"name\":\"" + name_ + '"') != std::string_view::npos;
}

void Passage::turn() {
  move(up_, local_, server_);
  move(down_, server_, local_);
  if (up_.is_over() || down_.is_over()) return finish();
  wait();
}

void Passage::move(Flow& flow, const End& from, const End& to) {
  take(flow, from);
  give(flow, to);
  if (!flow.has_ended && flow.from_waits == 0 && flow.left() < most_under_way) flow.from_waits = ready::to_read;
}

/// Others have their turn after a few pieces.
void Passage::take(Flow& flow, const End& from) {
  constexpr int pieces = 16;
  std::array<char, Stream::most_at_once> bytes{};
  flow.from_waits = 0;
  for (int i = 0; i < pieces && !flow.has_ended && flow.left() < most_under_way; ++i) {
    const Moved moved = from.stream->receive(bytes);
    flow.from_waits = moved.waits_for;
    flow.bytes.append(bytes.data(), moved.count);
    flow.has_ended = !moved.error.empty();
    if (flow.has_ended && &from == &server_) {
      const MutexLock lock(mutex_);
      why_ = moved.error;
    }
    if (moved.count == 0) return;
  }
}

void Passage::give(Flow& flow, const End& to) {
  flow.to_waits = 0;
  while (flow.left() > 0) {
    const Moved moved = to.stream->send(std::string_view(flow.bytes).substr(flow.given));
    flow.given += moved.count;
    flow.to_waits = moved.waits_for;
    if (moved.waits_for != 0) return;
    if (moved.error.empty()) continue;
    flow.has_ended = true;
    break;
  }
  flow.bytes.clear();
  flow.given = 0;
}

void Passage::close(End& one) {
  if (one.socket.is_open()) loop_.unwatch(one.socket.get());
  if (one.stream) one.stream->end();
  one.stream.reset();
  one.socket.reset();
}

void Passage::finish() {
  if (port_.is_open()) loop_.unwatch(port_.descriptor());
  port_.close();
  close(server_);
  close(local_);
  say_used(false);
}

}  // namespace toolwire::nats
