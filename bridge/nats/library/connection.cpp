#include "library/connection.hpp"

#include <nats/nats.h>

#include <cstdlib>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include <toolwire/detail/mutex.hpp>

#include "library/nkey.hpp"
#include "library/passage.hpp"

namespace toolwire::nats {
namespace {

constexpr std::int64_t ping_every = 5'000;  // milliseconds
constexpr int max_pings_out = 2;            // without an answer: then the server counts as gone

/// Subscriptions that have ended. Before 3.6 the library's reading thread may still be about to put a message into one
/// of them when it is destroyed, so each is kept until that thread has gone on to a later message, or has ended.
class EndedSubscriptions {
 public:
  EndedSubscriptions() = default;
  EndedSubscriptions(const EndedSubscriptions&) = delete;
  EndedSubscriptions& operator=(const EndedSubscriptions&) = delete;
  ~EndedSubscriptions() { over(); }

  /// `read`: how many messages the connection had read when this one had ended.
  void keep(natsSubscription* subscription, std::uint64_t read) {
    const MutexLock lock(mutex_);
    if (is_over_) return natsSubscription_Destroy(subscription);
    kept_.push_back({subscription, read});
  }
  /// `read`: how many messages have been read by now.
  void let_go(std::uint64_t read) {
    const MutexLock lock(mutex_);
    std::erase_if(kept_, [read](const Kept& one) {
      if (one.read >= read) return false;
      natsSubscription_Destroy(one.subscription);
      return true;
    });
  }
  /// The reading thread has ended.
  void over() {
    const MutexLock lock(mutex_);
    is_over_ = true;
    for (const Kept& one : std::exchange(kept_, {})) natsSubscription_Destroy(one.subscription);
  }

 private:
  struct Kept {
    natsSubscription* subscription;
    std::uint64_t read;
  };

  Mutex mutex_;
  bool is_over_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::vector<Kept> kept_ TOOLWIRE_GUARDED_BY(mutex_);
};

/// Who is told. The library may call after the owner is gone, so it is given a number in the place of an address.
class Receivers {
 public:
  struct Receiver {
    std::weak_ptr<Events> events = {};
    std::uint64_t subscription = 0;
    std::shared_ptr<EndedSubscriptions> ended = {};  // of a connection
  };

  void* add(Receiver receiver) {
    const MutexLock lock(mutex_);
    receivers_.emplace(++last_, std::move(receiver));
    return reinterpret_cast<void*>(last_);  // NOLINT(performance-no-int-to-ptr): the library only carries it
  }
  Receiver find(void* number) {
    const MutexLock lock(mutex_);
    const auto found = receivers_.find(reinterpret_cast<std::uintptr_t>(number));
    return found == receivers_.end() ? Receiver{} : found->second;
  }
  void remove(void* number) {
    const MutexLock lock(mutex_);
    receivers_.erase(reinterpret_cast<std::uintptr_t>(number));
  }

