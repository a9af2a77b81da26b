// Requests that are ready to send and answers read by searching for bytes: no JSON is built or parsed while the clock
// runs. Correct for members named at the top of an answer whose texts contain no unescaped quotes, which is all JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace toolwire::bench {

using Id = std::uint32_t;
constexpr Id first_call_id = 100'000'000;  ///< ids of calls have nine digits, so that a request keeps its length

/// One `tools/call` line whose id is replaced in place. One thread.
class CallLine {
 public:
  /// `arguments` is the text of a JSON object.
  CallLine(std::string_view tool, std::string_view arguments);
  /// The whole line with its end; valid until the next call. `id` has nine digits.
  std::string_view with_id(Id id);

 private:
  std::string line_;
};

std::string ping_line(Id id);
std::string cancellation_line(Id id);

/// Where the value of the first member `name` begins in a line of JSON; npos when there is none.
std::size_t value_of(std::string_view line, std::string_view name);
/// The id of an answer when it is a number; notifications and requests of the server have none.
std::optional<Id> answered_id(std::string_view line);
/// True for a JSON-RPC error and for a tool's result with `isError`.
bool is_refusal(std::string_view line);
/// True when a result of `tools/list` names the tool.
bool lists_tool(std::string_view line, std::string_view tool);

/// The characters of an echoed text.
enum class TextKind { ascii, escapes, utf8 };
/// About `size` bytes of text as it stands between quotes on the wire: letters; every fifth character escaped; or
/// letters of two, three and four bytes.
std::string wire_text(TextKind kind, std::size_t size);

/// The tools a server is measured with, and how they are called. The defaults are those of the raw loops.
struct Tools {
  std::string echo = "echo";  ///< Answers with the text it is sent. Empty: there is none; so for the others.
  std::string before_text = R"({"text":")", after_text = "\"}";  ///< its arguments around the text
  std::string sleep = "sleep";                                   ///< Answers after a while.
  std::string before_time = R"({"ms":)", after_time = "}";       ///< its arguments around the number
  double units_a_millisecond = 1;                                ///< of that number
  std::string add = "add";                                       ///< Adds {a, b} at once.
};

CallLine echo_call(const Tools& tools, std::string_view wire_text);
CallLine sleep_call(const Tools& tools, double milliseconds);
CallLine add_call(const Tools& tools);

}  // namespace toolwire::bench
