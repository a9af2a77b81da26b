// The checks of hostile and adverse conditions, each table in the file of its name (robustness_<topic>.cpp).
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "probe/check.hpp"

namespace toolwire::conformance {

std::span<const Check> robustness_bytes_checks();
std::span<const Check> robustness_ids_checks();
std::span<const Check> robustness_lines_checks();
std::span<const Check> robustness_sizes_checks();

/// A limit for an answer: two seconds of the server's CPU time, so that a busy machine causes no failure; a server that
/// only waits ends at the time limit of the answer. Must not outlive the session.
class Effort {
 public:
  explicit Effort(Session& session) : process_(session.process()), before_(process_.cpu_time()) {}
  void expect_small(const Probe& probe) const {
    const auto spent = process_.cpu_time() - before_;
    probe.expect(spent < std::chrono::seconds(2), "an answer within two seconds of work",
                 std::to_string(spent.count()) + " ms of CPU time");
  }

 private:
  const ServerProcess& process_;
  const std::chrono::milliseconds before_;
};

/// Watches, from its making on, whether a server is busy while there is nothing to do. Must not outlive the session.
class IdleWatch {
 public:
  explicit IdleWatch(const Session& session);
  std::chrono::milliseconds used() const { return process_.cpu_time() - used_before_; }
  /// Whether it has used more of the processors than `limit`, or on a busy machine one thread of it has wanted one all
  /// the time.
  bool is_busy(std::chrono::milliseconds limit) const;

 private:
  const ServerProcess& process_;
  const std::chrono::steady_clock::time_point began_;
  const std::chrono::milliseconds used_before_;
  const std::map<pid_t, std::chrono::microseconds> wanted_before_;
};

/// Whether it is busy all the time for four times `time`, more than `limit` in each, and does not end meanwhile: what
/// ends by itself was work, as that of a compiler, or of an end in order.
bool stays_busy(Session& session, std::chrono::milliseconds time, std::chrono::milliseconds limit);

/// A separate session that passive checks ignore, because what is sent in it is not valid.
Session& rough_session(Probe& probe);
/// `broken` unless a request sent now is answered in time and only messages came so far.
void expect_serving(Probe& probe, Session& session, std::string_view after_what,
                    std::chrono::milliseconds limit = std::chrono::seconds(5));
/// `broken` if anything but whole messages came.
void expect_pure(Probe& probe, const Session& session, const std::string& after_what);
/// Fails if a response has come since `from` to something else than the session's own requests.
void expect_no_stray_response(Probe& probe, const Session& session, std::size_t from, const std::string& to_what);
/// Whether it is an error to a line that the server took for no request, whose id it need not know then.
bool refuses_nobody(const Message& message);
/// A request as text with one placeholder string replaced by raw text.
std::string request_with(const Session& session, const Json& id, std::string_view method, const JsonObject& params,
                         std::string_view placeholder, std::string_view raw);

}  // namespace toolwire::conformance
