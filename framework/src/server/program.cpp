#include "server/program.hpp"

#include <atomic>
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
  for (const auto& tool : *service.tools.list().items)
    names.append(names.empty() ? "" : ", ").append(tool->tool.info.name);
  return "there is no tool \"" + name + "\"; there are: " + (names.empty() ? "none" : names) + "\n";
}

void serve_traced(protocol::Service& service, Transport& transport, TraceFile* trace, std::function<void()> abandon) {
  Session::Settings settings{.take_signals = false, .abandon = std::move(abandon)};
  if (trace == nullptr) return Session(service, transport, std::move(settings)).run();
  Trace traced(transport, *trace);
  Session(service, traced, std::move(settings)).run();
}

void write_all(Transport& transport, std::string_view text) {
  if (!text.empty()) transport.write(text.data(), text.size(), Transport::Blocking::yes);
}

}  // namespace

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
  std::fputs(text.c_str(), stdout);
  return std::fflush(stdout) == 0 ? 0 : 1;
}

int call_tool(protocol::Service& service, const CommandLine& line, TraceFile* trace) {
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
  OneCall one([&](Transport& transport) { serve_traced(service, transport, trace, leave); });
  CallReport report = one.call(line.tool(), *arguments, line.as_json());
  if (report.status != 0) report.error.append(no_such_tool(service, line.tool()));
  status = report.status;
  write_all(terminal, report.out);
  std::fputs(report.error.c_str(), stderr);
  return report.status;
}

}  // namespace toolwire::server
