// The packages of a server for npm: one that everybody installs, and, as an optional dependency of it, one with the
// program for one platform. Nothing runs when they are installed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "package.hpp"
#include "packed_file.hpp"

namespace toolwire::pack {

struct NpmPackage {
  std::string name = {};
  std::vector<PackedFile> files = {};  ///< Names as in its folder, without "package/" before them.
};

/// "notes-linux-x64": for the platform of the package's program.
std::string platform_package_name(const Package& package);
/// The script that stands for the program: a name in the main package.
std::string npm_script_name(const Package& package);

NpmPackage main_npm_package(const Package& package);
NpmPackage platform_npm_package(const Package& package);

/// The tarball as npm has it, and its name: "notes-1.0.0.tgz", "user-notes-1.0.0.tgz" for "@user/notes".
PackedFile npm_tarball(const NpmPackage& npm, const std::string& version, std::int64_t seconds);

}  // namespace toolwire::pack
