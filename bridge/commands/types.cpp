#include "commands/types.hpp"

#include <iostream>

#include <toolwire/bridge/manifest.hpp>

#include "commands/command_arguments.hpp"
#include "types/generated_types.hpp"

namespace toolwire::bridge {

int write_types(const std::vector<std::string>& files, TypesLanguage language, std::ostream& out,
                std::ostream& errors) {
  std::vector<ToolDefinition> tools;
  bool wrong = false;
  for (const std::string& file : files) {
    ManifestReading reading = read_manifest_file(file);
    for (const ManifestProblem& problem : reading.problems) errors << problem.message() << '\n';
    wrong = wrong || !reading.manifest;
    if (reading.manifest)
      for (ToolDefinition& tool : reading.manifest->tools) tools.push_back(std::move(tool));
  }
  if (wrong) return 1;
  out << (language == TypesLanguage::python ? python_types(tools) : typescript_types(tools)) << std::flush;
  return out.good() ? 0 : 1;
}

int types_command(int argc, const char* const* argv) {
  CommandArguments taken("types", "Prints types of the tools of manifests, to be kept as a .pyi or .d.ts file.");
  std::vector<std::string> files;
  bool python = false;
  bool typescript = false;
  taken.required("FILE", files, "Manifests");
  taken.one_of("language", {{"--python", python, "TypedDicts and functions, a stub"},
                            {"--typescript", typescript, "Interfaces, declarations"}});
  if (const auto ended = taken.parse(argc, argv)) return *ended;
  return write_types(files, python ? TypesLanguage::python : TypesLanguage::typescript, std::cout, std::cerr);
}

}  // namespace toolwire::bridge
