#include "listening/port_listener.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "listening/connection.hpp"
#include "listening/response_text.hpp"

namespace toolwire::http {
namespace {

using std::chrono::milliseconds;

/// One look at the clock a second, or often enough for limits that are shorter than a few.
milliseconds tick_for(const ConnectionLimits& limits) {
  const milliseconds shortest = std::min({limits.head_time, limits.body_pause, limits.request_time, limits.authenticate,
                                          limits.idle, limits.stalled, limits.answer_time});
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

void check(const ConnectionLimits& limits) {
  for (const auto bound : {limits.connections, limits.target, limits.head, limits.fields, limits.unsent}) {
    if (bound == 0) throw std::invalid_argument("a bound of connections must be at least 1");
  }
  for (const auto time : {limits.head_time, limits.body_pause, limits.request_time, limits.authenticate, limits.idle,
                          limits.stalled, limits.answer_time}) {
    if (time.count() <= 0) throw std::invalid_argument("a time limit of connections must be at least 1 ms");
  }
}

PortListener::PortListener(const Limits& limits, std::unique_ptr<toolwire::transport::ListeningSocket> socket,
                           Settings settings, std::unique_ptr<Endpoint> endpoint)
    : Listener(limits, std::move(socket)),
      settings_(std::move(settings)),
      tick_(tick_for(settings_.limits)),
      endpoint_(std::move(endpoint)) {}

PortListener::~PortListener() = default;

void PortListener::attach(const std::shared_ptr<engine::Engine>& engine,
                          const std::shared_ptr<server::Listener>& self) {
  works_on_ = engine;
  endpoint_->begin(*this, [held = shared_from_this()] { held->part_is_over(); });
  Listener::attach(engine, self);
}

void PortListener::serve(system::FileDescriptor socket, std::shared_ptr<const Peer> peer) {
  if (!make_room()) return turn_away(std::move(socket));
  std::shared_ptr<Connection> connection;
  {
    const MutexLock lock(mutex_);
    connection = std::make_shared<Connection>(shared_from_this(), ++last_id_, std::move(socket), std::move(peer));
    connections_.emplace(last_id_, connection);
  }
  connection->begin();
}

/// One that gives way is among the others until it is closed, which is soon.
bool PortListener::make_room() const {
  {
    const MutexLock lock(mutex_);
    if (connections_.size() < settings_.limits.connections) return true;
  }
  if (!settings_.limits.idle_gives_way) return false;
  const auto all = connections();
  std::shared_ptr<Connection> longest_idle;
  auto earliest = Connection::Clock::time_point::max();
  for (const auto& connection : all) {
    const auto until = connection->idle_until();
    if (until >= earliest) continue;
    earliest = until;
    longest_idle = connection;
  }
  return longest_idle && longest_idle->give_way();
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
  works_on_->post_at(std::chrono::steady_clock::now() + tick_, [weak = weak_from_this()] {
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

/// What has connected is served, and so is who connects, unless others serve them.
void PortListener::give_notice() {
  ending_.store(true, std::memory_order_release);
  if (settings_.is_handed_over) let_nobody_in();
}

void PortListener::stop_reading() {
  ending_.store(true, std::memory_order_release);
  for (const auto& connection : connections()) connection->stop();
  if (!settings_.is_handed_over) go_on_letting_in();
}

/// Who connects while the rest is answered is told so, and how the server is, instead of waiting for nothing.
void PortListener::go_on_letting_in() {
  waits_while_stopping_ = socket().duplicate();
  if (!waits_while_stopping_.is_open()) return;
  watch_while_stopping_ =
      works_on_->watch(waits_while_stopping_.get(), system::Poller::input, [weak = weak_from_this()](unsigned) {
        const auto self = weak.lock();
        if (self && self->accept_all() == Outcome::rest)
          self->works_on_->rewatch(self->watch_while_stopping_, system::Poller::nothing);
      });
}

void PortListener::over() {
  if (watch_while_stopping_ != 0) works_on_->unwatch(watch_while_stopping_);
  waits_while_stopping_.reset();
  Listener::over();
  part_is_over();
}

/// The last answers may come from the handler, or have yet to be sent.
void PortListener::part_is_over() {
  if (--parts_ > 0) return;
  ending_.store(true, std::memory_order_release);
  for (const auto& connection : connections()) connection->close();
}

}  // namespace toolwire::http
