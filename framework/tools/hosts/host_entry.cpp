#include "host_entry.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <toolwire/json_members.hpp>
#include <utility>

#include "edit/json_edit.hpp"
#include "edit/toml_edit.hpp"
#include "url_text.hpp"
#include "yaml_text.hpp"

namespace toolwire::hosts {
namespace {

JsonArray array_of(const std::vector<std::string>& texts) {
  JsonArray array;
  for (const std::string& text : texts) array.emplace_back(text);
  return array;
}

/// The value of a member of Host::entry; null if the member is left out.
Json filled(const Json& value, const std::string& name, const Server& server) {
  if (value == "@command") return Json(server.program);
  if (value == "@args") return array_of(server.arguments);
  if (value == "@line") return array_of(line_of(server));
  if (value == "@name") return Json(name);
  if (value != "@env") return value;
  if (server.environment.empty()) return nullptr;
  JsonObject variables;
  for (const auto& [variable, text] : server.environment) variables[variable] = text;
  return variables;
}

bool take_texts(const Json& value, std::vector<std::string>* into) {
  const JsonArray* const array = value.if_array();
  if (array == nullptr) return false;
  for (const Json& element : *array) {
    if (!element.is_string()) return false;
    into->emplace_back(element.get_string());
  }
  return true;
}

bool take_variables(const Json& value, std::map<std::string, std::string>* into) {
  const JsonObject* const object = value.if_object();
  if (object == nullptr) return false;
  for (const auto& [name, text] : *object) {
    if (text.is_null()) continue;
    (*into)[std::string(name)] = text.is_string() ? std::string(text.get_string()) : to_json_text(text);
  }
  return true;
}

/// False if a member is not what its place in Host::entry asks for.
bool take_member(const Json& place, const Json& value, Server* server) {
  if (place == "@command") return value.is_string() && (server->program = value.get_string(), true);
  if (place == "@args") return take_texts(value, &server->arguments);
  if (place == "@env") return take_variables(value, &server->environment);
  if (place != "@line") return true;
  std::vector<std::string> line;
  if (!take_texts(value, &line) || line.empty()) return false;
  server->program = line.front();
  server->arguments.assign(line.begin() + 1, line.end());
  return true;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

bool has_scope(const OwnCommand& own, Scope scope) {
  switch (scope) {
    case Scope::user:
      return own.user;
    case Scope::project:
      return own.project;
    case Scope::local:
      break;
  }
  return own.local;
}

JsonObject entry_with_name(const Host& host, const std::string& name, const Server& server) {
  JsonObject named{{"name", name}};
  for (auto& [key, value] : entry_of(host, name, server)) named[key] = std::move(value);
  return named;
}

/// What a word of OwnCommand stands for.
std::vector<std::string> filled_word(const std::string& word, const Host& host, Scope scope, const std::string& name,
                                     const Server& server) {
  if (word == "@name") return {name};
  if (word == "@scope") return {std::string(name_of(scope))};
  if (word == "@json") return {to_json_text(entry_of(host, name, server))};
  if (word == "@named") return {to_json_text(entry_with_name(host, name, server))};
  if (word == "@program") return {server.program};
  if (word == "@args") return server.arguments;
  if (word == "@line") return line_of(server);
  if (!word.starts_with("@env:")) return {word};
  std::vector<std::string> words;
  for (const auto& [variable, text] : server.environment) {
    words.push_back(word.substr(5));
    words.push_back(variable + "=" + text);
  }
  return words;
}

std::vector<std::string> filled_words(std::string_view text, const Host& host, Scope scope, const std::string& name,
                                      const Server& server) {
  std::vector<std::string> words{std::string(host.own.program)};
  for (const std::string& word : words_of(text)) {
    for (std::string& part : filled_word(word, host, scope, name, server)) words.push_back(std::move(part));
  }
  return words;
}

bool begins_with_dash(const std::string& text) { return text.starts_with('-'); }

std::string replaced(std::string text, std::string_view what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

/// Where '$' stands before a letter, a digit or '_'.
std::size_t plain_variable_in(std::string_view text) {
  for (std::size_t at = text.find('$'); at != std::string_view::npos; at = text.find('$', at + 1)) {
    const char next = at + 1 < text.size() ? text[at + 1] : ' ';
    const bool is_letter = (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z');
    if (is_letter || next == '_' || (next >= '0' && next <= '9')) return at;
  }
  return std::string_view::npos;
}

/// Whether the link has a place for the variables of a server: the whole entry.
bool takes_variables(std::string_view link) {
  constexpr std::string_view entries[] = {"@named", "@base64", "@percent"};
  return std::ranges::any_of(entries,
                             [&](std::string_view entry) { return link.find(entry) != std::string_view::npos; });
}

std::string filled_link(std::string_view link, const Host& host, const std::string& name, const Server& server) {
  const std::string entry = to_json_text(entry_of(host, name, server));
  std::string arguments;
  for (const std::string& argument : server.arguments) arguments += "&arg=" + percent_encoded(argument);
  std::string text =
      replaced(std::string(link), "@named", percent_encoded(to_json_text(entry_with_name(host, name, server))));
  text = replaced(std::move(text), "@name", percent_encoded(name));
  text = replaced(std::move(text), "@base64", percent_encoded(base64(entry)));
  text = replaced(std::move(text), "@percent", percent_encoded(entry));
  text = replaced(std::move(text), "@command", percent_encoded(server.program));
  return replaced(std::move(text), "@args", arguments);
}

}  // namespace

JsonObject entry_of(const Host& host, const std::string& name, const Server& server) {
  const Json form = parse_json(host.entry);
  JsonObject entry;
  for (const auto& [key, value] : form.get_object()) {
    if (Json member = filled(value, name, server); !member.is_null()) entry[key] = std::move(member);
  }
  return entry;
}

std::optional<Server> server_of(const Host& host, const Json& entry) {
  const JsonObject* const members = entry.if_object();
  if (members == nullptr || !remote_type_of(entry).empty()) return std::nullopt;
  const Json form = parse_json(host.entry);
  Server server;
  for (const auto& [key, place] : form.get_object()) {
    const Json* const value = members->if_contains(key);
    if (value != nullptr && !take_member(place, *value, &server)) return std::nullopt;
  }
  return server.program.empty() ? std::nullopt : std::optional(server);
}

std::string remote_type_of(const Json& entry) {
  constexpr std::string_view types[] = {"http",   "sse", "streamable-http", "streamableHttp", "streamable_http",
                                        "remote", "ws"};
  std::string type = text_or(entry, "type");
  return std::ranges::find(types, type) == std::end(types) ? std::string() : type;
}

bool has_needed(const Host& host, const Json& entry) {
  return host.needed.empty() || find_member(entry, host.needed) != nullptr;
}

bool is_off(const Json& entry) {
  const Json *const disabled = find_member(entry, "disabled"), *const enabled = find_member(entry, "enabled");
  return (disabled != nullptr && *disabled == true) || (enabled != nullptr && *enabled == false);
}

std::string folder_of(const Json& entry) { return text_or(entry, "cwd"); }

std::chrono::milliseconds start_limit_of(const Host& host, const Json& entry) {
  constexpr double longest = 24 * 3600 * 1000.0;
  for (const auto& [name, milliseconds] : {std::pair{"startup_timeout_sec", 1000}, {"startup_timeout_ms", 1}}) {
    const Json* const limit = find_member(entry, name);
    if (limit == nullptr || !limit->is_number()) continue;
    const double given = limit->to_number<double>() * milliseconds;
    if (given > 0) return std::chrono::milliseconds(static_cast<std::int64_t>(std::min(given, longest)));
  }
  return host.start_limit;
}

std::string program_path(const Server& server, const Json& entry) {
  const std::string folder = folder_of(entry);
  const bool is_from_there = server.program.find('/') != std::string::npos && !server.program.starts_with('/');
  if (folder.empty() || !is_from_there) return server.program;
  return (std::filesystem::path(folder) / server.program).lexically_normal().string();
}

std::string variable_in(const Host& host, std::string_view text) {
  std::string first;
  std::size_t first_at = std::string_view::npos;
  for (const std::string& beginning : words_of(host.variables)) {
    const std::size_t at = beginning == "$A" ? plain_variable_in(text) : text.find(beginning);
    if (at >= first_at) continue;
    first_at = at;
    first = beginning == "$A" ? "$…" : beginning + "…}";
  }
  return first;
}

std::vector<std::string> line_of(const Server& server) {
  std::vector<std::string> line{server.program};
  line.insert(line.end(), server.arguments.begin(), server.arguments.end());
  return line;
}

std::optional<std::vector<std::string>> own_add_command(const Host& host, Scope scope, const std::string& name,
                                                        const Server& server) {
  if (host.own.add.empty() || !has_scope(host.own, scope)) return std::nullopt;
  const bool is_plain = server.environment.empty() && std::ranges::none_of(server.arguments, begins_with_dash);
  if (!host.own.takes_any_argument && !is_plain) return std::nullopt;
  return filled_words(host.own.add, host, scope, name, server);
}

std::optional<std::vector<std::string>> own_remove_command(const Host& host, Scope scope, const std::string& name) {
  if (host.own.remove.empty() || !has_scope(host.own, scope)) return std::nullopt;
  return filled_words(host.own.remove, host, scope, name, {});
}

std::string snippet(const Host& host, const std::string& name, const Server& server) {
  const JsonObject entry = entry_of(host, name, server);
  const std::string key(host.key);
  if (host.format == Format::toml) return edit::with_toml_table("", {key, name}, entry);
  if (host.format != Format::yaml) return edit::with_json_member("", edit::Comments::refused, {key, name}, entry);
  if (host.is_list) return yaml_text(JsonObject{{key, JsonArray{entry}}});
  return yaml_text(JsonObject{{key, JsonObject{{name, entry}}}});
}

std::vector<std::string> links(const Host& host, const std::string& name, const Server& server) {
  std::vector<std::string> all;
  for (const std::string_view link : {host.links.link, host.links.web}) {
    if (link.empty() || (!server.environment.empty() && !takes_variables(link))) continue;
    all.push_back(filled_link(link, host, name, server));
  }
  return all;
}

}  // namespace toolwire::hosts
