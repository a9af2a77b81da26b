// JSON-RPC batches: part of 2025-03-26 alone (basic, batching).
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <toolwire/error.hpp>

#include "checks/groups.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

/// What came between the batch and the answer to a request sent after it; JSON values, those of arrays one by one.
struct Reaction {
  std::vector<Json> responses;
  std::size_t arrays = 0, singles = 0;
};

Reaction reaction_to_batch(Probe& probe, Session& session, const std::string& line) {
  const std::size_t before = session.mark();
  session.send_line(line);
  const Json marker = session.send_request(harmless(probe));
  const Answer answer = session.await(marker);
  if (!answer.ok()) probe.broken("a server that answers the request after " + line.substr(0, 100), answer.text());
  probe.compares_times();
  session.listen_for(50ms);
  Reaction reaction;
  for (std::size_t i = before; i < session.mark(); ++i) {
    const Message& message = session.messages()[i];
    if (message.kind == Message::Kind::batch) {
      ++reaction.arrays;
      for (const Json& one : message.json.get_array()) reaction.responses.push_back(one);
    } else if (message.kind == Message::Kind::response && message.id() != marker) {
      ++reaction.singles;
      reaction.responses.push_back(message.json);
    }
  }
  return reaction;
}

std::string ping(int id) { return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"ping"})"; }
constexpr std::string_view notification =
    R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"none"}})";

std::size_t results_in(const Reaction& reaction) {
  return static_cast<std::size_t>(std::count_if(reaction.responses.begin(), reaction.responses.end(),
                                                [](const Json& it) { return it.as_object().contains("result"); }));
}

std::string shown_reaction(const Reaction& reaction) {
  if (reaction.responses.empty()) return reaction.arrays == 0 ? "nothing" : "an empty array";
  return to_json_text(JsonArray(reaction.responses.begin(), reaction.responses.end())).substr(0, 500);
}

void expect_results(Probe& probe, const std::string& line, std::size_t count) {
  const Reaction reaction = reaction_to_batch(probe, probe.opened(), line);
  probe.expect(results_in(reaction) == count && reaction.responses.size() == count,
               std::to_string(count) + " results to " + line.substr(0, 200), shown_reaction(reaction));
  if (probe.target().launch.http) return;  // there they may come one by one
  if (reaction.arrays != 1) probe.warn("one array of responses", std::to_string(reaction.arrays) + " arrays");
}

void batching_accepted(Probe& probe) { expect_results(probe, "[" + ping(9201) + "," + ping(9202) + "]", 2); }
void single_element(Probe& probe) { expect_results(probe, "[" + ping(9203) + "]", 1); }
void mixed_notifications(Probe& probe) {
  expect_results(probe, "[" + ping(9204) + "," + std::string(notification) + "]", 1);
}

void all_notifications(Probe& probe) {
  const std::string line = "[" + std::string(notification) + "," + std::string(notification) + "]";
  const Reaction reaction = reaction_to_batch(probe, probe.opened(), line);
  probe.expect(reaction.responses.empty() && reaction.arrays == 0, "nothing", shown_reaction(reaction));
}

void empty(Probe& probe) {
  const Reaction reaction = reaction_to_batch(probe, probe.opened(), "[]");
  probe.expect(reaction.singles == 1 && reaction.arrays == 0 &&
                   get(reaction.responses.front(), "error", "code") == Json(error_code::invalid_request),
               "one error -32600, no array", shown_reaction(reaction));
}

void invalid_members(Probe& probe) {
  const Reaction reaction = reaction_to_batch(probe, probe.opened(), R"([1,{"foo":1},)" + ping(9205) + "]");
  const auto errors = std::count_if(reaction.responses.begin(), reaction.responses.end(), [](const Json& it) {
    return get(it, "error", "code") == Json(error_code::invalid_request);
  });
  probe.expect(errors == 2 && results_in(reaction) == 1, "two errors -32600 and one result", shown_reaction(reaction));
}

void ids_any_order(Probe& probe) {
  std::string line = "[";
  for (int id = 9210; id < 9220; ++id) line += (id > 9210 ? "," : "") + ping(id);
  const Reaction reaction = reaction_to_batch(probe, probe.opened(), line + "]");
  std::set<std::string> ids;
  for (const Json& response : reaction.responses) ids.insert(to_json_text(get(response, "id")));
  probe.expect(ids.size() == 10 && reaction.responses.size() == 10, "ten responses with the ten ids",
               shown_reaction(reaction));
}

