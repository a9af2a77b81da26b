#include "activities/process_settings.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

#include "confinement/read_confinement.hpp"
#include "confinement/stricter.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::array<std::string_view, 15> inherited = {
    "PATH",       "HOME",    "LANG", "LANGUAGE", "LC_ALL",  "LC_COLLATE", "LC_CTYPE",   "LC_MESSAGES",
    "LC_NUMERIC", "LC_TIME", "TZ",   "USER",     "LOGNAME", "TMPDIR",     "LC_MONETARY"};

constexpr std::array<std::string_view, 10> refused = {"BASH_ENV",   "ENV",         "SHELLOPTS",      "BASHOPTS",
                                                      "PS4",        "IFS",         "PROMPT_COMMAND", "GLIBC_TUNABLES",
                                                      "GCONV_PATH", "MALLOC_TRACE"};

bool is_variable_name(std::string_view name) {
  return !name.empty() && name.find('=') == std::string_view::npos && name.find('\0') == std::string_view::npos;
}

/// Relative folders in PATH would let the working directory decide what runs.
std::string absolute_folders(const std::string& path) {
  std::string kept;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    if (path[begin] == '/') kept += (kept.empty() ? "" : ":") + path.substr(begin, end - begin);
    begin = end + 1;
  }
  return kept.empty() ? "/usr/bin:/bin" : kept;
}

std::chrono::milliseconds seconds(const Json& value) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(value.to_number<double>() * 1000));
}

std::string path_from(const std::string& directory, std::string_view path) {
  return (std::filesystem::absolute(directory.empty() ? "." : directory) / path).lexically_normal().string();
}

/// A program that is named by a relative path lies beside the bindings, wherever the process runs.
Json with_program_path(const Json& argv, const std::string& directory) {
  JsonArray list = argv.as_array();
  const auto* program = list.front().if_string();
  if (program != nullptr && !program->starts_with("/") && program->find('/') != program->npos)
    list.front() = path_from(directory, *program);
  return list;
}

class Reader {
 public:
  Reader(const JsonObject& from, const std::string& pointer, Findings& findings)
      : from_(from), pointer_(pointer), findings_(findings) {}

  void read(ProcessSettings& settings, const std::string& directory) {
    if (const Json* value = at("directory")) settings.directory = path_from(directory, value->get_string());
    read_environment(settings);
    read_streams(settings);
    read_limits(settings);
    read_confinement_of(settings, directory);
  }

 private:
  const Json* at(std::string_view name) const { return from_.if_contains(name); }
  void refuse(const std::string& place, const std::string& name) {
    findings_.problem(place, bridge::in_quotes(name) + " is never passed on: it would decide what the program runs");
  }

  void read_environment(ProcessSettings& settings) {
    const std::string place = below(pointer_, "environment");
    if (const Json* environment = at("environment")) {
      for (const auto& [name, value] : environment->get_object())
        read_variable(settings, std::string(name), value.get_string(), below(place, name));
    }
    const std::string inherit = below(pointer_, "inherit");
    if (const Json* names = at("inherit")) {
      std::size_t index = 0;
      for (const Json& name : names->get_array()) {
        settings.inherit.emplace_back(name.get_string());
        const std::string& inherited = settings.inherit.back();
        if (is_refused_variable(inherited)) refuse(below(inherit, index), inherited);
        if (!is_variable_name(inherited) || inherited.find_first_of("* \t\r\n$") != std::string::npos)
          findings_.problem(below(inherit, index),
                            "expected the whole name of a variable, found " + bridge::in_quotes(inherited));
        ++index;
      }
    }
  }

  void read_variable(ProcessSettings& settings, const std::string& name, std::string_view value,
                     const std::string& place) {
    if (is_refused_variable(name)) return refuse(place, name);
    if (!is_variable_name(name) || value.find('\0') != std::string_view::npos)
      return findings_.problem(place, "expected a variable's name and value without \"=\" in the name and without NUL");
    try {
      settings.environment.emplace_back(name, TemplateText(value, TemplatePlace::setting));
    } catch (const TemplateError& error) {
      findings_.problem(place, error.what());
    }
  }

  void read_streams(ProcessSettings& settings) {
    if (const Json* input = at("stdin"); input != nullptr && *input != "none") {
      settings.arguments_as_input = *input == "arguments";
      if (!settings.arguments_as_input) read_input(settings, input->get_string());
    }
    if (const Json* output = at("output"))
      settings.output = *output == "text"   ? ProcessOutput::text
                        : *output == "json" ? ProcessOutput::json
                                            : ProcessOutput::structured;
    if (const Json* errors = at("stderr"))
      settings.errors = *errors == "progress" ? ProcessErrors::progress
                        : *errors == "log"    ? ProcessErrors::log
                                              : ProcessErrors::keep;
  }

