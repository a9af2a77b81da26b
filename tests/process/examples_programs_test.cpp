// The longer programs of framework/examples: a database, an engine, a library that was there before, and servers in
// loops of a program. A case for each, named after its file.
#define BOOST_TEST_MODULE examples_programs_test
#include <boost/test/unit_test.hpp>

#include <future>
#include <string>
#include <string_view>
#include <toolwire/client.hpp>
#include <toolwire/json_members.hpp>
#include <utility>
#include <vector>

#include "examples.hpp"
#include "program_run.hpp"
#include "scratch_folder.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// A query that would go on for longer than anybody waits.
const std::string endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";

/// An SQLite file with a table `birds`, made by the server's own library: the example only reads.
std::string birds_in(const ScratchFolder& folder) {
  std::string file = folder.path() / "birds.db";
  const std::string script =
      "import sqlite3, sys\n"
      "with sqlite3.connect(sys.argv[1]) as file:\n"
      "  file.execute('CREATE TABLE birds(name, wings)')\n"
      "  file.executemany('INSERT INTO birds VALUES(?, ?)', [('wren', 2), ('kiwi', None), ('rook', 2)])\n";
  const ProgramRun run = run_program({.command = {"python3", "-c", script, file}});
  BOOST_REQUIRE_MESSAGE(run.status == 0, run.errors);
  return file;
}

/// What all servers in loops have: tools that run on its thread, while it goes on.
void check_loop(const std::string& name) {
  if (!has_example(name)) return;
  Client client(example(name));
  BOOST_TEST(client.call("is_on_loop").text() == "true");
  const std::string first = client.call("ticks").text();
  while (client.call("ticks").text() == first) continue;  // the test's own time limit ends it
  client.process()->close_input();
  BOOST_TEST(client.process()->wait().success());
}

}  // namespace

BOOST_AUTO_TEST_CASE(sqlite_server) {
  if (!has_example("sqlite_server")) return;
  const ScratchFolder folder;
  const std::string file = birds_in(folder);
  Client client(example("sqlite_server", {file}));

  const auto query = [&](const std::string& sql, int most) {
    return client.call("query", {{"sql", sql}, {"most", most}});
  };
  BOOST_TEST((query("SELECT name, wings FROM birds ORDER BY name", 2).structured ==
              Json{{"rows", {{{"name", "kiwi"}, {"wings", nullptr}}, {{"name", "rook"}, {"wings", "2"}}}},
                   {"has_more", true}}));
  BOOST_TEST((query("SELECT count(*) AS n FROM birds", 1).structured ==
              Json{{"rows", JsonArray{JsonObject{{"n", "3"}}}}, {"has_more", false}}));
  BOOST_TEST(contains(query("SELECT * FROM cats", 1).text(), "no such table: cats"));
  BOOST_TEST(contains(query("DELETE FROM birds", 1).text(), "readonly"));
  BOOST_TEST(query("ATTACH '" + file + "' AS other", 1).is_error);

  BOOST_TEST(contains(read_resource(client, "sqlite://schema").at(0).contents, "CREATE TABLE birds"));
  BOOST_TEST(contains(read_resource(client, "sqlite://table/birds").at(0).contents, "wren"));
  BOOST_CHECK_THROW(read_resource(client, "sqlite://table/a]b"), ProtocolError);
  using Values = std::vector<std::string>;
  BOOST_TEST((complete_template(client, "sqlite://table/{name}", "name", "b").values == Values{"birds"}));
  BOOST_TEST((complete_prompt(client, "explore", "table", "c").values == Values{}));
  BOOST_TEST(contains(to_json_text(client.get_prompt("explore", {{"table", "birds"}}).raw), "in the table birds"));
}

BOOST_AUTO_TEST_CASE(a_query_says_how_far_it_is_and_can_be_cancelled) {
  if (!has_example("sqlite_server")) return;
  const ScratchFolder folder;
  Client client(example("sqlite_server", {birds_in(folder)}));
  std::promise<void> begun;
  CallOptions options;
  options.on_progress = [&, first = true](const ProgressReport&) mutable {
    if (std::exchange(first, false)) begun.set_value();
  };
  CallHandle call = client.start_call("query", {{"sql", endless}, {"most", 1}}, options);
  begun.get_future().wait();
  call.cancel();
  BOOST_CHECK_THROW(call.wait(), CancelledError);
  BOOST_TEST(client.call("query", {{"sql", "SELECT 1"}, {"most", 1}}).is_error == false);
  client.process()->close_input();
  BOOST_TEST(client.process()->wait().success());  // which a query that went on would hold up, and end by a signal
}

BOOST_AUTO_TEST_CASE(engine_loop) {
  Client client(example("engine_loop"));
  client.call("put", {{"name", "scout"}, {"where", {{"x", 0}, {"y", 0}}}});
  BOOST_TEST((client.call("where", {{"name", "scout"}}).structured == Json{{"x", 0}, {"y", 0}}));
  CallHandle journey = client.start_call("go", {{"name", "scout"}, {"target", {{"x", 30}, {"y", 40}}}});
  client.call("put", {{"name", "other"}, {"where", {{"x", 1}, {"y", 1}}}});  // while the scout is on its way
  BOOST_TEST((journey.wait().structured == Json{{"x", 30}, {"y", 40}}));
  BOOST_TEST(
      contains(client.call("go", {{"name", "nobody"}, {"target", {{"x", 1}, {"y", 1}}}}).text(), "no unit nobody"));
  client.process()->close_input();
  BOOST_TEST(client.process()->wait().success());
}

BOOST_AUTO_TEST_CASE(wrapped_library) {
  Client client(example("wrapped_library"));
  const Json milk{{"name", "milk"}, {"storage", "cold"}, {"size", {{"width", 10}, {"height", 20}}}};
  BOOST_TEST(!client.call("add", {{"article", milk}, {"price", 99}}).is_error);
  BOOST_TEST((client.call("find", {{"name", "milk"}}).structured == milk));
  BOOST_TEST(client.call<long>("price_of", {{"name", "milk"}, {"count", 3}}) == 297);
  BOOST_TEST((client.call("kept", {{"storage", "cold"}}).structured == Json{{"result", JsonArray{milk}}}));

  const CallResult cheap = client.call("add", {{"article", milk}, {"price", -1}});
  BOOST_TEST((cheap.is_error && contains(cheap.text(), "price: a price of at least 0 cents")), cheap.text());
  const CallResult flat = client.call("add", {{"article", {{"name", "tarp"}, {"size", {{"width", 0}}}}}, {"price", 1}});
  BOOST_TEST(contains(flat.text(), "article.size.width: 0 is not between 1 and 500"), flat.text());
  BOOST_TEST(contains(flat.text(), "article.size.height: missing"), flat.text());
  const CallResult unknown = client.call("find", {{"name", "eggs"}});
  BOOST_TEST((unknown.is_error && unknown.text() == "no article is called eggs"), unknown.text());
}

BOOST_AUTO_TEST_CASE(pump_poll) { check_loop("pump_poll"); }

BOOST_AUTO_TEST_CASE(pump_glib) { check_loop("pump_glib"); }

BOOST_AUTO_TEST_CASE(pump_asio) { check_loop("pump_asio"); }

BOOST_AUTO_TEST_CASE(pump_qt) { check_loop("pump_qt"); }
