// Counts what a server does, for a monitoring system that reads files in Prometheus' text form.
// A middleware for any toolwire server, an Observer for registries, and a few counters beside them.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <toolwire/bridge/policy.hpp>
#include <toolwire/middleware.hpp>

namespace toolwire::bridge {

/// Thread-safe.
///
///   toolwire_calls_total{tool,outcome}                 calls that ended; outcome: "ok", "asked", "error" or a code
///   toolwire_call_duration_seconds{tool}               histogram, from the first middleware to the answer
///   toolwire_calls_in_flight                           calls that have not ended
///   toolwire_retries_total{tool}                       further attempts after a connection that failed
///   toolwire_cache_hits_total{tool}                    answers that were remembered
///   toolwire_back_end_restarts_total{back_end}         processes that had to be started again
///   and a gauge or a counter for everything that is `watched`
class Metrics {
 public:
  Metrics();
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  void call_begins();
  void call_ends(const std::string& tool, const std::string& outcome, std::chrono::steady_clock::duration time);
  void retried(const std::string& tool);
  void answered_from_cache(const std::string& tool);
  void back_end_restarted(const std::string& back_end);
  /// A number that is asked for whenever the text is made: a queue's length. `name` as Prometheus has it; `read` must
  /// be quick and usable as long as the metrics are.
  void watch(std::string name, std::string help, std::function<double()> read);
  /// The same of one that only grows.
  void watch_total(std::string name, std::string help, std::function<double()> read);

  /// All of it in text form (Prometheus exposition format 0.0.4).
  std::string text() const;
  /// Changes with every count, so that an unchanged file need not be written again.
  std::uint64_t version() const;
  /// Replaces the file by a new one in a single step: a reader sees the old text or the new. Throws std::system_error
  /// naming the file.
  void write_file(const std::string& file) const;

 private:
  struct Counts;
  std::unique_ptr<Counts> counts_;
};

/// For Server::around_call: counts every call that gets as far as this middleware.
Middleware measured(std::shared_ptr<Metrics> metrics);

/// For Server::on_refused_call: counts every call that no middleware sees.
RefusedLook refused_calls_measured(std::shared_ptr<Metrics> metrics);

/// For Registry::observe_with: counts every call of the registry.
std::shared_ptr<Observer> metrics_observer(std::shared_ptr<Metrics> metrics);

}  // namespace toolwire::bridge
