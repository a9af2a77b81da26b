#include "server/serving.hpp"

#include <stdexcept>
#include <toolwire/engine.hpp>
#include <toolwire/system/descriptor_limit.hpp>
#include <toolwire/system/state_secrets.hpp>
#include <utility>

namespace toolwire::server {

/// A transport of the program's own may be one that cannot be waited for together with others.
Serving::Running Serving::begin_engine(const protocol::Service& service, Settings settings) {
  const bool leaves_stuck = service.options.on_stuck == OnStuck::detach;
  if (const auto& shared = service.options.engine; shared && settings.has_listeners && !settings.is_pumped) {
    const auto time = shared->engine_->begin_serving({.drain = service.options.limits.drain,
                                                      .take_signals = settings.take_signals,
                                                      .notice = service.options.notice,
                                                      .on_stuck = std::move(settings.abandon),
                                                      .leaves_stuck = leaves_stuck});
    return {shared->engine_, time};
  }
  return {engine::Engine::make({.threads = settings.is_pumped ? 0 : service.options.threads,
                                .drain = service.options.limits.drain,
                                .take_signals = settings.take_signals,
                                .notice = service.options.notice,
                                .on_stuck = std::move(settings.abandon),
                                .leaves_stuck = leaves_stuck})};
}

std::shared_ptr<engine::Engine> Serving::begin(const protocol::Service& service, Settings settings) {
  (void)system::state_secrets();  // with one that is too short nothing begins
  const bool has_listeners = settings.has_listeners;
  const MutexLock lock(mutex_);
  if (has_listeners && listens_) throw std::logic_error("the server runs already; clients connect to that");
  Running begun = begin_engine(service, std::move(settings));
  if (has_listeners) listens_ = begun.engine;
  if (stopped_) begun.stop();
  running_.push_back(begun);
  return std::move(begun.engine);
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
  engine->end_serving();
  const MutexLock lock(mutex_);
  std::erase_if(running_, [&](const Running& one) { return one.engine == engine; });
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
  std::vector<Running> running;
  std::vector<std::shared_ptr<Listener>> waiting;
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
    running = running_;
    waiting.swap(waiting_);
  }
  for (const Running& one : running) one.stop();
  const MutexLock lock(calling_);
  for (const auto& call : when_stopped_) call();
}

Serving::Stopped Serving::when_stopped(std::function<void()> what) {
  const MutexLock lock(calling_);
  {
    const MutexLock stopped(mutex_);
    if (stopped_) what();
  }
  return when_stopped_.insert(when_stopped_.end(), std::move(what));
}

const std::shared_ptr<engine::Engine>& Serving::inside(const toolwire::Engine& shared) { return shared.engine_; }

void Serving::forget(Stopped what) {
  const MutexLock lock(calling_);
  when_stopped_.erase(what);
}

}  // namespace toolwire::server
