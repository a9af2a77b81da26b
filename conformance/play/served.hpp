// A correct server as values: what it offers, and what it answers to each request. It reads and writes nothing.
#pragma once

#include <string>
#include <string_view>

#include <toolwire/json.hpp>

#include "driver/message.hpp"
#include "driver/revision.hpp"

namespace toolwire::conformance {

/// Of the members of `_meta` that the protocol defines.
inline constexpr std::string_view meta_prefix = "io.modelcontextprotocol/";
/// In the right answer to the main request: a host that prints it has understood the answer.
inline constexpr std::string_view answer_marker = "toolwire-answer-7d31";
/// The same in its lists.
inline constexpr std::string_view listed_marker = "toolwire-listed-2e94";
/// In answers that a host must not take for the right one.
inline constexpr std::string_view wrong_marker = "toolwire-wrong-5c08";
/// The one tool of a played server. It takes {"text": string}.
inline constexpr std::string_view played_tool = "toolwire_echo";

/// Members may be changed before it is asked. Not thread-safe.
struct Served {
  explicit Served(const Revision& spoken);

  const Revision& revision;
  JsonObject capabilities;
  JsonArray tools, resources, prompts;
  JsonObject opening = {};  // further members of the answer to `initialize` or `server/discover`, in place of the usual

  /// The response to a request, right or the error that it deserves.
  Json response_to(const Message& request) const;
  /// A result as this revision wants it, from what is particular to it.
  JsonObject result(JsonObject members, bool cacheable = false) const;
  /// The result of `initialize` or `server/discover`.
  JsonObject opening_result() const;

 private:
  Json result_of(const std::string& method, const Message& request) const;
  Json list_of(const std::string& method) const;
};

/// `{"jsonrpc": "2.0", "id": …, "result": …}`
Json response(const Json& id, JsonObject result);
Json error_response(const Json& id, int code, std::string_view text, const Json& data = nullptr);
Json request(const Json& id, std::string_view method, JsonObject params = {});
Json notification(std::string_view method, JsonObject params = {});

/// The result of a call of the tool: this text.
JsonObject text_content(std::string_view text);

}  // namespace toolwire::conformance
