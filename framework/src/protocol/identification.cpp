#include "protocol/identification.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "json/fast.hpp"
#include "log/log.hpp"
#include "protocol/handlers.hpp"
#include "toolwire/detail/asking.hpp"
#include "toolwire/detail/call_clock.hpp"
#include "toolwire/detail/what_of.hpp"

namespace toolwire::protocol {
namespace {

/// Details go to stderr, never to the wire.
ProtocolError unidentified(const std::string& why) {
  process::log("a request is refused, for its caller is not known: " + why);
  return ProtocolError(error_code::internal_error,
                       "Internal error: the server cannot tell who is calling; try again shortly",
                       JsonObject{{"code", "unavailable"}, {"retryable", true}});
}

[[noreturn]] void refuse(const std::exception_ptr& why) {
  try {
    std::rethrow_exception(why);
  } catch (const ProtocolError&) {
    throw;
  } catch (...) {
    throw unidentified(detail::what_of(why));
  }
}

/// Held by who identifies the caller, if that comes later. Its clock decides between the answer and the limit of time.
class Identification : public std::enable_shared_from_this<Identification>,
                       public detail::Asking<Identification, Principal> {
 public:
  Identification(Exchange&& exchange, std::string_view method, MethodHandler handle)
      : exchange_(std::move(exchange)),
        connection_(exchange_.connection),
        call_(exchange_.call),
        method_(method),
        handle_(handle) {}

  void begin() {
    contained([this] {
      auto answer = ask();
      if (answer) return go_on(std::move(*answer));
      const auto patience = std::max(connection_->service.options.limits.identify, std::chrono::milliseconds(1));
      clock_.start(*connection_->channel, patience, weak_from_this());
    });
  }

  void answered_later() {
    if (!clock_.end(*connection_->channel)) return;
    connection_->channel->post([self = shared_from_this()] {
      if (!self->call_->is_over()) self->contained([&] { self->go_on(*self->ask()); });
    });
  }

  void timed_out() {
    if (!clock_.end(*connection_->channel)) return;
    fail(*call_, unidentified("nobody has said it in time"));
    connection_->channel->flush_from_outside();
  }

 private:
  using Answer = Done<Principal>::Result;

  std::optional<Answer> ask() {
    try {
      return asked<Principal>([this](Done<Principal> done) {
        connection_->service.options.identify({method_, exchange_.meta(), connection_->peer.get()}, std::move(done));
      });
    } catch (...) {
      return Answer(std::in_place_index<1>, std::current_exception());
    }
  }

  void go_on(Answer&& answer) {
    if (const auto* why = std::get_if<std::exception_ptr>(&answer)) refuse(*why);
    auto& principal = std::get<Principal>(answer);
    if (!is_principal_id(principal.id)) throw unidentified("it was given an id that is too long, or no line of text");
    if (!principal.id.empty())
      exchange_.client =
          std::make_shared<const Client>(Client{.legacy = exchange_.client->legacy, .principal = std::move(principal)});
    handle_(std::move(exchange_));
  }

  template <class Body>
  void contained(Body body) {
    try {
      body();
    } catch (const ProtocolError& error) {
      fail(*call_, error);
    } catch (const std::bad_alloc&) {
      fail_without_memory(*call_);
    }
  }

  Exchange exchange_;
  const std::shared_ptr<Connection> connection_;
  const std::shared_ptr<runtime::Call> call_;
  const std::string method_;
  const MethodHandler handle_;
  detail::CallClock clock_;
};

}  // namespace

/// The next line after `initialize` is read by what that has settled, and both say nothing that is anybody's.
void identify(Exchange&& exchange, std::string_view method, MethodHandler handle) {
  if (handle == initialize || handle == ping) return handle(std::move(exchange));
  std::allocate_shared<Identification>(json::Recycled<Identification>(), std::move(exchange), method, handle)->begin();
}

}  // namespace toolwire::protocol
