// Resources and templates of every kind.
#include <stdexcept>
#include <string>
#include <vector>

#include "everything/everything.hpp"
#include "everything/samples.hpp"

namespace everything {
namespace {

using namespace toolwire;

constexpr std::string_view static_text = "This is the content of the static text resource.";

struct Item {
  std::string id;
  static constexpr auto describe() { return fields(field<&Item::id>("Which one")); }
};

enum class Order { newest, oldest };

struct Search {
  std::string topic;
  int limit = 10;
  Order order = Order::newest;
  static constexpr auto describe() {
    return fields(field<&Search::topic>("What to look for"),
                  field<&Search::limit>("How many").between(1, 100).optional(),
                  field<&Search::order>("Which first").optional());
  }
};

struct Word {
  std::string word;
  static constexpr auto describe() { return fields(field<&Word::word>("Any word")); }
};

void add_plain(Server& server) {
  server.resource({.uri = "test://static-text",
                   .name = "static-text",
                   .title = "Static Text Resource",
                   .description = "A static text resource for testing",
                   .mime_type = "text/plain",
                   .size = static_text.size(),
                   .annotations = {{"user", "assistant"}, 0.8, "2026-07-28T12:00:00Z"},
                   .icons = {{.src = "https://example.org/text.png", .mime_type = "image/png"}},
                   .meta = {{"org.example/kind", "static"}},
                   .fresh_for = std::chrono::minutes(5),
                   .same_for_everyone = true},
                  [] { return std::string(static_text); });
  server.resource({.uri = "test://static-binary",
                   .name = "static-binary",
                   .title = "Static Binary Resource",
                   .description = "A static binary resource (image) for testing",
                   .mime_type = "image/png",
                   .size = red_pixel().size()},
                  [] { return ResourceContents::bytes(red_pixel()); });
  server.resource({.uri = "test://example-resource", .name = "example-resource", .mime_type = "text/plain"},
                  [] { return "Embedded resource content for testing."; });
  server.resource({.uri = "test://folder/", .name = "folder", .description = "Several contents at once"}, [] {
    return std::vector<ResourceContents>{
        {.uri = "test://folder/a", .contents = "A", .mime_type = "text/plain", .meta = {{"org.example/n", 1}}},
        {.uri = "test://folder/b", .contents = "B", .binary = true}};
  });
}

void add_watched(Server& server) {
  server.resource({.uri = "test://watched-resource",
                   .name = "watched-resource",
                   .title = "Watched Resource",
                   .description = "test_touch_resource says that it has changed",
                   .mime_type = "text/plain",
                   .subscribable = true},
                  [] { return "Watched resource content"; });
}

void add_difficult(Server& server) {
  server.resource({.uri = "test://failing", .name = "failing", .description = "Cannot be read"},
                  []() -> std::string { throw std::runtime_error("details that clients are not told"); });
  server.resource({.uri = "test://needs-input", .name = "needs-input", .description = "Asks before it is read"},
                  [](Context& context) -> Outcome<std::string> {
                    const auto word = context.answer<Word>("word");
                    if (!word) return ask<Word>("word", "Which word?");
                    return "The word is " + (word->accepted() ? word->value->word : "a secret");
                  });
}

void add_templates(Server& server) {
  server.resource_template(
      {.uri_template = "test://template/{id}/data",
       .name = "template",
       .title = "Resource Template",
       .description = "A resource template with parameter substitution",
       .mime_type = "application/json",
       .complete = {{"id", complete_from({"123", "124", "200"})}}},
      [](const Item& item) {
        return Json(JsonObject{{"id", item.id}, {"templateTest", true}, {"data", "Data for ID: " + item.id}});
      });
  server.resource_template({.uri_template = "test://search/{topic}{?limit,order}",
                            .name = "search",
                            .description = "Parameters of several types",
                            .mime_type = "application/json",
                            .annotations = {{"assistant"}, 0.5, {}},
                            .icons = {{.src = "https://example.org/search.png"}},
                            .meta = {{"org.example/kind", "search"}}},
                           [](const Search& search) {
                             if (search.topic == "nothing") throw ResourceNotFound("Nothing is to be found");
                             return search;
                           });
}

}  // namespace

void add_resources(Server& server) {
  add_plain(server);
  add_watched(server);
  add_difficult(server);
  add_templates(server);
}

}  // namespace everything
