// The files that a start of a runtime would load, so that an edit is distinguished from a file that a tool writes. Runs
// nothing.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace toolwire::bridge::runtimes {

/// Sources by their paths below the directory, each with what changes when it is edited (size and time). Python's,
/// JavaScript's and TypeScript's files and "package.json"; subfolders too, for modules that tools share, but not
/// caches, installed packages, and what begins with a dot. What cannot be read is left out.
std::map<std::string, std::string> source_files(const std::string& directory);

/// The folders in which they are.
std::vector<std::string> source_folders(const std::string& directory);

}  // namespace toolwire::bridge::runtimes
