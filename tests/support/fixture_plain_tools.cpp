#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fixture_tools.hpp"

namespace toolwire_test {
namespace {

using toolwire::field;
using toolwire::fields;
using toolwire::Json;
using toolwire::JsonArray;
using toolwire::JsonObject;
using toolwire::ToolInfo;
using toolwire::ToolResult;

struct Echo {
  std::string text;
  static constexpr auto describe() { return fields(field<&Echo::text>("What to say")); }
};

struct Add {
  double a, b;
  static constexpr auto describe() { return fields(field<&Add::a>("First number"), field<&Add::b>("Second number")); }
};

enum class Sky { clear, cloudy };

struct Weather {
  std::string city;
  double degrees = 0;
  Sky sky = Sky::clear;
  std::optional<std::string> remark = {};
  static constexpr auto describe() {
    return fields(field<&Weather::city>("Where"), field<&Weather::degrees>("Degrees Celsius"),
                  field<&Weather::sky>("The sky"), field<&Weather::remark>("A remark"));
  }
};

struct Place {
  std::string city;
  int day = 1;
  static constexpr auto describe() {
    return fields(field<&Place::city>("A city"), field<&Place::day>("Days ahead").between(0, 7).optional());
  }
};

struct Size {
  std::size_t bytes = 0;
  static constexpr auto describe() { return fields(field<&Size::bytes>("How many")); }
};

ToolInfo hinted() {
  ToolInfo info{.name = "hinted", .description = "States everything", .title = "Hinted tool"};
  info.read_only = true;
  info.destructive = false;
  info.idempotent = true;
  info.open_world = false;
  info.icons = {{.src = "data:image/png;base64,AA==", .mime_type = "image/png"}};
  info.meta = JsonObject{{"example.org/note", "kept"}};
  return info;
}

ToolInfo any_root() {
  ToolInfo info{.name = "any_root", .description = "Structured content that is no object"};
  info.output_schema = JsonObject{{"type", "array"}, {"items", JsonObject{{"type", "integer"}}}};
  return info;
}

ToolInfo match() {
  JsonObject word{{"type", "string"}, {"pattern", "^(a+)+$"}};
  ToolInfo info{.name = "match", .description = "Counts letters that fit a pattern which could take for ever"};
  info.input_schema = JsonObject{
      {"type", "object"}, {"properties", JsonObject{{"word", std::move(word)}}}, {"required", JsonArray{"word"}}};
  return info;
}

ToolResult contents() {
  ToolResult result;
  result.add({toolwire::TextContent{"words"}, {.audience = {"user", "assistant"}, .priority = 0.5}});
  result.add({toolwire::ImageContent{"\x89PNG", "image/png"}});
  result.add({toolwire::AudioContent{"RIFF", "audio/wav"}});
  result.add({toolwire::ResourceLink{"file:///a.txt", "a.txt", "A", "The first", "text/plain", 5}});
  result.add({toolwire::EmbeddedResource{"file:///b.txt", "text of b", "text/plain"}});
  result.add({toolwire::EmbeddedResource{"file:///c.bin", std::string("\0\xff", 2), "application/octet-stream", true}});
  result.add({toolwire::TextContent{"dated"}, {.last_modified = "2026-07-28T00:00:00Z"}});
  result.add({Json(JsonObject{{"type", "text"}, {"text", "as it came"}})});
  result.meta = JsonObject{{"example.org/kind", "mixed"}};
  return result;
}

}  // namespace

void add_plain_tools(FixtureTools& tools) {
  tools.add("echo", "Says the same", [](const Echo& echo) { return echo.text; });
  tools.add("add", "Adds", [](Add n) { return n.a + n.b; });
  tools.add("nothing", "Returns nothing", [] {});
  tools.add(hinted(), [] { return "hinted"; });
  tools.add("weather", "Structured output", [](const Place& place) { return Weather{place.city, 21.5, Sky::cloudy}; });
  tools.add("numbers", "A list as structured output", [] { return std::vector<int>{1, 2, 3}; });
  tools.add(any_root(), [] {
    ToolResult result = ToolResult::text("[1,2]");
    result.structured = JsonArray{1, 2};
    return result;
  });
  tools.add("contents", "Every kind of content", contents);
  tools.add("meta", "The request's _meta", [](toolwire::Context& context) { return Json(context.meta()); });
  tools.add(match(), [](const Json& arguments) { return Json(arguments.at("word").as_string().size()); });
  tools.add("big", "As many letters as asked for", [](Size size) { return std::string(size.bytes, 'x'); });
  tools.add(
      ToolInfo{.name = "echo_json",
               .description = "Says the same, whatever it is",
               .input_schema = JsonObject{{"type", "object"}, {"properties", JsonObject{{"value", JsonObject{}}}}}},
      [](const Json& arguments) { return arguments; });
}

}  // namespace toolwire_test
