// Several changes of a server's lists in one step: clients are told once, and a step that is impossible changes
// nothing.
#include <toolwire/server.hpp>

#define BOOST_TEST_MODULE server_changes_test
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "heard_client.hpp"

using namespace toolwire;
using toolwire_test::HeardClient;

namespace {

const std::vector<std::string> revisions{"2025-11-25", "2026-07-28"};

Resource note(const std::string& uri, const std::string& text) {
  return make_resource({.uri = uri, .name = text}, [text] { return text; });
}

ResourceTemplate pages(const std::string& uri_template, const std::string& name) {
  return make_resource_template({.uri_template = uri_template, .name = name}, [name] { return name; });
}

Prompt saying(const std::string& name, const std::string& text) {
  return make_prompt({.name = name, .description = text}, [text] { return text; });
}

std::vector<std::string> listed(Client& client, const char* method, const char* list, const char* member) {
  std::vector<std::string> all;
  const Json answer = client.request(method);
  for (const Json& one : answer.at(list).as_array()) all.emplace_back(std::string_view(one.at(member).as_string()));
  return all;
}

std::vector<std::string> resources(Client& client) { return listed(client, "resources/list", "resources", "uri"); }
std::vector<std::string> templates(Client& client) {
  return listed(client, "resources/templates/list", "resourceTemplates", "uriTemplate");
}
std::vector<std::string> prompts(Client& client) { return listed(client, "prompts/list", "prompts", "name"); }

using Names = std::vector<std::string>;
const auto each = boost::test_tools::per_element();

struct ChangesFixture {
  Server server{{.name = "changing", .version = "1"},
                {.threads = 2, .declares = {.tools = true, .prompts = true, .resources = true}}};
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(many_resources_and_templates_are_one_notification, ChangesFixture) {
  for (const std::string& revision : revisions) {
    HeardClient heard(server, revision);
    ResourceChanges changes;
    for (int i = 0; i < 25; ++i) changes.resources.add.push_back(note("note://" + std::to_string(i), "n"));
    changes.templates.add.push_back(pages("page://{n}", "page"));
    server.change_resources(changes);
    BOOST_TEST(heard.told("resources") == 1U, revision);
    BOOST_TEST(resources(heard.client()).size() == 25U);
    BOOST_TEST(templates(heard.client()) == Names{"page://{n}"}, each);
    ResourceChanges back;
    back.resources.remove = resources(heard.client());
    back.templates.remove = templates(heard.client());
    server.change_resources(back);
    BOOST_TEST(heard.told("resources") == 2U, revision);
    BOOST_TEST(resources(heard.client()).empty());
    BOOST_TEST(templates(heard.client()).empty());
  }
}

BOOST_FIXTURE_TEST_CASE(many_prompts_are_one_notification, ChangesFixture) {
  for (const std::string& revision : revisions) {
    HeardClient heard(server, revision);
    PromptChanges changes;
    for (int i = 0; i < 20; ++i) changes.add.push_back(saying("p" + std::to_string(i), "p"));
    server.change_prompts(changes);
    BOOST_TEST(heard.told("prompts") == 1U, revision);
    BOOST_TEST(prompts(heard.client()).size() == 20U);
    server.change_prompts({.remove = prompts(heard.client())});
    BOOST_TEST(heard.told("prompts") == 2U, revision);
  }
}

BOOST_FIXTURE_TEST_CASE(what_is_replaced_keeps_its_place_unless_an_order_is_given, ChangesFixture) {
  testing::Client client(server);
  server.change_resources({.resources = {.add = {note("a:a", "1"), note("b:b", "1"), note("c:c", "1")}}});
  server.change_resources({.resources = {.remove = {"a:a"}, .replace = {note("b:b", "2")}, .add = {note("d:d", "1")}}});
  BOOST_TEST(resources(client) == (Names{"b:b", "c:c", "d:d"}), each);
  BOOST_TEST(client.request("resources/read", {{"uri", "b:b"}}).at("contents").at(0).at("text") == "2");
  server.change_resources({.resources = {.order = {"d:d", "b:b"}}});
  BOOST_TEST(resources(client) == (Names{"d:d", "b:b", "c:c"}), each);
  server.change_prompts({.add = {saying("one", "1"), saying("two", "1")}});
  server.change_prompts({.replace = {saying("one", "2")}, .order = {"two", "one"}});
  BOOST_TEST(prompts(client) == (Names{"two", "one"}), each);
  BOOST_TEST(client.get_prompt("one").messages.at(0).at("content").at("text") == "2");
}

BOOST_FIXTURE_TEST_CASE(a_step_that_is_impossible_changes_nothing_and_tells_nobody, ChangesFixture) {
  server.add(note("a:a", "1"));
  server.add(pages("page://{n}", "page"));
  server.add(saying("one", "1"));
  HeardClient heard(server, "2026-07-28");
  Client& client = heard.client();
  BOOST_CHECK_THROW(server.change_resources({.resources = {.remove = {"a:a"}, .add = {note("b:b", "1")}},
                                             .templates = {.add = {pages("page://{n}", "taken")}}}),
                    std::invalid_argument);
  BOOST_CHECK_THROW(server.change_resources({.resources = {.add = {note("b:b", "1"), note("a:a", "taken")}},
                                             .templates = {.remove = {"page://{n}"}}}),
                    std::invalid_argument);
  BOOST_CHECK_THROW(server.change_resources({.resources = {.add = {note("", "no URI")}}}), std::invalid_argument);
  BOOST_CHECK_THROW(server.change_prompts({.remove = {"one"}, .add = {saying("two", ""), saying("", "no name")}}),
                    std::invalid_argument);
  BOOST_CHECK_THROW(server.change_prompts({.add = {saying("two", ""), saying("one", "taken")}}), std::invalid_argument);
  BOOST_TEST(heard.told("resources") == 0U);
  BOOST_TEST(heard.told("prompts") == 0U);
  BOOST_TEST(resources(client) == Names{"a:a"}, each);
  BOOST_TEST(templates(client) == Names{"page://{n}"}, each);
  BOOST_TEST(prompts(client) == Names{"one"}, each);
}

BOOST_AUTO_TEST_CASE(what_clients_may_use_is_declared_with_what_was_changed) {
  Server server({.name = "changing", .version = "1"});
  ResourceChanges changes;
  changes.resources.add.push_back(make_resource({.uri = "a:a", .subscribable = true}, [] { return "a"; }));
  server.change_resources(changes);
  server.change_prompts(
      {.add = {
           make_prompt({.name = "p", .arguments = {{.name = "x"}}, .completers = {{"x", complete_from({"1", "2"})}}},
                       [](const Json&) { return "p"; })}});
  testing::Client client(server, {.revision = "2025-11-25"});
  const JsonObject& declared = client.server().capabilities.as_object();
  BOOST_TEST(declared.at("resources").at("subscribe") == Json(true));
  BOOST_TEST(declared.contains("prompts"));
  BOOST_TEST(declared.contains("completions"));
}

BOOST_FIXTURE_TEST_CASE(tools_are_changed_in_one_step_too, ChangesFixture) {
  HeardClient heard(server, "2026-07-28");
  ToolChanges changes;
  for (int i = 0; i < 10; ++i)
    changes.add.push_back(make_tool({.name = "t" + std::to_string(i), .description = "t"}, [] { return "t"; }));
  server.change_tools(changes);
  BOOST_TEST(heard.told("tools") == 1U);
}

BOOST_FIXTURE_TEST_CASE(whether_there_is_a_tool_and_whether_the_list_is_another_can_be_asked, ChangesFixture) {
  const auto tool = [](const std::string& name) {
    return make_tool({.name = name, .description = "t"}, [] { return "t"; });
  };
  std::uint64_t before = server.tools_version();
  const auto is_another = [&] { return std::exchange(before, server.tools_version()) != before; };
  BOOST_TEST(!is_another());
  server.change_tools({.add = {tool("one"), tool("two")}});
  BOOST_TEST(is_another());
  BOOST_TEST(server.has_tool("one"));
  BOOST_TEST(!server.has_tool("three"));
  server.change_tools({.replace = {tool("three"), tool("three")}});
  BOOST_TEST(is_another());
  BOOST_TEST(server.has_tool("three"));
  BOOST_CHECK_THROW(server.change_tools({.remove = {"one"}, .add = {tool("two")}}), std::invalid_argument);
  BOOST_TEST(!is_another());
  BOOST_TEST(server.has_tool("one"));
  server.remove_tool("one");
  BOOST_TEST(is_another());
  BOOST_TEST(!server.has_tool("one"));
}
