// What replicas and workers say to each other about calls, as sealed messages. A letter opens on the subject that it
// was sealed for, and nowhere else. Independent of how it is sent.
//
// A call goes so: a replica offers it (`offer`) to all workers of one name, of whom one gets that. Who has room asks
// for it (`take`), and of those who ask one gets it, once (`work`): so a call is begun by nobody whose replica does not
// wait any more, however late an offer comes or how often a stranger repeats one. The others who ask are told that
// there is nothing (`stop`). Then the worker says what it has to say (`say`) and that it still works (`beat`), and the
// replica that it still waits (`wait`) or does not (`stop`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <toolwire/json.hpp>

#include "sealed/sealing.hpp"

namespace toolwire::nats {

/// A plain value.
struct Letter {
  enum class Kind : std::uint8_t { offer, take, work, say, beat, wait, stop, changed, here };
  Kind kind = Kind::offer;
  std::string call = {};    ///< Which one; nobody guesses it.
  std::string from = {};    ///< The subject for answers.
  std::int64_t number = 0;  ///< Of the letters of one side about one call, from 1. What has come before tells nothing.
  bool is_whole = true;     ///< The text ends here; else it goes on in the next letter.
  std::string tools = {};   ///< A hash of what the sender knows of the tool, or of all tools.
  std::string text = {};    ///< A message of MCP.
};

std::string sealed_letter(const bridge::Sealing& sealing, const std::string& subject, const Letter& letter);
/// Nothing if nothing was opened, or it is none.
std::optional<Letter> opened_letter(const std::optional<std::string>& opened);

/// How much of a text goes into one letter where messages may be so long; at least 1.
std::size_t room_for_text(std::size_t max_payload);

/// What is known of a tool as it was listed. A plain value.
struct KnownTool {
  std::string hash = {};
  bool again = false;  ///< What may have been called may be called again: it says that it is idempotent, or only reads.
};
/// Of each tool in a result of tools/list, by its name.
std::map<std::string, KnownTool> known_tools(const Json& result);
/// One hash of all these.
std::string hash_of(const std::map<std::string, KnownTool>& tools);

/// The name of the tool that a request calls; empty if it calls none.
std::string tool_called_in(const JsonObject& request);

}  // namespace toolwire::nats
