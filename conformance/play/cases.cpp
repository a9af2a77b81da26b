#include "play/cases.hpp"

#include <algorithm>

namespace toolwire::conformance {

const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> list;
    for (const auto part : {handshake_cases(), message_cases(), question_cases(), request_cases(), modern_cases(),
                            line_cases(), answer_cases(), process_cases()})
      list.insert(list.end(), part.begin(), part.end());
    return list;
  }();
  return all;
}

const Case* find_case(std::string_view name) {
  const auto found = std::ranges::find(cases(), name, &Case::name);
  return found == cases().end() ? nullptr : &*found;
}

}  // namespace toolwire::conformance
