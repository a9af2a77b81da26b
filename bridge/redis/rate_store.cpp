#include <chrono>
#include <stdexcept>
#include <utility>

#include "client.hpp"
#include "read_reply.hpp"
#include "scripts.hpp"

namespace toolwire::redis {
namespace {

RateStore::Wait wait_in(const Reply& reply) {
  if (reply.kind != Reply::Kind::number) throw std::runtime_error("Redis answers a question for a rate with no number");
  if (reply.number <= 0) return std::nullopt;
  return std::chrono::milliseconds(reply.number);
}

class RedisRateStore final : public RateStore {
 public:
  explicit RedisRateStore(std::shared_ptr<Client> client) : client_(std::move(client)) {}

  void look(const std::string& key, std::int64_t per_minute, Done<Wait> done) override {
    ask(key, per_minute, "look", std::move(done));
  }
  void charge(const std::string& key, std::int64_t per_minute, Done<Wait> done) override {
    ask(key, per_minute, "charge", std::move(done));
  }

 private:
  void ask(const std::string& key, std::int64_t per_minute, const char* how, Done<Wait> done) const {
    run(client_, rate, client_->sealing().names("rate", key), {std::to_string(per_minute), how},
        read_into(std::move(done), wait_in));
  }

  const std::shared_ptr<Client> client_;
};

}  // namespace

std::shared_ptr<RateStore> rate_store(std::shared_ptr<Client> client) {
  return std::make_shared<RedisRateStore>(std::move(client));
}

}  // namespace toolwire::redis
