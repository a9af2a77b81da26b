// A client of a server in this process that keeps all it was sent, also what a client takes for itself: which
// notifications came, and how often.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include <toolwire/testing.hpp>

namespace toolwire_test {

/// The bytes that were read. Thread-safe.
class Heard {
 public:
  void add(std::string_view bytes) {
    const std::lock_guard lock(mutex_);
    text_ += bytes;
  }
  std::size_t times(std::string_view words) {
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (std::size_t at = text_.find(words); at != std::string::npos; at = text_.find(words, at + 1)) ++count;
    return count;
  }
  void forget() {
    const std::lock_guard lock(mutex_);
    text_.clear();
  }

 private:
  std::mutex mutex_;
  std::string text_;
};

class HeardTransport : public toolwire::Transport {
 public:
  HeardTransport(std::unique_ptr<Transport> inner, Heard& heard) : inner_(std::move(inner)), heard_(heard) {}

  std::ptrdiff_t read(char* into, std::size_t room) override {
    const std::ptrdiff_t count = inner_->read(into, room);
    if (count > 0) heard_.add({into, static_cast<std::size_t>(count)});
    return count;
  }
  std::ptrdiff_t write(const char* bytes, std::size_t count, Blocking blocking) override {
    return inner_->write(bytes, count, blocking);
  }
  void interrupt() override { inner_->interrupt(); }
  bool input_closed() override { return inner_->input_closed(); }

 private:
  const std::unique_ptr<Transport> inner_;
  Heard& heard_;
};

/// Hears of all lists. The server must outlive it.
class HeardClient : private toolwire::testing::Session {
 public:
  HeardClient(toolwire::Server& server, const std::string& revision)
      : Session(server),
        client_(std::make_unique<HeardTransport>(take_client_end(), heard_), {.revision = revision}),
        subscription_(client_.subscribe_lists([] {})) {
    client_.ping();  // a server of the handshake tells nobody before it has read all of that
    heard_.forget();
  }
  toolwire::Client& client() { return client_; }
  /// How often it was told that a list has changed, until now. `list`: "tools", "resources", "prompts".
  std::size_t told(const std::string& list) {
    client_.ping();  // its answer comes behind what was told before
    return heard_.times("notifications/" + list + "/list_changed");
  }

 private:
  Heard heard_;
  toolwire::Client client_;
  toolwire::Subscription subscription_;
};

}  // namespace toolwire_test
