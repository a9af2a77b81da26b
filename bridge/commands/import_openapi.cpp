#include "commands/import_openapi.hpp"

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include <toolwire/system/file_text.hpp>
#include <toolwire/system/new_file.hpp>

#include "commands/command_arguments.hpp"
#include "manifest/indented_json.hpp"
#include "openapi/import.hpp"

namespace toolwire::bridge {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string file = {};
  std::string output = {};
  openapi::ImportOptions options = {};
};

std::optional<std::string> text_of(const std::string& path) {
  try {
    return system::text_of_file(path);
  } catch (const std::system_error&) {
    return std::nullopt;
  }
}

void fill(system::NewFile& file, const Json& value) {
  file.write(indented_json(value) + "\n");
  file.close();
}

/// Both are whole before one has its name. Never over a file that somebody may have edited.
void write_both(const openapi::Imported& imported, const std::string& manifest, const std::string& bindings) {
  constexpr unsigned mode = 0644;
  const std::string folder = fs::path(manifest).parent_path().string();
  system::remove_old_drafts(folder.empty() ? "." : folder);
  system::NewFile bindings_file(bindings, mode);
  system::NewFile manifest_file(manifest, mode);
  fill(bindings_file, imported.bindings);
  fill(manifest_file, imported.manifest);
  bindings_file.put_at_free_name();
  manifest_file.put_at_free_name();
}

std::string bindings_beside(const std::string& manifest) {
  return fs::path(manifest).replace_extension(".bindings.json").string();
}

void refuse_what_is_there(const std::string& path) {
  if (std::error_code error; fs::exists(fs::symlink_status(path, error)))
    throw std::runtime_error(path + ": there is such a file already; expected a free name (--output NAME.json)");
}

/// The description chooses the name of the variable, so that one may be sent that is for another service.
void say_variable(const std::string& variable, const std::string& meaning) {
  const bool is_set = std::getenv(variable.c_str()) != nullptr;
  std::cout << "to be set in the environment: " << variable << ", " << meaning
            << (is_set ? "; it is set already: write another name into the bindings unless it is meant for this service"
                       : "")
            << '\n';
}

int write(const openapi::Imported& imported, const std::string& manifest) {
  const std::string bindings = bindings_beside(manifest);
  refuse_what_is_there(manifest);
  refuse_what_is_there(bindings);
  write_both(imported, manifest, bindings);
  std::cout << manifest << " (" << imported.tools << (imported.tools == 1 ? " tool" : " tools") << ") and " << bindings
            << " are written; edit them as you like";
  if (imported.left_out > 0) std::cout << "; operations left out: " << imported.left_out;
  std::cout << '\n';
  for (const auto& [variable, meaning] : imported.variables) say_variable(variable, meaning);
  return std::cout.flush() ? 0 : 1;
}

int import_file(const Arguments& arguments) {
  const auto text = text_of(arguments.file);
  if (!text) {
    std::cerr << arguments.file << ": expected a file that can be read\n";
    return 2;
  }
  const auto reading = openapi::import_description(*text, arguments.file, arguments.options);
  for (const ManifestProblem& problem : reading.problems) std::cerr << problem.message() << '\n';
  for (const ManifestProblem& hint : reading.hints) std::cerr << "not carried over: " << hint.message() << '\n';
  if (!reading.imported) return 1;
  const std::string named =
      arguments.output.empty() ? fs::path(arguments.file).stem().string() + ".tools.json" : arguments.output;
  return write(*reading.imported, named);
}

}  // namespace

int import_command(int argc, const char* const* argv) {
  CommandArguments taken("import", "Writes tools, and bindings that run them, of a description in another form.");
  Arguments arguments;
  taken.second_word("openapi", "Of an OpenAPI description (3.0 and 3.1, JSON) of an HTTP service");
  taken.required("FILE", arguments.file, "The description");
  taken.option("--output", arguments.output,
               "The manifest to be written (NAME.tools.json); the bindings stand beside it");
  taken.option("--base-url", arguments.options.base_url, "Where the service is, if the description does not say");
  if (const auto ended = taken.parse(argc, argv)) return *ended;
  try {
    return import_file(arguments);
  } catch (const std::exception& error) {
    std::cerr << "toolwire-bridge import: " << error.what() << '\n';
    return 1;
  }
}

}  // namespace toolwire::bridge
