#include "toolwire/client.hpp"

#define BOOST_TEST_MODULE client_resources_test
#include <boost/test/unit_test.hpp>

#include <future>
#include <string>
#include <vector>

#include "fixture_server.hpp"
#include "toolwire/testing.hpp"

using namespace toolwire;

namespace {

/// A client of a fixture server, in the era of the revision.
struct Served {
  explicit Served(const std::string& revision, const char* options = R"({"resources":"all","prompts":true})")
      : server(
            toolwire_test::make_fixture_server(toolwire_test::FixtureOptions::from(parse_json(options).as_object()))),
        client(*server, {.revision = revision}) {}
  std::unique_ptr<Server> server;
  testing::Client client;
};

constexpr const char* eras[] = {"2025-11-25", "2026-07-28"};

}  // namespace

BOOST_AUTO_TEST_CASE(resources_and_templates_are_listed_to_their_end) {
  for (const char* revision : eras) {
    Served paged(revision, R"({"resources":"all","page":2})");
    const auto resources = list_resources(paged.client);
    BOOST_TEST(resources.size() == 12u);
    BOOST_TEST(resources.front().uri == "test://text");
    BOOST_TEST(resources.front().mime_type == "text/plain");
    const auto templates = list_resource_templates(paged.client);
    BOOST_REQUIRE(templates.size() == 2u);
    BOOST_TEST(templates.front().uri == "weather://{city}{?days,unit}");
    BOOST_TEST(templates.front().title == "Weather");
  }
}

BOOST_AUTO_TEST_CASE(texts_and_bytes_are_read) {
  for (const char* revision : eras) {
    Served served(revision);
    const auto text = read_resource(served.client, "test://text");
    BOOST_REQUIRE(text.size() == 1u);
    BOOST_TEST(text.front().contents == "first line\nzweite Zeile ä");
    BOOST_TEST(!text.front().binary);
    const auto bytes = read_resource(served.client, "test://binary");
    BOOST_TEST(bytes.front().contents == std::string("\0\xff\x10", 3));
    BOOST_TEST(bytes.front().binary);
    BOOST_TEST(read_resource(served.client, "test://folder/").size() == 2u);
    BOOST_CHECK_THROW(read_resource(served.client, "test://nothing"), ProtocolError);
  }
}

BOOST_AUTO_TEST_CASE(suggestions_come_for_templates_and_prompts) {
  for (const char* revision : eras) {
    Served served(revision);
    const char* const weather = "weather://{city}{?days,unit}";
    const auto cities = complete_template(served.client, weather, "city", "B", {{"unit", "celsius"}});
    BOOST_TEST(cities.values.size() == 100u);
    BOOST_TEST(cities.values.front() == "B0 in celsius");
    BOOST_TEST(cities.has_more);
    BOOST_TEST(complete_template(served.client, weather, "unit", "f").values.front() == "fahrenheit");
    BOOST_CHECK_THROW(complete_prompt(served.client, "nobody", "x", ""), ProtocolError);
  }
}

BOOST_AUTO_TEST_CASE(questions_of_a_resource_are_answered) {
  for (const char* revision : eras) {
    auto server = toolwire_test::make_fixture_server(
        toolwire_test::FixtureOptions::from(parse_json(R"({"resources":"all"})").as_object()));
    ClientOptions options{.revision = revision};
    options.on_elicitation = [](const Elicitation& asked) {
      return ElicitationReply{ElicitationReply::Action::accept, {{"word", asked.message}}};
    };
    testing::Client client(*server, options);
    BOOST_TEST(read_resource(client, "test://locked").front().contents == "opened with Which word?");
  }
}

BOOST_AUTO_TEST_CASE(changes_of_the_resources_subscribed_to_are_told) {
  for (const char* revision : eras) {
    Served served(revision);
    std::vector<std::string> told;  // of the thread of the client until `done`
    std::promise<void> done;
    const auto touch = [&](const char* uri) { served.client.call("touch", {{"uri", uri}}); };
    const auto subscription =
        served.client.subscribe_resources({"test://watched", "weather://Rome"}, [&](const std::string& uri) {
          told.push_back(uri);
          if (uri == "weather://Rome") done.set_value();
        });
    touch("test://text");
    touch("test://watched");
    touch("weather://Oslo");
    touch("weather://Rome");
    done.get_future().wait();
    BOOST_TEST(told == (std::vector<std::string>{"test://watched", "weather://Rome"}),
               boost::test_tools::per_element());
    BOOST_TEST(subscription.is_active());
  }
}

BOOST_AUTO_TEST_CASE(a_resource_that_does_not_tell_of_changes_cannot_be_subscribed_to) {
  for (const char* revision : eras) {
    Served served(revision);
    for (const char* uri : {"test://text", "test://nothing"}) {
      BOOST_CHECK_THROW(static_cast<void>(served.client.subscribe_resources({"test://watched", uri}, [](auto&) {})),
                        ProtocolError);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_end_of_one_subscription_is_not_that_of_another) {
  for (const char* revision : eras) {
    Served served(revision);
    std::promise<void> told;
    const auto stays = served.client.subscribe_resources({"test://watched"}, [&](auto&) { told.set_value(); });
    {
      const auto goes = served.client.subscribe_resources({"test://watched"}, [](auto&) {});
    }
    served.client.ping();  // what was sent before has been read
    served.client.call("touch", {{"uri", "test://watched"}});
    told.get_future().wait();
  }
}
