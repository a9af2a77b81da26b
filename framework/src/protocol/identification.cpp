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
#include "toolwire/text.hpp"

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

/// What is bound to a name is kept in texts where a line break ends it, and in JSON.
bool is_usable(std::string_view name) {
  const auto is_control = [](char one) { return static_cast<unsigned char>(one) < 0x20 || one == 0x7f; };
  return name.size() <= max_caller_name && std::ranges::none_of(name, is_control) && text::is_valid(name);
}

/// Held by who identifies the caller, if that comes later. Its clock decides between the answer and the limit of time.
class Identification : public std::enable_shared_from_this<Identification>,
                       public detail::Asking<Identification, std::string> {
 public:
  Identification(Exchange&& exchange, std::string_view method, MethodHandler handle)
      : exchange_(std::move(exchange)),
        connection_(exchange_.connection),
        call_(exchange_.call),
        method_(method),
        handle_(handle) {}

  void begin() {
    contained([this] {
      const auto name = ask();
      if (name) return go_on(*name);
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
  using Name = Done<std::string>::Result;

  std::optional<Name> ask() {
    try {
      return asked<std::string>([this](Done<std::string> done) {
        connection_->service.options.identify({method_, exchange_.meta(), connection_->peer.get()}, std::move(done));
      });
    } catch (...) {
      return Name(std::in_place_index<1>, std::current_exception());
    }
  }

  void go_on(const Name& name) {
    if (const auto* why = std::get_if<std::exception_ptr>(&name)) refuse(*why);
    const auto& caller = std::get<std::string>(name);
    if (!is_usable(caller)) throw unidentified("it was given a name that is too long, or no line of text");
    if (!caller.empty())
      exchange_.client = std::make_shared<const Client>(Client{.legacy = exchange_.client->legacy, .caller = caller});
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
