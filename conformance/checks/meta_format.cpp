// Unknown keys of _meta do no harm; the passive checks of _meta are in passive/meta_format.cpp.
#include "checks/groups.hpp"

namespace toolwire::conformance {
namespace {

void unknown_tolerated(Probe& probe) {
  Session& session = probe.session();
  const JsonObject meta{{"com.example/x", {{"a", 1}}}, {"", 1}};
  probe.expect_result(session.request(probe.modern() ? "server/discover" : "ping", {{"_meta", meta}}),
                      "a request with unknown keys in _meta");
}

}  // namespace

std::span<const Check> meta_format_checks() {
  static constexpr Check checks[] = {
      {"meta-unknown-tolerated", unknown_tolerated},
  };
  return checks;
}

}  // namespace toolwire::conformance
