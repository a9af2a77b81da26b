#include "client.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <random>
#include <stdexcept>
#include <utility>

#include <toolwire/detail/mutex.hpp>

#include "library/nkey.hpp"

namespace toolwire::nats {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t max_refusals = 100;  // that are told apart

bool is_token_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

bool is_prefix(std::string_view text) {
  char before = '.';
  for (const char c : text) {
    if (!is_token_character(c) && !(c == '.' && before != '.')) return false;
    before = c;
  }
  return before != '.';
}

Options checked(Options options) {
  if (!is_prefix(options.prefix))
    throw std::invalid_argument("the prefix of subjects: expected letters, digits, '-' and '_' with dots between");
  if (options.deadline <= milliseconds::zero())
    throw std::invalid_argument("the deadline of connecting must be longer than nothing");
  if (!options.nkey_seed.empty()) public_key_of(options.nkey_seed);
  return options;
}

streams::Way way_of(const Options& options) {
  if (options.address.starts_with("unix:")) throw std::invalid_argument("the address of NATS: expected HOST:PORT");
  return streams::way_to(options.address, options.tls, options.is_tunnelled);
}

/// Doubled with each attempt, and never the same for two processes that lost the same NATS.
milliseconds pause_after(std::size_t attempts) {
  constexpr std::size_t shortest = 20;
  constexpr std::size_t longest = 2'000;
  const std::size_t whole = std::min(longest, shortest << std::min<std::size_t>(attempts, 7));
  static thread_local std::minstd_rand random{std::random_device()()};
  return milliseconds(std::uniform_int_distribution<std::size_t>(whole / 2, whole)(random));
}

}  // namespace

/// What libnats calls for one connection, whose threads go on when the client is gone: it hands over to the loop, that
/// is all.
class Client::Gate final : public Events, public std::enable_shared_from_this<Gate> {
 public:
  explicit Gate(Client& client) : client_(&client) {}

  void came(std::uint64_t subscription, Message&& message) override {
    const MutexLock lock(mutex_);
    if (client_ == nullptr) return;
    const std::size_t size = message.payload.size() + message.subject.size();
    if (client_->unread_.fetch_add(size) + size > client_->options_.max_bytes) {
      client_->unread_ -= size;
      return void(client_->loop_.post([client = client_] { client->missed(); }));
    }
    const auto shared = std::make_shared<Message>(std::move(message));
    client_->loop_.post([client = client_, subscription, shared, size] {
      client->unread_ -= size;
      client->take(subscription, std::move(*shared));
    });
  }
  /// The end of an attempt to connect.
  void tried(const std::shared_ptr<Connection>& connection, const std::string& why) {
    const MutexLock lock(mutex_);
    if (client_ == nullptr) return;
    client_->loop_.post([client = client_, self = shared_from_this(), connection, why] {
      if (client->gate_ == self) client->tried(connection, why);
    });
  }
  /// The server has taken what was sent to it, or not.
  void flushed(const std::string& why) {
    const MutexLock lock(mutex_);
    if (client_ == nullptr) return;
    client_->loop_.post([client = client_, self = shared_from_this(), why] {
      if (client->gate_ == self && client->connection_) client->flushed(why);
    });
  }
  void closed(const std::string& why) override {
    const MutexLock lock(mutex_);
    if (client_ == nullptr) return;
    client_->loop_.post([client = client_, self = shared_from_this(), why] {
      if (client->gate_ == self && client->connection_) client->broke(why);
    });
  }
  void refused(const std::string& what) override {
    const MutexLock lock(mutex_);
    if (client_ != nullptr) client_->loop_.post([client = client_, what] { client->refused(what); });
  }

  /// Afterwards nobody is told anything.
  void shut() {
    const MutexLock lock(mutex_);
    client_ = nullptr;
  }

 private:
  Mutex mutex_;
  Client* client_ TOOLWIRE_GUARDED_BY(mutex_);
};

Client::Client(Options options, const std::shared_ptr<Engine>& engine)
    : options_(checked(std::move(options))),
      way_(std::make_shared<const streams::Way>(way_of(options_))),
      sealing_("nats", options_.key, options_.second_key, options_.prefix + "."),
      engine_(engine ? engine : std::make_shared<Engine>()),
      loop_(engine_) {}

Client::~Client() {
  loop_.stop();
  if (gate_) gate_->shut();
}

void Client::publish(std::string subject, std::string payload, std::string reply, Refused refused, Headers headers) {
  const std::size_t size = payload.size() + subject.size();
  if (unsent_.fetch_add(size) + size > options_.max_bytes) {
    unsent_ -= size;
    return post([refused = std::move(refused)] {
      if (refused) refused("too many messages wait to be sent");
    });
  }
  post([this, size, subject = std::move(subject), payload = std::move(payload), reply = std::move(reply),
        refused = std::move(refused), headers = std::move(headers)] {
    unsent_ -= size;
    send(subject, payload, reply, refused, headers);
  });
}

/// Of what the connection does not take nobody knows whether it was sent, and so it is not said that it was not.
void Client::send(const std::string& subject, const std::string& payload, const std::string& reply,
                  const Refused& refused, const Headers& headers) {
  need_connection();
  if (phase_ != Phase::ready) {
    if (refused) refused(last_failure_.empty() ? "it is not connected yet" : last_failure_);
    return;
  }
  if (payload.size() > max_payload_) {
    if (refused) refused("the server takes messages of " + std::to_string(max_payload_) + " bytes only");
    return;
  }
  if (const std::string why = connection_->publish(subject, reply, payload, headers); !why.empty()) broke(why);
}

