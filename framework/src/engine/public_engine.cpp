// The engine as programs see it.
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "engine/engine.hpp"
#include "system/later.hpp"
#include "system/poller.hpp"
#include "toolwire/engine.hpp"

namespace toolwire {
namespace {

static_assert(Engine::readable == system::Poller::input && Engine::writable == system::Poller::output);

std::shared_ptr<engine::Engine> started(const EngineOptions& options) {
  if (options.threads == 0) throw std::invalid_argument("an engine needs at least one thread");
  auto engine = engine::Engine::make({.threads = options.threads, .stands = true});
  engine->start();
  return engine;
}

}  // namespace

Engine::Engine(EngineOptions options) : engine_(started(options)) {}

Engine::~Engine() {
  if (engine_->is_inside()) {  // a thread cannot wait for its own end
    std::thread([engine = engine_] { engine->end(); }).detach();
  } else {
    engine_->end();
  }
}

Engine::Watch Engine::watch(int descriptor, unsigned what, Ready ready) {
  const unsigned known = what & (readable | writable);
  const std::uint64_t id = known == 0 ? 0 : engine_->watch(descriptor, known, std::move(ready));
  if (id == 0)
    throw std::invalid_argument("descriptor " + std::to_string(descriptor) +
                                " cannot be waited for, or something waits for it already");
  return {engine_, id};
}

void Engine::post(Job job) { engine_->post(std::move(job)); }

Engine::Timer Engine::at(Clock::time_point when, Job job) { return engine_->post_at(when, std::move(job)); }

Engine::Timer Engine::after(Clock::duration time, Job job) { return at(system::later<Clock>(time), std::move(job)); }

void Engine::cancel(const Timer& timer) { engine_->forget(timer); }

Engine::Watch::Watch(Watch&& other) noexcept : engine_(std::move(other.engine_)), id_(std::exchange(other.id_, 0)) {}

Engine::Watch& Engine::Watch::operator=(Watch&& other) noexcept {
  if (this == &other) return *this;
  end();
  engine_ = std::move(other.engine_);
  id_ = std::exchange(other.id_, 0);
  return *this;
}

void Engine::Watch::end() {
  if (id_ == 0) return;
  engine_->unwatch(std::exchange(id_, 0));
  engine_.reset();
}

}  // namespace toolwire
