// `toolwire-schema` for people: files in, sentences out. Independent of the line protocol.
#pragma once

#include <string>
#include <vector>

#include "toolwire/schema.hpp"

namespace toolwire::schema {

/// What is wrong with a file: it cannot be read, or does not hold JSON.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads one JSON file; "-" is standard input. Throws FileError.
Json read_json_file(const std::string& path);

/// Validates each file against the schema and prints a line for each violation. Returns whether all fit.
/// Throws SchemaError, FileError.
bool check_files(const std::string& schema, const std::vector<std::string>& instances, const SchemaOptions& options);

/// Prints what hosts refuse in the schema of a tool. Returns whether none refuses anything. Throws FileError.
bool lint_file(const std::string& schema);

}  // namespace toolwire::schema