std::uint64_t Client::subscribe(std::string subject, std::string queue, Taken taken) {
  const std::uint64_t number = ++last_number_;
  post([this, number, one = Subscribed{std::move(subject), std::move(queue), std::move(taken)}] {
    subscribed_.emplace(number, one);
    need_connection();
    if (!connection_) return;
    if (const std::string why = connection_->subscribe(number, one.subject, one.queue); !why.empty()) broke(why);
  });
  return number;
}

void Client::unsubscribe(std::uint64_t subscription) {
  post([this, subscription] {
    subscribed_.erase(subscription);
    if (connection_) connection_->unsubscribe(subscription);
  });
}

std::uint64_t Client::watch(Watcher watcher) {
  const std::uint64_t number = ++last_number_;
  post([this, number, watcher = std::move(watcher)] {
    watchers_.emplace(number, watcher);
    if (phase_ == Phase::ready && watcher.ready) watcher.ready();
    if (attempts_ > 0 && watcher.lost) watcher.lost(last_failure_);  // before it began to watch
  });
  return number;
}

void Client::forget(std::uint64_t watcher) {
  post([this, watcher] { watchers_.erase(watcher); });
}

/// One of them may forget itself or another.
template <class Tell>
void Client::tell_watchers(const Tell& tell) {
  for (const auto& [number, watcher] : std::map(watchers_)) {
    if (watchers_.contains(number)) tell(watcher);
  }
}

void Client::take(std::uint64_t subscription, Message&& message) {
  const auto found = subscribed_.find(subscription);
  if (found == subscribed_.end()) return;
  const Taken taken = found->second.taken;  // which may unsubscribe
  taken(std::move(message));
}

void Client::missed() {
  tell_watchers([](const Watcher& watcher) {
    if (watcher.missed) watcher.missed();
  });
}

/// Each once, however often it is tried.
void Client::refused(const std::string& what) {
  if (refusals_.size() < max_refusals && refusals_.insert(what).second) say("refuses this: " + what);
  tell_watchers([&](const Watcher& watcher) {
    if (watcher.refused) watcher.refused(what);
  });
}

std::optional<std::string> Client::opened(const std::string& subject, const std::string& payload) {
  auto opened = sealing_.open(subject, payload, std::chrono::floor<milliseconds>(std::chrono::system_clock::now()));
  if (!opened.refusal) return std::move(opened.value);
  const Sealing::Refusal why = *opened.refusal;
  if (why == Sealing::Refusal::altered || !sealed_otherwise_.insert(why).second) return std::nullopt;
  say("carries what is passed over here, on \"" + subject + "\": " +
      (why == Sealing::Refusal::unknown_key ? "it is sealed with another key; all who work together need the same"
                                            : "it is too old, or the clocks of two machines differ"));
  return std::nullopt;
}

void Client::need_connection() {
  if (phase_ == Phase::idle) connect();
}

/// On another thread, as the resolver and the server may let it wait.
void Client::connect() {
  phase_ = Phase::connecting;
  gate_ = std::make_shared<Gate>(*this);
  const ConnectionSettings settings{options_.address, way_, options_.nkey_seed, options_.deadline};
  engine_->post([gate = gate_, settings] {
    std::shared_ptr<Connection> made;
    std::string why;
    try {
      made = std::make_shared<Connection>(settings, gate);
    } catch (const std::exception& error) {
      why = error.what();
    }
    gate->tried(made, why);
  });
}

/// Ready only once the server has the subscriptions: what is told then must not be missed.
void Client::tried(std::shared_ptr<Connection> connection, const std::string& why) {
  if (!connection) return broke(why);
  connection_ = std::move(connection);
  max_payload_ = connection_->max_payload();
  subscribe_all();
  if (!connection_) return;
  engine_->post([gate = gate_, flushing = connection_, deadline = options_.deadline] {
    gate->flushed(flushing->flush(deadline));
  });
}

void Client::flushed(const std::string& why) {
  if (!why.empty()) return broke(why);
  phase_ = Phase::ready;
  if (!last_failure_.empty()) say("is there again");
  attempts_ = 0;
  last_failure_.clear();
  tell_watchers([](const Watcher& watcher) {
    if (watcher.ready) watcher.ready();
  });
}

void Client::subscribe_all() {
  for (const auto& [number, one] : std::map(subscribed_)) {
    if (const std::string why = connection_->subscribe(number, one.subject, one.queue); !why.empty()) return broke(why);
  }
}

/// The connection goes on another thread, which waits for the library's.
void Client::broke(const std::string& why) {
  const bool was_ready = phase_ == Phase::ready;
  if (was_ready || last_failure_ != why) say("cannot be used: " + why);
  last_failure_ = why;
  gate_->shut();
  max_payload_ = 0;
  engine_->post([gone = std::exchange(connection_, nullptr)] {});
  phase_ = Phase::waiting;
  loop_.at(EventLoop::Clock::now() + pause_after(attempts_++), [this] { connect(); });
  if (!was_ready && attempts_ > 1) return;
  tell_watchers([&](const Watcher& watcher) {
    if (watcher.lost) watcher.lost(why);
  });
}

void Client::say(const std::string& what) const {
  if (options_.log) options_.log("NATS at " + options_.address + " " + what);
}

std::shared_ptr<Client> make_client(Options options, const std::shared_ptr<Engine>& engine) {
  return std::make_shared<Client>(std::move(options), engine);
}

}  // namespace toolwire::nats
