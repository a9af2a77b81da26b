// What the server's messages say to a client, as values: which request of ours they are about, and what becomes of it.
// Does nothing.
#pragma once

#include <toolwire/client.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/pending.hpp"
#include "jsonrpc/message.hpp"

namespace toolwire::client {

/// The id of a request of ours, which is an integer, or exactly its decimal text: there are servers that keep ids as
/// texts, and no two of ours are told apart by that. Nothing for any other.
std::optional<std::int64_t> own_id(std::string_view key);

/// What the "error" of an answer, or of a task, says.
Failure refusal(const Json& error);

/// What a response brings.
Pending::Outcome outcome_of(jsonrpc::Response&& response);

/// An answer that JSON-RPC does not have, read as it can only be meant.
struct MeantAnswer {
  std::optional<std::int64_t> id;  // of the request that it is for, if it can be one of ours
  Pending::Outcome outcome;
  std::string reason;        // what is wrong with it
  bool is_nameless = false;  // an error whose id is null or missing: the server could not read a request
};
/// The answers among the messages of a line that a result and an error at once, or no id, leave without a request.
std::vector<MeantAnswer> answers_meant_by(std::string_view line, const jsonrpc::Bounds& bounds);

/// The failure of a request whose answer cannot be read. It may have been carried out: `outcome` in its data is
/// "unknown".
Failure unreadable(const std::string& reason);

struct ProgressOf {
  std::int64_t id = 0;
  ProgressReport report;
};
/// The progress of a request, from the params of a notification; nothing if it names no request of ours, or no number.
std::optional<ProgressOf> progress_of(const Json& params);

/// Whom a notification is for.
struct Addressee {
  enum class Kind { everybody, subscription, ended_subscription };
  Kind kind = Kind::everybody;
  std::optional<std::int64_t> id = {};  // of the request that subscribed, if it can be one of ours
};
Addressee addressee_of(std::string_view method, const Json& params);

/// A line longer than `max_line` bytes, of which `beginning` was kept: its id is read, if it stands there.
jsonrpc::Malformed too_long(std::string_view beginning, std::size_t max_line, const jsonrpc::Bounds& bounds);

}  // namespace toolwire::client
