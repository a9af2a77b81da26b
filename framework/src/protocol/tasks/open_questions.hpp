// The questions of a task that its client has still to answer, and the answers so far. Values only: no lock, no store.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "protocol/revision.hpp"
#include "toolwire/result.hpp"

namespace toolwire::protocol {

class OpenQuestions {
 public:
  /// Opens these, and forgets earlier answers.
  void open(std::vector<Question> questions);
  bool none() const { return open_.empty(); }
  /// Takes answers to open questions, by the keys on the wire; others are passed over. Returns whether there was one.
  bool take(const JsonObject& responses);
  /// Answers whatever is open as if the user had cancelled it.
  void cancel_all();

  void close() { open_.clear(); }

  /// The answers, by the keys of the tool; once.
  JsonObject take_answers();
  /// The open questions by their keys on the wire, as JSON text (inputRequests).
  std::string text(const Revision& revision) const;

 private:
  struct Open {
    std::string key;  // under which the tool asks it
    Question question;
  };
  std::string wire_key(const std::string& key);

  std::map<std::string, Open> open_;  // by the key on the wire
  std::set<std::string> used_keys_;   // on the wire: none is used twice in the life of a task
  JsonObject answers_;
};

}  // namespace toolwire::protocol
