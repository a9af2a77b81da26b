#include "commands/status_report.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <toolwire/json_members.hpp>
#include <toolwire/redact.hpp>
#include <toolwire/system/process_id.hpp>
#include <toolwire/text.hpp>

#include "system/process_tree.hpp"
#include "system/program_version.hpp"

namespace toolwire::bridge {
namespace {

using Row = std::vector<std::string>;

double milliseconds(std::chrono::microseconds time) { return static_cast<double>(time.count()) / 1000; }

std::string_view state_of(const mcp::BackEndState& state) {
  if (state.running) return "running";
  if (state.needs_login) return "needs a login";
  if (state.starts == 0) return "not started";
  return state.starts > state.failures ? "starting" : "down";
}

/// As members of a report.
void add_cost(const ProcessCost& cost, JsonObject& to) {
  to["memory_mb"] = static_cast<double>(cost.memory) / (1 << 20);
  to["processor_s"] = static_cast<double>(cost.processor_time.count()) / 1000;
}

ProcessCost cost_of_all(const std::vector<system::ProcessId>& processes) {
  ProcessCost cost;
  for (const system::ProcessId one : processes) cost += cost_of_tree(one);
  return cost;
}

Json json_of(const mcp::BackEnd& back_end, const std::vector<std::string>& secrets) {
  const mcp::BackEndState state = back_end.state();
  const mcp::CallTotals& calls = state.calls;
  const double mean = calls.calls == 0 ? 0 : milliseconds(calls.time) / static_cast<double>(calls.calls);
  JsonArray changed;
  for (const std::string& tool : state.changed) changed.emplace_back(redact(text::stripped(tool), secrets));
  const ProcessCost cost = cost_of_all(state.processes);
  JsonObject report{{"name", back_end.name()},
                    {"state", state_of(state)},
                    {"restarts", state.starts == 0 ? 0 : state.starts - 1},
                    {"failures", state.failures},
                    {"tools", back_end.tools().size()},
                    {"changed", std::move(changed)},
                    {"calls", calls.calls},
                    {"errors", calls.errors},
                    {"mean_ms", mean},
                    {"slowest_ms", milliseconds(calls.slowest)},
                    {"separate", state.separate},
                    {"copies", state.copies},
                    {"processes", cost.processes},
                    {"last_words", redact(state.trouble, secrets)}};
  add_cost(cost, report);
  return report;
}

Json json_of(const RuntimeView& runtime, const std::vector<std::string>& secrets) {
  const runtimes::PoolState& state = runtime.state;
  return JsonObject{{"name", runtime.name},
                    {"processes", state.running},
                    {"calls", state.calls},
                    {"starts", state.starts},
                    {"failures", state.failures},
                    {"last_words", redact(state.trouble, secrets)},
                    {"rejected", redact(state.rejected, secrets)}};
}

Json json_of(const SharedView& shared) {
  JsonObject view{{"where", shared.where}, {"log", shared.log}};
  if (shared.peers) view["peers"] = JsonArray(shared.peers->begin(), shared.peers->end());
  return view;
}

std::string_view name_of(ScenarioView::State state) {
  constexpr std::array<std::string_view, 4> names{"unknown", "fresh", "stale", "absent"};
  return names.at(static_cast<std::size_t>(state));
}

const JsonArray& list_of(const Json& report, std::string_view member) {
  static const JsonArray none;
  const JsonArray* const list = array_member(report, member);
  return list == nullptr ? none : *list;
}

std::string text_of(const Json& value) {
  if (value.is_string()) return text::visible(value.get_string());
  if (value.is_double()) return fmt::format("{:.1f}", value.get_double());
  return to_json_text(value);
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 11> columns{{{"name", "SERVER"},
                                                                                 {"state", "STATE"},
                                                                                 {"restarts", "RESTARTS"},
                                                                                 {"tools", "TOOLS"},
                                                                                 {"calls", "CALLS"},
                                                                                 {"errors", "ERRORS"},
                                                                                 {"mean_ms", "MEAN MS"},
                                                                                 {"slowest_ms", "SLOWEST MS"},
                                                                                 {"processes", "PROCESSES"},
                                                                                 {"memory_mb", "MB"},
                                                                                 {"processor_s", "CPU S"}}};

Row heading() {
  Row row;
  for (const auto& [member, title] : columns) row.emplace_back(title);
  return row;
}

Row row_of(const Json& back_end) {
  Row row;
  for (const auto& [member, title] : columns) row.push_back(text_of(member_or_null(back_end, member)));
  return row;
}

/// What there is to say of a server below its row.
std::vector<std::string> notes_of(const Json& back_end) {
  std::vector<std::string> notes;
  for (const Json& tool : list_of(back_end, "changed"))
    notes.push_back("refused until it is accepted: " + text_of(tool));
  if (member_or_null(back_end, "separate") == Json(true))
    notes.push_back("each host has a process of its own, " + text_of(member_or_null(back_end, "copies")) + " now");
  if (const std::string words = text_or(back_end, "last_words"); !words.empty())
    notes.push_back("last words: " + text::visible(words, text::lines));
  return notes;
}

std::string heading_of(const Json& report) {
  std::string text =
      "toolwire-bridge " + text_or(report, "version") + ", process " + text_of(member_or_null(report, "process"));
  for (const Json& file : list_of(report, "files")) text += ", " + text_of(file);
  return text + ", " + text_of(member_or_null(report, "memory_mb")) + " MB, " +
         text_of(member_or_null(report, "processor_s")) + " s of processor time";
}

/// MCP servers are not among these, and never confined.
std::string program_text(const Json& program) {
  return text_of(member_or_null(program, "name")) + " " + text_of(member_or_null(program, "confinement"));
}

std::string scenario_text(const Json& scenario) {
  const std::string problem = text_or(scenario, "problem");
  return "scenario " + text::visible(text_or(scenario, "url")) + ": " + text_or(scenario, "state") +
         (problem.empty() ? "" : ", " + text::visible(problem));
}

std::string runtime_text(const Json& runtime) {
  std::string text =
      fmt::format("runtime {}: {} processes, {} calls, {} starts, {} failures", text::visible(text_or(runtime, "name")),
                  text_of(member_or_null(runtime, "processes")), text_of(member_or_null(runtime, "calls")),
                  text_of(member_or_null(runtime, "starts")), text_of(member_or_null(runtime, "failures")));
  if (const std::string rejected = text_or(runtime, "rejected"); !rejected.empty())
    text += "; " + text::visible(rejected, text::lines);
  if (const std::string words = text_or(runtime, "last_words"); !words.empty())
    text += "; last words: " + text::visible(words, text::lines);
  return text;
}

std::string shared_text(const Json& shared) {
  std::string text = "listens on " + text::visible(text_or(shared, "where"));
  if (const std::string log = text_or(shared, "log"); !log.empty()) text += ", log " + text::visible(log);
  if (member_or_null(shared, "peers").is_null()) return text;
  const JsonArray& peers = list_of(shared, "peers");
  text += fmt::format(", {} attached", peers.size());
  for (std::size_t i = 0; i < peers.size(); ++i) text += (i == 0 ? ": process " : ", ") + text_of(peers[i]);
  return text;
}

/// What there is to say beside the table, a line each.
std::vector<std::string> lines_below(const Json& report) {
  std::vector<std::string> lines;
  if (const Json& shared = member_or_null(report, "shared"); !shared.is_null()) lines.push_back(shared_text(shared));
  for (const Json& program : list_of(report, "programs")) lines.push_back(program_text(program));
  for (const Json& scenario : list_of(report, "scenarios")) lines.push_back(scenario_text(scenario));
  for (const Json& runtime : list_of(report, "runtimes")) lines.push_back(runtime_text(runtime));
  for (const Json& unused : list_of(report, "unused_settings"))
    lines.push_back("setting without effect: " + text_of(unused));
  return lines;
}

/// The first column and the second to the left, numbers to the right.
void append_row(std::string& out, const Row& row, const std::vector<std::size_t>& widths) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    out += "  ";
    out += i < 2 ? fmt::format("{:<{}}", row[i], widths[i]) : fmt::format("{:>{}}", row[i], widths[i]);
  }
  while (out.ends_with(' ')) out.pop_back();
  out += "\n";
}

std::string cells(std::string_view tag, const Row& row) {
  std::string out = "<tr>";
  for (const std::string& cell : row) out += fmt::format("<{0}>{1}</{0}>", tag, text::markup(cell));
  return out + "</tr>\n";
}

}  // namespace

