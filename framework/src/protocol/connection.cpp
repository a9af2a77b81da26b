#include "protocol/connection.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace toolwire::protocol {
namespace {

std::string untagged(std::string_view method, std::string_view params) {
  std::string line = R"({"jsonrpc":"2.0","method":")";
  line.append(method).append("\"");
  if (!params.empty()) line.append(",\"params\":{").append(params).append("}");
  return line.append("}");
}

constexpr std::size_t max_unread_of_many = std::size_t{1} << 20;  // bytes

/// Of one that shares a channel, as thousands may. An answer is taken whole, however large it is.
Limits with_little_output(Limits limits) {
  limits.line = std::min(limits.line, max_unread_of_many);
  limits.output_soft = std::min(limits.output_soft, max_unread_of_many);
  return limits;
}

}  // namespace

Connection::Connection(Service& served, Transport& transport, std::shared_ptr<engine::Engine> engine,
                       engine::Source& source)
    : service(served),
      output(
          transport, served.options.limits, [this] { channel->output_stalled(); },
          [this] {
            newest.release();
            channel->output_caught_up();
          }),
      newest(output),
      in_flight(output, served.options.limits.calls_in_flight),
      outgoing(served.options.limits.open_questions),
      subscriptions(output, newest, served.options.limits.listens, served.options.limits.watched_resources),
      watches(served.options.limits.watched_resources),
      channel(std::make_shared<engine::Channel>(std::move(engine), source, output)) {}

Connection::Connection(Service& served, Transport& transport, std::shared_ptr<engine::Channel> shared,
                       std::function<void()> flush, std::string questions)
    : service(served),
      output(
          transport, with_little_output(served.options.limits), [] {}, [this] { newest.release(); }),
      newest(output),
      in_flight(output, served.options.limits.calls_in_flight),
      outgoing(served.options.limits.open_questions, std::move(questions)),
      subscriptions(output, newest, served.options.limits.listens, served.options.limits.watched_resources),
      watches(served.options.limits.watched_resources),
      channel(std::move(shared)),
      flush_shared(std::move(flush)) {}

std::uint64_t Connection::next_number() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

void Connection::tell(const Change& change) {
  const TopicTraits& topic = traits_of(change.topic);
  // Legacy notifications leave only after notifications/initialized (2025-11-25 basic/lifecycle), and only of what
  // initialize has declared.
  const bool hears = notified_revision.load(std::memory_order_acquire) != nullptr &&
                     declared.get().has(topic.feature) && (topic.can_watch == nullptr || watches.has(change.subject));
  if (hears) {
    std::string kind(topic.method);
    kind.append("\n").append(change.subject);
    newest.append(std::move(kind), untagged(topic.method, change.params));
  }
  subscriptions.tell(change);
  flush_from_outside();
}

void Connection::visibility_changed() {
  for (const Topic topic : service.lists_by_asker()) tell({topic});
}

void Connection::end_subscriptions() {
  for (const auto& call : subscriptions.take_all()) {
    call->answer([&](std::string& out) {
      out.append(R"({"resultType":"complete",)").append(service.result_meta_text()).append(",\"");
      out.append(meta_key::subscription_id).append("\":").append(call->id().text).append("}}");
    });
  }
  flush_from_outside();
}

}  // namespace toolwire::protocol
