#include "listening/port_listener.hpp"

#include <algorithm>
#include <utility>

#include "front.hpp"
#include "listening/connection.hpp"
#include "listening/response_text.hpp"

namespace toolwire::http {
namespace {

using std::chrono::milliseconds;

/// One look at the clock a second, or often enough for limits that are shorter than a few.
milliseconds tick_for(const ConnectionLimits& limits) {
  const milliseconds shortest =
      std::min({limits.head_time, limits.body_pause, limits.authenticate, limits.idle, limits.stalled});
  return std::clamp(shortest / 4, milliseconds(5), milliseconds(1000));
}

/// With an answer where that can be sent at once.
void turn_away(system::FileDescriptor connected) {
  const Socket socket(std::move(connected));
  static_cast<void>(socket.send(head_text({.status = 503, .fields = {{"Retry-After", "1"}}, .length = 0},
                                          Framing::length, Persistence::closes, std::chrono::system_clock::now())));
  socket.end_output();
}

}  // namespace

PortListener::PortListener(const std::shared_ptr<Server::State>& state,
                           std::unique_ptr<toolwire::transport::ListeningSocket> socket, Port port)
    : Listener(*state, std::move(socket)), state_(state), port_(std::move(port)), tick_(tick_for(port_.limits)) {}

PortListener::~PortListener() = default;

void PortListener::attach(const std::shared_ptr<engine::Engine>& engine,
                          const std::shared_ptr<server::Listener>& self) {
  const auto front = std::make_shared<Front>(state_.lock(), port_.handler.keep_alive, engine);
  handler_.reset(new Handler(front, port_.handler));
  front->begin([held = shared_from_this()] { held->part_is_over(); });
  Listener::attach(engine, self);
}

void PortListener::serve(system::FileDescriptor socket, std::shared_ptr<const Peer> peer) {
  std::shared_ptr<Connection> connection;
  {
    const MutexLock lock(mutex_);
    if (connections_.size() >= port_.limits.connections) return turn_away(std::move(socket));
    connection = std::make_shared<Connection>(shared_from_this(), ++last_id_, std::move(socket), std::move(peer));
    connections_.emplace(last_id_, connection);
  }
  connection->begin();
}

void PortListener::forget(std::uint64_t id) {
  std::shared_ptr<Connection> gone;  // destroyed outside of the lock
  const MutexLock lock(mutex_);
  if (auto found = connections_.extract(id)) gone = std::move(found.mapped());
}

std::vector<std::shared_ptr<Connection>> PortListener::connections() const {
  std::vector<std::shared_ptr<Connection>> all;
  const MutexLock lock(mutex_);
  all.reserve(connections_.size());
  for (const auto& [id, connection] : connections_) all.push_back(connection);
  return all;
}

void PortListener::watch_clock() {
  if (watches_clock_.exchange(true)) return;
  engine()->post_at(std::chrono::steady_clock::now() + tick_, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->look_at_clock();
  });
}

void PortListener::look_at_clock() {
  watches_clock_ = false;  // a deadline that is set from here on sees to it
  bool again = false;
  const auto now = std::chrono::steady_clock::now();
  for (const auto& connection : connections()) again = connection->look_at_clock(now) || again;
  if (again) watch_clock();
}

// The end

void PortListener::stop_reading() {
  stopping_.store(true, std::memory_order_release);
  for (const auto& connection : connections()) connection->stop();
}

void PortListener::over() {
  Listener::over();
  part_is_over();
}

/// The last answers may come from the handler, or have yet to be sent.
void PortListener::part_is_over() {
  if (--parts_ > 0) return;
  stopping_.store(true, std::memory_order_release);
  for (const auto& connection : connections()) connection->close();
}

}  // namespace toolwire::http
