// prompts/list and prompts/get (server/prompts).
#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <vector>

#include <toolwire/error.hpp>

#include "checks/groups.hpp"
#include "probe/lists.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

void need_prompts(const Probe& probe) {
  probe.need_capability("prompts");
  if (probe.offer().prompts.empty()) probe.skip("the server lists no prompt");
}

bool requires_arguments(const Json& prompt) {
  const JsonArray* arguments = get(prompt, "arguments").if_array();
  return arguments != nullptr && std::any_of(arguments->begin(), arguments->end(),
                                             [](const Json& it) { return get(it, "required") == Json(true); });
}

/// Questions a prompt has exist since 2025-06-18; before, one that must ask can only fail.
bool cannot_ask(const Probe& probe, const Json& prompt) {
  const auto asking = probe.find("prompt:needs-input");
  return asking && asking->name == text_of(get(prompt, "name")) && !probe.since("2025-06-18");
}

Answer get_prompt(Probe& probe, std::string_view name, JsonObject arguments) {
  JsonObject params{{"name", name}};
  if (!arguments.empty()) params["arguments"] = std::move(arguments);
  return probe.session().request_with_inputs("prompts/get", params);
}

const JsonArray& messages_of(Probe& probe, const Answer& answer, std::string_view name) {
  probe.expect_result(answer, "prompts/get of " + std::string(name));
  const JsonArray* messages = get(answer.result, "messages").if_array();
  if (messages == nullptr) probe.fail("an array \"messages\"", shown(answer.result));
  return *messages;
}

/// The contents of a type in the messages of a fixture.
Json prompts_content_of(Probe& probe, std::string_view kind, std::string_view type) {
  const Fixture fixture = probe.need(kind);
  const Answer answer = get_prompt(probe, fixture.name, filled(fixture.arguments, "TEXT", "text"));
  for (const Json& message : messages_of(probe, answer, fixture.name)) {
    if (text_of(get(message, "content", "type")) == type) return get(message, "content");
  }
  probe.fail("a message with content of the type " + std::string(type), shown(answer.result));
}

void prompts_capability_declared(Probe& probe) {
  const Answer answer = probe.session().request("prompts/list");
  const JsonArray* prompts = get(answer.result, "prompts").if_array();
  if (!answer.ok() || prompts == nullptr || prompts->empty()) probe.skip("the server lists no prompt");
  probe.expect(probe.offer().has("prompts"), "\"prompts\" among the capabilities",
               shown(Json(probe.offer().capabilities)));
}

void prompts_list_works(Probe& probe) {
  probe.need_capability("prompts");
  const Answer answer = probe.session().request("prompts/list");
  probe.expect_result(answer, "prompts/list");
  probe.expect(get(answer.result, "prompts").is_array(), "an array \"prompts\"", shown(answer.result));
}

void prompts_entry_shape(Probe& probe) {
  need_prompts(probe);
  for (const Json& prompt : probe.offer().prompts) {
    probe.expect(get(prompt, "name").is_string(), "a string \"name\"", shown(prompt));
    if (!prompt.get_object().contains("arguments")) continue;
    const Json& arguments = get(prompt, "arguments");
    probe.expect(arguments.is_array(), "arguments, an array, or no such member", shown(prompt));
    for (const Json& argument : arguments.get_array()) {
      const Json& required = get(argument, "required");
      probe.expect(get(argument, "name").is_string() && (required.is_null() || required.is_bool()),
                   "arguments with a string \"name\" and a boolean \"required\", or none", shown(prompt));
    }
  }
}

void prompts_name_unique(Probe& probe) {
  need_prompts(probe);
  std::set<std::string_view> names;
  for (const Json& prompt : probe.offer().prompts) {
    probe.expect(names.insert(text_of(get(prompt, "name"))).second, "each name once", shown(prompt));
    std::set<std::string_view> arguments;
    if (const JsonArray* list = get(prompt, "arguments").if_array()) {
      for (const Json& argument : *list)
        probe.expect(arguments.insert(text_of(get(argument, "name"))).second, "each argument once", shown(prompt));
    }
  }
}

