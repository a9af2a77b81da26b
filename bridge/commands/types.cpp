#include "commands/types.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

#include <toolwire/bridge/manifest.hpp>

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
  CLI::App app("Prints types of the tools of manifests, to be kept as a .pyi or .d.ts file.", "toolwire-bridge types");
  std::vector<std::string> files;
  bool python = false;
  bool typescript = false;
  app.add_option("FILE", files, "Manifests")->required();
  auto* const language = app.add_option_group("language");
  language->add_flag("--python", python, "TypedDicts and functions, a stub");
  language->add_flag("--typescript", typescript, "Interfaces, declarations");
  language->require_option(1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return write_types(files, python ? TypesLanguage::python : TypesLanguage::typescript, std::cout, std::cerr);
}

}  // namespace toolwire::bridge
