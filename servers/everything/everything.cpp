#include "everything/everything.hpp"

namespace everything {

toolwire::ToolInfo harmless(std::string name, std::string description) {
  toolwire::ToolInfo info{.name = std::move(name), .description = std::move(description)};
  info.read_only = true;
  return info;
}

std::unique_ptr<toolwire::Server> make_server(toolwire::ServerOptions options) {
  options.declares.logging = true;
  options.on_bad_schema = toolwire::BadSchema::fail_calls;
  toolwire::ServerInfo info{.name = "everything",
                            .version = TOOLWIRE_VERSION,
                            .title = "Everything",
                            .description = "Every feature of the protocol at least once",
                            .website = "https://modelcontextprotocol.io/",
                            .instructions = "Tools are for testing clients; echo is a good one to begin with."};
  info.icons = {{.src = "https://example.org/everything.png", .mime_type = "image/png", .sizes = {"48x48"}}};
  auto server = std::make_unique<toolwire::Server>(std::move(info), std::move(options));
  add_content_tools(*server);
  add_schema_tools(*server);
  add_flow_tools(*server);
  add_process_tools(*server);
  add_changing_tools(*server);
  add_question_tools(*server);
  add_model_tools(*server);
  add_input_tools(*server);
  add_task_tools(*server);
  add_resources(*server);
  add_prompts(*server);
  return server;
}

}  // namespace everything