/// Whether it is, or has in an array, the result of that request.
bool has_result_of(const Json& json, int id) {
  const auto is_result = [id](const Json& one) { return get(one, "id") == Json(id) && !get(one, "result").is_null(); };
  const JsonArray* const list = json.if_array();
  return list == nullptr ? is_result(json) : std::ranges::any_of(*list, is_result);
}

void initialize_refused(Probe& probe) {
  constexpr int id = 9230;
  Session& session = probe.fresh();
  const JsonObject params{{"protocolVersion", probe.revision().name},
                          {"capabilities", JsonObject{}},
                          {"clientInfo", {{"name", "check"}, {"version", "1"}}}};
  const JsonObject message{{"jsonrpc", "2.0"}, {"id", id}, {"method", "initialize"}, {"params", params}};
  session.send_line(to_json_text(JsonArray{message}));
  session.listen_for(200ms);
  const Answer answer = session.open();
  for (const Message& it : session.messages()) {  // those of the batch too, however slowly the server starts
    if (has_result_of(it.json, id)) probe.fail("no handshake within a batch", it.text.substr(0, 300));
  }
  if (!answer.ok()) probe.broken("an initialize that works afterwards", answer.text());
}

void partial_errors(Probe& probe) {
  const Reaction reaction = reaction_to_batch(
      probe, probe.opened(), R"([{"jsonrpc":"2.0","id":9240,"method":"conformance/none"},)" + ping(9241) + "]");
  probe.expect(results_in(reaction) == 1 && reaction.responses.size() == 2, "an error and a result",
               shown_reaction(reaction));
}

/// Answers two questions of the server in one array.
void of_responses(Probe& probe) {
  const Callable tool = probe.need_tool("tool:needs-sampling");
  Session& session = probe.opened(all_capabilities(probe.revision()));
  session.respond_with(nullptr);
  const std::size_t before = session.mark();
  const Json calls[] = {session.send_request("tools/call", tool.params()),
                        session.send_request("tools/call", tool.params())};
  JsonArray answers;
  for (std::size_t i = before; answers.size() < 2; ++i) {
    const Message* question = session.wait_for(
        i, [](const Message& it) { return it.kind == Message::Kind::request; }, probe.timeout());
    if (question == nullptr) probe.skip("the tool asks nothing");
    i = static_cast<std::size_t>(question - session.messages().data());
    answers.push_back(JsonObject{{"jsonrpc", "2.0"},
                                 {"id", *question->id()},
                                 {"result", *default_response(question->method(), question->member("params"))}});
  }
  session.send_line(to_json_text(answers));
  for (const Json& call : calls)
    probe.expect_result(session.await(call), "a call whose question was answered in a batch");
}

void refused_elsewhere(Probe& probe) {
  Session& session = probe.opened();
  probe.do_not_judge(session);  // an array that answers one is this finding, and no other
  for (const std::string& line : {"[" + ping(9250) + "," + ping(9251) + "]", std::string("[]")}) {
    const Reaction reaction = reaction_to_batch(probe, session, line);
    if (reaction.arrays > 0) probe.warn("one error -32600, or nothing, to " + line, shown_reaction(reaction));
    probe.expect(results_in(reaction) == 0 && reaction.responses.size() <= 1,
                 "one error -32600, or nothing, to " + line, shown_reaction(reaction));
  }
}

void in_2024(Probe& probe) {
  const Reaction reaction = reaction_to_batch(probe, probe.opened(), "[" + ping(9260) + "," + ping(9261) + "]");
  const bool served = results_in(reaction) == 2;
  const bool refused = reaction.responses.size() <= 1 && results_in(reaction) == 0;
  probe.expect(served || refused, "both results, or one error", shown_reaction(reaction));
}

}  // namespace

std::span<const Check> batching_checks() {
  static constexpr Check checks[] = {
      {"batch-accepted", batching_accepted},
      {"batch-single-element", single_element},
      {"batch-mixed-notifications", mixed_notifications},
      {"batch-all-notifications", all_notifications},
      {"batch-empty", empty},
      {"batch-invalid-members", invalid_members},
      {"batch-ids-any-order", ids_any_order},
      {"batch-initialize-refused", initialize_refused},
      {"batch-partial-errors", partial_errors},
      {"batch-of-responses", of_responses},
      {"batch-refused-elsewhere", refused_elsewhere},
      {"batch-in-2024", in_2024},
  };
  return checks;
}

}  // namespace toolwire::conformance
