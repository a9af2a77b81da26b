// One who is let in at a NATS of tests, hears all that is sent there, and has no key.
#pragma once

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "nats/library/connection.hpp"
#include "nats_server.hpp"

namespace toolwire_test {

/// One thread.
class Stranger {
 public:
  explicit Stranger(const NatsServer& server, const std::string& subject = ">", const std::string& queue = "")
      : heard_(std::make_shared<Heard>()), connection_({.address = server.address()}, heard_) {
    if (const std::string why = connection_.subscribe(1, subject, queue); !why.empty()) throw std::runtime_error(why);
  }

  void send(const std::string& subject, const std::string& payload, const std::string& reply = "") {
    if (const std::string why = connection_.publish(subject, reply, payload); !why.empty())
      throw std::runtime_error(why);
  }
  /// All that was heard, once it is so many or more.
  std::vector<toolwire::nats::Message> messages(std::size_t count) {
    BOOST_TEST_REQUIRE(eventually([&] { return heard_->all().size() >= count; }));
    return heard_->all();
  }

 private:
  class Heard final : public toolwire::nats::Events {
   public:
    void came(std::uint64_t, toolwire::nats::Message&& message) override {
      const std::lock_guard lock(mutex_);
      messages_.push_back(std::move(message));
    }
    void closed(const std::string&) override {}
    void refused(const std::string&) override {}
    std::vector<toolwire::nats::Message> all() {
      const std::lock_guard lock(mutex_);
      return messages_;
    }

   private:
    std::mutex mutex_;
    std::vector<toolwire::nats::Message> messages_;
  };
  const std::shared_ptr<Heard> heard_;
  toolwire::nats::Connection connection_;
};

}  // namespace toolwire_test
