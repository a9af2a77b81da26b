// JSON-RPC from the side of the server: its own ids, requests and notifications that a host does not know, batches.
#include <array>

#include "play/cases.hpp"

namespace toolwire::conformance {
namespace {

constexpr int messages_many = 100;
constexpr std::int64_t largest_exact = 9007199254740991;  // that a double can hold, 2^53 - 1

/// Pings with ids of every kind, while the main request waits.
void ids(Stage& stage) {
  const Message main = stage.stimulus();
  const Json kinds[] = {Json("text id"), Json(""), Json(0), Json(-7), Json(largest_exact), Json("7"), Json("0")};
  for (const Json& id : kinds) stage.ask(id, "ping");
  stage.answer(main);
  stage.finish();
}

void ids_beyond_double(Stage& stage) {
  const Message main = stage.stimulus();
  stage.ask(Json(largest_exact + 2), "ping");
  stage.answer(main);
  stage.finish();
}

/// A request of the server with the id of the host's own.
void same_id(Stage& stage) {
  const Message main = stage.stimulus();
  stage.ask(main.id().value_or(nullptr), "ping");
  stage.answer(main);
  stage.finish();
}

void unknown_request(Stage& stage) {
  const Message main = stage.stimulus();
  stage.ask("toolwire-unknown", "toolwire/unknown", {{"value", 1}});
  stage.answer(main);
  stage.finish();
}

void unknown_notification(Stage& stage) {
  const Message main = stage.stimulus();
  stage.send(notification("notifications/toolwire/unknown", {{"value", 1}}));
  stage.send(notification("toolwire/unknown"));
  stage.probe();
  stage.answer(main);
  stage.finish();
}

void odd_notifications(Stage& stage) {
  const Message main = stage.stimulus();
  for (const char* line :
       {R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"loud","data":{"a":[]}}})",
        R"({"jsonrpc":"2.0","method":"notifications/message","params":[1,2]})",
        R"({"jsonrpc":"2.0","method":"notifications/message"})",
        R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":"now"})",
        R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":7}})"})
    stage.write(std::string(line) + "\n");
  stage.probe();
  stage.answer(main);
  stage.finish();
}

void batch(Stage& stage) {
  const Message main = stage.stimulus();
  stage.send(JsonArray{request("batch-1", "ping"), request("batch-2", "ping")});
  stage.serve_for(stage.settings().wait / 4);
  stage.answer(main);
  stage.finish();
}

void many_pings(Stage& stage) {
  const Message main = stage.stimulus();
  std::string lines;
  for (int i = 0; i < messages_many; ++i)
    lines += to_json_text(request(Json("many-" + std::to_string(i)), "ping")) + "\n";
  stage.write(lines);
  stage.probe();
  stage.answer(main);
  stage.finish();
}

void many_messages(Stage& stage) {
  const Message main = stage.stimulus();
  std::string lines;
  for (int i = 0; i < messages_many * messages_many; ++i)
    lines += to_json_text(notification("notifications/message", {{"level", "debug"}, {"data", i}})) + "\n";
  stage.write(lines);
  stage.probe();
  stage.answer(main);
  stage.finish();
}

void wrong_version_request(Stage& stage) {
  const Message main = stage.stimulus();
  stage.write("{\"jsonrpc\":\"1.0\",\"id\":\"old\",\"method\":\"ping\"}\n");
  stage.write("{\"id\":\"none\",\"method\":\"ping\"}\n");
  stage.probe();
  stage.answer(main);
  stage.finish();
}

/// In 2026-07-28 servers send no requests.
void forbidden_request(Stage& stage) {
  const Message main = stage.stimulus();
  stage.send(request("forbidden", "roots/list"));
  stage.serve_for(stage.settings().wait / 8);
  stage.answer(main);
  stage.finish();
}

constexpr std::array all_message_cases{
    Case{"ids", Played::legacy, "sends pings with ids of every kind", ids},
    Case{"ids-beyond-double", Played::legacy, "sends a ping with an id that no double holds", ids_beyond_double},
    Case{"same-id", Played::legacy, "sends a ping with the id of the host's request", same_id},
    Case{"unknown-request", Played::legacy, "sends a request that no revision has", unknown_request},
    Case{"unknown-notification", Played::newest, "sends notifications that no revision has", unknown_notification},
    Case{"odd-notifications", Played::newest, "sends notifications with wrong params", odd_notifications},
    Case{"batch", Played::batching, "sends two pings as a batch", batch},
    Case{"many-pings", Played::legacy, "sends 100 pings at once", many_pings},
    Case{"many-messages", Played::newest, "sends 10000 log messages at once", many_messages},
    Case{"wrong-version-request", Played::newest, "sends requests without \"jsonrpc\": \"2.0\"", wrong_version_request},
    Case{"forbidden-request", Played::modern, "sends a request, which 2026-07-28 forbids", forbidden_request},
};

}  // namespace

std::span<const Case> message_cases() { return all_message_cases; }

}  // namespace toolwire::conformance
