// The checks of hostile and unlucky circumstances, each table in the file of its name (robustness_<topic>.cpp).
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

/// A limit for an answer: two seconds of the server's CPU time, so that a busy machine blames nobody; one that waits
/// without working ends at the time limit of the answer. Lives no longer than the session.
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

/// A session of its own that passive checks do not judge: what is sent is not fit for judgement.
Session& rough_session(Probe& probe);
/// `broken` unless a request sent now is answered in time and nothing but messages came so far.
void expect_serving(Probe& probe, Session& session, std::string_view after_what,
                    std::chrono::milliseconds limit = std::chrono::seconds(5));
/// A request as text with one placeholder string replaced by raw text.
std::string request_with(const Session& session, const Json& id, std::string_view method, const JsonObject& params,
                         std::string_view placeholder, std::string_view raw);

}  // namespace toolwire::conformance
