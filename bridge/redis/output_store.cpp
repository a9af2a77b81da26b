#include <array>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "client.hpp"
#include "read_reply.hpp"
#include "system/random_text.hpp"

namespace toolwire::redis {
namespace {

using std::chrono::milliseconds;
using Text = std::shared_ptr<const std::string>;

constexpr std::size_t id_parts = 4;  // 128 random bits

Sealing::Time now() { return std::chrono::time_point_cast<milliseconds>(std::chrono::system_clock::now()); }

[[noreturn]] void refuse(Sealing::Refusal refusal) {
  if (refusal == Sealing::Refusal::unknown_key)
    throw std::runtime_error("an output kept in Redis was sealed with a key that is not named here");
  throw std::runtime_error("an output kept in Redis was altered");
}

/// The first value that is there, under whichever of its names; null if there is none.
Text text_in(const Sealing& sealing, const std::vector<std::string>& names, const Reply& reply) {
  for (std::size_t i = 0; i < names.size() && i < reply.list.size(); ++i) {
    if (reply.list[i].kind != Reply::Kind::text) continue;
    auto opened = sealing.open(names[i], reply.list[i].text, now());
    if (opened.refusal == Sealing::Refusal::expired) return nullptr;
    if (opened.refusal) refuse(*opened.refusal);
    return std::make_shared<const std::string>(std::move(opened.value));
  }
  return nullptr;
}

class RedisOutputStore final : public OutputStore {
 public:
  RedisOutputStore(std::shared_ptr<Client> client, OutputLimits limits) : client_(std::move(client)), limits_(limits) {}

  void keep(std::string_view text, Done<std::string> done) override {
    if (text.size() > limits_.max_text) return done({});
    std::string id = bridge::random_text(id_parts);
    const std::string name = client_->sealing().names(kind, id).front();
    const std::string value = client_->sealing().seal(name, text, now() + limits_.time_to_live);
    const std::string life = std::to_string(limits_.time_to_live.count());
    const std::array<std::string_view, 5> command{"SET", name, value, "PX", life};
    client_->ask(command, read_into(std::move(done), [id = std::move(id)](const Reply&) { return id; }));
  }

  void find(std::string_view id, Done<Text> done) override {
    auto names = client_->sealing().names(kind, id);
    std::vector<std::string_view> command{"MGET"};
    command.insert(command.end(), names.begin(), names.end());
    client_->ask(command, read_into(std::move(done), [client = client_, names](const Reply& reply) {
                   return text_in(client->sealing(), names, reply);
                 }));
  }

 private:
  static constexpr std::string_view kind = "output";

  const std::shared_ptr<Client> client_;
  const OutputLimits limits_;
};

}  // namespace

std::shared_ptr<OutputStore> output_store(std::shared_ptr<Client> client, OutputLimits limits) {
  if (limits.time_to_live <= milliseconds::zero())
    throw std::invalid_argument("outputs must be kept for longer than nothing");
  return std::make_shared<RedisOutputStore>(std::move(client), limits);
}

toolwire::Stores stores(const std::shared_ptr<Client>& client, OutputLimits limits) {
  return {.used_answers = nonce_store(client, "answers"),
          .continuations = nonce_store(client, "continuations"),
          .rates = rate_store(client),
          .outputs = output_store(client, limits)};
}

}  // namespace toolwire::redis
