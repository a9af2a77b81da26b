// Any bytes as a whole session with a server that works on one thread: every line it writes is a JSON-RPC message, no
// id is answered more often than it was asked, and the session ends.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <variant>

#include "fixture_server.hpp"
#include "json/parse.hpp"
#include "jsonrpc/message.hpp"
#include "script_transport.hpp"
#include "toolwire/limits.hpp"

namespace {

using toolwire::Json;
using toolwire::JsonArray;
using toolwire::JsonObject;

constexpr std::size_t max_line = 1 << 16;

void require(bool holds) {
  if (!holds) std::abort();
}

/// How often each id may be answered: as often as a line, or a member of a batch, carries it.
using Allowed = std::map<std::string, int>;

std::string key_of(const Json& message) {
  const JsonObject* object = message.if_object();
  const Json* id = object != nullptr ? object->if_contains("id") : nullptr;
  auto key = id != nullptr ? toolwire::jsonrpc::key_of(*id) : std::nullopt;
  return key.value_or("");
}

void allow(Allowed& allowed, std::string_view line) {
  // As the server reads it, which passes over a byte order mark.
  auto parsed = toolwire::json::parse_envelope(line, {toolwire::Limits{}.depth, toolwire::Limits{}.values});
  if (std::holds_alternative<toolwire::json::ParseError>(parsed)) {
    auto salvaged = toolwire::json::salvage_id(line);
    auto id = toolwire::json::parse(salvaged.value_or("null"), {});
    if (auto* value = std::get_if<Json>(&id)) ++allowed[toolwire::jsonrpc::key_of(*value).value_or("")];
    return;
  }
  const Json& value = std::get<toolwire::json::Envelope>(parsed).value;
  if (const JsonArray* batch = value.if_array()) {
    for (const Json& member : *batch) ++allowed[key_of(member)];
  }
  ++allowed[key_of(value)];
}

void check_message(Allowed& allowed, const Json& message) {
  const JsonObject* object = message.if_object();
  require(object != nullptr && object->contains("jsonrpc") && object->at("jsonrpc") == "2.0");
  if (object->contains("method")) return;
  require(object->contains("result") != object->contains("error"));
  if (const std::string key = key_of(message); !key.empty()) require(--allowed[key] >= 0);
}

toolwire_test::FixtureOptions options() {
  toolwire_test::FixtureOptions options;
  // No tool that waits, touches the process, or produces as much output as it is asked for.
  options.tools = {"echo",  "add",       "nothing", "weather",    "numbers",    "any_root", "contents",
                   "meta",  "echo_json", "match",   "fails",      "throws_int", "refuses",  "picky",
                   "later", "settle",    "drop",    "progress",   "limited",    "grow",     "shrink",
                   "ask",   "ask_too",   "ask_two", "ask_in_turn"};
  options.server.threads = 0;
  options.server.limits.line = max_line;
  options.server.limits.drain = std::chrono::milliseconds(0);
  return options;
}

}  // namespace

// The writer of the log keeps memory between runs, so libFuzzer would look for leaks after every input, sixty times
// slower; leaks are looked for by the other tests.
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const bool has_key = setenv("TOOLWIRE_STATE_KEY", "a key for tests only", 1) == 0;
  require(has_key);
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);
  if (size > max_line) return 0;
  Allowed allowed;
  for (std::size_t begin = 0; begin < input.size();) {
    const std::size_t end = std::min(input.find('\n', begin), input.size());
    allow(allowed, input.substr(begin, end - begin));
    begin = end + 1;
  }
  auto server = toolwire_test::make_fixture_server(options());
  toolwire_test::ScriptTransport transport;
  transport.feed(input);
  transport.end_input();
  server->run(transport);
  transport.server_has_left();
  while (auto line = transport.next()) {
    auto read = toolwire::json::parse(*line, {.max_depth = 1024});
    require(std::holds_alternative<Json>(read));
    const Json& value = std::get<Json>(read);
    if (const JsonArray* batch = value.if_array()) {
      require(!batch->empty());
      for (const Json& member : *batch) check_message(allowed, member);
    } else {
      check_message(allowed, value);
    }
  }
  return 0;
}
