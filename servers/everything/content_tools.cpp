// Every kind of content in results, and every kind of failure.
#include <stdexcept>
#include <string>
#include <toolwire/error.hpp>

#include "everything/everything.hpp"
#include "everything/samples.hpp"

namespace everything {
namespace {

using namespace toolwire;

struct Message {
  std::string message;
  static constexpr auto describe() { return fields(field<&Message::message>("What to say")); }
};

enum class Sky { clear, cloudy };

struct Weather {
  std::string city;
  double degrees = 0;
  Sky sky = Sky::clear;
  static constexpr auto describe() {
    return fields(field<&Weather::city>("Where"), field<&Weather::degrees>("Degrees Celsius"),
                  field<&Weather::sky>("The sky"));
  }
};

ToolResult one(Content content) {
  ToolResult result;
  result.add(std::move(content));
  return result;
}

EmbeddedResource embedded() {
  return {.uri = "test://embedded-resource",
          .contents = "This is an embedded resource content.",
          .mime_type = "text/plain"};
}

ToolResult mixed() {
  ToolResult result = ToolResult::text("Multiple content types test:");
  result.add({ImageContent{red_pixel(), "image/png"}});
  result.add({EmbeddedResource{"test://mixed-content-resource", R"({"test":"data","value":123})", "application/json"}});
  return result;
}

ToolResult annotated() {
  ToolResult result;
  result.add({TextContent{"For the user, and important."},
              {.audience = {"user"}, .priority = 1.0, .last_modified = "2026-07-28T00:00:00Z"}});
  result.add({EmbeddedResource{"test://bytes", std::string("\0\x01\xff", 3), "application/octet-stream", true},
              {.audience = {"assistant"}, .priority = 0.0}});
  result.meta = JsonObject{{"org.example/kind", "annotated"}};
  return result;
}

ToolResult numbers() {
  ToolResult result = ToolResult::text("[1,2,3]");
  result.structured = JsonArray{1, 2, 3};
  return result;
}

ToolResult unfitting() {
  ToolResult result = ToolResult::text("This does not fit.");
  result.structured = JsonObject{{"count", "many"}};
  return result;
}

void add_structured_tools(Server& server) {
  add(server, "test_structured_content", "Structured content with a schema", [] {
    return Weather{"Rome", 21.5, Sky::clear};
  });
  ToolInfo array = harmless("test_structured_array", "Structured content that is an array");
  array.output_schema = JsonObject{{"type", "array"}, {"items", JsonObject{{"type", "integer"}}}};
  server.tool(std::move(array), numbers);
  ToolInfo invalid =
      harmless("test_structured_invalid", "Its result does not fit its schema, which the server notices");
  invalid.output_schema = JsonObject{{"type", "object"},
                                     {"properties", JsonObject{{"count", JsonObject{{"type", "integer"}}}}},
                                     {"required", JsonArray{"count"}}};
  server.tool(std::move(invalid), unfitting);
}

void add_failing_tools(Server& server) {
  add(server, "test_error_handling", "Returns an error the model can read",
      []() -> std::string { throw ToolError("This tool intentionally returns an error for testing"); });
  add(server, "test_throws", "Fails in a way its author did not foresee",
      []() -> std::string { throw std::runtime_error("details that clients are not told"); });
  add(server, "test_protocol_error", "Ends the request with an error of the protocol", []() -> std::string {
    throw ProtocolError(-31000, "The request itself was refused", JsonObject{{"reason", "a test"}});
  });
}

ToolInfo described() {
  ToolInfo info = harmless("test_described", "Says everything about itself that a tool can say");
  info.title = "Described tool";
  info.destructive = false;
  info.idempotent = true;
  info.open_world = false;
  info.icons = {{.src = "https://example.org/tool.png", .mime_type = "image/png", .sizes = {"any"}, .theme = "light"}};
  info.meta = JsonObject{{"org.example/group", "content"}};
  return info;
}

}  // namespace

void add_content_tools(Server& server) {
  add(server, "echo", "Says the same", [](const Message& message) { return message.message; });
  add(server, "test_simple_text", "Text", [] { return "This is a simple text response for testing."; });
  add(server, "test_image_content", "An image", [] { return one({ImageContent{red_pixel(), "image/png"}}); });
  add(server, "test_audio_content", "A sound", [] { return one({AudioContent{moment_of_silence(), "audio/wav"}}); });
  add(server, "test_embedded_resource", "A resource in the result", [] { return one({embedded()}); });
  add(server, "test_resource_link", "A link to a resource", [] {
    return one({ResourceLink{.uri = "test://static-text",
                             .name = "static-text",
                             .title = "Static Text Resource",
                             .description = "Read it with resources/read",
                             .mime_type = "text/plain",
                             .size = 48}});
  });
  add(server, "test_multiple_content_types", "Text, an image and a resource", mixed);
  add(server, "test_annotations", "Content with annotations, and _meta", annotated);
  server.tool(described(), [] { return "described"; });
  add_structured_tools(server);
  add_failing_tools(server);
}

}  // namespace everything
