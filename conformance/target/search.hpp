// What the parts of the discovery share: a session that is asked for a bounded time, and what was found in it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "target/learned_values.hpp"
#include "target/target.hpp"

namespace toolwire::conformance {

using Found = std::map<std::string, Fixture, std::less<>>;  // by their kinds

/// Nobody makes it up; quotes and the line feed show whether a text comes back as it was sent.
inline constexpr std::string_view marker = "conformance \"7f3a\"\nand more";

/// A request of the server that somebody must answer.
bool is_question(const Message& message);

/// Of one session, which is open. Not thread-safe.
class Search {
 public:
  Search(Session& session, const Offer& offer, const Target& target);

  Session& session() { return session_; }
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
  Found take() { return std::move(found_); }

 private:
  void count(const Answer& answer);

  Session& session_;
  const Offer& offer_;
  const Target& target_;
  const Clock::time_point until_;
  LearnedValues learned_;
  Found found_;
  int unanswered_ = 0;
};

void search_tools(Search& search);
/// One of the tools that may be called, after the others: it takes a second.
void search_slow_tool(Search& search, const Json& tool);
void search_prompts(Search& search);
void search_resources(Search& search);
void search_completions(Search& search);

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
