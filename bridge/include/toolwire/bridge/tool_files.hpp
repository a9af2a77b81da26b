// Tools from files: native tool schemas, lists of them, manifests, folders of all these. Knows no registry.
#pragma once

#include <string>
#include <vector>

#include <toolwire/bridge/manifest.hpp>

namespace toolwire::bridge {

/// What stood in the files. `manifests` are those among them, without their tools and categories.
struct ToolFiles {
  std::vector<ToolDefinition> tools = {};  // in the order of the paths, files of a folder by name
  std::vector<ToolCategory> categories = {};
  std::vector<Manifest> manifests = {};
};

/// Reads a manifest, a native tool schema (named by its `_tool`, else by its file), an array of such schemas, or of a
/// folder every *.json that is no bindings file. Throws std::invalid_argument with every problem of all the files, a
/// line each.
ToolFiles read_tool_files(const std::vector<std::string>& paths);

}  // namespace toolwire::bridge
