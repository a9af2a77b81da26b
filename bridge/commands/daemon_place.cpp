#include "commands/daemon_place.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <toolwire/json.hpp>
#include <toolwire/system/private_file.hpp>

#include "activities/mcp/inherited_environment.hpp"
#include "activities/mcp/text_hash.hpp"
#include "attach/own_folder.hpp"
#include "commands/status_socket.hpp"
#include "manifest/file_text.hpp"
#include "system/next_program.hpp"
#include "system/own_process.hpp"
#include "system/sandbox.hpp"

namespace toolwire::bridge {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t key_bytes = 16;

JsonArray texts(const std::vector<std::string>& list) { return JsonArray(list.begin(), list.end()); }

/// The files that a bridge of these options reads may name any variable.
bool may_read_any_variable(const ServeOptions& options) {
  const auto inherits_all = [](const mcp::BackEndOptions& one) {
    return one.inherit.extent == mcp::InheritedEnvironment::Extent::all;
  };
  const bool has_bindings = options.configured && options.configured->bindings;
  return !options.files.empty() || !options.scenarios.empty() || !options.runtimes.empty() ||
         !options.bindings.empty() || has_bindings || std::ranges::any_of(options.back_ends, inherits_all);
}

/// The names in all "${NAME}", "${NAME:-otherwise}" and "${env:NAME}" of a text.
std::set<std::string, std::less<>> named_variables(std::string_view text) {
  std::set<std::string, std::less<>> names;
  for (std::size_t at = text.find("${"); at != std::string_view::npos; at = text.find("${", at + 2)) {
    std::string_view place = text.substr(at + 2);
    place = place.substr(0, place.find('}'));
    if (place.starts_with("env:")) place.remove_prefix(4);
    names.emplace(place.substr(0, place.find(':')));
  }
  return names;
}

bool is_read(const ServeOptions& options, const std::set<std::string, std::less<>>& named, std::string_view name) {
  if (name.starts_with("TOOLWIRE_") || named.contains(name) || mcp::is_usually_inherited(name)) return true;
  const std::string entry = std::string(name) + "=";
  return std::ranges::any_of(options.back_ends, [&](const mcp::BackEndOptions& back_end) {
    return !mcp::passed_on(back_end.inherit, {std::string_view(entry)}).empty();
  });
}

JsonArray variables_of(const ServeOptions& options, std::string_view configuration) {
  const bool is_any = may_read_any_variable(options);
  const auto named = named_variables(configuration);
  std::vector<std::string> entries;
  for (const std::string_view entry : own_environment()) {
    if (is_any || is_read(options, named, entry.substr(0, entry.find('=')))) entries.emplace_back(entry);
  }
  std::ranges::sort(entries);
  return texts(entries);
}

JsonArray options_as_given(const ServeOptions& options) {
  return {options.configuration,  options.configuration_profile,
          texts(options.files),   options.bindings,
          options.profile,        texts(options.scenarios),
          texts(options.servers), texts(options.headers),
          options.prefix,         texts(options.inherited),
          options.wait,           texts(options.runtimes),
          options.preferences,    options.audit,
          options.metrics,        options.approval,
          options.latent,         texts(options.allowed_addresses),
          options.no_watch,       options.allow_commands,
          options.forgetful};
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

bool names_folder(const char* name) { return variable(name).starts_with('/'); }

/// `name`: the variable that says where it lies, for the error: it may be that of another user, as after su.
void make_own_folder(const std::string& folder, const char* name) {
  if (const std::string problem = system::make_private_folders(folder); !problem.empty())
    throw std::invalid_argument(problem + "; " + name + " is " + variable(name) + ", expected a place of yours");
  expect_own_folder(folder);
}

}  // namespace

std::string daemon_key(const ServeOptions& options) {
  std::string text;
  if (!options.configuration.empty()) text = text_of_file(options.configuration).value_or("");
  JsonArray parts{own_program().build,       own_sandbox(), fs::current_path().string(),
                  options_as_given(options), text,          variables_of(options, text)};
  for (const mcp::BackEndOptions& one : options.back_ends) {
    for (const auto& [name, value] : one.remote ? one.remote->headers : HttpHeaders()) parts.emplace_back(value);
  }
  if (options.configured) {
    parts.push_back(options.configured->at_start);
    parts.push_back(texts(options.configured->secrets));
  }
  return mcp::text_hash(to_json_text(Json(std::move(parts))), key_bytes);
}

DaemonPlace daemon_place(const std::string& key) {
  const std::string running = StatusSocket::usual_folder();
  if (running.empty()) throw std::invalid_argument("there is no place for a log: expected HOME or XDG_STATE_HOME");
  const std::string state = fs::path(running).parent_path().string();
  const char* const state_name = names_folder("XDG_STATE_HOME") ? "XDG_STATE_HOME" : "HOME";
  const bool has_runtime = names_folder("XDG_RUNTIME_DIR");
  const std::string sockets = has_runtime ? variable("XDG_RUNTIME_DIR") + "/toolwire" : state + "/sockets";
  const std::string logs = state + "/logs";
  make_own_folder(sockets, has_runtime ? "XDG_RUNTIME_DIR" : state_name);
  make_own_folder(logs, state_name);
  return {sockets + "/" + key + ".sock", logs + "/" + key + ".log"};
}

void expect_own_folder(const std::string& folder) {
  if (const std::string wrong = attach::wrong_with_folder(folder); !wrong.empty()) throw std::invalid_argument(wrong);
}

std::string secret_of_folder(const std::string& folder) {
  attach::Secret secret = attach::secret_of(folder);
  if (!secret.trouble.empty()) throw std::runtime_error(secret.trouble);
  return std::move(secret.text);
}

}  // namespace toolwire::bridge
