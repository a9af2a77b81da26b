// A server that does nothing: its memory, and how often it wakes up nevertheless.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "lines/groups.hpp"
#include "lines/many.hpp"
#include "lines/memory.hpp"

namespace toolwire::bench {

using namespace std::chrono_literals;

Memory idle_memory(const Candidate& candidate) {
  Session session(candidate);
  session.has_tool(candidate.tools.echo);
  std::this_thread::sleep_for(200ms);
  return memory_of(session.child().pid());
}

namespace {

void measure_memory(const Setting& setting, Board& board) {
  const Memory raw = idle_memory(setting.raw), ours = idle_memory(setting.ours);
  Figures figures = {{"PSS MB", ours.proportional_mb}, {"private MB", ours.own_mb}, {"raw MB", raw.resident_mb}};
  if (setting.shared_libc) figures.emplace_back("libc shared MB", idle_memory(*setting.shared_libc).resident_mb);
  if (setting.all_shared) figures.emplace_back("all shared MB", idle_memory(*setting.all_shared).resident_mb);
  board.add("idle-memory", ours.resident_mb, figures);
}

/// How often the threads of a process have resumed after waiting.
double wake_ups_of(pid_t process) {
  double wake_ups = 0;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task")) {
    std::ifstream status(thread.path() / "status");
    for (std::string line; std::getline(status, line);)
      if (line.starts_with("voluntary_ctxt_switches:"))
        wake_ups += std::strtod(line.c_str() + line.find(':') + 1, nullptr);
  }
  return wake_ups;
}

/// After some traffic, so that its monitor must have noticed its end.
void measure_wake_ups(const Setting& setting, Board& board) {
  Session session(setting.ours);
  CallLine call = echo_call(setting.ours.tools, wire_text(TextKind::ascii, 64));
  send_calls(session, call, first_call_id, 1000);
  take_answers(session, first_call_id, 1000);
  std::this_thread::sleep_for(200ms);
  const double before = wake_ups_of(session.child().pid());
  std::this_thread::sleep_for(setting.quick ? 50ms : 1000ms);
  board.add("idle-wake-ups", wake_ups_of(session.child().pid()) - before, {});
}

void measure(const Setting& setting, Board& board) {
  measure_memory(setting, board);
  measure_wake_ups(setting, board);
}

}  // namespace

const Group& idle_group() {
  static const Group group = {
      {
          {"idle-memory", "resident memory of an idle server", Bound::at_most, 5, "MB"},
          {"idle-wake-ups", "how often an idle server wakes up in a second", Bound::at_most, 0, ""},
      },
      measure};
  return group;
}

}  // namespace toolwire::bench
