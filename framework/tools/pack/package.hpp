// What is known of a server that is packed, whatever the kind of package.
#pragma once

#include <string>
#include <vector>

#include "arguments.hpp"
#include "install/server_start.hpp"
#include "packed_file.hpp"
#include "program_file.hpp"
#include "secrets.hpp"

namespace toolwire::pack {

/// A plain value. All texts have been checked; those that may be missing are empty then.
struct Package {
  std::string name = {};        ///< In the registry: "io.github.user/notes".
  std::string short_name = {};  ///< What stands behind the slash: of the program and of the bundle.
  std::string npm_name = {};    ///< "notes" or "@user/notes".
  /// For which npm has a program, sorted, each once: that of this program, and those that are packed elsewhere.
  std::vector<std::string> npm_platforms = {};
  std::string version = {};      ///< As in semver.org.
  std::string title = {};        ///< May be missing.
  std::string description = {};  ///< At most 100 characters.
  std::string author = {};       ///< May be missing where no bundle is made.
  std::string license = {};      ///< May be missing.
  std::string repository = {};   ///< An https address; may be missing.
  std::string bundle_url = {};   ///< Where the bundle will be released; may be missing.
  Arguments arguments = {};
  std::vector<UserSecret> secrets = {};
  ProgramFile program = {};
  std::vector<PackedFile> files = {};  ///< What else stands in each package: a licence, a README.
  std::vector<install::ToolReport> tools = {};
};

/// "linux-x64"
inline std::string platform_of(const Package& package) { return "linux-" + package.program.architecture; }

}  // namespace toolwire::pack