Json prompts_in(Session& session) { return get(session.request("prompts/list").result, "prompts"); }

void prompts_list_not_connection_dependent(Probe& probe) {
  need_prompts(probe);
  Session& session = probe.opened();
  const Json before = prompts_in(session);
  use_otherwise(probe, session);
  probe.expect(prompts_in(session) == before && prompts_in(probe.opened()) == before,
               "the same prompts on every connection", "others");
}

void get_works(Probe& probe) {
  need_prompts(probe);
  std::size_t count = 0;
  for (const Json& prompt : probe.offer().prompts) {
    if (requires_arguments(prompt) || cannot_ask(probe, prompt)) continue;
    ++count;
    const std::string_view name = text_of(get(prompt, "name"));
    messages_of(probe, get_prompt(probe, name, {}), name);
  }
  if (count == 0) probe.skip("every prompt requires arguments");
}

void get_arguments(Probe& probe) {
  const Fixture fixture = probe.need("prompt:args");
  const std::string text = "quotes \" and\nline feeds, <b>1 & 2</b>, h\u00e9llo \u65e5\u672c";
  const Answer answer = get_prompt(probe, fixture.name, filled(fixture.arguments, "TEXT", Json(text)));
  bool found = false;
  for (const Json& message : messages_of(probe, answer, fixture.name))
    found |= text_of(get(message, "content", "text")).find(text) != std::string_view::npos;
  probe.expect(found, "the argument as it was sent", shown(answer.result));
}

bool is_known_type(const Probe& probe, std::string_view type) {
  return type == "text" || type == "image" || type == "resource" || (type == "audio" && probe.since("2025-03-26")) ||
         (type == "resource_link" && probe.since("2025-06-18"));
}

void prompts_message_shape(Probe& probe) {
  need_prompts(probe);
  std::size_t count = 0;
  for (const Json& prompt : probe.offer().prompts) {
    if (requires_arguments(prompt) || cannot_ask(probe, prompt)) continue;
    const std::string_view name = text_of(get(prompt, "name"));
    const Answer answer = get_prompt(probe, name, {});
    if (answer.is_error()) continue;  // prompts-get-works says so
    for (const Json& message : messages_of(probe, answer, name)) {
      ++count;
      const std::string_view role = text_of(get(message, "role"));
      probe.expect(role == "user" || role == "assistant", "the role user or assistant", shown(message));
      probe.expect(
          get(message, "content").is_object() && is_known_type(probe, text_of(get(message, "content", "type"))),
          "one content of a type the revision has", shown(message));
    }
  }
  if (count == 0) probe.skip("no prompt without required arguments has a message");
}

void prompts_expect_binary(Probe& probe, const Json& content) {
  probe.expect(is_base64(text_of(get(content, "data"))), "\"data\" in base64", shown(content));
  probe.expect(is_mime_type(text_of(get(content, "mimeType"))), "a MIME type", shown(content));
}

void image(Probe& probe) { prompts_expect_binary(probe, prompts_content_of(probe, "prompt:image", "image")); }
void audio(Probe& probe) { prompts_expect_binary(probe, prompts_content_of(probe, "prompt:audio", "audio")); }

void embedded(Probe& probe) {
  const Json content = prompts_content_of(probe, "prompt:embedded-resource", "resource");
  const Json& resource = get(content, "resource");
  probe.expect(text_of(get(resource, "uri")).find(':') != std::string_view::npos, "a URI \"uri\"", shown(content));
  probe.expect(is_mime_type(text_of(get(resource, "mimeType"))), "a MIME type", shown(content));
  probe.expect(get(resource, "text").is_string() != is_base64(text_of(get(resource, "blob"))),
               "either \"text\" or \"blob\" in base64", shown(content));
}

void resource_link(Probe& probe) {
  const Json content = prompts_content_of(probe, "prompt:resource-link", "resource_link");
  probe.expect(get(content, "uri").is_string() && get(content, "name").is_string(), "the strings uri and name",
               shown(content));
}

