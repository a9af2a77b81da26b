#include "commands/check.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <system_error>
#include <toolwire/bridge/manifest.hpp>
#include <toolwire/bridge/tool_files.hpp>
#include <toolwire/schema.hpp>
#include <toolwire/system/file_text.hpp>

#include "activities/bindings.hpp"
#include "commands/check_configuration.hpp"
#include "commands/command_arguments.hpp"
#include "configuration/configuration.hpp"
#include "manifest/findings.hpp"

namespace toolwire::bridge {
namespace {

bool is_readable(const std::string& path) try {
  system::beginning_of_file(path, 1);
  return true;
} catch (const std::system_error&) {
  return false;
}

/// What hosts are known to refuse in the parameters, one line each.
void write_portability(const std::string& file, const Manifest& manifest, std::ostream& out) {
  for (std::size_t index = 0; index < manifest.tools.size(); ++index) {
    const std::string place = below("/tools", index) + "/parameters";
    for (const PortabilityFinding& finding : schema_portability(manifest.tools[index].parameters)) {
      out << "hint: " << file << ": " << place
          << finding.pointer.substr(std::min<std::size_t>(1, finding.pointer.size())) << ": " << finding.host
          << (finding.refused ? " refuses this: " : ": ") << finding.problem << "; " << finding.rewrite << '\n';
    }
  }
}

int check_file(const std::string& file, bool with_hints, std::ostream& out) {
  const ManifestReading reading = read_manifest_file(file);
  for (const ManifestProblem& problem : reading.problems) out << problem.message() << '\n';
  if (with_hints) {
    for (const ManifestProblem& hint : reading.hints) out << "hint: " << hint.message() << '\n';
    if (reading.manifest) write_portability(file, *reading.manifest, out);
  }
  if (!reading.manifest) return is_readable(file) ? 1 : 2;
  const std::size_t tools = reading.manifest->tools.size();
  out << file << ": " << tools << (tools == 1 ? " tool" : " tools") << ", no problems\n";
  return 0;
}

/// A tool schema, or a list of them.
int check_schemas(const std::string& file, std::ostream& out) {
  try {
    const std::size_t tools = read_tool_files({file}).tools.size();
    out << file << ": " << tools << (tools == 1 ? " tool" : " tools") << ", no problems\n";
    return 0;
  } catch (const std::invalid_argument& error) {
    out << error.what() << '\n';
    return 1;
  }
}

int check_bindings(const std::string& file, const std::string& profile, std::ostream& out) {
  const BindingsReading reading = read_bindings_file(file, profile);
  for (const ManifestProblem& problem : reading.problems) out << problem.message() << '\n';
  if (!reading.bindings) return 1;
  out << file
      << ": a bindings file without problems of its own; whether it fits its tools is seen by a configuration "
         "that names both\n";
  return 0;
}

int check_one(const std::string& file, const CheckOptions& options, std::ostream& out) {
  const DocumentKind kind = kind_of_file(file);
  switch (kind) {
    case DocumentKind::configuration:
      return check_configuration(file, options, out);
    case DocumentKind::tool_schema:
      return check_schemas(file, out);
    case DocumentKind::bindings:
      return check_bindings(file, options.configured.profile, out);
    case DocumentKind::preferences:
    case DocumentKind::schema:
      out << file << ": is " << description_of(kind)
          << "; expected a configuration with MCP servers, a tool manifest, tool schemas or bindings\n";
      return 1;
    case DocumentKind::manifest:
    case DocumentKind::unknown:
      break;
  }
  return check_file(file, options.with_hints, out);
}

}  // namespace

int check_files(const std::vector<std::string>& files, const CheckOptions& options, std::ostream& out) {
  int status = 0;
  for (const std::string& file : files) status = std::max(status, check_one(file, options, out));
  return status;
}

int check_command(int argc, const char* const* argv) {
  CommandArguments taken(
      "check", "Says what is wrong with configurations, tool manifests, tool schemas and bindings, and where.");
  std::vector<std::string> files;
  CheckOptions options;
  bool no_hints = false;
  taken.required("FILE", files, "Configurations, manifests, tool schemas, bindings");
  taken.flag("--no-hints", no_hints, "Leave out what is accepted but probably not meant, and what some hosts refuse");
  taken.flag("--start", options.start, "Also start the servers of configurations, and list their tools");
  taken.flag("--allow-commands", options.configured.allow_commands, "${cmd:PROGRAM} in a configuration runs programs");
  taken.option("--profile", options.configured.profile, "The profile of the configuration or bindings");
  if (const auto ended = taken.parse(argc, argv)) return *ended;
  options.with_hints = !no_hints;
  return check_files(files, options, std::cout);
}

}  // namespace toolwire::bridge
