#include "activities/mcp/server_settings.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

namespace toolwire::bridge::mcp {
namespace {

constexpr std::array<std::string_view, 12> always_inherited = {"PATH",     "HOME", "LANG",   "LC_ALL",
                                                               "LC_CTYPE", "TZ",   "USER",   "LOGNAME",
                                                               "SHELL",    "TERM", "TMPDIR", "XDG_RUNTIME_DIR"};

/// Reads members of one object; a member of another type than expected is a finding, and one nobody asked for too.
class Members {
 public:
  Members(const Json& from, const std::string& pointer, Findings& findings)
      : from_(from.if_object()), pointer_(pointer), findings_(findings) {
    if (from_ == nullptr) findings_.problem(pointer_, "expected an object");
  }
  Members(const Members&) = delete;
  Members& operator=(const Members&) = delete;
  ~Members() {
    if (from_ == nullptr) return;
    for (const auto& [name, value] : *from_) {
      if (std::find(known_.begin(), known_.end(), name) == known_.end())
        findings_.problem(below(pointer_, name), "unknown member " + quoted(name) + "; expected one of " + all_known());
    }
  }

  std::string text(std::string_view name) {
    const Json* value = at(name);
    if (value == nullptr) return {};
    if (value->is_string() && !value->get_string().empty()) return std::string(std::string_view(value->get_string()));
    problem(name, "expected a string that is not empty");
    return {};
  }

  bool flag(std::string_view name) {
    const Json* value = at(name);
    if (value != nullptr && !value->is_bool()) problem(name, "expected true or false");
    return value != nullptr && value->is_bool() && value->get_bool();
  }

  std::vector<std::string> texts(std::string_view name) {
    std::vector<std::string> all;
    const Json* value = at(name);
    if (value == nullptr) return all;
    const JsonArray* list = value->if_array();
    if (list == nullptr) return problem(name, "expected an array of strings"), all;
    for (std::size_t i = 0; i < list->size(); ++i) {
      const Json& one = (*list)[i];
      if (one.is_string()) {
        all.emplace_back(std::string_view(one.get_string()));
      } else {
        findings_.problem(below(below(pointer_, name), i), "expected a string");
      }
    }
    return all;
  }

  std::map<std::string, std::string> text_members(std::string_view name) {
    std::map<std::string, std::string> all;
    const Json* value = at(name);
    if (value == nullptr) return all;
    const JsonObject* members = value->if_object();
    if (members == nullptr) return problem(name, "expected an object of strings"), all;
    for (const auto& [key, one] : *members) {
      if (one.is_string()) {
        all[std::string(key)] = std::string(std::string_view(one.get_string()));
      } else {
        findings_.problem(below(below(pointer_, name), key), "expected a string");
      }
    }
    return all;
  }

  void seconds(std::string_view name, std::chrono::milliseconds& time) {
    const Json* value = at(name);
    if (value == nullptr) return;
    const double given = value->is_number() ? value->to_number<double>() : -1;
    if (given < 0 || given > 86'400) return problem(name, "expected a number of seconds from 0 to 86400");
    time = std::chrono::milliseconds(static_cast<std::int64_t>(given * 1000));
  }

  void problem(std::string_view name, const std::string& text) { findings_.problem(below(pointer_, name), text); }
  bool is_usable() const { return from_ != nullptr; }

 private:
  const Json* at(std::string_view name) {
    known_.push_back(name);
    return from_ == nullptr ? nullptr : from_->if_contains(name);
  }
  std::string all_known() const {
    std::string text;
    for (const std::string_view name : known_) text += (text.empty() ? "" : ", ") + quoted(name);
    return text;
  }

  const JsonObject* from_;
  const std::string pointer_;
  Findings& findings_;
  std::vector<std::string_view> known_;
};

std::string path_from(const std::string& directory, const std::string& path) {
  return (std::filesystem::absolute(directory.empty() ? "." : directory) / path).lexically_normal().string();
}

void inherit(BackEndOptions& options, const std::vector<std::string>& names) {
  options.inherit_environment = names == std::vector<std::string>{"*"};
  if (options.inherit_environment) return;
  const auto add = [&](const std::string& name) {
    const char* value = std::getenv(name.c_str());
    if (value != nullptr) options.environment.emplace(name, value);  // what is said outright comes first
  };
  for (const std::string_view name : always_inherited) add(std::string(name));
  for (const std::string& name : names) add(name);
}

std::optional<Listing> pinned_in(const std::string& path, Members& members) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    members.problem("pinned", "cannot read " + bridge::quoted(path));
    return std::nullopt;
  }
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  try {
    return listing_from(parse_json(text, {.duplicate_keys = DuplicateKeys::refuse}));
  } catch (const std::exception& error) {
    members.problem("pinned", bridge::quoted(path) + " holds no list of tools: " + error.what());
    return std::nullopt;
  }
}

}  // namespace

BackEndOptions read_server(const std::string& name, const Json& settings, const std::string& pointer,
                           const std::string& directory, Findings& findings) {
  BackEndOptions options{.name = name};
  Members members(settings, pointer, findings);
  options.command = members.texts("command");
  if (options.command.empty() && members.is_usable())
    members.problem("command", "expected a program and its arguments");
  options.environment = members.text_members("environment");
  inherit(options, members.texts("inherit"));
  const std::string folder = members.text("directory");
  options.directory = folder.empty() && directory.empty() ? "" : path_from(directory, folder);
  options.revision = members.text("revision");
  if (const std::string file = members.text("pinned"); !file.empty())
    options.pinned = pinned_in(path_from(directory, file), members);
  const std::string on_change = members.text("on_change");
  if (on_change == "accept") {
    options.on_change = OnChange::accept;
  } else if (!on_change.empty() && on_change != "refuse") {
    members.problem("on_change", "expected \"refuse\" or \"accept\"");
  }
  options.always_prefix = members.flag("prefix");
  members.seconds("start_timeout_seconds", options.start_timeout);
  members.seconds("question_timeout_seconds", options.question_age);
  members.seconds("grace_seconds", options.grace.after_end_of_input);
  options.grace.after_terminate = options.grace.after_end_of_input;
  return options;
}

McpSettings read_mcp_settings(const std::string& name, const Json& settings, const std::string& pointer,
                              Findings& findings) {
  Members members(settings, pointer, findings);
  McpSettings read{.server = members.text("server"), .tool = members.text("tool")};
  if (read.server.empty() && members.is_usable()) members.problem("server", "expected the name of one of \"servers\"");
  if (read.tool.empty()) read.tool = name;
  return read;
}

}  // namespace toolwire::bridge::mcp
