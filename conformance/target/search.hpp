// What the parts of the discovery share: a session that is asked for a bounded time, and what was found in it.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "target/learned_values.hpp"
#include "target/target.hpp"

namespace toolwire::conformance {

using Found = std::map<std::string, Fixture, std::less<>>;  // by their kinds

/// Nobody makes it up; quotes and the line feed show whether a text comes back as it was sent.
inline constexpr std::string_view marker = "conformance \"7f3a\"\nand more";

/// A request of the server that somebody must answer.
bool is_question(const Message& message);

/// Of one session at a time. Not thread-safe.
class Search {
 public:
  Search(const Offer& offer, const Target& target);

  /// Starts the server; false if no session can be opened. Throws std::system_error if it cannot be started.
  bool open();
  /// Called before each thing that is tried, as what was tried before may have ended the process: the search goes on
  /// with another one then, a few times. `session()` is another after it.
  void go_on();
  /// Called now, and with each session that takes the place of another.
  void prepare(std::function<void()> how);
  Session& session() { return *sessions_.back(); }
  /// All sessions there were, for who wants to judge what passed in them.
  std::vector<std::unique_ptr<Session>> take_sessions() { return std::move(sessions_); }
  const Offer& offer() const { return offer_; }
  const Target& target() const { return target_; }
  LearnedValues& learned() { return learned_; }

  /// Whether no more requests should be sent: the time is over, or the server leaves them unanswered.
  bool is_over() const;
  /// Silence if it is over. Questions of the server are answered, those of the modern era are the result.
  Answer ask(std::string_view method, JsonObject params);
  /// The answer to a request that was sent, and that it counts if there is none.
  Answer await(const Json& id);
  /// The result of one without questions; else null.
  Json result_of(std::string_view method, JsonObject params);

  /// Whether the server asked the client since then, by requests of the legacy era.
  bool was_asked_since(std::size_t mark) const;

  /// Whether something of that kind is wanted: neither a name, nor the profile, nor what was found so far decides.
  bool is_open(std::string_view kind) const;
  /// `entry`: as in a profile. Nothing happens if the kind is not open.
  void add(std::string_view kind, const JsonObject& entry);
  /// The same, in the place of what was found of that kind.
  void add_instead(std::string_view kind, const JsonObject& entry);
  /// Of the completions that were tried; at first none.
  double largest_completion() const { return largest_completion_; }
  void largest_completion(double size) { largest_completion_ = std::max(largest_completion_, size); }
  Found take() { return std::move(found_); }

 private:
  void count(const Answer& answer);

  std::vector<std::unique_ptr<Session>> sessions_;  // the last one is asked
  std::function<void()> prepare_;
  const Offer& offer_;
  const Target& target_;
  const Clock::time_point until_;
  LearnedValues learned_;
  Found found_;
  int unanswered_ = 0;
  bool is_refused_ = false;  // as too many requests came in this session
  double largest_completion_ = 0;
};

void search_tools(Search& search);
/// One of the tools that may be called, after the others: it takes a second.
void search_slow_tool(Search& search, const Json& tool);
void search_prompts(Search& search);
void search_resources(Search& search);
void search_completions(Search& search);

/// Those that may be called, as tasks where they become any.
void search_tasks(Search& search, const std::vector<const Json*>& tools);

/// A round of questions of the modern era, and what came of it.
struct Rounds {
  Json first = {};  // the result that asked first
  Answer last = {};
  int count = 0;  // of results that asked
};

/// Whether the URI of what a block embeds or links is none, but a word among the arguments of `entry`: one who is given
/// no URI cannot give one.
bool only_repeats(const Json& block, const JsonObject& entry);

bool asks(const Json& result, const Search& search);
/// Answers the questions of `first`, the result of that request, until there is none; at most four times.
Rounds answered_rounds(Search& search, std::string_view method, const JsonObject& params, const Json& first);

}  // namespace toolwire::conformance