 private:
  Mutex mutex_;
  std::uintptr_t last_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  std::map<std::uintptr_t, Receiver> receivers_ TOOLWIRE_GUARDED_BY(mutex_);
};

/// Never destroyed, as the library's threads go on until the process ends.
Receivers& receivers() {
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): the library's callbacks get a number alone
  static auto* const all = new Receivers;
  return *all;
}

std::string text_of(natsStatus status) {
  natsStatus last = NATS_OK;
  const char* const text = nats_GetLastError(&last);
  const std::string general = natsStatus_GetText(status);
  return text == nullptr || *text == '\0' || last != status || general == text ? general : general + ": " + text;
}

/// The library's own text of what a connection has come to.
std::string last_error_of(natsConnection* connection) {
  const char* text = nullptr;
  const natsStatus status = natsConnection_GetLastError(connection, &text);
  if (status == NATS_OK) return "it has closed the connection";
  return text == nullptr || *text == '\0' ? natsStatus_GetText(status) : text;
}

void expect(natsStatus status) {
  if (status != NATS_OK) throw std::runtime_error(text_of(status));
}

/// What stands in the first line of the headers, where the server has something to say.
int status_of(natsMsg* message) {
  const char* text = nullptr;
  if (natsMsgHeader_Get(message, "Status", &text) != NATS_OK || text == nullptr) return 0;
  return static_cast<int>(std::strtol(text, nullptr, 10));
}

void on_message(natsConnection*, natsSubscription*, natsMsg* message, void* number) {
  const Receivers::Receiver receiver = receivers().find(number);
  if (const auto events = receiver.events.lock()) {
    const char* const reply = natsMsg_GetReply(message);
    Message made{.subject = natsMsg_GetSubject(message), .reply = reply == nullptr ? "" : reply};
    made.nobody_there = natsMsg_IsNoResponders(message);
    made.status = status_of(message);
    if (natsMsg_GetDataLength(message) > 0)
      made.payload.assign(natsMsg_GetData(message), static_cast<std::size_t>(natsMsg_GetDataLength(message)));
    events->came(receiver.subscription, std::move(made));
  }
  natsMsg_Destroy(message);
}

/// The last that is heard of a connection, which has waited for its reading thread.
void on_closed(natsConnection* connection, void* number) {
  const Receivers::Receiver receiver = receivers().find(number);
  receivers().remove(number);
  if (receiver.ended) receiver.ended->over();
  if (const auto events = receiver.events.lock()) events->closed(last_error_of(connection));
}

void on_error(natsConnection*, natsSubscription*, natsStatus status, void* number) {
  if (const auto events = receivers().find(number).events.lock()) events->refused(text_of(status));
}

natsStatus sign(char** why, unsigned char** signature, int* size, const char* nonce, void* seed) {
  const natsStatus status = nats_Sign(static_cast<const std::string*>(seed)->c_str(), nonce, signature, size);
  if (status != NATS_OK) *why = nullptr;
  return status;
}

using LibraryOptions = std::unique_ptr<natsOptions, void (*)(natsOptions*)>;

/// `passage`: null where there is no TLS.
LibraryOptions options_of(const ConnectionSettings& settings, const Passage* passage, void* number) {
  natsOptions* made = nullptr;
  expect(natsOptions_Create(&made));
  LibraryOptions options(made, natsOptions_Destroy);
  expect(natsOptions_SetURL(made, ("nats://" + (passage == nullptr ? settings.address : passage->address())).c_str()));
  expect(natsOptions_SetName(made, passage == nullptr ? "toolwire" : passage->name().c_str()));
  expect(natsOptions_SetTimeout(made, settings.deadline.count()));
  expect(natsOptions_SetWriteDeadline(made, settings.deadline.count()));
  expect(natsOptions_SetPingInterval(made, ping_every));
  expect(natsOptions_SetMaxPingsOut(made, max_pings_out));
  expect(natsOptions_SetAllowReconnect(made, false));
  expect(natsOptions_SetIgnoreDiscoveredServers(made, true));
  expect(natsOptions_SetSendAsap(made, true));
  expect(natsOptions_UseGlobalMessageDelivery(made, true));
  expect(natsOptions_SetClosedCB(made, on_closed, number));
  expect(natsOptions_SetErrorHandler(made, on_error, number));
  if (!settings.nkey_seed.empty()) {
    // The library signs while it connects, never later.
    auto* const seed = const_cast<std::string*>(&settings.nkey_seed);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    expect(natsOptions_SetNKey(made, public_key_of(settings.nkey_seed).c_str(), sign, seed));
  }
  return options;
}

}  // namespace

struct Connection::Library {
  struct Subscribed {
    natsSubscription* subscription;
    void* number;
  };
  std::weak_ptr<Events> events;
  std::shared_ptr<EndedSubscriptions> ended = std::make_shared<EndedSubscriptions>();
  std::unique_ptr<Passage> passage;
  void* number = nullptr;
  natsConnection* connection = nullptr;
  Mutex mutex;
  std::map<std::uint64_t, Subscribed> subscribed TOOLWIRE_GUARDED_BY(mutex);

