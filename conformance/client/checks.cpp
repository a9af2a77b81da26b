#include <algorithm>

#include "client/check.hpp"

namespace toolwire::conformance {

bool HostCheck::names(std::string_view played) const {
  for (std::size_t at = 0; at < cases.size();) {
    const std::size_t end = std::min(cases.find(' ', at), cases.size());
    if (cases.substr(at, end - at) == played) return true;
    at = end + 1;
  }
  return false;
}

const std::vector<HostCheck>& host_checks() {
  static const std::vector<HostCheck> all = [] {
    std::vector<HostCheck> list;
    for (const auto part :
         {handshake_host_checks(), message_host_checks(), question_host_checks(), request_host_checks(),
          modern_host_checks(), line_host_checks(), answer_host_checks(), ending_host_checks()})
      list.insert(list.end(), part.begin(), part.end());
    return list;
  }();
  return all;
}

}  // namespace toolwire::conformance
