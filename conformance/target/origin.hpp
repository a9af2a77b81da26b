// Whose code a server is, as far as its files tell: its package, and the SDK it is built on. It reads files and starts
// nothing.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/started_as.hpp"

namespace toolwire::conformance {

struct Package {
  std::string registry, name, version;  // "npm", "@scope/name", "1.2.3"
  std::string text() const;             // "@scope/name 1.2.3"
};

struct Origin {
  std::optional<Package> server = {};
  std::vector<Package> sdks = {};  // those of catalogue/causes.json
};

/// Of the first command of which anything is known: npm packages by their package.json, Python packages by the
/// environment of their interpreter, modules of Go, C# and Rust by what compilers write into programs, which may mean
/// to read them. Nothing where nothing is found; never throws.
Origin origin_of(const std::vector<StartedAs>& commands) noexcept;

}  // namespace toolwire::conformance
