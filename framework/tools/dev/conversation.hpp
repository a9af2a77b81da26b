// What stands between a host and a server that is built anew again and again: which message goes to which version of
// the server, what a new version has to be told so that it can go on, and when an old one owes nothing any more.
// Decides only; starts and sends nothing.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <toolwire/json.hpp>
#include <vector>

namespace toolwire::dev {

/// Which version of the server; they are counted from 1.
using Version = int;

/// A line on its way. A plain value.
struct Sent {
  static constexpr Version to_host = 0;
  Version to = to_host;
  std::string line = {};

  bool operator==(const Sent&) const = default;
};

/// Not thread-safe. Lines are without their ends.
class Conversation {
 public:
  /// The first version is there and is told what the host says.
  Conversation() = default;

  [[nodiscard]] std::vector<Sent> from_host(std::string_view line);
  /// Of any version that was greeted. A line that is no message goes nowhere.
  [[nodiscard]] std::vector<Sent> from_server(Version version, std::string_view line);

  /// Begins with a new version: it takes over as soon as it has answered. There is one at most; an earlier one that has
  /// not answered is forgotten.
  [[nodiscard]] std::vector<Sent> greet(Version version);
  /// The new version is not taken: what `refusal` said, or it did not start. What waited for it fails with `reason`,
  /// and so does all else until the next one is greeted, unless there is one that works.
  [[nodiscard]] std::vector<Sent> give_up(const std::string& reason);
  /// A version has ended. What it owed is answered with an error that says how.
  [[nodiscard]] std::vector<Sent> ended(Version version, const std::string& how);

  /// The version that answers; 0: none.
  [[nodiscard]] Version current() const { return current_; }
  /// Why the new version's answer was none, once.
  [[nodiscard]] std::optional<std::string> refusal();
  /// Whether a version may end: another has taken over, and it owes no answer.
  [[nodiscard]] bool is_done(Version version) const;
  /// Whether the current version has answered anything since it is there.
  [[nodiscard]] bool has_answered() const { return has_answered_; }
  /// How many answers are owed by a version.
  [[nodiscard]] std::size_t owed_by(Version version) const;

 private:
  struct Asked {
    Version by = 0;
    std::string method = {};
    JsonObject request = {};  ///< Of subscriptions that are told to the next version too.
  };
  struct Question {
    Version of = 0;
    Json id = {};
  };

  void note(const JsonObject& request);
  std::vector<Sent> request_of_host(const JsonObject& message, std::string_view line);
  std::vector<Sent> notification_of_host(const JsonObject& message, std::string_view line);
  std::vector<Sent> answer_of_host(JsonObject message, std::string_view line);
  std::vector<Sent> batch_of_host(const JsonArray& batch, std::string_view line);
  std::vector<Sent> answer_of_server(Version version, JsonObject message, std::string_view line);
  std::vector<Sent> question_of_server(Version version, JsonObject message);
  std::vector<Sent> notification_of_server(Version version, JsonObject message, std::string_view line);
  std::vector<Sent> answer_of_greeted(const JsonObject& message);
  std::vector<Sent> take_over(const Json& result);
  void tell_lists_changed(std::vector<Sent>& sent) const;
  void tell_what_was_set(std::vector<Sent>& sent);
  Json own_id();

  Version current_ = 1, greeted_ = 0;
  bool has_answered_ = false;
  std::optional<std::string> refusal_ = {};
  std::optional<std::string> hopeless_ = {};  ///< Why there is no version, and will not be one by itself.
  std::vector<std::string> waiting_ = {};     ///< Of the host, while there is no version.

  // What was negotiated.
  std::optional<JsonObject> initialize_ = {};  ///< The request.
  std::string initialize_key_ = {};
  bool is_initialized_ = false;
  JsonObject told_capabilities_ = {};    ///< Of the first answer, which the host knows.
  std::optional<JsonObject> meta_ = {};  ///< Of the last request of a host without a handshake.
  std::optional<JsonObject> level_ = {};
  std::set<std::string> subscribed_ = {};

  std::map<std::string, Asked> asked_ = {};         ///< By the JSON text of the host's id.
  std::map<std::string, Question> questions_ = {};  ///< By our own id.
  std::set<std::string> repeated_listens_ = {};     ///< Whose acknowledgement the host has seen.
  unsigned long own_ids_ = 0;
};

}  // namespace toolwire::dev
