#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "client.hpp"
#include "read_reply.hpp"
#include "scripts.hpp"

namespace toolwire::redis {
namespace {

using std::chrono::milliseconds;

/// A little longer than the nonce counts, for the clocks of those who seal and of Redis differ.
std::string time_to_live(std::chrono::system_clock::time_point expires) {
  constexpr milliseconds skew = std::chrono::minutes(1);
  constexpr milliseconds longest = std::chrono::years(10);
  const auto left = std::chrono::ceil<milliseconds>(expires - std::chrono::system_clock::now()) + skew;
  return std::to_string(std::clamp<milliseconds>(left, milliseconds(1), longest).count());
}

NonceUse use_of(bool is_first) { return is_first ? NonceUse::first : NonceUse::again; }

class RedisNonceStore final : public NonceStore {
 public:
  RedisNonceStore(std::shared_ptr<Client> client, std::string purpose)
      : client_(std::move(client)), kind_("nonce:" + std::move(purpose)) {}

  void use(std::string_view nonce, std::chrono::system_clock::time_point expires, Done<NonceUse> done) override {
    const auto names = client_->sealing().names(kind_, nonce);
    const std::string life = time_to_live(expires);
    if (names.size() > 1) return use_all(names, life, std::move(done));
    const std::array<std::string_view, 6> command{"SET", names.front(), "1", "NX", "PX", life};
    client_->ask(command, read_into(std::move(done),
                                    [](const Reply& reply) { return use_of(reply.kind == Reply::Kind::status); }));
  }

 private:
  /// While two keys are named it counts under both names, whichever comes first for those who ask.
  void use_all(const std::vector<std::string>& names, const std::string& life, Done<NonceUse> done) const {
    run(client_, use_nonce, names, {life},
        read_into(std::move(done), [](const Reply& reply) { return use_of(reply.number == 1); }));
  }

  const std::shared_ptr<Client> client_;
  const std::string kind_;
};

}  // namespace

std::shared_ptr<NonceStore> nonce_store(std::shared_ptr<Client> client, std::string purpose) {
  return std::make_shared<RedisNonceStore>(std::move(client), std::move(purpose));
}

}  // namespace toolwire::redis
