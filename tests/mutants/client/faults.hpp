// What a judged client is told on its command line: how it works, and the one thing that it does wrong.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace judged_client {

struct Settings {
  std::set<std::string, std::less<>> faults = {};
  std::vector<std::string> server = {};   // its command
  std::string tool = {}, arguments = {};  // of the call; no tool: none
  bool modern = false, dual = false;      // 2026-07-28 alone, or with a probe first
  bool declares = false;                  // roots, sampling and elicitation
  bool listens = false;                   // opens a subscription

  bool has(std::string_view fault) const { return faults.contains(fault); }
};

/// Thrown where the client ends with a word on standard error.
struct Ends {
  std::string word;
};

}  // namespace judged_client