  void read_input(ProcessSettings& settings, std::string_view text) {
    try {
      settings.input = TemplateText(text, TemplatePlace::field);
      if (!settings.input.is_one_parameter()) throw TemplateError("expected one parameter, as in \"{text}\"");
    } catch (const TemplateError& error) {
      findings_.problem(below(pointer_, "stdin"), error.what());
    }
  }

  void read_limits(ProcessSettings& settings) {
    if (const Json* codes = at("success_codes")) {
      settings.success_codes.clear();
      for (const Json& code : codes->get_array()) settings.success_codes.insert(code.to_number<int>());
    }
    if (const Json* timeout = at("timeout_seconds")) settings.timeout = seconds(*timeout);
    if (const Json* grace = at("grace_seconds")) settings.grace = seconds(*grace);
    if (const Json* limit = at("output_limit")) settings.output_limit = limit->to_number<std::size_t>();
  }

  void read_limit(const char* name, const char* of_confinement, std::uint64_t& limit) {
    const Json* const stated = at(name);
    if (stated == nullptr) return;
    if (limit != 0) findings_.problem(below(pointer_, name), std::string("stated twice: also in ") + of_confinement);
    limit = stated->to_number<std::uint64_t>();
  }

  void read_confinement_of(ProcessSettings& settings, const std::string& directory) {
    const std::string place = below(pointer_, "confinement");
    if (const Json* stated = at("confinement"))
      settings.confinement = read_confinement(stated->get_object(), place, directory, findings_);
    Confinement& confinement = settings.confinement;
    read_limit("memory_limit", "\"confinement\" as \"limits.memory\"", confinement.limits.memory);
    read_limit("cpu_seconds", "\"confinement\" as \"limits.cpu_seconds\"", confinement.limits.cpu_seconds);
    if (confinement.files != FileAccess::workspace || !confinement.workspace.empty()) return;
    if (settings.directory.empty())
      findings_.problem(place, "expected \"workspace\", or a \"directory\" of the program that is it");
    else
      confinement.workspace.push_back(settings.directory);
  }

  const JsonObject& from_;
  const std::string& pointer_;
  Findings& findings_;
};

}  // namespace

std::vector<std::string> ProcessSettings::names() const {
  std::vector<std::string> all = argv.names();
  input.add_names_to(all);
  return all;
}

ProcessSettings read_process_settings(const JsonObject& settings, const std::string& pointer,
                                      const std::string& directory, Findings& findings) {
  ProcessSettings read{
      .argv = ArgumentTemplate(with_program_path(settings.at("argv"), directory), below(pointer, "argv"), findings)};
  Reader(settings, pointer, findings).read(read, directory);
  return read;
}

std::string confine_further(ProcessSettings& settings, Confinement wanted) {
  const Confinement& own = settings.confinement;
  if (wanted.files == FileAccess::workspace && wanted.workspace.empty() && own.files != FileAccess::read_only) {
    if (own.files == FileAccess::workspace && wanted.readable.empty()) {
      wanted.workspace = own.workspace;
      wanted.readable = own.readable;
    } else if (!settings.directory.empty()) {
      wanted.workspace = {settings.directory};
    } else {
      return "expected \"workspace\", or a \"directory\" of the program that is it";
    }
  }
  StricterConfinement both = stricter(own, wanted);
  if (!both.conflict.empty()) return "in conflict with that of its binding: " + both.conflict;
  settings.confinement = std::move(both.confinement);
  return {};
}

bool is_refused_variable(std::string_view name) {
  return name.starts_with("LD_") || name.starts_with("DYLD_") || name.starts_with("BASH_FUNC_") ||
         std::find(refused.begin(), refused.end(), name) != refused.end();
}

std::map<std::string, std::string> environment_for(const ProcessSettings& settings, std::vector<std::string>& secrets) {
  std::map<std::string, std::string> all;
  const auto inherit = [&](const std::string& name) {
    if (const char* value = std::getenv(name.c_str())) all[name] = value;
  };
  for (const std::string_view name : inherited) inherit(std::string(name));
  all["PATH"] = absolute_folders(all["PATH"]);
  for (const std::string& name : settings.inherit) inherit(name);
  for (const auto& [name, text] : settings.environment) {
    std::string value;
    fill(text, JsonObject{}, value, secrets);
    all[name] = std::move(value);
  }
  return all;
}

}  // namespace toolwire::bridge
