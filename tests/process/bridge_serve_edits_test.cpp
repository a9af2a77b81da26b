// Files that are edited while `toolwire-bridge serve` runs.
#include <toolwire/client.hpp>

#define BOOST_TEST_MODULE bridge_serve_edits_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "serve_bench.hpp"

using namespace toolwire;
using namespace toolwire_test;
using namespace std::chrono_literals;
using Fixture = ServeFixture;

BOOST_FIXTURE_TEST_CASE(an_edit_takes_effect_on_the_same_connection, Fixture) {
  for (const std::string& revision : eras) {
    manifest = parse_json(seed_text());
    Client client(serve(), {.revision = revision});
    Counter changes;
    const Subscription subscription = client.subscribe_tools([&] { changes.count(); });
    put(manifest, "/tools/0/description", "Edited");
    const std::string fresh = folder.file("fresh", to_json_text(manifest)).string();
    std::filesystem::rename(fresh, path("tools.json"));  // as careful editors do
    BOOST_TEST(changes.reaches(1));
    BOOST_TEST(client.list_tools().at(0).description == "Edited");
  }
}

BOOST_FIXTURE_TEST_CASE(an_edit_that_cannot_be_used_leaves_what_was_and_says_why, Fixture) {
  manifest.at_pointer("/tools/0/metadata").as_object().erase("rate_limit_per_minute");
  Program program = serve();
  std::string errors;
  {
    Client client(program);
    Counter changes;
    const Subscription subscription = client.subscribe_tools([&] { changes.count(); });
    folder.file("tools.json", "{ not json");
    bind(R"j({"constant": {"result": {"run_id": "r-2"}}})j");  // seen not earlier than the edit before
    const auto limit = std::chrono::steady_clock::now() + 20s;
    const auto answer = [&] { return client.call("spawn_coding_agent", task).text(); };
    while (answer().find("r-2") == std::string::npos && std::chrono::steady_clock::now() < limit)
      std::this_thread::sleep_for(1ms);
    BOOST_TEST(answer().find("r-2") != std::string::npos);
    BOOST_TEST(client.list_tools().at(0).description == "Spawn a coding agent to execute a software engineering task");
    BOOST_TEST(changes.now() == 0);  // another Activity is no other description
    put(manifest, "/tools/0/description", "Good again");
    write_manifest();
    BOOST_TEST(changes.reaches(1));
    BOOST_TEST(client.list_tools().at(0).description == "Good again");
    client.process()->stop();
    errors = client.process()->error_tail();
  }
  BOOST_TEST(errors.find("tools.json") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_edited_tool_of_a_runtime_is_told_and_listed_on_the_same_connection) {
  const ScratchFolder folder;
  const auto write = [&](const std::string& name, const std::string& description) {
    return folder.file("tools/" + name + ".py", "def tool_info():\n    return {'name': '" + name +
                                                    "', 'description': '" + description +
                                                    "', 'input_schema': {'type': 'object'}}\n"
                                                    "def tool_function():\n    return '" +
                                                    description + "'\n");
  };
  const std::filesystem::path first = write("first", "as it was");
  Program program{
      .command = {bridge_program, "serve", "--wait", "60", "--runtime", "mine=" + (folder / "tools").string()}};
  program.environment["XDG_STATE_HOME"] = folder.text();
  for (const std::string& revision : eras) {
    Client client(program, {.revision = revision});
    Counter changes;
    const Subscription subscription = client.subscribe_tools([&] { changes.count(); });
    const auto description_of = [&](std::size_t index) { return client.list_tools().at(index).description; };
    BOOST_TEST(description_of(0) == "as it was");
    const auto time = std::filesystem::last_write_time(first);
    write("first", "as it is.");  // of the same size
    std::filesystem::last_write_time(first, time);
    BOOST_TEST(changes.reaches(1));
    BOOST_TEST(description_of(0) == "as it is.");
    BOOST_TEST(client.call("first").text() == "as it is.");
    write("second", "one more");
    BOOST_TEST(changes.reaches(2));
    BOOST_TEST(description_of(1) == "one more");
    std::filesystem::remove(folder / "tools/second.py");
    BOOST_TEST(changes.reaches(3));
    BOOST_TEST(client.list_tools().size() == 1U);
    write("first", "as it was");
    BOOST_TEST(changes.reaches(4));
  }
}
