// One test case for every transcript and revision it is replayed in, in a suite named after the revision.
#define BOOST_TEST_MODULE wire_test
#include <boost/test/unit_test.hpp>

#include <filesystem>

#include "message_schema.hpp"
#include "scratch_folder.hpp"
#include "transcript_suites.hpp"

namespace {

namespace ut = boost::unit_test;
using std::filesystem::path;

const bool transcripts_registered = toolwire_test::add_transcripts(toolwire_test::make_fixture_server);

}  // namespace

BOOST_AUTO_TEST_CASE(there_are_transcripts) {
  BOOST_TEST(transcripts_registered);
  BOOST_TEST(ut::framework::master_test_suite().size() >= 7u);
}

BOOST_AUTO_TEST_CASE(a_step_is_left_out_where_it_does_not_apply) {
  toolwire_test::ScratchFolder folder;
  const path file = folder.file("a.jsonl",
                                "{\"about\":\"<revision>\"}\n"
                                "{\"silence\":true,\"revisions\":[\"2025-06-18\"]}\n");
  BOOST_TEST(toolwire_test::steps_of({file, "2025-06-18"}).size() == 2u);
  const auto steps = toolwire_test::steps_of({file, "2025-11-25"});
  BOOST_REQUIRE(steps.size() == 1u);
  BOOST_TEST(steps[0].content.at("about") == "2025-11-25");
}

BOOST_AUTO_TEST_CASE(a_revision_there_is_not_is_an_error) {
  toolwire_test::ScratchFolder folder;
  const path file = folder.file("a.jsonl", "{\"silence\":true,\"revisions\":[\"2025-06-81\"]}\n");
  BOOST_CHECK_THROW(toolwire_test::steps_of({file, "2025-11-25"}), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(messages_of_the_wrong_shape_are_objected_to) {
  toolwire_test::MessageSchemas schemas("2025-11-25");
  if (!std::filesystem::exists(path(TOOLWIRE_SHARED_DIR) / "mcp-schemas")) return;
  schemas.sent(toolwire::parse_json(R"({"jsonrpc":"2.0","id":1,"method":"tools/call"})"));
  auto objection = [&](const char* line) { return schemas.objection(toolwire::parse_json(line)); };
  BOOST_TEST(objection(R"({"jsonrpc":"2.0","id":1,"result":{"content":[]}})") == "");
  BOOST_TEST(objection(R"({"jsonrpc":"2.0","id":1,"result":{"content":5}})") != "");
  BOOST_TEST(objection(R"({"jsonrpc":"2.0","id":1,"result":{}})") != "");
  BOOST_TEST(objection(R"({"jsonrpc":"2.0","id":2,"error":{"code":"x","message":"y"}})") != "");
  BOOST_TEST(objection(R"({"jsonrpc":"2.0","method":"notifications/unheard-of"})") != "");
}
