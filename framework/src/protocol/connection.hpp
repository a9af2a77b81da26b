// One connection: what was negotiated on it, and the parts that keep its calls, questions and output. Shared by
// everything that still holds a call of it, so that an answer that comes after the end finds something to be dropped
// by.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "protocol/revision.hpp"
#include "protocol/service.hpp"
#include "protocol/subscriptions/resource_subscriptions.hpp"
#include "protocol/subscriptions/subscriptions.hpp"
#include "runtime/coalesced_notifications.hpp"
#include "runtime/crew.hpp"
#include "runtime/in_flight.hpp"
#include "runtime/outgoing.hpp"
#include "runtime/output.hpp"

namespace toolwire::protocol {

class StateSeal;

/// What a client said of itself in `initialize`.
struct LegacyClient {
  JsonObject capabilities = {};
  JsonObject info = {};
};

/// The negotiated part is written by the driver of the crew only; the atomics are read from any thread. The rest is
/// thread-safe.
struct Connection final : Service::Listener {
  Connection(Service& served, Transport& transport, runtime::Crew::Steps steps, runtime::Crew::Settings settings);

  Service& service;
  runtime::Output output;
  runtime::CoalescedNotifications newest;  // notifications that a client which does not read may miss but for the last
  runtime::InFlight in_flight;
  runtime::Outgoing outgoing;
  Subscriptions subscriptions;
  ResourceSubscriptions watches;
  runtime::Crew crew;

  const Revision* negotiated = nullptr;  // by `initialize`
  std::shared_ptr<const LegacyClient> legacy_client = std::make_shared<const LegacyClient>();
  std::atomic<const Revision*> notified_revision{nullptr};  // set once `notifications/initialized` has come
  static constexpr unsigned char log_nothing = 0xff;        // above every LogLevel
  std::atomic<unsigned char> log_level{log_nothing};        // by logging/setLevel
  OfferedFeatures declared;                                 // to the client, by `initialize`

  /// Tells the client of a change, in its era's way, if it wants to hear of it. From any thread.
  void tell(const Change& change) override;
  /// Ends every subscription as the specification requires: with a complete result that carries its id. From any
  /// thread.
  void end_subscriptions() override;
};

}  // namespace toolwire::protocol
