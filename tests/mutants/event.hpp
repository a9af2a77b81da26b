// Something that happens between host and server, as rules see it. Plain values.
#pragma once

#include <string>
#include <toolwire/json.hpp>

namespace mutants {

enum class Direction { to_server, to_host };

struct Event {
  Direction direction = Direction::to_server;
  /// From the host: request, notification, response, batch. From the server: result, error, notice, question,
  /// batch_answer. Either: other, for anything that is not a message. Of the process: start, end (of the host's input),
  /// exit.
  std::string kind = {};
  std::string method = {};      // of an answer: that of its request
  std::string line = {};        // without line feed
  toolwire::Json message = {};  // null if it is no JSON
  toolwire::Json request = {};  // of an answer; of a request: itself
  std::string revision = {};    // that is spoken, as far as known
};

}  // namespace mutants
