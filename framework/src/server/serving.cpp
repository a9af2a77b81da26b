#include "server/serving.hpp"

#include <stdexcept>
#include <toolwire/system/descriptor_limit.hpp>
#include <utility>

namespace toolwire::server {

std::shared_ptr<engine::Engine> Serving::begin(const protocol::Service& service, Settings settings) {
  auto engine = engine::Engine::make({.threads = settings.is_pumped ? 0 : service.options.threads,
                                      .drain = service.options.limits.drain,
                                      .take_signals = settings.take_signals,
                                      .on_stuck = std::move(settings.abandon)});
  const MutexLock lock(mutex_);
  if (settings.has_listeners) {
    if (listens_) throw std::logic_error("the server runs already; clients connect to that");
    listens_ = engine;
  }
  if (stopped_) engine->stop();
  running_.push_back(engine);
  return engine;
}

void Serving::run(const std::shared_ptr<engine::Engine>& engine) {
  attach_listeners(engine);
  engine->run();
  end(engine);
}

void Serving::attach_listeners(const std::shared_ptr<engine::Engine>& engine) {
  std::vector<std::shared_ptr<Listener>> waiting;
  {
    const MutexLock lock(mutex_);
    if (listens_ == engine) waiting.swap(waiting_);
  }
  for (const auto& listener : waiting) listener->attach(engine, listener);
}

void Serving::end(const std::shared_ptr<engine::Engine>& engine) {
  engine->detach_all();
  const MutexLock lock(mutex_);
  std::erase(running_, engine);
  if (listens_ == engine) listens_.reset();
}

void Serving::add(std::shared_ptr<Listener> listener) {
  system::raise_descriptor_limit();
  std::shared_ptr<engine::Engine> engine;
  {
    const MutexLock lock(mutex_);
    if (stopped_) throw std::logic_error("the server has been stopped");
    if (!listens_) return waiting_.push_back(std::move(listener));
    engine = listens_;
  }
  listener->attach(engine, listener);
}

bool Serving::is_without_listeners() const {
  const MutexLock lock(mutex_);
  return waiting_.empty() && !stopped_;
}

void Serving::stop() {
  std::vector<std::shared_ptr<engine::Engine>> running;
  std::vector<std::shared_ptr<Listener>> waiting;
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
    running = running_;
    waiting.swap(waiting_);
  }
  for (const auto& engine : running) engine->stop();
}

}  // namespace toolwire::server
