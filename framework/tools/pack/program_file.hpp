// What the file of a program says of where it can run. Independent of packages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace toolwire::pack {

/// Which C library a program is linked to when it starts; `none`: it brings its own.
enum class CLibrary { none, glibc, musl };

/// A program for Linux.
struct ProgramFile {
  std::string content = {};
  std::string architecture = {};            ///< As Node calls it: "x64", "arm64", "riscv64", "loong64".
  std::vector<std::string> libraries = {};  ///< Those it is linked to when it starts, as in its file.
};

/// Whether programs for machines of that name can be packed.
bool is_architecture(std::string_view name);

/// Reads the headers of an ELF file. Throws std::runtime_error: it is none, one that is cut, or for a machine that
/// packages have no name for.
ProgramFile program_of(std::string content);

/// The same of a file; errors name it.
ProgramFile read_program(const std::string& path);

CLibrary c_library_of(const ProgramFile& program);

/// The libraries that not every system has: all but those of the C and C++ runtimes.
std::vector<std::string> uncommon_libraries(const ProgramFile& program);

}  // namespace toolwire::pack
