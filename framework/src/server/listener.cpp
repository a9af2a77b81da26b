#include "server/listener.hpp"

#include <system_error>
#include <utility>

#include "log/log.hpp"
#include "server/session.hpp"
#include "transport/nowhere.hpp"

namespace toolwire::server {
namespace {

constexpr unsigned accepted_at_once = 64;

struct Accepted {
  Accepted(protocol::Service& service, std::unique_ptr<Transport> connected, std::shared_ptr<engine::Engine> engine,
           Session::Settings settings)
      : transport(std::move(connected)), session(service, *transport, std::move(engine), std::move(settings)) {}

  const std::unique_ptr<Transport> transport;
  Session session;
};

}  // namespace

Listener::Listener(const Limits& limits, std::unique_ptr<transport::ListeningSocket> socket)
    : limits_(limits), socket_(std::move(socket)) {}

void Listener::attach(const std::shared_ptr<engine::Engine>& engine, const std::shared_ptr<Listener>& self) {
  engine_ = engine;
  nowhere_ = std::make_unique<transport::Nowhere>();
  no_output_ = std::make_unique<engine::SendQueue>(*nowhere_, limits_, [] {});
  channel_ = std::make_shared<engine::Channel>(engine, *this, *no_output_);
  engine->attach(channel_, self);
}

engine::Source::Outcome Listener::wait_and_read() {
  if (!socket_->wait()) return Outcome::nothing;
  channel_->turn_begins();
  return accept_all();
}

engine::Source::Outcome Listener::accept_all() {
  if (lets_nobody_in_) return Outcome::rest;
  try {
    for (unsigned accepted = 0; accepted < accepted_at_once; ++accepted) {
      auto connected = socket_->accept();
      if (!connected) break;
      let_in(std::move(*connected));
      has_run_out_ = false;
    }
    return Outcome::more;
  } catch (const std::exception& error) {
    if (!has_run_out_.exchange(true))
      process::log(std::string("clients that connect have to wait, until others leave: ") + error.what());
    return Outcome::rest;
  }
}

void Listener::let_in(transport::ListeningSocket::Connected connected) {
  std::shared_ptr<const Peer> peer;
  if (const auto& credentials = connected.credentials) {
    if (!credentials->is_own_user)
      return process::log("user " + std::to_string(credentials->user) + " has tried to connect, and is not let in");
    peer = std::make_shared<const Peer>(Peer{credentials->user, credentials->process});
  }
  serve(std::move(connected.socket), std::move(peer));
}

SessionListener::SessionListener(protocol::Service& service, std::unique_ptr<transport::ListeningSocket> socket,
                                 Settings settings)
    : Listener(service.options.limits, std::move(socket)), service_(service), settings_(std::move(settings)) {}

void SessionListener::serve(system::FileDescriptor socket, std::shared_ptr<const Peer> peer) {
  if (settings_.admits && peer && !settings_.admits(*peer)) return;
  const auto& on_peer = settings_.on_peer;
  Session::Settings settings{.peer = peer, .token = settings_.token};
  if (on_peer && peer) settings.ended = [on_peer, peer] { on_peer(*peer, false); };
  const auto accepted = std::make_shared<Accepted>(service_, transport::socket_transport(std::move(socket)), engine(),
                                                   std::move(settings));
  if (on_peer && peer) on_peer(*peer, true);
  try {
    accepted->session.attach(accepted);
  } catch (...) {
    if (on_peer && peer) on_peer(*peer, false);
    throw;
  }
}

}  // namespace toolwire::server
