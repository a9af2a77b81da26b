// Server::mount: what one server has, served by another one, too, and kept up with.
#include <toolwire/server.hpp>

#define BOOST_TEST_MODULE mount_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "heard_client.hpp"
#include "toolwire/testing.hpp"

using namespace toolwire;
using toolwire_test::HeardClient;

namespace {

const std::vector<std::string> revisions{"2024-11-05", "2025-11-25", "2026-07-28"};
const auto each = boost::test_tools::per_element();

struct City {
  std::string city;
  static constexpr auto describe() { return fields(field<&City::city>("Name")); }
};

std::vector<std::string> listed(Client& client) {
  std::vector<std::string> names;
  for (const auto& tool : client.list_tools()) names.push_back("tool " + tool.name);
  for (const auto& prompt : client.list_prompts()) names.push_back("prompt " + prompt.name);
  for (const auto& resource : list_resources(client)) names.push_back(resource.uri);
  for (const auto& one : list_resource_templates(client)) names.push_back(one.uri);
  return names;
}

std::string refusal_of(const std::function<void()>& what) {
  try {
    what();
  } catch (const std::invalid_argument& error) {
    return error.what();
  } catch (const std::logic_error& error) {
    return std::string("logic error: ") + error.what();
  }
  return "not refused";
}

void add_tool(Server& server, const std::string& name, const std::string& says) {
  server.tool(name, "Says something", [says] { return says; });
}

struct Fixture {
  Fixture() {
    weather.tool("now", "The weather now", [](const City& city) { return "rain in " + city.city; });
    weather.prompt("ask", "Asks", [](const City& city) { return "How is " + city.city + "?"; });
    weather.resource({.uri = "weather://today", .subscribable = true}, [] { return "rain"; });
    weather.resource_template({.uri_template = "weather://of/{city}",
                               .complete = {{"city", [](const auto&, const auto&) { return Completion{{"Rome"}}; }}}},
                              [](const City& city) { return "sun in " + city.city; });
    add_tool(main, "help", "no");
  }
  Server weather{{.name = "weather", .version = "1"}};
  Server main{{.name = "main", .version = "1"}};
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(all_of_it_is_served_under_the_prefix, Fixture) {
  main.mount("weather", weather);
  const std::vector<std::string> all{"tool help", "tool weather_now", "prompt weather_ask", "weather://today",
                                     "weather://of/{city}"};
  for (const std::string& revision : revisions) {
    BOOST_TEST_CONTEXT(revision) {
      testing::Client client(main, {.revision = revision});
      BOOST_TEST(listed(client) == all, each);
      BOOST_TEST(client.call("weather_now", {{"city", "Rome"}}).text() == "rain in Rome");
      BOOST_TEST(client.call("weather_now").is_error);
      BOOST_CHECK_THROW(client.call("now", {{"city", "Rome"}}), ProtocolError);
      BOOST_TEST(to_json_text(client.get_prompt("weather_ask", {{"city", "Rome"}}).raw).find("How is Rome?") !=
                 std::string::npos);
      BOOST_TEST(read_resource(client, "weather://today").at(0).contents == "rain");
      BOOST_TEST(read_resource(client, "weather://of/Rome").at(0).contents == "sun in Rome");
    }
  }
  testing::Client own(weather);
  BOOST_TEST(own.call("now", {{"city", "Rome"}}).text() == "rain in Rome");  // it still serves, too
}

BOOST_FIXTURE_TEST_CASE(what_changes_there_changes_here_and_clients_are_told_once, Fixture) {
  main.mount("weather", weather);
  add_tool(main, "last", "no");
  for (const std::string& revision : revisions) {
    BOOST_TEST_CONTEXT(revision) {
      HeardClient client(main, revision);
      ToolChanges changes;
      changes.remove = {"now"};
      changes.add = {make_tool({.name = "then"}, [] { return "snow"; }), make_tool({.name = "soon"}, [] { return 1; })};
      changes.order = {"soon", "then"};
      weather.change_tools(std::move(changes));
      BOOST_TEST(client.told("tools") == 1u);
      BOOST_TEST(client.told("prompts") == 0u);
      std::vector<std::string> names;
      for (const auto& tool : client.client().list_tools()) names.push_back(tool.name);
      BOOST_TEST(names == (std::vector<std::string>{"help", "last", "weather_soon", "weather_then"}), each);
      BOOST_TEST(client.client().call("weather_then").text() == "snow");

      weather.change_tools({.replace = {make_tool({.name = "then"}, [] { return "hail"; })}});
      BOOST_TEST(client.client().call("weather_then").text() == "hail");
      weather.remove_prompt("ask");
      BOOST_TEST(client.told("prompts") == 1u);
      BOOST_TEST(client.client().list_prompts().empty());
      weather.remove_resource("weather://today");
      weather.resource({.uri = "weather://today", .subscribable = true}, [] { return "frost"; });
      BOOST_TEST(client.told("resources") == 2u);
      BOOST_TEST(read_resource(client.client(), "weather://today").at(0).contents == "frost");

      weather.change_tools({.remove = {"then", "soon"}});
      weather.tool("now", "The weather now", [] { return "rain"; });
      weather.prompt("ask", "Asks", [] { return "How?"; });
      BOOST_TEST(client.told("prompts") == 2u);
      BOOST_TEST(client.client().list_prompts().size() == 1u);
    }
  }
}

BOOST_FIXTURE_TEST_CASE(who_watches_a_resource_hears_of_it, Fixture) {
  main.mount("weather", weather);
  for (const char* const revision : {"2025-11-25", "2026-07-28"}) {
    testing::Client client(main, {.revision = revision});
    std::promise<std::string> changed;
    const Subscription subscription =
        client.subscribe_resources({"weather://today"}, [&](const std::string& uri) { changed.set_value(uri); });
    weather.resource_updated("weather://today");
    BOOST_TEST(changed.get_future().get() == "weather://today");
    BOOST_TEST(complete_template(client, "weather://of/{city}", "city", "").values.at(0) == "Rome");
  }
}

BOOST_FIXTURE_TEST_CASE(names_that_are_taken_are_refused_and_nothing_is_mounted, Fixture) {
  add_tool(main, "weather_now", "mine");
  BOOST_TEST(refusal_of([&] { main.mount("weather", weather); }) ==
             "mount \"weather\": tool \"weather_now\": there is one of this name already");
  main.remove_tool("weather_now");
  main.resource({.uri = "weather://today"}, [] { return "mine"; });
  BOOST_TEST(refusal_of([&] { main.mount("weather", weather); }) ==
             "mount \"weather\": resource \"weather://today\": there is one of this name already");
  testing::Client client(main);
  BOOST_TEST(client.list_tools().size() == 1u);
  BOOST_TEST(list_resources(client).size() == 1u);
  BOOST_CHECK_THROW(client.list_prompts(), ProtocolError);                 // it has none
  weather.around_call([](CallRequest&, Context&, Next next) { next(); });  // it is not mounted after all
}

BOOST_FIXTURE_TEST_CASE(a_name_that_is_taken_later_is_left_out_until_it_is_free, Fixture) {
  main.mount("weather", weather);
  add_tool(main, "weather_soon", "mine");
  add_tool(weather, "soon", "theirs");
  add_tool(weather, "other", "theirs");
  testing::Client client(main);
  BOOST_TEST(client.call("weather_soon").text() == "mine");
  BOOST_TEST(client.call("weather_other").text() == "theirs");
  weather.remove_tool("soon");
  BOOST_TEST(client.call("weather_soon").text() == "mine");
  add_tool(weather, "soon", "theirs");
  main.remove_tool("weather_soon");
  add_tool(weather, "more", "theirs");
  BOOST_TEST(client.call("weather_soon").text() == "theirs");
}

BOOST_FIXTURE_TEST_CASE(what_was_left_out_comes_as_soon_as_its_name_is_free, Fixture) {
  main.mount("weather", weather);
  Server outer({.name = "outer", .version = "1"});
  outer.mount("main", main);
  add_tool(main, "weather_soon", "mine");
  main.prompt("weather_say", "Mine", [] { return "mine"; });
  main.resource({.uri = "weather://soon"}, [] { return "mine"; });
  main.resource_template({.uri_template = "weather://in/{city}"}, [](const City&) { return "mine"; });
  add_tool(weather, "soon", "theirs");
  weather.prompt("say", "Theirs", [] { return "theirs"; });
  weather.resource({.uri = "weather://soon"}, [] { return "theirs"; });
  weather.resource_template({.uri_template = "weather://in/{city}"}, [](const City&) { return "theirs"; });
  HeardClient heard(main, "2026-07-28");
  testing::Client client(main);
  BOOST_TEST(client.call("weather_soon").text() == "mine");
  main.remove_tool("weather_soon");
  main.remove_prompt("weather_say");
  main.remove_resource("weather://soon");
  BOOST_TEST(client.call("weather_soon").text() == "theirs");
  BOOST_TEST(to_json_text(client.get_prompt("weather_say").raw).find("theirs") != std::string::npos);
  BOOST_TEST(read_resource(client, "weather://soon").at(0).contents == "theirs");
  BOOST_TEST(read_resource(client, "weather://in/Rome").at(0).contents == "mine");
  main.remove_resource_template("weather://in/{city}");
  BOOST_TEST(read_resource(client, "weather://in/Rome").at(0).contents == "theirs");
  BOOST_TEST(heard.told("tools") == 1u);
  BOOST_TEST(heard.told("prompts") == 1u);
  BOOST_TEST(heard.told("resources") == 2u);
  testing::Client far(outer);
  BOOST_TEST(far.call("main_weather_soon").text() == "theirs");

  weather.remove_tool("soon");  // and all of it again, with the functions that change several
  add_tool(main, "weather_soon", "mine");
  add_tool(weather, "soon", "theirs");
  main.change_tools({.remove = {"weather_soon"}});
  BOOST_TEST(client.call("weather_soon").text() == "theirs");
  BOOST_TEST(far.call("main_weather_soon").text() == "theirs");
}

BOOST_FIXTURE_TEST_CASE(of_two_that_are_mounted_alike_the_second_comes_when_the_first_goes, Fixture) {
  Server other({.name = "other", .version = "1"});
  main.mount("weather", weather);
  main.mount("weather", other);
  Server outer({.name = "outer", .version = "1"});
  outer.mount("main", main);
  add_tool(weather, "soon", "first");
  add_tool(other, "soon", "second");
  testing::Client client(main);
  BOOST_TEST(client.call("weather_soon").text() == "first");
  weather.remove_tool("soon");
  BOOST_TEST(client.call("weather_soon").text() == "second");
  testing::Client far(outer);
  BOOST_TEST(far.call("main_weather_soon").text() == "second");
  add_tool(weather, "soon", "first");
  BOOST_TEST(client.call("weather_soon").text() == "second");
  other.change_tools({.remove = {"soon"}});
  BOOST_TEST(client.call("weather_soon").text() == "first");
  add_tool(main, "weather_own", "mine");
  main.remove_tool("weather_own");  // frees nothing that anybody waits for
  BOOST_TEST(client.call("weather_soon").text() == "first");
}

BOOST_FIXTURE_TEST_CASE(names_are_freed_and_taken_from_many_threads, Fixture) {
  Server other({.name = "other", .version = "1"});
  main.mount("weather", weather);
  main.mount("weather", other);
  std::vector<std::thread> threads;
  for (Server* const server : {&weather, &other, &main}) {
    threads.emplace_back([&, server] {
      const std::string name = server == &main ? "weather_soon" : "soon";
      for (int i = 0; i < 100; ++i) {
        try {
          add_tool(*server, name, "x");
        } catch (const std::invalid_argument&) {  // one that is mounted has it
          continue;
        }
        server->remove_tool(name);
        if (server == &main) {
          Server outer({.name = "outer", .version = "1"});
          outer.mount("weather", weather);
          outer.mount("other", other);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  add_tool(other, "soon", "theirs");
  testing::Client client(main);
  BOOST_TEST(client.call("weather_soon").text() == "theirs");
}

BOOST_FIXTURE_TEST_CASE(what_was_removed_here_stays_away, Fixture) {
  main.mount("weather", weather);
  BOOST_TEST(main.remove_tool("weather_now"));
  add_tool(main, "weather_now", "mine");
  add_tool(weather, "more", "theirs");
  weather.remove_tool("now");
  testing::Client client(main);
  BOOST_TEST(client.call("weather_now").text() == "mine");
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_mounted_is_refused, Fixture) {
  BOOST_TEST(refusal_of([&] { main.mount("", weather); }).starts_with("mount \"\": a prefix is made of"));
  BOOST_TEST(refusal_of([&] { main.mount("a b", weather); }).starts_with("mount \"a b\": a prefix is made of"));
  BOOST_TEST(refusal_of([&] { main.mount(std::string(126, 'a'), weather); }).find("1 to 128") != std::string::npos);
  BOOST_TEST(refusal_of([&] { main.mount("self", main); }) == "mount \"self\": the server would be mounted in itself");
  Server outer({.name = "outer", .version = "1"});
  outer.mount("main", main);
  main.mount("weather", weather);
  BOOST_TEST(refusal_of([&] { weather.mount("outer", outer); }) ==
             "mount \"outer\": the server would be mounted in itself");
  testing::Client client(outer);
  BOOST_TEST(client.call("main_weather_now", {{"city", "Rome"}}).text() == "rain in Rome");
  add_tool(weather, "soon", "sun");
  BOOST_TEST(client.call("main_weather_soon").text() == "sun");
}

BOOST_FIXTURE_TEST_CASE(what_would_not_count_is_refused, Fixture) {
  const auto refused = [&](ServerOptions options) {
    Server other({.name = "other", .version = "1"}, std::move(options));
    return refusal_of([&] { main.mount("other", other); });
  };
  ServerOptions options;
  options.executor = [](std::function<void()> run) { run(); };
  BOOST_TEST(refused(options).starts_with("mount \"other\": the other server's option executor would not count"));
  options = {};
  options.on_exception = [](std::exception_ptr) { return ToolResult(); };
  BOOST_TEST(refused(options).find("option on_exception") != std::string::npos);
  options = {};
  options.identify = [](const UnidentifiedRequest&, Done<Principal> done) { done(std::string("ann")); };
  BOOST_TEST(refused(options).find("option identify") != std::string::npos);
  options = {};
  options.kept_output = 1000;
  BOOST_TEST(refused(options).find("option kept_output") != std::string::npos);

  Server guarded({.name = "guarded", .version = "1"});
  guarded.around_call([](CallRequest&, Context&, Next next) { next.answer(ToolResult::error("no")); });
  BOOST_TEST(refusal_of([&] { main.mount("guarded", guarded); }).find("middleware would not stand around") !=
             std::string::npos);
  Server watched({.name = "watched", .version = "1"});
  watched.on_refused_call([](const CallRequest&, Context&, const ToolResult&) {});
  BOOST_TEST(refusal_of([&] { main.mount("watched", watched); }).find("would not stand around") != std::string::npos);
  main.mount("weather", weather);
  BOOST_TEST(refusal_of([&] {
               weather.around_call([](CallRequest&, Context&, Next next) { next(); });
             }).starts_with("logic error: the server is mounted in another one"));
  BOOST_TEST(refusal_of([&] {
               weather.on_refused_call([](const CallRequest&, Context&, const ToolResult&) {});
             }).starts_with("logic error: the server is mounted in another one"));
}

BOOST_FIXTURE_TEST_CASE(either_server_may_go_first, Fixture) {
  auto other = std::make_unique<Server>(ServerInfo{.name = "other", .version = "1"});
  add_tool(*other, "greet", "hello");
  main.mount("other", *other);
  testing::Client client(main);
  other.reset();
  BOOST_TEST(client.call("other_greet").text() == "hello");
  {
    Server outer({.name = "outer", .version = "1"});
    outer.mount("weather", weather);
  }
  add_tool(weather, "soon", "sun");  // tells nobody who has gone
  weather.around_call([](CallRequest&, Context&, Next next) { next(); });
  testing::Client own(weather);
  BOOST_TEST(own.call("soon").text() == "sun");
}

BOOST_FIXTURE_TEST_CASE(a_function_is_the_same_one_and_serial_tools_stay_so, Fixture) {
  weather.tool({.name = "count", .serial = true}, [counted = 0]() mutable { return ++counted; });
  main.mount("weather", weather);
  testing::Client client(main);
  testing::Client own(weather);
  BOOST_TEST(client.call("weather_count").text() == "1");
  BOOST_TEST(own.call("count").text() == "2");
  BOOST_TEST(client.call("weather_count").text() == "3");

  std::atomic<int> at_once{0};
  std::atomic<int> most{0};
  weather.tool({.name = "alone", .serial = true}, [&] {
    if (++at_once > 1) ++most;
    std::this_thread::yield();
    --at_once;
  });
  std::vector<CallHandle> calls;
  for (int i = 0; i < 50; ++i) {
    calls.push_back(client.start_call("weather_alone"));
    calls.push_back(own.start_call("alone"));
  }
  for (CallHandle& call : calls) call.wait();
  BOOST_TEST(most == 0);
}

BOOST_FIXTURE_TEST_CASE(a_predicate_and_a_budget_come_along, Fixture) {
  Server other({.name = "other", .version = "1"}, {.output_budget = OutputBudget{.lines = 2, .bytes = 100}});
  other.tool({.name = "hidden", .visible = [](Context&) { return false; }}, [] { return 1; });
  add_tool(other, "long", "1\n2\n3\n4\n");
  main.mount("other", other);
  HeardClient heard(main, "2026-07-28");
  BOOST_TEST(heard.client().list_tools().size() == 2u);
  BOOST_TEST(heard.client().call("other_long").text().find("3\n") == std::string::npos);
  other.visibility_changed();
  BOOST_TEST(heard.told("tools") == 1u);
}

BOOST_FIXTURE_TEST_CASE(changes_from_many_threads_end_with_the_same_on_both_sides, Fixture) {
  main.mount("weather", weather);
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([&, number] {
      for (int i = 0; i < 50; ++i) {
        const std::string name = "t" + std::to_string(number);
        add_tool(weather, name, "x");
        if (i % 2 == 0) add_tool(main, "own" + name + std::to_string(i), "x");
        if (i < 49) weather.remove_tool(name);
        if (number == 0) {
          Server outer({.name = "outer", .version = "1"});
          outer.mount("weather", weather);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  testing::Client client(main);
  for (const char* const name : {"t0", "t1", "t2", "t3"}) {
    BOOST_TEST(client.call("weather_" + std::string(name)).text() == "x");
  }
  BOOST_TEST(client.list_tools().size() == 2u + 4u + 4u * 25u);
}
