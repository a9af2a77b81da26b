#include "configuration/server_entry.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <toolwire/redact.hpp>
#include <toolwire/system/nearest_name.hpp>

#include "configuration/environment_file.hpp"
#include "manifest/members.hpp"

namespace toolwire::bridge {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_name = 64;

constexpr std::array<std::string_view, 26> meant{
    "type",          "transport", "source",       "command",      "args",          "env",
    "environment",   "envs",      "envFile",      "cwd",          "url",           "httpUrl",
    "serverUrl",     "headers",   "http_headers", "oauth",        "disabled",      "enabled",
    "tools",         "name",      "includeTools", "excludeTools", "enabled_tools", "disabled_tools",
    "disabledTools", "directory"};

/// What hosts decide: whom they ask, how long they wait, what they show.
constexpr std::array<std::string_view, 17> of_hosts{"autoApprove",
                                                    "alwaysAllow",
                                                    "trust",
                                                    "timeout",
                                                    "description",
                                                    "icon",
                                                    "gallery",
                                                    "version",
                                                    "dev",
                                                    "required",
                                                    "startup_timeout_sec",
                                                    "tool_timeout_sec",
                                                    "settings",
                                                    "lifecycle",
                                                    "metadata",
                                                    "note",
                                                    "default_tools_approval_mode"};

constexpr std::array<std::string_view, 3> kinds_of_programs{"stdio", "local", "custom"};
constexpr std::array<std::string_view, 7> kinds_of_addresses{
    "http", "streamable-http", "streamable_http", "streamableHttp", "sse", "remote", "websocket"};

template <std::size_t Size>
bool contains(const std::array<std::string_view, Size>& list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

class Reader {
 public:
  Reader(ServerEntry& entry, const JsonObject& object, const std::string& directory, Expansion& expansion,
         Findings& findings)
      : entry_(entry), object_(object), directory_(directory), expansion_(expansion), findings_(findings) {}

  void read() {
    if (entry_.name.empty() || entry_.name.size() > max_name)
      problem("", "expected a name of 1 to " + std::to_string(max_name) + " bytes");
    look_for_unknown();
    read_switch();
    read_command();
    read_address();
    if (const Json* const oauth = object_.if_contains("oauth")) entry_.oauth = filled(*oauth, at("oauth"));
    read_environment();
    if (const Json* cwd = one_of({"cwd", "directory"})) entry_.directory = path(text(*cwd, "cwd"));
    if (entry_.directory.empty()) entry_.directory = directory_;
    read_filters();
    judge_kind();
  }

 private:
  std::string at(std::string_view name) const { return name.empty() ? entry_.pointer : below(entry_.pointer, name); }
  void problem(std::string_view name, std::string text) { findings_.problem(at(name), std::move(text)); }

  /// Null if there is none, or if it is `null`.
  const Json* stated(std::string_view name) const {
    const Json* const value = object_.if_contains(name);
    return value == nullptr || value->is_null() ? nullptr : value;
  }

  /// The member under one of its names; null if there is none. Two of them at once are a problem.
  const Json* one_of(std::initializer_list<std::string_view> names) {
    const Json* found = nullptr;
    for (const std::string_view name : names) {
      const Json* const value = stated(name);
      if (value == nullptr) continue;
      if (found != nullptr) problem(name, "says the same as " + in_quotes(found_name_) + "; expected one of the two");
      if (found == nullptr) found_name_ = name;
      found = found == nullptr ? value : found;
    }
    return found;
  }

  void look_for_unknown() {
    for (const auto& [name, value] : object_) {
      const std::string_view written = name;
      if (contains(meant, written) || written.starts_with('_') || written.starts_with('$')) continue;
      if (contains(of_hosts, written)) {
        findings_.hint(at(written), "is for the host; nothing follows from it here");
        continue;
      }
      const std::string_view nearest = system::nearest_name(written, meant);
      problem(written, "unknown; expected a member that hosts know" +
                           (nearest.empty() ? std::string() : ", did you mean " + in_quotes(nearest) + "?"));
    }
  }

  /// What messages may show.
  std::string text(const Json& value, std::string_view name) { return text_at(value, at(name), SecretPlaces::refused); }

  std::string text_at(const Json& value, const std::string& pointer,
                      SecretPlaces secret_places = SecretPlaces::allowed) {
    if (!value.is_string()) {
      findings_.problem(pointer, "expected a string, found " + std::string(kind_of(value)));
      return {};
    }
    std::string text = expansion_.expand(value.get_string(), pointer, findings_, secret_places).value_or("");
    if (text.find('\0') == std::string::npos) return text;
    findings_.problem(pointer, "expected a text without NUL characters");
    return {};
  }

  /// `first`: of the first of them.
  std::vector<std::string> texts_at(const Json& value, const std::string& pointer,
                                    SecretPlaces first = SecretPlaces::allowed) {
    std::vector<std::string> list;
    if (!value.is_array()) {
      findings_.problem(pointer, "expected an array of strings, found " + std::string(kind_of(value)));
      return list;
    }
    for (std::size_t i = 0; i < value.get_array().size(); ++i)
      list.push_back(text_at(value.get_array()[i], below(pointer, i), i == 0 ? first : SecretPlaces::allowed));
    return list;
  }

  /// The texts of an object, also those in its lists; all else as it stands.
  Json filled(const Json& value, const std::string& pointer) {
    if (const JsonObject* const object = value.if_object()) {
      JsonObject made;
      for (const auto& [name, one] : *object) {
        Json text = filled(one, below(pointer, name));
        if (names_a_secret(name) && text.is_string() && text.get_string().size() >= shortest_secret)
          entry_.secrets.emplace_back(text.get_string());
        made.emplace(name, std::move(text));
      }
      return made;
    }
    if (const JsonArray* const list = value.if_array()) {
      JsonArray made;
      for (std::size_t i = 0; i < list->size(); ++i) made.push_back(filled((*list)[i], below(pointer, i)));
      return made;
    }
    return value.is_string() ? Json(text_at(value, pointer)) : value;
  }

  std::map<std::string, std::string> values_at(const Json& value, const std::string& pointer) {
    std::map<std::string, std::string> values;
    if (!value.is_object()) {
      findings_.problem(pointer, "expected an object of strings, found " + std::string(kind_of(value)));
      return values;
    }
    for (const auto& [name, one] : value.get_object()) {
      std::string filled = text_at(one, below(pointer, name));
      if (names_a_secret(name) && filled.size() >= shortest_secret) entry_.secrets.push_back(filled);
      values.emplace(name, std::move(filled));
    }
    return values;
  }

  std::string path(const std::string& written) const {
    if (written.empty()) return {};
    if (written == "~" || written.starts_with("~/")) {
      const char* const home = std::getenv("HOME");
      if (home != nullptr)
        return (fs::path(home) / fs::path(written.substr(std::min<std::size_t>(2, written.size())))).string();
    }
    return (fs::path(directory_) / written).lexically_normal().string();
  }

  void read_switch() {
    const auto flag = [&](std::string_view name) -> std::optional<bool> {
      const Json* const value = stated(name);
      if (value == nullptr) return {};
      if (!value->is_bool()) problem(name, "expected true or false, found " + std::string(kind_of(*value)));
      return value->is_bool() && value->get_bool();
    };
    const auto enabled = flag("enabled");
    const auto disabled = flag("disabled");
    if (enabled && disabled && *enabled == *disabled)
      problem("disabled", "says the opposite of \"enabled\"; expected one of the two");
    entry_.enabled = enabled.value_or(true) && !disabled.value_or(false);
  }

  /// A string with "args" beside it, a list of all words, or an object with "path", "args" and "env".
  void read_command() {
    const Json* const command = stated("command");
    const Json* const args = stated("args");
    if (command == nullptr) {
      if (args != nullptr) problem("args", "expected together with a \"command\"");
      return;
    }
    if (command->is_array()) {
      entry_.command = texts_at(*command, at("command"), SecretPlaces::refused);
      if (args != nullptr) problem("args", "expected together with a \"command\" that is a string");
    } else if (const JsonObject* const whole = command->if_object()) {
      read_whole_command(*whole);
    } else {
      entry_.command.push_back(text(*command, "command"));
      if (args != nullptr) std::ranges::move(texts_at(*args, at("args")), std::back_inserter(entry_.command));
    }
    if (entry_.command.empty() || entry_.command.front().empty())
      problem("command", R"(expected a program: "PROGRAM" with "args", or ["PROGRAM", "ARGUMENT", …])");
  }

  void read_whole_command(const JsonObject& whole) {
    for (const auto& [name, value] : whole) {
      const std::string pointer = below(at("command"), name);
      if (name == "path") {
        entry_.command.insert(entry_.command.begin(), text_at(value, pointer, SecretPlaces::refused));
      } else if (name == "args") {
        std::ranges::move(texts_at(value, pointer), std::back_inserter(entry_.command));
      } else if (name == "env") {
        entry_.environment = values_at(value, pointer);
      } else {
        findings_.problem(pointer, "unknown; expected \"path\", \"args\" or \"env\"");
      }
    }
  }

  void read_address() {
    if (const Json* url = one_of({"url", "httpUrl", "serverUrl"})) {
      const std::string name(found_name_);
      entry_.url = text_at(*url, at(name));
      const std::size_t host = entry_.url.find("://");
      const bool fine = (entry_.url.starts_with("http://") || entry_.url.starts_with("https://")) &&
                        entry_.url.size() > host + 3 && entry_.url.find_first_of(" \t\r\n\"<>") == std::string::npos;
      if (!fine && url->is_string()) problem(name, "expected an address that begins with http:// or https://");
    }
    if (const Json* headers = one_of({"headers", "http_headers"})) {
      entry_.headers = values_at(*headers, at(found_name_));
      for (const auto& [name, value] : entry_.headers) {
        add_secrets_of_header(value, entry_.secrets);
        if (value.find_first_of("\r\n") != std::string::npos)
          findings_.problem(below(at(found_name_), name), "expected a value without line feeds");
      }
    }
  }

  void read_environment() {
    if (const Json* file = stated("envFile")) read_variables(*file);
    if (const Json* environment = one_of({"env", "environment", "envs"})) {
      for (auto& [name, value] : values_at(*environment, at(found_name_))) entry_.environment[name] = value;
    }
    for (const auto& [name, value] : entry_.environment) {
      if (names_a_secret(name) && value.size() >= shortest_secret) entry_.secrets.push_back(value);
      if (name.empty() || name.find_first_of(std::string_view("=\0", 2)) != std::string::npos)
        problem("env", "expected names of variables without \"=\", found " + in_quotes(name));
    }
  }

  /// No problem shows what was filled in, so the file is named only as it is written.
  void read_variables(const Json& file) {
    const std::string named = text(file, "envFile");
    if (named.empty()) return;
    const bool is_as_written = file.get_string() == named;
    try {
      const std::string content = expansion_.content_of(path(named));
      entry_.environment = environment_from(content);
    } catch (const std::invalid_argument& error) {
      problem("envFile", error.what());
    } catch (const std::exception& error) {
      problem("envFile", is_as_written ? error.what() : "expected what leads to a readable file");
    }
  }

  void read_filters() {
    if (const Json* only = one_of({"tools", "includeTools", "enabled_tools"})) {
      const std::string place = at(found_name_);
      if (std::vector<std::string> names = texts_at(*only, place); names != std::vector<std::string>{"*"})
        entry_.only_tools = names_of_tools(std::move(names), place);
    }
    if (const Json* excluded = one_of({"excludeTools", "disabled_tools", "disabledTools"}))
      entry_.excluded_tools = names_of_tools(texts_at(*excluded, at(found_name_)), at(found_name_));
  }

  /// A pattern would be the name of no tool, and leave out nothing.
  std::vector<std::string> names_of_tools(std::vector<std::string> names, const std::string& pointer) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!names[i].empty() && names[i].find('*') == std::string::npos) continue;
      findings_.problem(below(pointer, i),
                        "expected the name of a tool; a name with * is a key of \"tools\" in \"toolwire\", as " +
                            in_quotes(entry_.name + "/write_*") + ": {\"enabled\": false}");
    }
    return names;
  }

  void judge_kind() {
    const Json* const type = one_of({"type", "transport"});
    const std::string kind = type == nullptr ? "" : text(*type, found_name_);
    if (type != nullptr && !contains(kinds_of_programs, kind) && !contains(kinds_of_addresses, kind))
      problem(found_name_,
              "expected \"stdio\" or \"http\", found " +
                  (type->is_string() ? in_quotes(std::string_view(type->get_string())) : std::string(kind_of(*type))));
    const bool has_program = stated("command") != nullptr;
    const bool has_address = !entry_.url.empty();
    if (has_program && has_address) problem("", "expected \"command\" or \"url\", found both");
    if (!has_program && !has_address) {
      problem("", contains(kinds_of_addresses, kind) ? "expected \"url\", the address of the server"
                                                     : "expected \"command\", a program to start, or \"url\"");
    } else if (contains(kinds_of_programs, kind) && !has_program) {
      problem("type", "expected \"http\" beside an address");
    } else if (contains(kinds_of_addresses, kind) && !has_address) {
      problem("type", "expected \"stdio\" beside a program");
    }
    if (kind == "sse" && entry_.enabled)
      problem(found_name_,
              "expected \"http\": the older transport HTTP+SSE is not spoken; use the address at which the server "
              "speaks Streamable HTTP, often /mcp in the place of /sse, or say \"disabled\": true");
    if (kind == "websocket") problem("type", "expected \"stdio\" or \"http\"; there is no standard for websockets");
    if (has_address && (!entry_.environment.empty() || stated("cwd") != nullptr))
      findings_.hint(entry_.pointer, "\"env\" and \"cwd\" are for programs; nothing follows from them here");
    if (has_program && !entry_.oauth.is_null()) problem("oauth", "is for a \"url\"; nothing follows from it here");
    if (has_program && !entry_.headers.empty()) problem("headers", "are for a \"url\"; nothing follows from them here");
  }

  ServerEntry& entry_;
  const JsonObject& object_;
  const std::string& directory_;
  Expansion& expansion_;
  Findings& findings_;
  std::string found_name_;
};

}  // namespace

void add_secrets_of_header(const std::string& value, std::vector<std::string>& into) {
  if (value.size() >= shortest_secret) into.push_back(value);
  const std::size_t word = value.find(' ');
  if (word != std::string::npos && value.size() - word - 1 >= shortest_secret) into.push_back(value.substr(word + 1));
}

std::optional<ServerEntry> read_server_entry(const std::string& name, const Json& json, const std::string& pointer,
                                             const std::string& directory, Expansion& expansion, Findings& findings) {
  if (!json.is_object()) {
    findings.problem(pointer, "expected an object with \"command\" or \"url\", found " + std::string(kind_of(json)));
    return std::nullopt;
  }
  ServerEntry entry{.name = name, .pointer = pointer};
  Findings own("");
  Reader(entry, json.get_object(), directory, expansion, own).read();
  for (const ManifestProblem& hint : own.take_hints("")) findings.hint(hint.pointer, hint.text);
  const auto problems = own.take_problems("");
  for (const ManifestProblem& problem : problems) findings.problem(problem.pointer, problem.text);
  return problems.empty() ? std::optional(std::move(entry)) : std::nullopt;
}

}  // namespace toolwire::bridge
