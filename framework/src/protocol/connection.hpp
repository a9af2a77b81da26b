// One connection: what was negotiated on it, and the parts that keep its calls, questions and output. Shared by
// everything that still holds a call of it, so that an answer that comes after the end finds something to be dropped
// by.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "engine/channel.hpp"
#include "engine/send_queue.hpp"
#include "protocol/host_faults.hpp"
#include "protocol/revision.hpp"
#include "protocol/service.hpp"
#include "protocol/subscriptions/resource_subscriptions.hpp"
#include "protocol/subscriptions/subscriptions.hpp"
#include "runtime/coalesced_notifications.hpp"
#include "runtime/in_flight.hpp"
#include "runtime/outgoing.hpp"
#include "toolwire/context.hpp"
#include "toolwire/detail/session_owner.hpp"

namespace toolwire::engine {
class Engine;
}

namespace toolwire::protocol {

class StateSeal;

/// What a client said of itself in `initialize`.
struct LegacyClient {
  JsonObject capabilities = {};
  JsonObject info = {};
  HostFaults faults = {};
};

/// Who a request comes from.
struct Client {
  std::shared_ptr<const LegacyClient> legacy = std::make_shared<const LegacyClient>();
  Principal principal = {};  // of this request
};

/// The negotiated part is written by the thread that reads only; the atomics are read from any thread. The rest is
/// thread-safe.
struct Connection final : Service::Listener, detail::SessionOwner {
  /// The channel is yet to be attached to its engine.
  Connection(Service& served, Transport& transport, std::shared_ptr<engine::Engine> engine, engine::Source& source);
  /// One of many that share a channel, which does not know their outputs. `flush` has the output written by a thread
  /// that holds no lock; beyond 1 MiB that its client does not read its tools wait. `questions`: what the ids of
  /// requests to the client begin with; empty: these are numbers.
  Connection(Service& served, Transport& transport, std::shared_ptr<engine::Channel> shared,
             std::function<void()> flush, std::string questions);

  Service& service;
  Session session{next_number(), this};  // what the program keeps for it
  engine::SendQueue output;
  runtime::CoalescedNotifications newest;  // notifications that a client which does not read may miss but for the last
  runtime::InFlight in_flight;
  runtime::Outgoing outgoing;
  Subscriptions subscriptions;
  ResourceSubscriptions watches;
  const std::shared_ptr<engine::Channel> channel;

  std::shared_ptr<const Peer> peer = nullptr;  // if it is known
  bool nobody_has_scopes = false;              // who has no name lacks them all; else such a one may do all
  const Revision* negotiated = nullptr;        // by `initialize`
  TraceContext trace = {};                     // of requests that have none of their own
  std::shared_ptr<const Client> client = std::make_shared<const Client>();
  std::atomic<const Revision*> notified_revision{nullptr};  // set once `notifications/initialized` has come
  static constexpr unsigned char log_nothing = 0xff;        // above every LogLevel
  std::atomic<unsigned char> log_level{log_nothing};        // by logging/setLevel
  OfferedFeatures declared;                                 // to the client, by `initialize`
  const std::function<void()> flush_shared = {};            // empty where the channel is this connection's own

  /// As the functions of the channel, for this connection's output.
  void flush_from_outside() { flush_shared ? flush_shared() : channel->flush_from_outside(); }
  void wait_for_room(const std::stop_token& stop) {
    if (!flush_shared) return channel->wait_for_room(stop);
    if (channel->may_wait()) output.wait_below_soft(stop);
  }

  /// Tells the client of a change, in its era's way, if it wants to hear of it. From any thread.
  void tell(const Change& change) override;
  /// Ends every subscription as the specification requires: with a complete result that carries its id. From any
  /// thread.
  void end_subscriptions() override;
  /// Tells the client of the lists that depend on who asks. From any thread.
  void visibility_changed() override;

 private:
  static std::uint64_t next_number();
};

}  // namespace toolwire::protocol
