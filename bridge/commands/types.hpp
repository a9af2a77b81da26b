// `toolwire-bridge types --python|--typescript FILE…`: types of the tools of manifests, for programs in other
// languages.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace toolwire::bridge {

enum class TypesLanguage { python, typescript };

/// Writes the types of all tools of these manifests to `out`, problems to `errors`. Returns the exit status: 1 for a
/// manifest with problems, of which nothing is written.
int write_types(const std::vector<std::string>& files, TypesLanguage language, std::ostream& out, std::ostream& errors);

/// The command with its arguments; `argv[0]` is its own name. Returns the exit status: 2 for wrong arguments.
int types_command(int argc, const char* const* argv);

}  // namespace toolwire::bridge
