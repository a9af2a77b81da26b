#include "commands/configured.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <set>
#include <stdexcept>
#include <utility>

#include <toolwire/context.hpp>
#include <toolwire/json_members.hpp>

#include <toolwire/http/detail/address_policy.hpp>
#include <toolwire/http/detail/http_client.hpp>
#include "commands/back_end_settings.hpp"
#include "commands/entry_settings.hpp"
#include "commands/expansion_sources.hpp"
#include "commands/worker_back_end.hpp"
#include "manifest/members.hpp"
#include "manifest/settings_reader.hpp"

namespace toolwire::bridge {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 27> members_known{
    "manifests",   "bindings",         "runtimes",        "scenarios", "tools",         "servers",
    "prefix",      "inherit",          "wait_seconds",    "approval",  "latent",        "dangling",
    "audit",       "metrics",          "allow_addresses", "watch",     "profiles",      "remember",
    "description", "search",           "page_size",       "listen",    "authorization", "redis",
    "nats",        "calls_per_minute", "traces"};

/// What an entry under "toolwire" adds to the server of the same name.
constexpr std::array<std::string_view, 13> server_members{"offer",
                                                          "scopes",
                                                          "prefix",
                                                          "inherit",
                                                          "inherit_environment",
                                                          "revision",
                                                          "on_change",
                                                          "pinned",
                                                          "shared",
                                                          "start_timeout_seconds",
                                                          "wait_seconds",
                                                          "question_timeout_seconds",
                                                          "description"};

class Reader {
 public:
  explicit Reader(const Configuration& configuration) : configuration_(configuration), own_(configuration.own) {
    read_.file = configuration.file;
    read_.secrets = configuration.secrets;
  }

  void read(Findings& findings) {
    refuse_unknown(own_, "", {members_known.begin(), members_known.end()}, findings);
    findings_ = &findings;
    if (const Json* const stated = at("description")) expect_text("/description", *stated);
    read_.manifests = paths("manifests");
    read_.scenarios = texts("scenarios");
    for (std::size_t i = 0; i < read_.scenarios.size(); ++i) {
      if (!http_origin_of(read_.scenarios[i]))
        problem(below("/scenarios", i), "expected an http or https URL without user name");
    }
    read_addresses();
    read_.approval = word("approval", {"bridge", "host"});
    read_.latent = word("latent", {"inline", "sampling", "hidden"});
    word("dangling", {"fail", "latent"});
    read_.audit = file_to_write("audit");
    read_.metrics = file_to_write("metrics");
    read_switches();
    read_lists();
    const auto place_of = [this](const std::string& pointer) { return configuration_.place_of(pointer); };
    if (const Json* const stated = at("listen"))
      read_.listen = read_listen_settings(*stated, configuration_.directory, place_of, findings);
    if (const Json* const stated = at("authorization"))
      read_.authorization = read_authorization(*stated, configuration_.directory, place_of, findings);
    if (const Json* const stated = at("redis"))
      read_.redis = read_redis_settings(*stated, configuration_.directory, place_of, findings);
    if (const Json* const stated = at("nats"))
      read_.nats = read_nats_settings(*stated, configuration_.directory, place_of, findings);
    if (const Json* const stated = at("traces")) read_.tracing = traces::read_settings(*stated, place_of, findings);
    if (read_.tracing) add_secrets_of_traces();
    read_back_ends();
    read_bindings();
    read_tools();
    check_use_of_scopes();
    if (read_.back_ends.empty() && read_.manifests.empty() && read_.scenarios.empty() && !has_runtimes() &&
        !findings.has_problems())
      findings.problem("", "expected something to serve: a server, or \"manifests\", \"scenarios\" or \"runtimes\"");
  }

  Configured take() {
    read_.at_start = start_part();
    return std::move(read_);
  }

 private:
  void add_secrets_of_traces() {
    for (const auto& [name, value] : read_.tracing->headers) add_secrets_of_header(value, read_.secrets);
    std::ranges::sort(read_.secrets, std::greater<>{}, &std::string::size);  // before those they contain
  }

