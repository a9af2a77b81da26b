// A client in one revision that answers whatever a server asks, and validates every message of the server against the
// official schema of the revision. It works with any server.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "message_schema.hpp"
#include "served_fixture.hpp"
#include "toolwire/server.hpp"

namespace toolwire_test {

/// One thread. A message that is not valid in the revision is a failed check of the running Boost.Test case.
class JudgedDialogue {
 public:
  /// Begins with the handshake in legacy revisions. The client declares every capability.
  JudgedDialogue(std::string revision, const std::shared_ptr<toolwire::Server>& server);

  bool is_modern() const { return modern_; }
  const std::string& revision() const { return revision_; }

  /// Sends a request, answers the questions it leads to, and follows the task it becomes. Returns the last answer.
  toolwire::Json request(std::string_view method, toolwire::JsonObject params = {});
  /// Sends a request whose answer comes later, if at all; returns its id.
  toolwire::Json begin(std::string_view method, toolwire::JsonObject params = {});
  /// The answer with this id; earlier answers with other ids are validated and dropped.
  toolwire::Json answer_to(const toolwire::Json& id);
  void notify(std::string_view method, toolwire::JsonObject params = {});
  /// Reads until a notification of this method; false if the server ends before.
  bool await_notification(std::string_view method);
  /// Ends the input and validates the rest.
  void end();
  std::size_t judged() const { return judged_; }

 private:
  bool read(toolwire::Json& message);
  void send(const toolwire::Json& message);
  void answer(const toolwire::JsonObject& question);
  toolwire::Json with_answers(std::string_view method, const toolwire::JsonObject& params, toolwire::Json answer);
  toolwire::Json follow(const toolwire::Json& created);

  const std::string revision_;
  const bool modern_;
  MessageSchemas schemas_;
  ServedFixture served_;
  std::size_t judged_ = 0;
  int ids_ = 0;
};

/// What a client answers a question of this method: yes, and something that fits.
toolwire::Json accepting_answer(std::string_view method, const toolwire::Json& params);

}  // namespace toolwire_test
