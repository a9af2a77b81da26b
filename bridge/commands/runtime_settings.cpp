#include "commands/runtime_settings.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <toolwire/system/find_program.hpp>
#include <toolwire/system/own_program.hpp>

#include "activities/process_settings.hpp"

namespace toolwire::bridge {
namespace {

namespace fs = std::filesystem;

/// The packages of the runtimes: where the environment says, else beside the program, as it is installed and built.
fs::path packages() {
  const char* const stated = std::getenv("TOOLWIRE_RUNTIMES");
  if (stated != nullptr && *stated != '\0') return stated;
  return fs::path(system::own_program_path()).parent_path().parent_path() / "share/toolwire/runtimes";
}

/// What is started of a package, and how it is made where it is missing.
struct Part {
  const char* file;
  const char* advice;
};
Part part_of(const std::string& language) {
  if (language == "typescript")
    return {"dist/main.js",
            "\"npm ci --ignore-scripts && npm run build\" makes it in bridge/runtimes/typescript of toolwire"};
  return {"toolwire_runtime/__main__.py", "it is in bridge/runtimes/python of toolwire"};
}

/// The package takes the place of the working directory in the search path: a file there must not be what a tool gets
/// when it imports "json".
std::string python_launcher(const fs::path& package) {
  const std::string path = to_json_text(Json(package.string()));  // a JSON text is a Python one
  return "import sys; sys.path[0:1] = [" + path +
         "]; import runpy; runpy.run_module('toolwire_runtime', run_name='__main__', alter_sys=True)";
}

/// The language of the files in a directory: "python" or "typescript"; empty if that is not clear.
std::string language_of(const fs::path& directory) {
  bool python = false;
  bool script = false;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
    const std::string ending = entry->path().extension().string();
    python = python || ending == ".py";
    script = script || ending == ".js" || ending == ".mjs" || ending == ".ts" || ending == ".mts";
  }
  if (python == script) return {};
  return python ? "python" : "typescript";
}

class Reader {
 public:
  Reader(const JsonObject& settings, const std::string& pointer, const std::string& directory, Findings& findings)
      : settings_(settings), pointer_(pointer), directory_(directory), findings_(findings) {
    const std::string tools(settings.at("tools").get_string());
    tools_ = (fs::absolute(directory.empty() ? "." : directory) / tools).lexically_normal();
  }

  void read(runtimes::RuntimeOptions& options) {
    std::error_code ignored;
    if (!fs::is_directory(tools_, ignored))
      return findings_.problem(below(pointer_, "tools"),
                               "expected a directory, found " + bridge::in_quotes(tools_.string()));
    read_language();
    read_permissions(options);
    read_start(options.start, options.secrets);
    read_counts(options);
  }

 private:
  const Json* at(std::string_view name) const { return settings_.if_contains(name); }
  std::string text(std::string_view name) const {
    const Json* value = at(name);
    return value == nullptr ? std::string() : std::string(value->get_string());
  }

  void read_language() {
    language_ = text("language");
    if (language_.empty()) language_ = language_of(tools_);
    if (language_.empty())
      findings_.problem(below(pointer_, "language"),
                        "expected \"python\" or \"typescript\": the directory's files do not say which");
  }

  /// Exact names only: a prefix would have to be resolved with the bridge's own variables.
  void read_permissions(runtimes::RuntimeOptions& options) {
    const Json* const granted = at("permissions");
    options.permissions = granted == nullptr ? Json(JsonObject{}) : *granted;
    const Json* const variables = options.permissions->get_object().if_contains("environment");
    if (variables == nullptr) return;
    for (const Json& name : variables->get_array()) add_variables(std::string(name.get_string()));
  }

  void add_variables(const std::string& name) {
    if (!name.ends_with("_*")) return granted_.emplace_back(name), void();
    const std::string prefix = name.substr(0, name.size() - 1);
    for (char** entry = ::environ; entry != nullptr && *entry != nullptr; ++entry) {
      const std::string variable(*entry);
      if (variable.starts_with(prefix)) granted_.emplace_back(variable.substr(0, variable.find('=')));
    }
  }

  /// Members that bindings of kind "process" have too are read like those.
  void read_start(ProcessStart& start, std::vector<std::string>& secrets) {
    JsonObject process;
    for (const std::string_view name : {"environment", "inherit", "directory", "confinement"}) {
      if (const Json* value = at(name)) process[name] = *value;
    }
    std::string interpreter = text("interpreter");
    if (interpreter.empty()) interpreter = language_ == "typescript" ? "node" : "python3";
    process["argv"] = JsonArray{Json(interpreter)};
    Json& inherit = process["inherit"];
    if (!inherit.is_array()) inherit = JsonArray{};
    for (const Json& name : granted_) inherit.get_array().push_back(name);
    const ProcessSettings read = read_process_settings(process, pointer_, directory_, findings_);
    if (findings_.has_problems()) return;
    start.environment = environment_for(read, secrets);
    start.directory = read.directory;
    start.confinement = read.confinement;
    if (language_ == "typescript")
      start.confinement.limits.memory_count = MemoryCount::private_data;  // Node reserves much
    const fs::path package = packages() / language_;
    if (!has_runtime(package)) return;
    const std::string program = read.argv.expand(JsonObject{}).front();
    if (!has_interpreter(program, start.environment)) return;
    start.command = language_ == "typescript"
                        ? std::vector<std::string>{program, (package / "dist" / "main.js").string(), tools_.string()}
                        : std::vector<std::string>{program, "-c", python_launcher(package), tools_.string()};
    let_in(start.confinement, package);
  }

