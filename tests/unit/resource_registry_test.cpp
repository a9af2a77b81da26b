#include "features/resource_registry.hpp"

#define BOOST_TEST_MODULE resource_registry_test
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

using namespace toolwire;
using features::ResourceRegistry;
using features::serve;

namespace {

struct Page {
  std::string book;
  int number = 1;
  static constexpr auto describe() {
    return fields(field<&Page::book>("Title"), field<&Page::number>("Which").optional());
  }
};

Resource at(const std::string& uri) {
  return make_resource({.uri = uri}, [] { return "x"; });
}

ResourceTemplate fitting(const std::string& text, bool dot_segments = false) {
  return make_resource_template({.uri_template = text, .dot_segments = dot_segments}, [](const Json&) { return "x"; });
}

std::string found(const ResourceRegistry& registry, const std::string& uri) {
  auto resource = registry.find(uri);
  if (!resource) return "nothing";
  return resource->resource ? "itself" : resource->from_template->key() + " " + to_json_text(resource->parameters);
}

template <class Make>
std::string objection(Make make) {
  try {
    make();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_resource_goes_before_templates_and_these_in_their_order) {
  ResourceRegistry registry;
  registry.templates.add(serve(fitting("a://{x}")));
  registry.templates.add(serve(fitting("a://{+all}")));
  registry.resources.add(serve(at("a://fixed")));
  BOOST_TEST(found(registry, "a://fixed") == "itself");
  BOOST_TEST(found(registry, "a://free") == R"(a://{x} {"x":"free"})");
  BOOST_TEST(found(registry, "a://b/c") == R"(a://{+all} {"all":"b/c"})");
  BOOST_TEST(found(registry, "b://c") == "nothing");
  registry.resources.remove("a://fixed");
  BOOST_TEST(found(registry, "a://fixed") == R"(a://{x} {"x":"fixed"})");
}

BOOST_AUTO_TEST_CASE(a_parameter_does_not_climb_out_of_its_place_unless_it_may) {
  ResourceRegistry registry;
  registry.templates.add(serve(fitting("file:///{+path}")));
  for (const char* uri :
       {"file:///..", "file:///a/../b", "file:///%2e%2e/b", "file:///a%2f..%2fb", "file:///a/..", "file:///..%5cb"})
    BOOST_TEST(found(registry, uri) == "nothing");
  BOOST_TEST(found(registry, "file:///a..b/...") == R"(file:///{+path} {"path":"a..b/..."})");
  registry.templates.remove("file:///{+path}");
  registry.templates.add(serve(fitting("file:///{+path}", true)));
  BOOST_TEST(found(registry, "file:///../b") == R"(file:///{+path} {"path":"../b"})");
}

BOOST_AUTO_TEST_CASE(an_outcome_that_is_kept_reads_the_same_every_time) {
  Outcome<std::string> kept(std::string("a text that no small buffer holds"));
  const auto text_of = [](const ResourceOutcome& outcome) {
    return std::get<ResourceResult>(outcome).contents.at(0).contents;
  };
  BOOST_TEST(text_of(to_resource_outcome(kept)) == "a text that no small buffer holds");
  BOOST_TEST(text_of(to_resource_outcome(kept)) == "a text that no small buffer holds");
}

BOOST_AUTO_TEST_CASE(a_name_is_taken_from_the_uri_if_none_is_given) {
  BOOST_TEST(serve(at("file:///a/b%20c.txt"))->resource.info.name == "b c.txt");
  BOOST_TEST(serve(at("file:///a/b/"))->resource.info.name == "b");
  BOOST_TEST(serve(at("urn:isbn"))->resource.info.name == "isbn");
  BOOST_TEST(serve(fitting("a://{x}"))->made.info.name == "a://{x}");
}

BOOST_AUTO_TEST_CASE(mistakes_in_a_registration_are_named) {
  ResourceRegistry registry;
  registry.resources.add(serve(at("a://b")));
  BOOST_TEST(objection([&] { registry.resources.add(serve(at("a://b"))); }) ==
             "resource \"a://b\": there is one of this name already");
  for (const char* uri : {"", "b", "/b", "a b://c", "a://b c", "a://%zz"})
    BOOST_TEST(objection([&] { serve(at(uri)); }).find("a URI is absolute") != std::string::npos);
  BOOST_TEST(objection([] { serve(fitting("a://{x")); }) == "resource template \"a://{x\": \"{\" without \"}\"");
  Resource loud = at("a://c");
  loud.info.annotations.priority = 2;
  BOOST_TEST(objection([&] { serve(loud); }) == "resource \"a://c\": a priority is between 0 and 1");
  loud.info.annotations = {{"everyone"}, {}, {}};
  BOOST_TEST(objection([&] { serve(loud); }).find("not \"everyone\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(variables_and_members_must_agree) {
  const auto typed = [](const std::string& text, Completers complete = {}) {
    return serve(make_resource_template({.uri_template = text, .complete = std::move(complete)},
                                        [](const Page& page) { return page.book; }));
  };
  BOOST_TEST(typed("b://{book}{?number}")->made.info.complete.size() == 2u);
  BOOST_TEST(typed("b://{book}")->made.info.complete.size() == 1u);
  BOOST_TEST(objection([&] { typed("b://{book}/{chapter}"); }).find("\"chapter\" is no member") != std::string::npos);
  BOOST_TEST(objection([&] { typed("b://{number}"); }).find("\"book\" is no variable") != std::string::npos);
  BOOST_TEST(objection([&] {
               typed("b://{book}", {{"author", complete_from({"x"})}});
             }).find("\"author\" has") != std::string::npos);
}
