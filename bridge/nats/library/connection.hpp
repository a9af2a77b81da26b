// libnats, as far as it is needed: one connection from its beginning to its end. What happens there is handed over by
// the library's threads; whoever is gone by then is told nothing. Independent of what is said.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toolwire::streams {
struct Way;
}

namespace toolwire::nats {

struct Message {
  std::string subject = {};
  std::string reply = {};  ///< Where an answer goes; empty: nowhere.
  std::string payload = {};
  bool nobody_there = false;  ///< No message: what was sent with this subject for the answer has reached nobody.
  int status = 0;             ///< No message, but what the server has to say: 404, 408 …; 0 for all else.
};

/// Names and values that go with a message.
using Headers = std::vector<std::pair<std::string, std::string>>;

/// What happens at a connection. On threads of libnats, which must not be held up.
class Events {
 public:
  virtual ~Events() = default;
  /// Of the subscription that was made with this number.
  virtual void came(std::uint64_t subscription, Message&& message) = 0;
  /// The connection is over.
  virtual void closed(const std::string& why) = 0;
  /// The server refuses something, or messages were lost because they were not taken in time.
  virtual void refused(const std::string& what) = 0;
};

struct ConnectionSettings {
  std::string address = {};
  std::shared_ptr<const streams::Way> way = {};  ///< Empty: to `address`, without TLS.
  std::string nkey_seed = {};
  std::chrono::milliseconds deadline{2'000};
};

/// Thread-safe. Never connects again: that is up to its owner, who knows then what was lost.
class Connection {
 public:
  /// Waits until it is connected, for the resolver and then for the deadline. Throws std::runtime_error that says why
  /// it is not.
  Connection(const ConnectionSettings& settings, const std::shared_ptr<Events>& events);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Empty if it was taken, else why not: then the connection is of no use any more, unless `fits` says no. Waits for
  /// the deadline at most.
  std::string publish(const std::string& subject, const std::string& reply, std::string_view payload,
                      const Headers& headers = {});
  /// `queue`: who shares a message with others who name the same; empty: nobody.
  std::string subscribe(std::uint64_t subscription, const std::string& subject, const std::string& queue);
  void unsubscribe(std::uint64_t subscription);

  /// Waits until the server has taken all that was sent to it. Empty, or why not.
  std::string flush(std::chrono::milliseconds deadline);

  /// How long a message may be, as the server says.
  [[nodiscard]] std::size_t max_payload() const;

 private:
  struct Library;
  const std::unique_ptr<Library> library_;
};

}  // namespace toolwire::nats