  void problem(const std::string& pointer, std::string text) {
    findings_->problem(configuration_.place_of(pointer), std::move(text));
  }

  void refuse_unknown(const JsonObject& object, const std::string& pointer, const std::vector<std::string_view>& known,
                      Findings& findings) const {
    for (const auto& [name, value] : object) {
      const std::string_view written = name;
      if (std::ranges::find(known, written) != known.end() || written == "$schema") continue;
      const std::string near = did_you_mean(written, known);
      findings.problem(configuration_.place_of(below(pointer, written)),
                       near.empty() ? "unknown; expected one of " + list_of(known) : "unknown" + near);
    }
  }

  const Json* at(std::string_view name) const {
    const Json* const value = own_.if_contains(name);
    return value == nullptr || value->is_null() ? nullptr : value;
  }

  void wrong(const std::string& pointer, std::string_view expected, const Json& found) {
    problem(pointer, "expected " + std::string(expected) + ", found " + std::string(kind_of(found)));
  }

  void expect_text(const std::string& pointer, const Json& found) {
    if (!found.is_string()) wrong(pointer, "a string", found);
  }

  std::string text(std::string_view name) { return at(name) == nullptr ? std::string() : text_in(own_, "", name); }

  std::string word(std::string_view name, const std::vector<std::string_view>& words) {
    std::string found = text(name);
    if (found.empty() || std::ranges::find(words, found) != words.end()) return found;
    problem(below("", name), "expected one of " + list_of(words) + did_you_mean(found, words));
    return {};
  }

  std::string absolute(const std::string& path) const {
    return (fs::path(configuration_.directory) / path).lexically_normal().string();
  }
  std::string path(std::string_view name) {
    const std::string written = text(name);
    return written.empty() ? written : absolute(written);
  }

  std::string file_to_write(std::string_view name) {
    std::string file = path(name);
    std::error_code ignored;
    if (!file.empty() && (fs::is_directory(file, ignored) || !fs::is_directory(fs::path(file).parent_path(), ignored)))
      problem(below("", name), "expected a file in a folder that there is: " + file);
    return file;
  }

  void read_addresses() {
    read_.allowed_addresses = texts("allow_addresses");
    for (std::size_t i = 0; i < read_.allowed_addresses.size(); ++i) {
      try {
        const AddressPolicy fine({read_.allowed_addresses[i]});
      } catch (const std::invalid_argument& error) {
        problem(below("/allow_addresses", i), error.what());
      }
    }
  }

  std::vector<std::string> texts(std::string_view name) { return texts_in(own_, "", name); }

  std::vector<std::string> texts_in(const JsonObject& object, const std::string& pointer, std::string_view name) {
    std::vector<std::string> list;
    const Json* const value = object.if_contains(name);
    if (value == nullptr || value->is_null()) return list;
    const std::string place = below(pointer, name);
    if (!value->is_array()) {
      wrong(place, "an array of strings", *value);
      return list;
    }
    for (std::size_t i = 0; i < value->get_array().size(); ++i) {
      const Json& one = value->get_array()[i];
      if (one.is_string()) {
        list.emplace_back(one.get_string());
      } else {
        wrong(below(place, i), "a string", one);
      }
    }
    return list;
  }

  std::vector<std::string> paths(std::string_view name) {
    std::vector<std::string> list = texts(name);
    for (std::size_t i = 0; i < list.size(); ++i) {
      list[i] = absolute(list[i]);
      std::error_code ignored;
      if (!fs::exists(list[i], ignored)) problem(below(below("", name), i), "expected a file or folder: " + list[i]);
    }
    return list;
  }

  bool flag(std::string_view name, bool otherwise) {
    const Json* const value = at(name);
    if (value == nullptr) return otherwise;
    if (!value->is_bool()) wrong(below("", name), "true or false", *value);
    return value->is_bool() ? value->get_bool() : otherwise;
  }

