// What serves a server at this moment: engines, which can be stopped, and where clients connect.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <vector>

#include "engine/engine.hpp"
#include "protocol/service.hpp"
#include "server/listener.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::server {

/// Thread-safe. Outlives the engines.
class Serving {
 public:
  struct Settings {
    bool take_signals = false;           // SIGTERM and SIGINT, blocked in all threads, end it
    bool has_listeners = false;          // clients may connect to it
    bool is_pumped = false;              // by a loop of the program's own: without threads
    std::function<void()> abandon = {};  // called when the end is due but a tool will not stop
  };

  /// An engine for this server, to be run: the one of its options where that may serve it. Throws std::system_error if
  /// descriptors have run out; std::logic_error if there are to be listeners, and another engine has them, or if the
  /// engine of the options serves already; as system::state_secrets does.
  std::shared_ptr<engine::Engine> begin(const protocol::Service& service, Settings settings);
  /// Runs it to its end.
  void run(const std::shared_ptr<engine::Engine>& engine);
  /// The parts of `run` for an engine that is pumped.
  void attach_listeners(const std::shared_ptr<engine::Engine>& engine);
  void end(const std::shared_ptr<engine::Engine>& engine);

  /// Accepts clients while an engine with listeners runs, at once or once there is one. Throws std::logic_error after
  /// a stop.
  void add(std::shared_ptr<Listener> listener);
  /// Nobody could connect, and that was not because of a stop.
  bool is_without_listeners() const;

  /// Ends all engines, those that are to come too.
  void stop();

  /// Calls `what` at a stop, or now if there was one, until it is forgotten. It must not use this.
  using Stopped = std::list<std::function<void()>>::iterator;
  Stopped when_stopped(std::function<void()> what);
  void forget(Stopped what);

  /// What works in an engine of the program.
  static const std::shared_ptr<engine::Engine>& inside(const toolwire::Engine& shared);

 private:
  struct Running {
    std::shared_ptr<engine::Engine> engine;
    std::uint64_t time = 0;  // of an engine that serves others before and after; 0: no such one
    void stop() const { time == 0 ? engine->stop() : engine->stop(time); }
  };
  static Running begin_engine(const protocol::Service& service, Settings settings);

  mutable Mutex mutex_;
  std::vector<Running> running_ TOOLWIRE_GUARDED_BY(mutex_);
  std::shared_ptr<engine::Engine> listens_ TOOLWIRE_GUARDED_BY(mutex_);         // of running_
  std::vector<std::shared_ptr<Listener>> waiting_ TOOLWIRE_GUARDED_BY(mutex_);  // for an engine
  bool stopped_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  Mutex calling_;  // held while these are called, so that one that is forgotten is not called any more
  std::list<std::function<void()>> when_stopped_ TOOLWIRE_GUARDED_BY(calling_);
};

}  // namespace toolwire::server
