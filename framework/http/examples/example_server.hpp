// What the examples serve.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <toolwire/server.hpp>

/// Registers quick tools, and one that takes its time and reports it.
inline void add_tools(toolwire::Server& server) {
  server.tool("add", "Add two numbers", toolwire::args("a", "b"), [](double a, double b) { return a + b; });
  const auto counting = std::make_shared<std::atomic<int>>(0);
  server.tool("counting", "Tell how often it is being counted", [counting] { return counting->load(); });
  const auto count = [counting](int to, toolwire::Context& context) {
    ++*counting;
    for (int i = 1; i <= to && !context.stop_requested(); ++i) {
      context.progress(i, to);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    --*counting;
    return "counted to " + std::to_string(to);
  };
  server.tool("count", "Count to a number, slowly", toolwire::args("to"), count);
}
