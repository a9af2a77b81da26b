// A bench for `toolwire pack`: packs `hello`, and looks at what has come of it.
#pragma once

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <toolwire/json.hpp>
#include <toolwire/schema.hpp>
#include <toolwire/system/find_program.hpp>
#include <vector>

#include "pack/program_file.hpp"
#include "pack/tar.hpp"
#include "tools_bench.hpp"

namespace toolwire_test {

using Words = std::vector<std::string>;

/// On the PATH of the test itself.
inline std::optional<std::string> program(const char* name) {
  const char* const path = std::getenv("PATH");
  const auto found =
      toolwire::system::find_program(name, path == nullptr ? "" : path, toolwire::system::RelativeFolders::skipped);
  if (!found) std::cerr << "SKIPPED: there is no " << name << " on PATH\n";
  return found;
}

struct PackBench : ToolsBench {
  const std::string packages = project + "/packages";
  const Words details{"--name", "io.github.me/adder", "--author", "Me", "--description", "Adds numbers"};

  /// `toolwire pack --name … --author … --description … MORE -- SERVER`
  ProgramRun pack(const Words& more, const Words& server) const {
    Words arguments{"pack"};
    for (const Words& part : {details, more, Words{"--"}, server})
      arguments.insert(arguments.end(), part.begin(), part.end());
    return run(arguments);
  }

  std::string in_packages(const std::string& name) const { return content_of(packages + "/" + name); }

  static std::string platform() {
    return "linux-" + toolwire::pack::read_program(TOOLWIRE_BIN_DIR "/hello").architecture;
  }

  std::string bundle() const { return in_packages("adder-1.0.0-" + platform() + ".mcpb"); }

  Words names_in_packages() const {
    Words names;
    for (const auto& entry : std::filesystem::directory_iterator(packages))
      names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }

  void put_node_on_path() const {
    const auto node = program("node");
    if (node) std::filesystem::create_symlink(*node, path + "/node");
  }

  /// Unpacks packages of npm as npm would. Returns the script.
  std::string unpacked_npm() const {
    const std::filesystem::path modules = folder / "node_modules";
    for (const std::string& name : {std::string("adder"), "adder-" + platform()}) {
      for (const toolwire::pack::PackedFile& file : toolwire::pack::files_of_tar_gz(in_packages(name + "-1.0.0.tgz"))) {
        const std::filesystem::path place = modules / name / file.name.substr(std::string("package/").size());
        std::filesystem::create_directories(place.parent_path());
        std::ofstream(place, std::ios::binary) << file.content;
        std::filesystem::permissions(place, static_cast<std::filesystem::perms>(file.mode));
      }
    }
    return (modules / "adder/bin/adder.js").string();
  }
};

inline bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Where the schema of the format is there.
inline void require_schema_of_bundles(const toolwire::Json& manifest) {
  const std::string text = content_of(TOOLWIRE_SHARED_DIR "/mcpb/mcpb-manifest-v0.3.schema.json");
  if (text.empty()) {
    std::cerr << "SKIPPED: there is no mcpb/mcpb-manifest-v0.3.schema.json in " TOOLWIRE_SHARED_DIR "\n";
    return;
  }
  for (const toolwire::SchemaViolation& violation :
       toolwire::Schema::compile(toolwire::parse_json(text)).validate(manifest))
    BOOST_ERROR(violation.text());
}

}  // namespace toolwire_test