  /// 0 if it is not there.
  std::int64_t count(std::string_view name, std::int64_t most) {
    const Json* const value = at(name);
    if (value == nullptr) return 0;
    if (value->is_int64() && value->get_int64() >= 1 && value->get_int64() <= most) return value->get_int64();
    problem(below("", name), "expected a whole number from 1 to " + std::to_string(most));
    return 0;
  }

  void read_switches() {
    read_.watch = flag("watch", true);
    read_.remember = flag("remember", true);
    if (const Json* const wait = at("wait_seconds")) {
      const bool fine = wait->is_number() && wait->to_number<double>() >= 0 && wait->to_number<double>() <= 600;
      if (!fine) problem("/wait_seconds", "expected a number from 0 to 600");
      if (fine)
        read_.start_wait = std::chrono::milliseconds(static_cast<std::int64_t>(wait->to_number<double>() * 1000));
    }
    read_.calls_per_minute = count("calls_per_minute", 1'000'000);
    if (const std::string prefix = word("prefix", {"on_conflict", "always", "never"}); !prefix.empty())
      prefix_ = prefix;
  }

  /// What lists show at once.
  void read_lists() {
    read_.page = static_cast<std::size_t>(count("page_size", 100'000));
    const Json* const search = at("search");
    if (search == nullptr || *search == Json(false)) return;
    if (search->is_object()) {
      refuse_unknown(search->get_object(), "/search", {"always"}, *findings_);
      read_.search = Configured::Search{.always = patterns(search->get_object(), "/search")};
    } else if (*search == Json(true)) {
      read_.search = Configured::Search{};
    } else {
      wrong("/search", "true, false or an object", *search);
    }
    if (read_.search && read_.page > 0)
      problem("/page_size", "expected either this or \"search\", with which lists are short");
  }

  std::string text_in(const JsonObject& object, const std::string& pointer, std::string_view name) {
    const Json* const value = object.if_contains(name);
    if (value == nullptr) return {};
    if (value->is_string() && value->get_string().find('\0') != JsonString::npos) {
      problem(below(pointer, name), "expected a string without NUL characters");
    } else if (value->is_string() && !value->get_string().empty()) {
      return std::string(value->get_string());
    } else {
      wrong(below(pointer, name), "a string that is not empty", *value);
    }
    return {};
  }

  std::vector<std::string> patterns(const JsonObject& search, const std::string& pointer) {
    std::vector<std::string> list;
    const Json* const value = search.if_contains("always");
    if (value == nullptr || value->is_null()) return list;
    const std::string place = below(pointer, "always");
    if (!value->is_array()) return wrong(place, "an array of names of tools", *value), list;
    for (std::size_t i = 0; i < value->get_array().size(); ++i) {
      const Json& one = value->get_array()[i];
      if (one.is_string() && !one.get_string().empty()) {
        list.emplace_back(one.get_string());
        expect_server_of(list.back(), below(place, i));
      } else {
        wrong(below(place, i), "the name of a tool, or SERVER/TOOL, in which * stands for any characters", one);
      }
    }
    return list;
  }

  std::vector<std::string_view> server_names() const {
    std::vector<std::string_view> names;
    for (const ServerEntry& entry : configuration_.servers) names.push_back(entry.name);
    if (read_.nats) names.insert(names.end(), read_.nats->workers.begin(), read_.nats->workers.end());
    return names;
  }

  const JsonObject* settings_of(const std::string& server) {
    const JsonObject* const all = object_member(own_, "servers");
    return all == nullptr ? nullptr : object_member(*all, server);
  }

  void read_back_ends() {
    read_inherited();
    if (const Json* const settings = at("servers")) {
      if (!settings->is_object()) return wrong("/servers", "an object of settings by the name of a server", *settings);
      for (const auto& [name, one] : settings->get_object()) {
        const std::string pointer = below("/servers", name);
        const auto names = server_names();
        if (std::ranges::find(names, std::string_view(name)) == names.end())
          problem(pointer, "there is no server of this name that is used" + did_you_mean(name, names));
        if (!one.is_object()) {
          wrong(pointer, "an object", one);
        } else {
          refuse_unknown(one.get_object(), pointer, {server_members.begin(), server_members.end()}, *findings_);
          if (const Json* const stated = one.get_object().if_contains("description"))
            expect_text(below(pointer, "description"), *stated);
        }
      }
    }
    for (const ServerEntry& entry : configuration_.servers) read_back_end_of(entry);
    if (read_.nats) read_workers(*read_.nats);
    expect_servers_for_settings_of_all();
  }

  void read_inherited() {
    const std::vector<std::string> names = texts("inherit");
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (auto wrong = mcp::wrong_inherited(names[i])) {
        problem(below("/inherit", i), std::move(*wrong));
      } else {
        inherited_.push_back(names[i]);
      }
    }
  }

  void expect_servers_for_settings_of_all() {
    const auto is_offered = [&](const ServerEntry& entry) { return offered(entry.name); };
    if (at("prefix") != nullptr && std::ranges::none_of(configuration_.servers, is_offered))
      problem("/prefix", "nothing follows from it, as no server is offered");
    if (!inherited_.empty() && configuration_.servers.empty())
      problem("/inherit", "nothing follows from it, as there is no server");
  }

  void read_back_end_of(const ServerEntry& entry) {
    if (has_wrong_address(entry, *findings_)) return;  // where the entry has it
    JsonObject settings = settings_json(entry);
    const auto options =
        bridge::read_back_end(entry.name, settings, configuration_.place_of(below("/servers", entry.name)),
                              configuration_.directory, *findings_, below(entry.pointer, "oauth"));
    if (!options) return;
    settings.erase("prefix");  // bindings call tools by their own names
    settings_[entry.name] = std::move(settings);
    if (!offered(entry.name)) {
      const JsonObject* const stated = settings_of(entry.name);
      for (const char* const member : {"prefix", "scopes"}) {
        if (stated != nullptr && stated->contains(member))
          problem(below(below("/servers", entry.name), member),
                  "nothing follows from it, as \"offer\" is false; expected one of the two");
      }
      return;
    }
    read_.places[entry.name] = entry.pointer;
    mcp::BackEndOptions& made = read_.back_ends.emplace_back(*options);
    if (made.remote) made.login_command = "toolwire-bridge login " + configuration_.file + " " + entry.name;
    made.only_tools = entry.only_tools;
    made.excluded_tools = entry.excluded_tools;
    made.scopes = scopes_of_server(entry.name);
    made.secrets = read_.secrets;
  }

  void read_workers(const NatsSettings& nats) {
    for (std::size_t i = 0; i < nats.workers.size(); ++i) {
      const std::string& name = nats.workers[i];
      const std::string pointer = below("/nats/workers", i);
      if (std::ranges::find(configuration_.servers, name, &ServerEntry::name) != configuration_.servers.end())
        problem(pointer, "there is a server of this name");
      mcp::BackEndOptions made = worker_back_end(nats, name);
      made.secrets = read_.secrets;
      made.prefix = prefix_named(prefix_).value_or(mcp::Prefix::on_conflict);
      made.scopes = scopes_of_server(name);
      read_.places[name] = configuration_.place_of(pointer);
      if (const JsonObject* const stated = settings_of(name))
        read_worker_settings(*stated, made, [&](const std::string& member, const std::string& text) {
          problem(below(below("/servers", name), member), text);
        });
      read_.back_ends.push_back(std::move(made));
    }
  }

  /// With what is said of it under "toolwire".
  JsonObject settings_json(const ServerEntry& entry) {
    JsonObject json = entry_settings(entry);
    json["prefix"] = prefix_;
    if (const JsonObject* const more = settings_of(entry.name)) {
      for (const auto& [name, value] : *more) {
        const bool says_nothing = value.is_null() && (name == "prefix" || name == "inherit");
        if (!says_nothing && name != "offer" && name != "scopes" &&
            std::ranges::find(server_members, std::string_view(name)) != server_members.end())
          json.insert_or_assign(name, value);
      }
    }
    if (entry.url.empty()) add_inherited(json);
    return json;
  }

  /// What all servers inherit, beside what this one does.
  void add_inherited(JsonObject& json) const {
    Json& own = json["inherit"];
    if (own.is_null()) own = JsonArray();
    if (JsonArray* const names = own.if_array()) names->insert(names->end(), inherited_.begin(), inherited_.end());
  }

  bool offered(const std::string& server) {
    const JsonObject* const settings = settings_of(server);
    const Json* const offer = settings == nullptr ? nullptr : settings->if_contains("offer");
    if (offer == nullptr) return true;
    if (!offer->is_bool()) wrong(below(below("/servers", server), "offer"), "true or false", *offer);
    return !offer->is_bool() || offer->get_bool();
  }

  /// That are needed for all it offers.
  std::vector<std::string> scopes_of_server(const std::string& server) {
    const JsonObject* const settings = settings_of(server);
    if (settings == nullptr || !settings->contains("scopes")) return {};
    const std::string pointer = below("/servers", server);
    std::vector<std::string> scopes = texts_in(*settings, pointer, "scopes");
    if (scopes.empty() || !std::ranges::all_of(scopes, is_scope))
      problem(below(pointer, "scopes"),
              "expected an array of names of scopes: visible ASCII without spaces, quotes and backslashes");
    return scopes;
  }

  /// Whether anybody can have them is seen where somebody listens.
  void check_use_of_scopes() {
    if (!read_.authorization) return;
    const bool are_needed = read_.needs_scopes();
    if (const auto& proxy = read_.authorization->proxy) {
      const bool are_said = !proxy->fields.scopes_field.empty();
      if (are_needed && !are_said)
        problem("/authorization/proxy",
                "expected \"scopes_field\" too, as tools need scopes and nobody would have any");
      if (!are_needed && are_said)
        problem("/authorization/proxy/scopes_field", "nothing follows from it, as no tool or server has \"scopes\"");
      return;
    }
    const http::ProtectedResource& resource = read_.authorization->tokens.resource;
    if (!resource.implied_scopes.empty() && resource.scopes.empty() && !are_needed)
      problem("/authorization/implied_scopes", "nothing follows from it, as no scopes are needed");
  }

  bool has_runtimes() const { return read_.bindings && !read_.bindings->runtimes.empty(); }

  void read_bindings() {
    if (const Json* const runtimes = at("runtimes"); runtimes != nullptr && runtimes->is_string())
      wrong("/runtimes", "an object of runtimes by name (\"bindings\" may name a file that has some)", *runtimes);
    JsonObject part;
    for (const std::string_view name : {"bindings", "runtimes", "latent", "dangling"}) {
      if (const Json* const value = at(name); value != nullptr && !value->is_string()) part[name] = *value;
    }
    if (!read_.latent.empty()) part["latent"] = read_.latent;
    if (const Json* const dangling = at("dangling"); dangling != nullptr && dangling->is_string())
      part["dangling"] = *dangling;
    if (const Json* const file = at("bindings"); file != nullptr && file->is_string())
      return read_bindings_of_file(part);
    if (part.empty()) return;
    read_.bindings = read_bindings_part(
        part, configuration_.file, configuration_.directory,
        [this](const std::string& pointer) { return configuration_.place_of(pointer); }, *findings_);
    lend_servers();
  }

  /// "bindings" may be the name of a bindings file.
  void read_bindings_of_file(const JsonObject& part) {
    for (const auto& [name, value] : part)
      problem(below("", name), "expected in the bindings file that \"bindings\" names");
    BindingsReading reading = read_bindings_file(path("bindings"), "");
    for (const ManifestProblem& found : reading.problems) problem("/bindings", found.message());
    read_.bindings = std::move(reading.bindings);
    lend_servers();
  }

  /// The servers of the configuration may be used by bindings.
  void lend_servers() {
    if (!read_.bindings) return;
    for (const auto& [name, binding] : read_.bindings->by_name) {
      if (binding.kind != "mcp") continue;
      const std::string server = text_or(binding.settings.get_object(), "server");
      if (read_.bindings->servers.contains(server)) continue;
      if (const auto known = settings_.find(server); known != settings_.end()) {
        read_.bindings->servers.emplace(server, known->second);
      } else {
        findings_->problem(below(binding.pointer, "server"),
                           "expected the name of a server of this file" + did_you_mean(server, server_names()));
      }
    }
  }

  void read_tools() {
    const Json* const tools = at("tools");
    if (tools == nullptr) return;
    if (!tools->is_object()) return wrong("/tools", "an object of settings by the name of a tool", *tools);
    Findings found("");
    read_.preferences = Preferences::read_entries(tools->get_object(), "/tools", configuration_.directory, found);
    for (const ManifestProblem& one : found.take_problems("")) problem(one.pointer, one.text);
    read_.has_preferences = true;
    for (const std::string& key : read_.preferences.keys()) expect_server_of(key, below("/tools", key));
  }

  /// SERVER/TOOL has to name a server there is.
  void expect_server_of(const std::string& key, const std::string& pointer) {
    const std::size_t slash = key.find('/');
    const std::string server = key.substr(0, slash);
    const auto names = server_names();
    const auto is_of = [&](std::string_view name) {  // which may have slashes itself
      return key.starts_with(name) && key.substr(name.size()).starts_with('/');
    };
    if (slash == std::string::npos || server.find('*') != std::string::npos || std::ranges::any_of(names, is_of))
      return;
    problem(pointer, "there is no server " + in_quotes(server) + " that is used" + did_you_mean(server, names));
  }

  /// All but what an edit changes at once.
  Json start_part() const {
    JsonObject part = own_;
    for (const std::string_view name : {"tools", "bindings", "runtimes", "description", "$schema"}) part.erase(name);
    JsonArray servers;
    for (const ServerEntry& entry : configuration_.servers) {
      const auto settings = settings_.find(entry.name);
      JsonArray names_only{entry.only_tools.has_value()};
      for (const std::string& tool : entry.only_tools.value_or(std::vector<std::string>()))
        names_only.emplace_back(tool);
      servers.push_back(JsonArray{entry.name, settings == settings_.end() ? Json(entry.url) : settings->second,
                                  std::move(names_only),
                                  JsonArray(entry.excluded_tools.begin(), entry.excluded_tools.end())});
    }
    return JsonArray{std::move(part), std::move(servers)};
  }

  const Configuration& configuration_;
  const JsonObject& own_;
  Configured read_;
  Findings* findings_ = nullptr;
  std::string prefix_ = "on_conflict";
  std::vector<std::string> inherited_;
  std::map<std::string, Json> settings_;  // of servers that can be started, as a bindings file has them
};

}  // namespace

bool Configured::needs_scopes() const {
  return preferences.need_scopes() ||
         std::ranges::any_of(back_ends, [](const mcp::BackEndOptions& one) { return !one.scopes.empty(); });
}

ConfiguredReading read_configured(const std::string& file, const ConfiguredOptions& options) {
  ConfigurationReading reading = read_configuration_file(
      file, options.profile,
      expansion_sources(fs::absolute(fs::path(file)).parent_path().string(), options.allow_commands));
  ConfiguredReading read{.problems = std::move(reading.problems), .hints = std::move(reading.hints)};
  if (!reading.configuration) return read;
  read.profiles = reading.configuration->profiles;
  Findings findings(file);
  Reader reader(*reading.configuration);
  reader.read(findings);
  std::ranges::move(findings.take_hints_of_file(), std::back_inserter(read.hints));
  read.problems = findings.take_problems_of_file();
  if (read.problems.empty()) read.configured = reader.take();
  return read;
}

}  // namespace toolwire::bridge
