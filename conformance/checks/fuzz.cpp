// Conversations by chance: what no table of cases has thought of.
#include "checks/fuzz.hpp"

#include <algorithm>
#include <vector>

#include "checks/groups.hpp"
#include "driver/arguments.hpp"
#include "fuzz/line_maker.hpp"
#include "fuzz/shrink.hpp"
#include "target/tool_arguments.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::size_t lines_of_a_conversation = 40;
constexpr std::size_t lines_between_looks = 8;
constexpr std::size_t max_of_a_kind = 12;  // tools, resources, prompts
constexpr int max_tries = 300;             // until the shortest conversation counts as found
constexpr std::chrono::seconds longest_search{60};

enum class Trouble { none, ended, silent, foreign_line };

struct Outcome {
  Trouble trouble = Trouble::none;
  std::string got = {};
};

// What there is to say to a server

/// Not one that takes as long as it is told to: a number that was changed would be a day.
bool is_fit(const Probe& probe, const Json& tool) {
  const Json& schema = get(tool, "inputSchema");
  const auto slow = probe.find("tool:slow");
  return probe.target().may_call(text_of(get(tool, "name"))) && !timed_arguments(schema, get(tool, "description")) &&
         !(slow && slow->name == text_of(get(tool, "name")));
}

class Sayings {
 public:
  Sayings(const Probe& probe, const Session& session) : probe_(probe), session_(session) {}

  std::vector<Json> all() {
    ask(harmless(probe_));
    if (probe_.offer().has("tools")) add_tools();
    if (probe_.offer().has("resources")) add_resources();
    if (probe_.offer().has("prompts")) add_prompts();
    if (probe_.offer().has("logging")) ask("logging/setLevel", {{"level", "error"}});
    tell(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1000,"reason":"by chance"}})");
    tell(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1}})");
    tell(R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})");
    tell(R"({"jsonrpc":"2.0","id":"nobody-asked","result":{"action":"accept","content":{}}})");
    tell(R"({"jsonrpc":"2.0","id":7,"error":{"code":-1,"message":"no","data":[{}]}})");
    return std::move(all_);
  }

 private:
  void ask(std::string_view method, JsonObject params = {}) {
    constexpr std::int64_t first_id = 1000;
    const auto id = first_id + static_cast<std::int64_t>(all_.size());
    all_.push_back(parse_json(session_.request_text(id, method, std::move(params))));
  }
  void tell(std::string_view text) { all_.push_back(parse_json(text)); }

  void add_tools() {
    ask("tools/list");
    std::size_t count = 0;
    for (const Json& tool : probe_.offer().tools) {
      auto arguments = is_fit(probe_, tool) ? arguments_for(get(tool, "inputSchema")) : std::nullopt;
      if (!arguments || ++count > max_of_a_kind) continue;
      ask("tools/call", {{"name", get(tool, "name")}, {"arguments", std::move(*arguments)}});
    }
  }
  void add_resources() {
    ask("resources/list");
    ask("resources/templates/list");
    std::size_t count = 0;
    for (const Json& resource : probe_.offer().resources) {
      if (++count <= max_of_a_kind) ask("resources/read", {{"uri", get(resource, "uri")}});
    }
  }
  void add_prompts() {
    ask("prompts/list");
    std::size_t count = 0;
    for (const Json& prompt : probe_.offer().prompts) {
      JsonObject arguments;
      const JsonArray* const names = get(prompt, "arguments").if_array();
      for (const Json& one : names != nullptr ? *names : JsonArray{}) arguments[text_of(get(one, "name"))] = "text";
      if (++count <= max_of_a_kind) ask("prompts/get", {{"name", get(prompt, "name")}, {"arguments", arguments}});
    }
  }

  const Probe& probe_;
  const Session& session_;
  std::vector<Json> all_;
};

// One conversation

/// Changed by chance, a name can be that of a tool nobody allowed.
bool may_be_said(const Probe& probe, const std::string& line) {
  return std::ranges::none_of(probe.offer().tools, [&](const Json& tool) {
    const std::string_view name = text_of(get(tool, "name"));
    return !probe.target().may_call(name) && line.find("\"" + std::string(name) + "\"") != std::string::npos;
  });
}

Outcome look(Session& session) {
  const Answer answer = session.probe();
  const auto foreign =
      std::ranges::find(session.messages(), Message::Kind::foreign, [](const Message& it) { return it.kind; });
  if (foreign != session.messages().end())
    return {Trouble::foreign_line, "the line " + foreign->text.substr(0, Session::shown_foreign)};
  if (answer.kind == Answer::Kind::ended) return {Trouble::ended, answer.text()};
  if (answer.is_missing()) return {Trouble::silent, answer.text()};
  return {};
}

Outcome say(Probe& probe, Session& session, const Lines& lines) {
  std::size_t said = 0;
  for (const std::string& line : lines) {
    if (may_be_said(probe, line)) session.send_line(line);
    if (++said % lines_between_looks != 0) continue;
    if (Outcome outcome = look(session); outcome.trouble != Trouble::none) return outcome;
  }
  return look(session);
}

Outcome try_out(Probe& probe, const Lines& lines) {
  Session& session = probe.opened();
  Outcome outcome = say(probe, session, lines);
  probe.drop(session);
  return outcome;
}

Lines conversation(const std::vector<Json>& sayings, std::uint64_t seed) {
  LineMaker maker(seed, sayings);
  Lines lines(lines_of_a_conversation);
  std::ranges::generate(lines, [&] { return maker.next(); });
  return lines;
}

Lines shortest(Probe& probe, const Lines& lines, Trouble trouble) {
  int tries = 0;
  const auto until = Clock::now() + longest_search;
  return shrink(lines, [&](const Lines& fewer) {
    if (++tries > max_tries || Clock::now() > until) return false;
    return try_out(probe, fewer).trouble == trouble;
  });
}

[[noreturn]] void report(Probe& probe, const Lines& lines, const Outcome& first, std::uint64_t seed) {
  const Lines fewest = shortest(probe, lines, first.trouble);
  Session& shown = probe.opened();  // which the transcript is of
  probe.do_not_judge(shown);
  const Outcome again = say(probe, shown, fewest);
  const bool comes_again = again.trouble == first.trouble;
  probe.broken("a server that goes on, and writes messages only, whatever comes",
               (comes_again ? again.got : first.got + ", which did not come again") + "; conversation " +
                   std::to_string(seed) + ", " + std::to_string(fewest.size()) + " of its " +
                   std::to_string(lines.size()) + " lines");
}

void conversations(Probe& probe) {
  const Fuzzing& fuzzing = *probe.target().fuzzing;
  const auto until = Clock::now() + fuzzing.time;
  Session& first = probe.opened();
  const std::vector<Json> sayings = Sayings(probe, first).all();
  probe.drop(first);
  for (std::uint64_t seed = fuzzing.seed; Clock::now() < until; ++seed) {
    const Lines lines = conversation(sayings, seed);
    const Outcome outcome = try_out(probe, lines);
    if (outcome.trouble != Trouble::none) report(probe, lines, outcome, seed);
  }
}

}  // namespace

std::span<const Check> fuzz_checks() {
  static constexpr Check checks[] = {{"fuzz-conversations", conversations}};
  return checks;
}

}  // namespace toolwire::conformance
