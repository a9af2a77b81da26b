#include "server/program.hpp"

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>

#include "log/log.hpp"
#include "protocol/tools/tool_listing.hpp"
#include "server/one_call.hpp"
#include "server/session.hpp"
#include "server/tool_text.hpp"
#include "server/trace.hpp"
#include "transport/stdio_transport.hpp"

namespace toolwire::server {
namespace {

/// The arguments, or nothing after a mistake that has been explained.
std::optional<Json> arguments_for(const CommandLine& line) {
  std::string text = line.arguments();
  if (text == "-") text.assign(std::istreambuf_iterator<char>(std::cin), {});
  std::string mistake = "expected a JSON object, such as '{\"limit\": 10}'";
  try {
    Json arguments = parse_json(text);
    if (arguments.is_object()) return arguments;
  } catch (const JsonError& error) {
    mistake.append("; ").append(error.what());
  }
  std::fprintf(stderr, "%s: the arguments of --call %s: %s\n", line.name().c_str(), line.tool().c_str(),
               mistake.c_str());
  return std::nullopt;
}

std::string no_such_tool(const protocol::Service& service, const std::string& name) {
  if (service.tools.find(name) != nullptr) return {};
  std::string names;
  for (const auto listed = service.tools.list(); const auto& tool : *listed.items)
    names.append(names.empty() ? "" : ", ").append(tool->tool.info.name);
  return "there is no tool \"" + name + "\"; there are: " + (names.empty() ? "none" : names) + "\n";
}

void serve_traced(Server::State& state, Transport& transport, TraceFile* trace, std::function<void()> abandon) {
  const auto engine = state.serving.begin(state, {.abandon = std::move(abandon)});
  std::optional<Trace> traced;
  if (trace != nullptr) traced.emplace(transport, *trace);
  Session session(state, traced ? *traced : transport, engine, {});
  session.attach();
  state.serving.run(engine);
}

bool write_all(Transport& transport, std::string_view text) {
  if (text.empty()) return true;
  return transport.write(text.data(), text.size(), Transport::Blocking::yes) ==
         static_cast<std::ptrdiff_t>(text.size());
}

/// Says so, and returns the exit status.
int not_written(const std::string& program) {
  std::fprintf(stderr, "%s: standard output: it could not be written to the end\n", program.c_str());
  return 1;
}

}  // namespace

int print(const std::string& program, const std::string& text) {
  const bool is_taken = std::fputs(text.c_str(), stdout) >= 0;
  return std::fflush(stdout) == 0 && is_taken ? 0 : not_written(program);
}

int list_tools(const protocol::Service& service, const CommandLine& line) {
  const auto tools = service.tools.list().items;
  std::string text;
  for (const auto& tool : *tools) {
    if (!line.as_json()) {
      text.append(text.empty() ? "" : "\n").append(text_of(tool->tool.info));
      continue;
    }
    text.append(text.empty() ? "[" : ",\n");
    protocol::append_tool(text, protocol::revisions().back(), tool->tool.info);
  }
  if (line.as_json()) text.append(text.empty() ? "[]\n" : "]\n");
  if (text.empty()) text = "no tools\n";
  return print(line.name(), text);
}

int call_tool(Server::State& state, const CommandLine& line, TraceFile* trace) {
  const std::optional<Json> arguments = arguments_for(line);
  if (!arguments) return 2;
  transport::StdioTransport terminal;
  std::atomic<int> status = 1;
  const auto leave = [&status,
                      trace] {  // the call was answered, at its deadline for example, but the tool did not stop
    if (trace != nullptr) trace->flush(std::chrono::milliseconds(100));
    process::flush_log(100);
    std::_Exit(status);
  };
  OneCall one([&](Transport& transport) { serve_traced(state, transport, trace, leave); });
  CallReport report = one.call(line.tool(), *arguments, line.as_json());
  if (report.status != 0) report.error.append(no_such_tool(state, line.tool()));
  status = report.status;
  const bool is_written = write_all(terminal, report.out);
  std::fputs(report.error.c_str(), stderr);
  if (!is_written) status = not_written(line.name());
  return status;
}

}  // namespace toolwire::server
