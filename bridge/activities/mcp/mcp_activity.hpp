// A tool of another MCP server as an Activity: kind "mcp", or what its back-end is.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <toolwire/bridge/activity.hpp>

#include "activities/mcp/back_end.hpp"

namespace toolwire::bridge::mcp {

/// Thread-safe; shares the back-end with all other Activities and tools that run there.
class McpActivity : public Activity {
 public:
  McpActivity(std::shared_ptr<BackEnd> back_end, std::string tool)
      : back_end_(std::move(back_end)), tool_(std::move(tool)) {}

  void start(const Call& call, ActivityContext& context, Reply reply) override {
    back_end_->call_tool(tool_, call.parameters, context.request(), std::move(reply));
  }
  std::string_view kind() const override { return back_end_->kind(); }

 private:
  const std::shared_ptr<BackEnd> back_end_;
  const std::string tool_;
};

}  // namespace toolwire::bridge::mcp
