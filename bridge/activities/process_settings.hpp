// The settings of a binding of the kind "process", read and checked. Starts nothing.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <toolwire/json.hpp>

#include "confinement/confinement.hpp"
#include "manifest/findings.hpp"
#include "templates/argument_template.hpp"
#include "templates/template_text.hpp"

namespace toolwire::bridge {

/// How a program's standard output is interpreted; `automatic` is JSON if the tool has an `_output`, else text.
enum class ProcessOutput { automatic, text, json, structured };
enum class ProcessErrors { keep, progress, log };

/// Immutable once read.
struct ProcessSettings {
  ArgumentTemplate argv;
  std::string directory = {};
  std::vector<std::pair<std::string, TemplateText>> environment = {};
  std::vector<std::string> inherit = {};
  TemplateText input = {};  ///< One parameter whose text is the input; empty: see `arguments_as_input`.
  bool arguments_as_input = false;
  ProcessOutput output = ProcessOutput::automatic;
  ProcessErrors errors = ProcessErrors::keep;
  std::set<int> success_codes = {0};
  std::chrono::milliseconds timeout{300'000};
  std::chrono::milliseconds grace{2'000};
  std::size_t output_limit = std::size_t{4} << 20;
  Confinement confinement = {};

  /// The parameters it uses.
  std::vector<std::string> names() const;
};

/// `settings` has the shape of the schema. Relative paths count from `directory`. Problems go to `findings`.
ProcessSettings read_process_settings(const JsonObject& settings, const std::string& pointer,
                                      const std::string& directory, Findings& findings);

/// Also refuses the program what `wanted` refuses, whose workspace is the one that is known if it names no folders.
/// What is wrong with that; empty: nothing.
std::string confine_further(ProcessSettings& settings, Confinement wanted);

/// Variables that change what other programs run: never passed on.
bool is_refused_variable(std::string_view name);

/// The environment of a program: PATH (absolute folders only), HOME, language and time zone of this process, what the
/// binding says, and nothing else. Throws ToolError for `${env:NAME}` without a value. Secrets are added to `secrets`.
std::map<std::string, std::string> environment_for(const ProcessSettings& settings, std::vector<std::string>& secrets);

}  // namespace toolwire::bridge