Json report_of(const Reported& reported) {
  JsonArray back_ends;
  for (const auto& one : reported.back_ends) back_ends.push_back(json_of(*one, reported.secrets));
  JsonArray programs;
  for (const ConfinedProgram& one : reported.programs)
    programs.push_back(
        JsonObject{{"name", one.name}, {"confinement", redact(start_text(one.confinement), reported.secrets)}});
  JsonArray scenarios;
  for (const ScenarioView& view : reported.scenarios)
    scenarios.push_back(JsonObject{{"url", redact(view.url, reported.secrets)},
                                   {"state", name_of(view.state)},
                                   {"problem", redact(view.problem, reported.secrets)}});
  JsonArray runtimes;
  for (const RuntimeView& view : reported.runtimes) runtimes.push_back(json_of(view, reported.secrets));
  JsonArray unused;
  for (const std::string& text : reported.unused_settings) unused.emplace_back(redact(text, reported.secrets));
  JsonObject report{{"version", program_version()},
                    {"process", static_cast<std::int64_t>(system::own_process_id())},
                    {"files", JsonArray(reported.files.begin(), reported.files.end())},
                    {"back_ends", std::move(back_ends)},
                    {"programs", std::move(programs)},
                    {"scenarios", std::move(scenarios)},
                    {"runtimes", std::move(runtimes)},
                    {"unused_settings", std::move(unused)}};
  add_cost(cost_of(system::own_process_id()), report);
  if (reported.shared) report["shared"] = json_of(*reported.shared);
  return report;
}

std::string report_text(const Json& report) {
  std::string out = heading_of(report) + "\n";
  const JsonArray& back_ends = list_of(report, "back_ends");
  std::vector<Row> rows{heading()};
  for (const Json& one : back_ends) rows.push_back(row_of(one));
  std::vector<std::size_t> widths(columns.size(), 0);
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (std::size_t i = 0; !back_ends.empty() && i < rows.size(); ++i) {
    append_row(out, rows[i], widths);
    if (i == 0) continue;
    for (const std::string& note : notes_of(back_ends[i - 1])) out += "    " + note + "\n";
  }
  for (const std::string& line : lines_below(report)) out += "  " + line + "\n";
  return out;
}

std::string report_page(const Json& report) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>toolwire-bridge</title></head><body>\n";
  out += "<h1>" + text::markup(heading_of(report)) + "</h1>\n<table>\n" + cells("th", heading());
  for (const Json& one : list_of(report, "back_ends")) out += cells("td", row_of(one));
  out += "</table>\n";
  for (const Json& one : list_of(report, "back_ends")) {
    for (const std::string& note : notes_of(one))
      out += "<p>" + text::markup(text_of(member_or_null(one, "name")) + ": " + note) + "</p>\n";
  }
  for (const std::string& line : lines_below(report)) out += "<p>" + text::markup(line) + "</p>\n";
  return out + "</body></html>\n";
}

}  // namespace toolwire::bridge
