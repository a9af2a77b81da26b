// A server that a loop of the program's own drives.
#include <memory>
#include <optional>
#include <stdexcept>

#include "engine/engine.hpp"
#include "server/session.hpp"
#include "server/state.hpp"
#include "toolwire/transport.hpp"
#include "transport/pollable.hpp"

namespace toolwire {

struct Pump::Pumped {
  explicit Pumped(Server::State& served)
      : state(served), engine(state.serving.begin(state, {.has_listeners = true, .is_pumped = true})) {}
  ~Pumped() { state.serving.end(engine); }
  Pumped(const Pumped&) = delete;
  Pumped& operator=(const Pumped&) = delete;

  Server::State& state;
  const std::shared_ptr<engine::Engine> engine;
  std::optional<server::Session> session;
};

Pump::Pump(Server& server) : pumped_(std::make_unique<Pumped>(*server.state_)) {
  pumped_->state.serving.attach_listeners(pumped_->engine);
}

Pump::Pump(Server& server, Transport& transport) {
  const auto* const pollable = dynamic_cast<transport::Pollable*>(&transport);
  if (pollable == nullptr || pollable->input_descriptor() < 0)
    throw std::invalid_argument("a pump can only wait for a transport with a descriptor");
  pumped_ = std::make_unique<Pumped>(*server.state_);
  const auto& engine = pumped_->engine;
  pumped_->session.emplace(pumped_->state, transport, engine,
                           server::Session::Settings{.ended = [engine = engine.get()] { engine->stop(); }});
  pumped_->session->attach();
  pumped_->state.serving.attach_listeners(engine);
}

Pump::~Pump() = default;

int Pump::descriptor() const { return pumped_->engine->descriptor(); }

bool Pump::run_ready(std::size_t max_jobs) { return pumped_->engine->run_ready(max_jobs); }

}  // namespace toolwire