void unknown(Probe& probe) {
  probe.need_capability("prompts");
  probe.expect_error(get_prompt(probe, "no_such_prompt", {}), {error_code::invalid_params},
                     "prompts/get of a prompt that does not exist");
}

void missing_argument(Probe& probe) {
  need_prompts(probe);
  for (const Json& prompt : probe.offer().prompts) {
    if (!requires_arguments(prompt)) continue;
    return probe.expect_error(get_prompt(probe, text_of(get(prompt, "name")), {}), {error_code::invalid_params},
                              "prompts/get without a required argument");
  }
  probe.skip("no prompt requires an argument");
}

void argument_wrong_type(Probe& probe) {
  const Fixture fixture = probe.need("prompt:args");
  JsonObject arguments = filled(fixture.arguments, "TEXT", "text");
  if (arguments.empty()) probe.skip("the prompt takes no argument");
  arguments[arguments.begin()->key()] = 5;
  probe.expect_error(get_prompt(probe, fixture.name, arguments), {error_code::invalid_params},
                     "prompts/get with a number for a string");
  const Answer answer = probe.session().request("prompts/get", {{"name", fixture.name}, {"arguments", JsonArray{}}});
  probe.expect_error(answer, {error_code::invalid_params}, "prompts/get with an array of arguments");
}

void prompts_list_changed(Probe& probe) {
  const Callable mutate = probe.need_tool("tool:mutates-prompt-list");
  probe.need_capability("prompts");
  if (get(probe.offer().capabilities.at("prompts"), "listChanged") != Json(true))
    probe.skip("the server does not declare prompts.listChanged");
  Session& session = probe.opened();
  const std::size_t before = session.mark();
  probe.expect_result(session.request("tools/call", mutate.params()), "tools/call of " + mutate.name);
  probe.expect(
      session.wait_for_notification(before, "notifications/prompts/list_changed", probe.timeout(2s)) != nullptr,
      "notifications/prompts/list_changed", "nothing");
}

void prompts_list_changed_listen(Probe& probe) {
  const Callable mutate = probe.need_tool("tool:mutates-prompt-list");
  Session& session = probe.opened();
  const Json listen = session.send_request("subscriptions/listen", {{"notifications", {{"promptsListChanged", true}}}});
  if (session.wait_for_notification(0, "notifications/subscriptions/acknowledged", probe.timeout(2s)) == nullptr)
    probe.skip("the subscription was not acknowledged");
  const std::size_t before = session.mark();
  probe.expect_result(session.request("tools/call", mutate.params()), "tools/call of " + mutate.name);
  const Message* message =
      session.wait_for_notification(before, "notifications/prompts/list_changed", probe.timeout(2s));
  probe.expect(message != nullptr, "notifications/prompts/list_changed", "nothing");
  probe.expect(get(message->json, "params", "_meta", "io.modelcontextprotocol/subscriptionId") == listen,
               "the id of the subscription", message->text.substr(0, 300));
}

}  // namespace

std::span<const Check> prompts_checks() {
  static constexpr Check checks[] = {
      {"prompts-capability-declared", prompts_capability_declared},
      {"prompts-capability-discover", prompts_capability_declared},
      {"prompts-list-works", prompts_list_works},
      {"prompts-entry-shape", prompts_entry_shape},
      {"prompts-name-unique", prompts_name_unique},
      {"prompts-list-not-connection-dependent", prompts_list_not_connection_dependent},
      {"prompts-get-works", get_works},
      {"prompts-get-args", get_arguments},
      {"prompts-message-shape", prompts_message_shape},
      {"prompts-image", image},
      {"prompts-audio", audio},
      {"prompts-embedded", embedded},
      {"prompts-resource-link", resource_link},
      {"prompts-unknown", unknown},
      {"prompts-missing-arg", missing_argument},
      {"prompts-arg-wrong-type", argument_wrong_type},
      {"prompts-list-changed", prompts_list_changed},
      {"prompts-list-changed-listen", prompts_list_changed_listen},
  };
  return checks;
}

}  // namespace toolwire::conformance
