#include "schema_files.hpp"

#include <iostream>
#include <iterator>
#include <system_error>

#include <toolwire/system/file_text.hpp>

namespace toolwire::schema {
namespace {

std::string read_text(const std::string& path) {
  if (path == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  try {
    return system::text_of_file(path);
  } catch (const std::system_error& error) {
    throw FileError(error.what());
  }
}

}  // namespace

Json read_json_file(const std::string& path) {
  JsonParseOptions options;
  options.duplicate_keys = DuplicateKeys::refuse;
  try {
    return parse_json(read_text(path), options);
  } catch (const JsonError& error) {
    throw FileError(path + ": not JSON: " + error.what());
  }
}

bool check_files(const std::string& schema_path, const std::vector<std::string>& instances,
                 const SchemaOptions& options) {
  const Schema schema = Schema::compile(read_json_file(schema_path), options);
  for (const SchemaNote& note : schema.notes()) std::cerr << "note: " << note.pointer << ": " << note.text << '\n';
  if (instances.empty()) std::cout << schema_path << ": compiles\n";
  bool good = true;
  for (const std::string& path : instances) {
    const auto violations = schema.validate(read_json_file(path));
    if (violations.empty()) std::cout << path << ": fits\n";
    for (const SchemaViolation& violation : violations) {
      std::cout << path << ": " << violation.text() << "  (" << violation.schema_path << ")\n";
    }
    good = good && violations.empty();
  }
  return good;
}

bool lint_file(const std::string& schema) {
  const auto findings = schema_portability(read_json_file(schema));
  bool good = true;
  for (const PortabilityFinding& finding : findings) {
    std::cout << (finding.refused ? "refused by " : "note for ") << finding.host << ": " << finding.pointer << ": "
              << finding.problem << "; " << finding.rewrite << '\n';
    good = good && !finding.refused;
  }
  if (findings.empty()) std::cout << schema << ": every known host takes it\n";
  return good;
}

}  // namespace toolwire::schema
