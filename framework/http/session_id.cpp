#include "session_id.hpp"

#include <toolwire/json_members.hpp>
#include <toolwire/text.hpp>
#include <utility>

#include "protocol/input_requests/state.hpp"
#include "protocol/input_requests/state_key.hpp"

namespace toolwire::http {
namespace {

/// No tool, prompt or resource is named so: their states begin with what they are.
constexpr std::string_view subject = "http-session";
constexpr std::size_t max_id = 4096;  // bytes; many servers take heads of 8 KiB

protocol::State state_of(std::string_view revision, JsonObject capabilities, JsonObject info,
                         const std::string& principal, std::chrono::system_clock::time_point expires) {
  protocol::State state;
  state.subject = subject;
  state.answers = {
      {"revision", std::string(revision)}, {"capabilities", std::move(capabilities)}, {"info", std::move(info)}};
  state.expires = expires;
  state.caller = principal;
  return state;
}

/// The members of these names.
JsonObject only(const JsonObject& object, std::initializer_list<std::string_view> names) {
  JsonObject result;
  for (const std::string_view name : names) {
    if (const Json* const value = object.if_contains(name)) result[name] = *value;
  }
  return result;
}

/// Whether there is each of these, and the beginning of the client's name.
JsonObject outline(JsonObject capabilities) {
  for (auto&& [name, value] : capabilities) value = JsonObject();
  return capabilities;
}
JsonObject beginning(const JsonObject& info) {
  constexpr std::size_t most = 128;  // bytes of each
  JsonObject result;
  for (const char* const name : {"name", "version"}) result[name] = text::head(text_or(info, name), most);
  return result;
}

}  // namespace

std::string sealed(const Session& session, const std::string& principal,
                   std::chrono::system_clock::time_point expires) {
  const auto& [capabilities, info, faults] = *session.client;
  std::string id = protocol::seal(state_of(session.revision->name, capabilities, info, principal, expires),
                                  protocol::state_keys().first, max_id);
  if (!id.empty()) return id;
  const JsonObject asked = only(capabilities, {"elicitation", "sampling", "roots"});
  id = protocol::seal(state_of(session.revision->name, asked, only(info, {"name", "version"}), principal, expires),
                      protocol::state_keys().first, max_id);
  if (!id.empty()) return id;
  return protocol::seal(state_of(session.revision->name, outline(asked), beginning(info), principal, expires),
                        protocol::state_keys().first, max_id);
}

std::optional<Session> unsealed(std::string_view id, std::string_view principal,
                                std::chrono::system_clock::time_point now) {
  const auto state = protocol::unseal(id, protocol::state_keys(), max_id, now);
  if (!state || state->subject != subject || state->caller != principal) return std::nullopt;
  const auto* const revision = protocol::find_revision(text_member(state->answers, "revision"));
  const JsonObject* const capabilities = object_member(state->answers, "capabilities");
  const JsonObject* const info = object_member(state->answers, "info");
  if (revision == nullptr || revision->modern || capabilities == nullptr || info == nullptr) return std::nullopt;
  return Session{revision, std::make_shared<const protocol::LegacyClient>(
                               protocol::LegacyClient{*capabilities, *info, protocol::faults_of(*info)})};
}

}  // namespace toolwire::http
