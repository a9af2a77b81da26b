// Resources and templates of every kind, and the tools that change them.
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "fixture_tools.hpp"
#include "toolwire/error.hpp"

namespace toolwire_test {
namespace {

using toolwire::Context;
using toolwire::field;
using toolwire::fields;
using toolwire::Json;
using toolwire::Outcome;
using toolwire::ResourceContents;
using toolwire::ResourceNotFound;
using toolwire::ResourcePage;
using toolwire::ResourceReply;
using toolwire::ResourceRequest;

enum class Unit { celsius, fahrenheit };

struct Weather {
  std::string city;
  int days = 1;
  Unit unit = Unit::celsius;
  static constexpr auto describe() {
    return fields(field<&Weather::city>("Name of a city"),
                  field<&Weather::days>("How many days").between(1, 7).optional(),
                  field<&Weather::unit>("Of temperatures").optional());
  }
};

struct Note {
  std::string path;
  static constexpr auto describe() { return fields(field<&Note::path>("Where it is")); }
};

struct Password {
  std::string word;
  static constexpr auto describe() { return fields(field<&Password::word>("The word")); }
};

struct Uri {
  std::string uri;
  static constexpr auto describe() { return fields(field<&Uri::uri>("URI of a resource")); }
};

void add_readable(toolwire::Server& server) {
  server.resource({.uri = "test://text",
                   .title = "A text",
                   .description = "Two lines",
                   .mime_type = "text/plain",
                   .size = 24,
                   .annotations = {{"user"}, 0.5, "2025-01-12T15:00:58Z"},
                   .icons = {{.src = "https://example.org/t.png"}},
                   .meta = {{"example.org/kind", "text"}},
                   .fresh_for = std::chrono::seconds(5),
                   .same_for_everyone = true},
                  [] { return "first line\nzweite Zeile ä"; });
  server.resource({.uri = "test://binary", .name = "binary", .mime_type = "application/octet-stream", .size = 3},
                  [] { return ResourceContents::bytes(std::string("\0\xff\x10", 3)); });
  server.resource({.uri = "test://folder/", .mime_type = "inode/directory"}, [] {
    return std::vector<ResourceContents>{
        {.uri = "test://folder/a", .contents = "A", .mime_type = "text/plain", .meta = {{"example.org/n", 1}}},
        {.uri = "test://folder/b", .contents = "B", .binary = true}};
  });
  server.resource({.uri = "test://watched", .subscribable = true}, [] { return "watched"; });
}

void add_failing(toolwire::Server& server) {
  server.resource({.uri = "test://failing"}, []() -> std::string { throw std::runtime_error("a secret"); });
  server.resource({.uri = "test://refusing"}, []() -> std::string { throw toolwire::ToolError("not today"); });
  server.resource({.uri = "test://vanished"}, []() -> std::string { throw ResourceNotFound("It is gone"); });
}

void add_slow(toolwire::Server& server, const std::shared_ptr<Gates>& gates) {
  server.resource({.uri = "test://slow"}, [gates](Context& context) {
    gates->open("reading has begun");
    const bool opened = gates->wait("reading", context.stop_token());
    gates->open("reading has ended");
    context.progress(1, 1, "read");
    return std::string(opened ? "read" : "stopped");
  });
  auto kept = std::make_shared<std::vector<ResourceReply>>();
  server.resource({.uri = "test://later"}, [kept, gates](const ResourceRequest&, Context&, ResourceReply reply) {
    kept->push_back(std::move(reply));
    gates->open("a reading is kept");
  });
  server.tool("settle_readings", "Answers the readings that wait", [kept, gates] {
    gates->wait("a reading is kept", {});
    for (ResourceReply& reply : *kept) reply("answered later");
    kept->clear();
    return "settled";
  });
  server.resource({.uri = "test://dropped"}, [](Context&, ResourceReply) {});
  server.resource({.uri = "test://hasty", .timeout = std::chrono::milliseconds(1)}, [gates](Context& context) {
    gates->wait("never", context.stop_token());
    return std::string("late");
  });
  server.resource({.uri = "test://locked"}, [](Context& context) -> Outcome<std::string> {
    const auto answer = context.answer<Password>("password");
    if (!answer) return toolwire::ask<Password>("password", "Which word?");
    if (!answer->accepted()) throw ResourceNotFound("Nobody may know");
    return "opened with " + answer->value->word;
  });
}

void add_templates(toolwire::Server& server) {
  toolwire::Completers completers;
  completers["city"] = [](std::string_view typed, const toolwire::CompletionContext& context) {
    toolwire::Completion completion;
    const auto unit = context.find("unit");
    const std::string suffix = unit == context.end() ? "" : " in " + unit->second;
    for (int i = 0; i < 150; ++i) completion.values.push_back(std::string(typed) + std::to_string(i) + suffix);
    return completion;
  };
  server.resource_template({.uri_template = "weather://{city}{?days,unit}",
                            .name = "weather",
                            .title = "Weather",
                            .description = "Of a city",
                            .mime_type = "application/json",
                            .annotations = {{"assistant"}, 1.0, {}},
                            .icons = {{.src = "https://example.org/w.png"}},
                            .meta = {{"example.org/kind", "template"}},
                            .complete = completers,
                            .subscribable = true},
                           [](const Weather& weather) { return weather; });
  server.resource_template({.uri_template = "note:///{+path}", .name = "notes"},
                           [](const Note& note) { return "note at " + note.path; });
}

std::vector<toolwire::Resource> fixture_listed(int from, int to) {
  std::vector<toolwire::Resource> made;
  for (int i = from; i < to; ++i) made.push_back({{.uri = "made://" + std::to_string(i), .name = "made"}, {}});
  return made;
}

/// More resources than any list holds: the lister returns two at a time.
void add_listed(toolwire::Server& server) {
  server.resource_template({.uri_template = "made://{number}",
                            .name = "made",
                            .list =
                                [](const std::string& from) {
                                  if (!from.empty() && from != "2") throw ResourceNotFound();
                                  ResourcePage page;
                                  const int first = from.empty() ? 0 : 2;
                                  for (const auto& made : fixture_listed(first, first + 2))
                                    page.resources.push_back(made.info);
                                  if (from.empty()) page.next = "2";
                                  return page;
                                }},
                           [](const Json& parameters) { return "made " + toolwire::to_json_text(parameters); });
}

void add_changing_tools(toolwire::Server& server) {
  server.tool("touch", "Says that a resource has changed", [&server](const Uri& touched) {
    server.resource_updated(touched.uri);
    return touched.uri;
  });
  server.tool("publish", "Adds a resource", [&server](const Uri& added) {
    server.resource({.uri = added.uri, .subscribable = true}, [] { return "published"; });
    return added.uri;
  });
  server.tool("withdraw", "Removes a resource",
              [&server](const Uri& removed) { return server.remove_resource(removed.uri); });
  server.tool("relist", "Says that the list of resources has changed", [&server] { server.resource_list_changed(); });
}

}  // namespace

void add_resources(toolwire::Server& server, const std::shared_ptr<Gates>& gates, const std::string& which) {
  add_changing_tools(server);
  if (which == "listed") return add_listed(server);
  if (which == "plain") {
    server.resource({.uri = "test://plain"}, [] { return "plain"; });
    return;
  }
  if (which != "all") throw std::invalid_argument("the fixture server has no resources \"" + which + "\"");
  add_readable(server);
  add_failing(server);
  add_slow(server, gates);
  add_templates(server);
}

}  // namespace toolwire_test