  bool has_runtime(const fs::path& package) {
    const Part part = part_of(language_);
    std::error_code ignored;
    if (fs::is_regular_file(package / part.file, ignored)) return true;
    findings_.problem(below(pointer_, "language"), "the runtime for " + language_ + " is missing: expected " +
                                                       (package / part.file).string() + "; " + part.advice +
                                                       ", and TOOLWIRE_RUNTIMES names the folder that holds \"" +
                                                       language_ + "\"");
    return false;
  }

  /// As it is looked for when a process is started.
  bool has_interpreter(const std::string& program, const std::map<std::string, std::string>& environment) {
    const auto path = environment.find("PATH");
    const std::string folders = path == environment.end() ? std::string() : path->second;
    const auto found = system::find_program(program, folders, system::RelativeFolders::skipped);
    std::error_code ignored;
    if (found && fs::is_regular_file(*found, ignored)) return true;
    const bool is_path = program.find('/') != std::string::npos;
    findings_.problem(below(pointer_, "interpreter"), "there is no program " + bridge::in_quotes(program) +
                                                          (is_path ? "" : " in PATH (" + folders + ")") +
                                                          ", which is to run the tools in " +
                                                          (language_ == "typescript" ? "TypeScript" : "Python") +
                                                          "; install it, or name another one here");
    return false;
  }

  /// Allows what the runtime itself reads, and what its tools have been granted.
  void let_in(Confinement& confinement, const fs::path& package) {
    if (confinement.files != FileAccess::workspace) return;
    confinement.readable.push_back(package.string());
    confinement.readable.push_back(tools_.string());
    const JsonObject& granted = granted_permissions();
    for (const auto& [name, into] : {std::pair{"read", &confinement.readable}, {"write", &confinement.workspace}}) {
      const Json* const paths = granted.if_contains(name);
      if (paths == nullptr) continue;
      for (const Json& path : paths->get_array())
        into->push_back((tools_ / std::string(path.get_string())).lexically_normal().string());
    }
  }

  const JsonObject& granted_permissions() const {
    static const JsonObject none;
    const Json* const granted = at("permissions");
    return granted == nullptr ? none : granted->get_object();
  }

  void read_counts(runtimes::RuntimeOptions& options) {
    if (const Json* value = at("processes")) options.size = value->to_number<std::size_t>();
    if (const Json* value = at("calls_at_once")) options.calls_at_once = value->to_number<std::size_t>();
    if (const Json* value = at("timeout_seconds")) options.timeout = milliseconds(*value);
    if (const Json* value = at("grace_seconds")) options.grace = milliseconds(*value);
    if (const Json* value = at("start_timeout_seconds")) options.start_timeout = milliseconds(*value);
    if (const Json* value = at("health_seconds")) options.health_interval = milliseconds(*value);
    if (const Json* value = at("reload"); value == nullptr || value->get_bool()) options.reloads = tools_.string();
    if (const Json* value = at("recycle")) read_recycling(value->get_object(), options.recycling);
  }

  static void read_recycling(const JsonObject& given, runtimes::Recycling& recycling) {
    if (const Json* value = given.if_contains("calls")) recycling.max_calls = value->to_number<std::uint64_t>();
    if (const Json* value = given.if_contains("failures")) recycling.max_failures = value->to_number<std::uint64_t>();
    if (const Json* value = given.if_contains("memory_mb"))
      recycling.max_memory = value->to_number<std::uint64_t>() << 20U;
    if (const Json* value = given.if_contains("age_seconds")) recycling.max_age = milliseconds(*value);
    if (const Json* value = given.if_contains("idle_seconds")) recycling.max_idle = milliseconds(*value);
  }

  static std::chrono::milliseconds milliseconds(const Json& seconds) {
    return std::chrono::milliseconds(static_cast<std::int64_t>(seconds.to_number<double>() * 1000));
  }

  const JsonObject& settings_;
  const std::string& pointer_;
  const std::string& directory_;
  Findings& findings_;
  fs::path tools_;
  std::string language_;
  JsonArray granted_;  // names of variables
};

}  // namespace

std::optional<runtimes::RuntimeOptions> read_runtime(const std::string& name, const Json& settings,
                                                     const std::string& pointer, const std::string& directory,
                                                     Findings& findings) {
  Findings own("");
  runtimes::RuntimeOptions read{.name = name};
  Reader(settings.get_object(), pointer, directory, own).read(read);
  const auto problems = own.take_problems("");
  for (const ManifestProblem& problem : problems) findings.problem(problem.pointer, problem.text);
  return problems.empty() ? std::optional(std::move(read)) : std::nullopt;
}

std::pair<std::string, Json> runtime_from(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const bool fine = !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  if (equals == std::string_view::npos || equals + 1 == text.size() || !fine)
    throw std::invalid_argument("expected NAME=DIRECTORY, where NAME has letters, digits, '_' and '-' only");
  const fs::path directory = fs::absolute(fs::path(text.substr(equals + 1)));
  return {std::string(name), JsonObject{{"tools", directory.string()}}};
}

}  // namespace toolwire::bridge
