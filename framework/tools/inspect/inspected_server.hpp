// The server that is inspected: a client of it, whose traffic, results and questions become events.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <toolwire/client.hpp>
#include <toolwire/detail/mutex.hpp>
#include <vector>

#include "inspect/asked_questions.hpp"
#include "inspect/event_log.hpp"
#include "inspect/unanswered.hpp"

namespace toolwire::inspect {

struct InspectedOptions {
  std::vector<std::string> command = {};
  std::string revision = {};            // empty: the newest that both speak
  std::vector<std::string> roots = {};  // folders, absolute, told to a server that asks
  std::stop_token stop = {};            // ends the constructor: the server is killed
};

/// Thread-safe. Functions throw as toolwire::Client does, and std::invalid_argument for what was never asked.
class InspectedServer {
 public:
  /// Starts it. Throws ConnectionError, TimeoutError, ProtocolError, and what ChildProcess throws.
  InspectedServer(const InspectedOptions& options, EventLog& log);
  ~InspectedServer();
  InspectedServer(const InspectedServer&) = delete;
  InspectedServer& operator=(const InspectedServer&) = delete;

  /// Ends the server, which may take it some seconds. Whoever waits for an answer of it, or of a person, is let go.
  void stop();

  /// Its name, version, revision, capabilities, instructions and command.
  Json description() const;
  /// "tools", "resources", "templates" or "prompts", as the server lists them; empty if it has none of the kind.
  Json list(const std::string& kind);

  /// Starts a call. Its progress and its end are events with this number.
  std::uint64_t call(const std::string& tool, Json arguments);
  void cancel(std::uint64_t number);
  Json read(const std::string& uri);
  Json prompt(const std::string& name, const Json& arguments);
  /// Suggestions; `reference` is what completion/complete takes as `ref`.
  Json complete(const Json& reference, const std::string& argument, const std::string& value, const Json& context);
  void set_log_level(const std::string& level);

  /// Answers a question of the server with a result of its method, or refuses it.
  void answer(std::uint64_t question, std::optional<Json> result);

 private:
  struct OpenQuestion {
    ServerRequest request;
    std::string message = {};  ///< That has asked it, see AskedQuestions; empty if it is not known.
  };
  void ask(ServerRequest&& request);
  void see(bool is_to_server, std::string_view line, std::size_t size);
  void withdraw(const std::string& message);
  void refuse_questions();
  Json answer_to(const std::string& method, const Json& params);
  void end(std::uint64_t number, CallOutcome&& outcome);
  Json roots() const;

  const InspectedOptions options_;
  EventLog& log_;
  Mutex mutex_;
  bool is_over_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::uint64_t numbers_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  std::map<std::uint64_t, OpenQuestion> questions_ TOOLWIRE_GUARDED_BY(mutex_);
  AskedQuestions asked_ TOOLWIRE_GUARDED_BY(mutex_);
  Unanswered unanswered_ TOOLWIRE_GUARDED_BY(mutex_);
  std::map<std::uint64_t, CallHandle> calls_ TOOLWIRE_GUARDED_BY(mutex_);
  ChildProcess process_;
  std::unique_ptr<Client> client_;  // the last: it uses the others
};

}  // namespace toolwire::inspect
