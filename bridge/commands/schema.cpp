#include "commands/schema.hpp"

#include <iostream>
#include <string>

#include "activities/bindings_schema.hpp"
#include "commands/command_arguments.hpp"
#include "configuration/configuration_schema.hpp"

namespace toolwire::bridge {

int schema_command(int argc, const char* const* argv) {
  CommandArguments taken("schema", "Prints the JSON Schema of configurations, to be named in their \"$schema\".");
  bool of_bindings = false;
  taken.flag("--bindings", of_bindings, "That of bindings files");
  if (const auto ended = taken.parse(argc, argv)) return *ended;
  std::cout << (of_bindings ? bindings_schema_text() : configuration_schema_text());
  return std::cout.flush() ? 0 : 1;
}

}  // namespace toolwire::bridge
