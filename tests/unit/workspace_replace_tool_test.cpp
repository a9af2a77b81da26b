#define BOOST_TEST_MODULE workspace_replace_tool_test
#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <iterator>
#include <string>
#include <toolwire/testing.hpp>

#include "scratch_folder.hpp"
#include "workspace/tools/tools.hpp"

using toolwire::CallResult;

namespace {

struct Session {
  Session() { workspace::add_tools(server, roots, {.write = true, .structured = true}); }

  CallResult call(std::string_view tool, const toolwire::JsonObject& arguments) { return client.call(tool, arguments); }
  CallResult replace(toolwire::JsonObject arguments, bool dry_run = false) {
    if (!dry_run) arguments["dryRun"] = false;
    return call("replace_text", arguments);
  }
  std::string content(const std::string& name) const {
    std::ifstream file(folder / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  toolwire_test::ScratchFolder folder;
  workspace::Roots roots{workspace::Root::at(folder.text(), workspace::Secrets::left_out)};
  toolwire::Server server{{.name = "workspace", .version = "1"}};
  toolwire::testing::Client client{server};
};

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_FIXTURE_TEST_CASE(without_being_told_to_it_only_shows_the_difference, Session) {
  folder.file("a.cpp", "old old\n");
  folder.file("b/c.cpp", "x old\n");
  folder.file("d.txt", "old\n");
  const CallResult shown = replace({{"pattern", "old"}, {"replacement", "new"}, {"type", "cpp"}}, true);
  BOOST_TEST(!shown.is_error, shown.text());
  BOOST_TEST(
      says(shown.text(), "Dry run, nothing was changed. 3 places in 2 files would be replaced:\na.cpp: 2\nb/c.cpp: 1"),
      shown.text());
  BOOST_TEST(says(shown.text(), "-old old\n+new new\n"));
  BOOST_TEST(says(shown.text(), "--- a/b/c.cpp"));
  BOOST_TEST(!shown.structured->at("changed").as_bool());
  BOOST_TEST(content("a.cpp") == "old old\n");
}

BOOST_FIXTURE_TEST_CASE(what_was_replaced_can_be_undone_file_by_file, Session) {
  folder.file("a", "old\n");
  folder.file("b", "old\r\nold\r\n");
  const CallResult done = replace({{"pattern", "(o)ld$"}, {"replacement", "$1n"}});
  BOOST_TEST(!done.is_error, done.text());
  BOOST_TEST(says(done.text(), "replaced 3 places in 2 files\na: 1; to undo: move {"), done.text());
  BOOST_TEST(content("a") == "on\n");
  BOOST_TEST(content("b") == "on\r\non\r\n");
  for (int i = 0; i < 2; ++i) {
    const std::string undo(done.structured->at("files").at(static_cast<std::size_t>(i)).at("undo").as_string());
    BOOST_TEST(!call("move", toolwire::parse_json(undo.substr(undo.find('{'))).as_object()).is_error);
  }
  BOOST_TEST(content("a") == "old\n");
  BOOST_TEST(content("b") == "old\r\nold\r\n");
}

BOOST_FIXTURE_TEST_CASE(files_for_which_an_answer_has_no_room_are_told_of, Session) {
  const std::string deep = std::string(120, 'd') + '/';
  for (int i = 100; i < 300; ++i) folder.file(deep + std::to_string(i), "old\n");
  const CallResult done = replace({{"pattern", "old"}, {"replacement", "new"}});
  BOOST_TEST(!done.is_error, done.text());
  BOOST_TEST(says(done.text(), "replaced 200 places in 200 files\n"));
  BOOST_TEST(says(done.text(), " further files were changed too, for which there is no room here; undo takes back all"),
             done.text());
  const CallResult undone = call("undo", {});
  BOOST_TEST(says(undone.text(), " further steps not shown.]"), undone.text());
  BOOST_TEST(content(deep + "299") == "old\n");
}

BOOST_FIXTURE_TEST_CASE(an_encoding_is_kept_and_one_that_cannot_hold_the_text_changes_nothing, Session) {
  folder.file("a", "caf\u00e9\n");
  folder.file("b", "caf\xE9\n");
  BOOST_TEST(!replace({{"pattern", "\u00e9"}, {"replacement", "\u00e8"}}).is_error);
  BOOST_TEST(content("a") == "caf\u00e8\n");
  BOOST_TEST(content("b") == "caf\xE8\n");
  const CallResult refused = replace({{"pattern", "\u00e8"}, {"replacement", "\u20ac"}});
  BOOST_TEST(refused.is_error);
  BOOST_TEST(says(refused.text(), "b is in iso-8859-1"), refused.text());
  BOOST_TEST(content("a") == "caf\u00e8\n");
}

BOOST_FIXTURE_TEST_CASE(what_another_server_is_writing_is_left_to_it, Session) {
  folder.file("a", "old\n");
  folder.file(".toolwire-123.tmp", "old\n");
  BOOST_TEST(says(replace({{"pattern", "old"}, {"replacement", "new"}}).text(), "replaced 1 place in 1 file\n"));
  BOOST_TEST(content(".toolwire-123.tmp") == "old\n");
}

BOOST_FIXTURE_TEST_CASE(a_file_that_cannot_be_changed_stops_all, Session) {
  folder.file("a", "old\n");
  folder.file("b", "old\n");
  BOOST_REQUIRE(::chmod((folder / "b").c_str(), 0444) == 0);
  BOOST_TEST(replace({{"pattern", "old"}, {"replacement", "new"}}).is_error);
  BOOST_TEST(content("a") == "old\n");
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_done_is_refused, Session) {
  folder.file("a", "url = https://anna:hidden123@git.example.net/x\n");
  for (const toolwire::JsonObject& arguments : {toolwire::JsonObject{{"pattern", "url.*"}, {"replacement", "x"}},
                                                {{"pattern", "("}, {"replacement", "x"}},
                                                {{"pattern", "url"}, {"replacement", "$1"}},
                                                {{"pattern", "url"}, {"replacement", "x"}, {"type", "no such"}},
                                                {{"pattern", "url"}, {"replacement", "x"}, {"path", "../x"}}}) {
    const CallResult result = replace(arguments);
    BOOST_TEST(result.is_error, result.text());
    BOOST_TEST(!says(result.text(), "hidden123"));
  }
  BOOST_TEST(says(replace({{"pattern", "hidden123"}, {"replacement", "x"}}).text(), "Nothing to replace"));
  BOOST_TEST(says(content("a"), "hidden123"));
  for (int i = 0; i < 201; ++i) folder.file("many/" + std::to_string(i), "x\n");
  const CallResult many = replace({{"pattern", "x"}, {"replacement", "y"}, {"path", "many"}});
  BOOST_TEST(many.is_error);
  BOOST_TEST(says(many.text(), "more than 200 files"));
  BOOST_TEST(content("many/0") == "x\n");
}
