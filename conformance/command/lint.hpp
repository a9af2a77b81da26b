// What families of hosts do with the schemas of tools, without judging the server: the command `lint`.
#pragma once

#include <string>
#include <vector>

namespace toolwire::conformance {

/// `arguments` behind the word "lint". 0: no host has anything against the tools, 1: one has. Throws UsageEnd.
int lint(const std::vector<std::string>& arguments);

}  // namespace toolwire::conformance
