#include "activities/mcp/server_connection.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <toolwire/json_members.hpp>
#include <toolwire/text.hpp>

#include "activities/mcp/results.hpp"

namespace toolwire::bridge::mcp {
namespace {

constexpr std::size_t max_pages = 200;
constexpr std::size_t max_items = 2000;

Program program_of(const BackEndOptions& options) {
  std::map<std::string, std::string> environment = passed_on(options.inherit);
  for (const auto& [name, value] : options.environment) environment.insert_or_assign(name, value);
  return {.command = options.command,
          .environment = std::move(environment),
          .inherit_environment = false,
          .directory = options.directory,
          .own_group = true,
          .end_with_parent = true};
}

/// All capabilities that can be passed on. Servers of 2026-07-28 learn with each call what its host can do.
JsonObject passable_capabilities() {
  return {{"elicitation", JsonObject{{"form", JsonObject{}}, {"url", JsonObject{}}}},
          {"sampling", JsonObject{}},
          {"roots", JsonObject{}}};
}

void tell_notification(const LifeEvents& events, const std::string& method, const Json& params) {
  if (method == "notifications/elicitation/complete" && events.page_done)
    return events.page_done(text_or(params, "elicitationId"));
  if (method != "notifications/message") return;
  if (events.logged) events.logged(params);
  if (!events.said) return;
  const Json* level = find_member(params, "level");
  const Json* what = find_member(params, "data");
  const std::string text = what == nullptr     ? ""
                           : what->is_string() ? std::string(std::string_view(what->get_string()))
                                               : to_json_text(*what);
  events.said("says " + (level == nullptr ? std::string("something") : to_json_text(*level)) + ": " + text);
}

ClientOptions client_options(const BackEndOptions& options, const LifeEvents& events, std::stop_token stop) {
  ClientOptions result;
  result.name = options.client_name;
  result.version = options.client_version;
  result.revision = options.revision;
  result.capabilities = passable_capabilities();
  result.timeout = options.start_timeout;
  result.probe_timeout = std::min(result.probe_timeout, options.start_timeout);
  result.grace = options.grace;
  result.read_along = true;
  result.engine = options.engine;
  result.stop = std::move(stop);
  result.max_waiting_notifications = 1000;
  result.on_request_later = events.asked;
  result.on_lost = events.lost;
  result.on_notification = [events](const std::string& method, const Json& params) {
    tell_notification(events, method, params);
  };
  result.on_malformed = [events](const std::string& line, const std::string& reason) {
    if (events.said) events.said("wrote what is no message (" + reason + "): " + line);
  };
  return result;
}

bool has(const ServerDescription& server, std::string_view kind) {
  const Json* one = find_member(server.capabilities, kind);
  return one != nullptr && one->is_object();
}

bool tells_changes(const ServerDescription& server) {
  for (const std::string_view kind : {"tools", "resources", "prompts"}) {
    const Json* changes = has(server, kind) ? find_member(server.capabilities.at(kind), "listChanged") : nullptr;
    if (changes != nullptr && *changes == true) return true;
  }
  return false;
}

}  // namespace

ServerConnection::ServerConnection(const BackEndOptions& options, const LifeEvents& events, std::stop_token stop)
    : timeout_(options.start_timeout),
      stop_(std::move(stop)),
      resource_updated_(events.resource_updated),
      said_(events.said) {
  connect(options, events);
  if (!tells_changes(client_->server())) return;
  const std::stop_callback end(stop_, [this] { break_off(); });
  subscription_.emplace(client_->subscribe_lists(events.lists_changed));
}

void ServerConnection::connect(const BackEndOptions& options, const LifeEvents& events) {
  ClientOptions settings = client_options(options, events, stop_);
  if (options.reach) {
    ReachedServer reached = options.reach();
    end_remote_ = std::move(reached.end);
    const std::stop_callback end(stop_, [this] { break_off(); });
    client_ = std::make_unique<Client>(std::move(reached.transport), settings);
    return;
  }
  if (!options.remote) {
    client_ = std::make_unique<Client>(program_of(options), settings);
    return;
  }
  remote::RemoteServer server = *options.remote;
  server.left_out = [said = events.said](const std::string& why) {
    if (said) said("a tool is left out: " + text::stripped(why));
  };
  auto transport = std::make_unique<remote::RemoteTransport>(std::move(server), options.http, settings.max_line);
  end_remote_ = transport->ending();
  const std::stop_callback end(stop_, [this] { break_off(); });
  client_ = std::make_unique<Client>(std::move(transport), settings);
}

/// Ends what is waited for. Any thread.
void ServerConnection::break_off() {
  if (end_remote_) return end_remote_("the connection is being ended");
  client_->process()->kill();
}

Listing ServerConnection::list(std::vector<std::string>& rejected) {
  const std::stop_callback end(stop_, [this] { break_off(); });
  const ServerDescription& server = client_->server();
  const bool has_resources = has(server, "resources");
  const bool has_prompts = has(server, "prompts");
  Listing listing;
  if (has(server, "tools")) {
    listing = listing_of(whole_list("tools/list", "tools"), rejected);
  } else if (!has_resources && !has_prompts) {  // some old servers declare no capability, and have tools all the same
    listing = listing_of(list_if_it_has("tools/list", "tools"), rejected);
  }
  if (has_resources) {
    listing.resources = items_of(list_if_it_has("resources/list", "resources"), "resources", "uri", rejected);
    listing.templates = items_of(list_if_it_has("resources/templates/list", "resourceTemplates"), "resourceTemplates",
                                 "uriTemplate", rejected);
  }
  const Json* resources = find_member(server.capabilities, "resources");
  const Json* subscribe = resources == nullptr ? nullptr : find_member(*resources, "subscribe");
  listing.tells_updates = subscribe != nullptr && *subscribe == Json(true);
  if (has_prompts) listing.prompts = items_of(list_if_it_has("prompts/list", "prompts"), "prompts", "name", rejected);
  return listing;
}

void ServerConnection::hear_log(LogLevel level) {
  if (client_->server().modern || !has(client_->server(), "logging")) return;
  const auto wanted = static_cast<std::size_t>(level);
  std::size_t now = heard_from_;
  while (wanted < now && !heard_from_.compare_exchange_weak(now, wanted)) {
  }
  if (wanted >= now) return;
  try {
    client_->start_request("logging/setLevel", {{"level", name_of(level)}}, {.timeout = timeout_}, [](auto&&) {});
  } catch (const ConnectionError&) {  // the next request reports it
  }
}

void ServerConnection::watch(const std::vector<std::string>& uris) {
  if (uris == watched_uris_) return;
  const std::stop_callback end(stop_, [this] { break_off(); });
  watched_uris_ = uris;
  watched_.clear();
  try {
    watch_some(uris);
  } catch (const std::exception&) {  // no answer: either the connection is lost, which is reported elsewhere, or the
                                     // server reports no changes
  }
}

/// A server may report changes of some resources and not of others, and refuses a request for both together.
void ServerConnection::watch_some(std::span<const std::string> uris) {
  if (uris.empty()) return;
  try {
    watched_.push_back(client_->subscribe_resources({uris.begin(), uris.end()}, resource_updated_));
  } catch (const ProtocolError&) {
    if (uris.size() == 1) return;
    watch_some(uris.first(uris.size() / 2));
    watch_some(uris.subspan(uris.size() / 2));
  }
}

JsonArray ServerConnection::whole_list(std::string_view method, std::string_view kind) {
  JsonArray items;
  JsonObject params;
  for (std::size_t page = 0; page < max_pages && items.size() <= max_items; ++page) {
    const Json result = page_of(method, params);
    const Json* list = find_member(result, kind);
    if (list == nullptr || !list->is_array())
      throw ProtocolError(error_code::internal_error,
                          "the result of \"" + std::string(method) + "\" has no array \"" + std::string(kind) + "\"");
    for (const Json& item : list->get_array()) items.push_back(item);
    const std::string cursor = text_or(result, "nextCursor");
    if (cursor.empty()) return items;  // many say so that there is no more
    if (cursor == text_or(params, "cursor")) {
      say_once("\"" + std::string(method) + "\" gives the cursor " + to_json_text(Json(cursor)) +
               " again; what it had listed by then counts");
      return items;
    }
    params["cursor"] = cursor;
  }
  throw ProtocolError(error_code::internal_error, "its list of " + std::string(kind) + " is longer than " +
                                                      std::to_string(max_items) + " or " + std::to_string(max_pages) +
                                                      " pages");
}

/// Of what it says that it has; many servers refuse a list all the same, and their tools are none the worse for it.
JsonArray ServerConnection::list_if_it_has(std::string_view method, std::string_view kind) {
  try {
    return whole_list(method, kind);
  } catch (const ProtocolError& error) {
    if (is_of_the_way(error)) throw;
    say_once(std::string("has no ") + std::string(kind) + " to offer: " + error.what());
    return {};
  }
}

/// A refusal names the request.
Json ServerConnection::page_of(std::string_view method, const JsonObject& params) {
  try {
    return client_->request(method, params, timeout_);
  } catch (const ProtocolError& error) {
    if (is_of_the_way(error)) throw;
    throw ProtocolError(
        error.code,
        "\"" + std::string(method) + "\" was refused: " + error.what() + " (" + std::to_string(error.code) + ")",
        error.data);
  }
}

/// However often it lists.
void ServerConnection::say_once(const std::string& text) {
  if (said_ && has_said_.insert(text).second) said_(text);
}

}  // namespace toolwire::bridge::mcp
