// What the templates of a server list, as a host sees it that asks for one page.
#define BOOST_TEST_MODULE listed_resources_test
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>
#include <toolwire/server.hpp>
#include <toolwire/testing.hpp>
#include <utility>

using namespace toolwire;

namespace {

Server make_server(std::size_t most = 1000) {
  ServerOptions options;
  options.limits.listed_resources = most;
  return Server({"listing", "1"}, std::move(options));
}

void add_template(Server& server, const std::string& scheme, ResourceLister list) {
  server.resource_template({.uri_template = scheme + "://{name}", .name = scheme, .list = std::move(list)},
                           [](const Json& parameters) { return to_json_text(parameters); });
}

ResourcePage page_of(const std::string& uri, std::string next = {}) {
  ResourcePage page;
  page.resources.push_back({.uri = uri, .name = "listed"});
  page.next = std::move(next);
  return page;
}

/// The URIs of the first page, each behind a space, and " …" if there are more.
std::string first_page(Server& server) {
  testing::Client client(server);
  const Json page = client.request("resources/list");
  std::string all;
  for (const Json& resource : page.at("resources").as_array()) all += " " + std::string(resource.at("uri").as_string());
  return page.as_object().contains("nextCursor") ? all + " …" : all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_templates_are_on_the_first_page) {
  Server server = make_server();
  server.resource({.uri = "fixed://one"}, [] { return "one"; });
  add_template(server, "a",
               [](const std::string& from) { return from.empty() ? page_of("a://1", "2") : page_of("a://2"); });
  add_template(server, "none", [](const std::string&) { return ResourcePage{}; });
  add_template(server, "b", [](const std::string&) { return page_of("b://1"); });
  BOOST_TEST(first_page(server) == " fixed://one a://1 a://2 b://1");
}

BOOST_AUTO_TEST_CASE(a_page_has_a_bound) {
  Server server = make_server(3);
  add_template(server, "a", [](const std::string& from) { return page_of("a://" + from, from + "1"); });
  BOOST_TEST(first_page(server) == " a:// a://1 a://11 …");
}

BOOST_AUTO_TEST_CASE(a_template_that_cannot_list_does_not_hide_the_others) {
  Server server = make_server();
  add_template(server, "a", [](const std::string&) { return page_of("a://1"); });
  add_template(server, "broken", [](const std::string&) -> ResourcePage { throw std::runtime_error("no disk"); });
  BOOST_TEST(first_page(server) == " a://1");
}

BOOST_AUTO_TEST_CASE(nor_does_one_that_throws_what_is_no_exception) {
  Server server = make_server();
  add_template(server, "a", [](const std::string&) { return page_of("a://1"); });
  add_template(server, "odd", [](const std::string&) -> ResourcePage { throw 7; });
  BOOST_TEST(first_page(server) == " a://1");
}

BOOST_AUTO_TEST_CASE(a_template_that_cannot_list_hides_neither_resources_nor_templates_behind_it) {
  const auto fails = [](const std::string&) -> ResourcePage { throw std::runtime_error("no disk"); };
  for (const std::size_t page : {0U, 1U, 10U}) {
    for (const bool has_resource : {true, false}) {
      ServerOptions options;
      options.page = page;
      Server server({"listing", "1"}, std::move(options));
      if (has_resource) server.resource({.uri = "fixed://one"}, [] { return "one"; });
      add_template(server, "broken", fails);
      add_template(server, "bad", fails);
      add_template(server, "a", [](const std::string&) { return page_of("a://1"); });
      add_template(server, "half",
                   [&](const std::string& from) { return from.empty() ? page_of("half://1", "2") : fails(from); });
      add_template(server, "b", [](const std::string&) { return page_of("b://1"); });
      add_template(server, "last", fails);
      testing::Client client(server);
      std::string all;
      for (const auto& resource : list_resources(client)) all += " " + resource.uri;
      BOOST_TEST(all == (has_resource ? " fixed://one a://1 half://1 b://1" : " a://1 half://1 b://1"), page);
    }
  }
}

BOOST_AUTO_TEST_CASE(where_no_template_can_list_and_there_is_nothing_else_the_client_is_told) {
  Server server = make_server();
  for (const char* const scheme : {"broken", "bad"})
    add_template(server, scheme, [](const std::string&) -> ResourcePage { throw std::runtime_error("no disk"); });
  testing::Client client(server);
  BOOST_CHECK_EXCEPTION(list_resources(client), ProtocolError, [](const ProtocolError& error) {
    return std::string_view(error.what()).find("the list of \"bad://{name}\" could not be made") !=
           std::string_view::npos;
  });
}

BOOST_AUTO_TEST_CASE(a_template_that_goes_on_with_nothing_ends_the_page) {
  Server server = make_server();
  server.resource({.uri = "fixed://one"}, [] { return "one"; });
  add_template(server, "a", [](const std::string& from) {
    ResourcePage nothing;
    nothing.next = from + "x";
    return nothing;
  });
  BOOST_TEST(first_page(server) == " fixed://one …");
}
