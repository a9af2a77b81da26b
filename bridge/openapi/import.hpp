// A whole OpenAPI description as a manifest of tools and the bindings that run them, to be edited by hand afterwards.
// Takes values, returns values.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/bridge/manifest.hpp>
#include <toolwire/json.hpp>

namespace toolwire::bridge::openapi {

struct ImportOptions {
  std::string base_url = {};  // in the place of the description's servers
};

struct Imported {
  Json manifest = {};
  Json bindings = {};
  std::size_t tools = 0;
  std::size_t left_out = 0;                           // operations
  std::map<std::string, std::string> variables = {};  // that the bindings name, and what each is for
};

/// There is an import exactly if there are no problems. Hints say what was not carried over.
struct ImportReading {
  std::optional<Imported> imported = {};
  std::vector<ManifestProblem> problems = {};
  std::vector<ManifestProblem> hints = {};
};

/// `text` is JSON; `name` is how problems call it.
ImportReading import_description(std::string_view text, const std::string& name, const ImportOptions& options);

}  // namespace toolwire::bridge::openapi
