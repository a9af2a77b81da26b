#include "client/handshake.hpp"

#include <utility>

#include <toolwire/json_members.hpp>
#include "types/echo.hpp"

namespace toolwire {

std::vector<std::string_view> known_revisions() {
  std::vector<std::string_view> names;
  for (const protocol::Revision& revision : protocol::revisions()) names.push_back(revision.name);
  return names;
}

}  // namespace toolwire

namespace toolwire::client {
namespace {

using protocol::Revision;

std::string text(const Json* value) {
  return value != nullptr && value->is_string() ? std::string{value->get_string()} : std::string{};
}

const Revision& newest_modern() {
  const Revision* newest = nullptr;
  for (const Revision& revision : protocol::revisions()) {
    if (revision.modern && (newest == nullptr || revision.name > newest->name)) newest = &revision;
  }
  return *newest;
}

/// The newest revision both sides know, modern ones first; null if there is none.
const Revision* common_revision(const Json* names) {
  const Revision* best = nullptr;
  if (names == nullptr || !names->is_array()) return nullptr;
  for (const Json& name : names->get_array()) {
    const Revision* known = protocol::find_revision(text(&name));
    if (known != nullptr && (best == nullptr || known->name > best->name)) best = known;
  }
  return best;
}

void describe_software(ServerDescription& server, const Json* info) {
  if (info == nullptr) return;
  server.name = text(find_member(*info, "name"));
  server.version = text(find_member(*info, "version"));
  server.title = text(find_member(*info, "title"));
}

ServerDescription describe(const Revision& revision, Json result) {
  ServerDescription server{.revision = std::string{revision.name}, .modern = revision.modern};
  const Json* info = find_member(result, "serverInfo");
  if (const Json* meta = find_member(result, "_meta"); revision.modern && meta != nullptr)
    info = find_member(*meta, protocol::meta_key::server_info);
  describe_software(server, info);
  if (const Json* capabilities = find_member(result, "capabilities")) server.capabilities = *capabilities;
  server.instructions = text(find_member(result, "instructions"));
  server.raw = std::move(result);
  return server;
}

void speak(Connection& connection, const Revision* revision) {
  Dialect dialect = dialect_of(connection.options());
  dialect.revision = revision;
  connection.speak(std::move(dialect));
}

/// Not cancelled when it is given up: clients must not cancel `initialize` (utilities/cancellation, Behavior
/// Requirements), and a legacy server must not see more before it than it has to.
Json ask(Connection& connection, std::string_view method, const JsonObject& params, std::chrono::milliseconds timeout) {
  const auto deadline = deadline_after(timeout);
  const auto pending = connection.send(method, params, deadline);
  if (!pending->wait_until(deadline)) connection.forget(*pending, timed_out(method, timeout));
  return pending->result();
}

ServerDescription initialize(Connection& connection, const Revision& wished) {
  const Dialect own = dialect_of(connection.options());
  speak(connection, nullptr);
  Json result = ask(connection, "initialize",
                    {{"protocolVersion", JsonString{wished.name}},
                     {"capabilities", own.capabilities},
                     {"clientInfo", own.client_info}},
                    connection.options().timeout);
  const std::string offered = text(find_member(result, "protocolVersion"));
  const Revision* revision = protocol::find_revision(offered);
  if (revision == nullptr || revision->modern)
    throw ConnectionError("the server answered \"initialize\" with the revision \"" + types::echo(offered) +
                          "\", which this client does not speak after a handshake");
  speak(connection, revision);
  connection.notify("notifications/initialized", {});
  return describe(*revision, std::move(result));
}

Json discovery(Connection& connection, const Revision& revision, std::chrono::milliseconds timeout) {
  speak(connection, &revision);
  return ask(connection, "server/discover", {}, timeout);
}

ServerDescription discovered(Connection& connection, Json&& result) {
  const Revision* common = common_revision(find_member(result, "supportedVersions"));
  if (common == nullptr)
    throw ConnectionError("the server speaks no revision that this client knows: " + to_json_text(result));
  // A server may list revisions that begin with a handshake. If it has no others, that is what it gets.
  if (!common->modern) return initialize(connection, *common);
  speak(connection, common);
  return describe(*common, std::move(result));
}

ServerDescription discover(Connection& connection, const Revision& revision) {
  return discovered(connection, discovery(connection, revision, connection.options().timeout));
}

/// 2026-07-28 basic/transports/stdio: a version error names what can be spoken; any other error means a legacy server.
ServerDescription after_refused_probe(Connection& connection, const ProtocolError& error) {
  if (error.code != error_code::unsupported_protocol_version) return initialize(connection, protocol::newest_legacy());
  const Revision* common = common_revision(find_member(error.data, "supported"));
  if (common == nullptr || common->name == newest_modern().name)
    throw ConnectionError(std::string{"the server speaks no revision that this client knows: "} + error.what() + " " +
                          to_json_text(error.data));
  if (!common->modern) return initialize(connection, *common);
  return discover(connection, *common);
}

ServerDescription probe(Connection& connection) {
  try {
    Json result = discovery(connection, newest_modern(), connection.options().probe_timeout);
    // Some old servers answer whatever they are asked.
    if (find_member(result, "supportedVersions") == nullptr) return initialize(connection, protocol::newest_legacy());
    return discovered(connection, std::move(result));
  } catch (const ProtocolError& error) {
    return after_refused_probe(connection, error);
  } catch (const TimeoutError&) {
    return initialize(connection, protocol::newest_legacy());
  }
}

}  // namespace

const Revision* wished_revision(const ClientOptions& options) {
  if (options.revision.empty()) return nullptr;
  if (const Revision* wished = protocol::find_revision(options.revision)) return wished;
  std::string known;
  for (const std::string_view name : known_revisions()) known.append(" ").append(name);
  throw std::invalid_argument("unknown revision \"" + options.revision + "\"; known are" + known);
}

bool begins_with_probe(const ClientOptions& options) { return options.revision.empty(); }

ServerDescription shake_hands(Connection& connection) {
  const Revision* wished = wished_revision(connection.options());
  if (wished == nullptr) return probe(connection);
  if (!wished->modern) return initialize(connection, *wished);
  return discover(connection, *wished);
}

}  // namespace toolwire::client