  explicit Library(const std::shared_ptr<Events>& told)
      : events(told), number(receivers().add({.events = told, .ended = ended})) {}
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    if (connection == nullptr) receivers().remove(number);  // else once it is closed
    const MutexLock lock(mutex);
    for (const auto& [which, one] : subscribed) end(one);
    natsConnection_Destroy(connection);
  }

  void end(const Subscribed& one) {
    receivers().remove(one.number);
    natsSubscription_Unsubscribe(one.subscription);
    const std::uint64_t read = messages_read();
    ended->let_go(read);
    ended->keep(one.subscription, read);
  }

  [[nodiscard]] std::uint64_t messages_read() const {
    natsStatistics* counts = nullptr;
    std::uint64_t read = 0;
    if (natsStatistics_Create(&counts) == NATS_OK && natsConnection_GetStats(connection, counts) == NATS_OK)
      natsStatistics_GetCounts(counts, &read, nullptr, nullptr, nullptr, nullptr);
    natsStatistics_Destroy(counts);
    return read;
  }
};

Connection::Connection(const ConnectionSettings& settings, const std::shared_ptr<Events>& events)
    : library_(std::make_unique<Library>(events)) {
  if (settings.way && settings.way->tls)
    library_->passage = std::make_unique<Passage>(*settings.way, settings.deadline);
  const Passage* const passage = library_->passage.get();
  const LibraryOptions options = options_of(settings, passage, library_->number);
  const natsStatus status = natsConnection_Connect(&library_->connection, options.get());
  if (status == NATS_OK) return;
  const std::string why = passage == nullptr ? std::string() : passage->why();  // which says more
  throw std::runtime_error(why.empty() ? text_of(status) : why);
}

Connection::~Connection() = default;

namespace {

natsStatus publish_with(natsConnection* connection, const std::string& subject, const std::string& reply,
                        std::string_view payload, const Headers& headers) {
  natsMsg* message = nullptr;
  natsStatus status = natsMsg_Create(&message, subject.c_str(), reply.empty() ? nullptr : reply.c_str(), payload.data(),
                                     static_cast<int>(payload.size()));
  for (const auto& [name, value] : headers) {
    if (status == NATS_OK) status = natsMsgHeader_Set(message, name.c_str(), value.c_str());
  }
  if (status == NATS_OK) status = natsConnection_PublishMsg(connection, message);
  natsMsg_Destroy(message);
  return status;
}

}  // namespace

std::string Connection::publish(const std::string& subject, const std::string& reply, std::string_view payload,
                                const Headers& headers) {
  if (!headers.empty()) {
    const natsStatus sent = publish_with(library_->connection, subject, reply, payload, headers);
    return sent == NATS_OK ? std::string() : text_of(sent);
  }
  const int size = static_cast<int>(payload.size());
  const natsStatus status =
      reply.empty()
          ? natsConnection_Publish(library_->connection, subject.c_str(), payload.data(), size)
          : natsConnection_PublishRequest(library_->connection, subject.c_str(), reply.c_str(), payload.data(), size);
  return status == NATS_OK ? std::string() : text_of(status);
}

std::string Connection::subscribe(std::uint64_t subscription, const std::string& subject, const std::string& queue) {
  Library::Subscribed made{nullptr, receivers().add({.events = library_->events, .subscription = subscription})};
  const natsStatus status =
      queue.empty()
          ? natsConnection_Subscribe(&made.subscription, library_->connection, subject.c_str(), on_message, made.number)
          : natsConnection_QueueSubscribe(&made.subscription, library_->connection, subject.c_str(), queue.c_str(),
                                          on_message, made.number);
  if (status != NATS_OK) {
    receivers().remove(made.number);
    return text_of(status);
  }
  const MutexLock lock(library_->mutex);
  library_->subscribed.emplace(subscription, made);
  return {};
}

void Connection::unsubscribe(std::uint64_t subscription) {
  const MutexLock lock(library_->mutex);
  const auto found = library_->subscribed.find(subscription);
  if (found == library_->subscribed.end()) return;
  library_->end(found->second);
  library_->subscribed.erase(found);
}

std::string Connection::flush(std::chrono::milliseconds deadline) {
  const natsStatus status = natsConnection_FlushTimeout(library_->connection, deadline.count());
  return status == NATS_OK ? std::string() : text_of(status);
}

std::size_t Connection::max_payload() const {
  return static_cast<std::size_t>(natsConnection_GetMaxPayload(library_->connection));
}

}  // namespace toolwire::nats
