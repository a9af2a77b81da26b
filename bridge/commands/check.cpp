#include "commands/check.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <toolwire/bridge/manifest.hpp>
#include <toolwire/schema.hpp>

#include "manifest/findings.hpp"

namespace toolwire::bridge {
namespace {

bool is_readable(const std::string& path) {
  std::error_code ignored;
  return !std::filesystem::is_directory(path, ignored) && std::ifstream(path).is_open();
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

}  // namespace

int check_files(const std::vector<std::string>& files, bool with_hints, std::ostream& out) {
  int status = 0;
  for (const std::string& file : files) status = std::max(status, check_file(file, with_hints, out));
  return status;
}

int check_command(int argc, const char* const* argv) {
  CLI::App app("Checks native tool manifests and names every problem with its place.", "toolwire-bridge check");
  std::vector<std::string> files;
  bool no_hints = false;
  app.add_option("FILE", files, "Manifests")->required();
  app.add_flag("--no-hints", no_hints, "Leave out what is accepted but probably not meant, and what some hosts refuse");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return check_files(files, !no_hints, std::cout);
}

}  // namespace toolwire::bridge
