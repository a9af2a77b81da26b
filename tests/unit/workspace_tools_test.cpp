#include "workspace/tools/tools.hpp"

#define BOOST_TEST_MODULE workspace_tools_test
#include <boost/test/unit_test.hpp>
#include <map>
#include <string>
#include <string_view>
#include <toolwire/testing.hpp>
#include <toolwire/text.hpp>
#include <vector>

#include "misleading_texts.hpp"
#include "scratch_folder.hpp"

using toolwire::CallResult;
using toolwire::Json;
using workspace::Root;

namespace {

// A server with the tools on a folder, and a client of it.
struct Session {
  explicit Session(Root used) : roots(std::move(used)) { workspace::add_tools(server, roots, {.structured = true}); }
  explicit Session(bool write = false) : roots(Root::at(folder.text())) {
    workspace::add_tools(server, roots, {.write = write, .structured = true});
  }

  CallResult call(std::string_view tool, const toolwire::JsonObject& arguments) { return client.call(tool, arguments); }

  toolwire_test::ScratchFolder folder;
  workspace::Roots roots;
  toolwire::Server server{{.name = "workspace", .version = "1"}};
  toolwire::testing::Client client{server};
};

struct WritingSession : Session {
  WritingSession() : Session(true) {}
};

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_FIXTURE_TEST_CASE(tools_for_reading_are_listed_with_every_hint_stated, Session) {
  const auto tools = client.list_tools();
  BOOST_REQUIRE(tools.size() == 6U);
  for (const auto& tool : tools) {
    const toolwire::JsonObject hints = tool.raw.at("annotations").as_object();
    BOOST_TEST(hints.at("readOnlyHint").as_bool(), tool.name);
    BOOST_TEST(!hints.at("destructiveHint").as_bool(), tool.name);
    BOOST_TEST(hints.at("idempotentHint").as_bool(), tool.name);
    BOOST_TEST(!hints.at("openWorldHint").as_bool(), tool.name);
    BOOST_TEST(!tool.title.empty(), tool.name);
    BOOST_TEST(tool.description.size() < 2048U, tool.name);
    BOOST_TEST(!tool.input_schema.at("additionalProperties").as_bool(), tool.name);
    BOOST_TEST(tool.raw.at("outputSchema").at("type").as_string() == "object", tool.name);
  }
}

BOOST_FIXTURE_TEST_CASE(a_search_leads_to_a_read, Session) {
  folder.file("src/a.cpp", "one\nneedle\nthree\n");
  BOOST_TEST(call("list_files", {}).text() == "src/\nsrc/a.cpp");
  BOOST_TEST(call("search_text", {{"pattern", "need.e"}}).text() == "src/a.cpp:2: needle");
  const CallResult read = call("read_file", {{"path", "src/a.cpp"}, {"offset", 2}, {"limit", 1}});
  BOOST_TEST(!read.is_error);
  BOOST_TEST(read.text() == "needle\n[Lines 2 to 2 shown, more follow. Continue with offset 3.]");
}

BOOST_FIXTURE_TEST_CASE(what_hides_in_a_name_is_shown_and_the_name_is_taken_as_shown, WritingSession) {
  for (const toolwire::tests::MisleadingText& it : toolwire::tests::misleading_texts) {
    const std::string shown(it.visible);
    folder.file("d/" + std::string(it.bytes), "needle\n");
    const auto shows = [&](std::string_view tool, const toolwire::JsonObject& arguments, const std::string& part) {
      CallResult result = call(tool, arguments);
      const std::string whole = result.text() + toolwire::to_json_text(result.structured.value_or(Json()));
      BOOST_TEST_CONTEXT(it.what << ", " << tool << ": " << whole) {
        BOOST_TEST(!result.is_error);
        BOOST_TEST(says(result.text(), part));
        BOOST_TEST((toolwire::text::visible(whole, toolwire::text::lines) == whole));
      }
      return result;
    };
    const CallResult listed = shows("list_files", {{"path", "d"}}, "d/" + shown);
    BOOST_TEST(listed.structured->at("entries").at(0).at("path").as_string() == "d/" + shown, it.what);
    shows("find_files", {{"pattern", "*"}, {"path", "d"}}, "d/" + shown);
    const CallResult found = shows("search_text", {{"pattern", "needle"}, {"path", "d"}}, "d/" + shown + ":1: needle");
    BOOST_TEST(found.structured->at("matches").at(0).at("path").as_string() == "d/" + shown, it.what);
    shows("search_text", {{"pattern", "needle"}, {"output", "files"}, {"path", "d/" + shown}}, "d/" + shown);
    BOOST_TEST(call("list_files", {{"path", "d"}, {"cursor", "d/" + shown}}).text() == "[No more entries.]", it.what);
    BOOST_TEST(shows("read_file", {{"path", "d/" + shown}}, "needle").text() == "needle", it.what);
    shows("read_files", {{"paths", toolwire::JsonArray{"d/" + shown}}}, "==> d/" + shown + " <==\nneedle");
    shows("file_info", {{"path", "d/" + shown}}, "d/" + shown);
    BOOST_TEST(says(call("read_file", {{"path", shown}}).text(), shown), it.what);  // an error: it is not there
    shows("edit_file", {{"path", "d/" + shown}, {"oldText", "needle"}, {"newText", "pin"}}, "edited d/" + shown);
    const CallResult moved = shows("move", {{"from", "d/" + shown}, {"to", "e/" + shown}}, "moved d/" + shown);
    const std::string undo(moved.structured->at("undo").as_string());
    call("move", toolwire::parse_json(undo.substr(undo.find('{'))).as_object());
    BOOST_TEST(std::filesystem::exists(folder / "d" / it.bytes), it.what);
    shows("delete", {{"path", "d/" + shown}}, "deleted d/" + shown);
    BOOST_TEST(!std::filesystem::exists(folder / "d" / it.bytes), it.what);
  }
}

BOOST_FIXTURE_TEST_CASE(each_argument_reaches_its_part, Session) {
  folder.file("a.txt", "X.Y\nxzy\nx.y\n");
  folder.file("b.md", "x.y\n");
  folder.file("d/e/f", "0123456789");
  BOOST_TEST(call("search_text",
                  {{"pattern", "x.y"}, {"literal", true}, {"ignoreCase", true}, {"glob", "*.txt"}, {"limit", 1}})
                 .text()
                 .starts_with("a.txt:1: X.Y\n[More matches follow. Continue with cursor: a.txt:1"));
  BOOST_TEST(call("search_text", {{"pattern", "x.y"}, {"cursor", "a.txt:2"}}).text() == "a.txt:3: x.y\nb.md:1: x.y");
  BOOST_TEST(call("search_text", {{"pattern", "3"}, {"path", "d"}}).text() == "d/e/f:1: 0123456789");
  BOOST_TEST(call("list_files", {{"path", "d"}, {"depth", 1}}).text().starts_with("d/e/\n[At depth 1"));
  BOOST_TEST(call("list_files", {{"cursor", "b.md"}, {"depth", 3}}).text() == "d/\nd/e/\nd/e/f");
  BOOST_TEST(call("read_file", {{"path", "d/e/f"}, {"column", 8}}).text() == "789");
}

BOOST_FIXTURE_TEST_CASE(lines_are_read_with_their_numbers_if_wanted, Session) {
  folder.file("a", "one\ntwo\nthree\n");
  BOOST_TEST(call("read_file", {{"path", "a"}, {"offset", 2}, {"lineNumbers", true}}).text() == "2: two\n3: three");
  BOOST_TEST(call("read_file", {{"path", "a"}, {"tail", 2}, {"lineNumbers", true}})
                 .text()
                 .starts_with("2: two\n3: three\n[Lines 2 to 3 shown"));
  BOOST_TEST(call("read_file", {{"path", "a"}, {"tail", 9}, {"lineNumbers", true}}).text() ==
             "1: one\n2: two\n3: three");
  BOOST_TEST(call("read_file", {{"path", "a"}, {"byteOffset", 0}, {"lineNumbers", true}}).is_error);
  folder.file("b", std::string(60'000, '\n'));
  BOOST_TEST(call("read_file", {{"path", "b"}, {"tail", 2000}, {"lineNumbers", true}}).text().size() < 50 * 1024 + 300);
}

BOOST_FIXTURE_TEST_CASE(a_search_may_span_lines_and_show_what_follows, Session) {
  folder.file("a", "one\ntwo\nthree\nfour\n");
  BOOST_TEST(call("search_text", {{"pattern", "one\\s+two"}, {"multiline", true}, {"after", 1}}).text() ==
             "a:1: one\na:2: two\na-3- three");
  BOOST_TEST(call("search_text", {{"pattern", "two"}, {"context", 1}, {"after", 0}}).text() == "a-1- one\na:2: two");
}

BOOST_FIXTURE_TEST_CASE(names_and_types_narrow_listings_and_searches, Session) {
  for (const char* name : {"a.PY", "b.py", "build/c.py", "d.cpp", "e.txt"}) folder.file(name, "x\n");
  BOOST_TEST(call("find_files", {{"type", "py"}}).text() == "b.py\nbuild/c.py");
  BOOST_TEST(call("find_files", {{"pattern", "*.py,!build/"}, {"ignoreCase", true}}).text() == "a.PY\nb.py");
  BOOST_TEST(call("find_files", {{"pattern", "build/"}}).text() == "build/\nbuild/c.py");
  BOOST_TEST(call("list_files", {{"glob", "!*.py,!build"}}).text() == "a.PY\nd.cpp\ne.txt");
  BOOST_TEST(call("list_files", {{"type", "py"}}).text() == "b.py\nbuild/c.py");
  BOOST_TEST(call("list_files", {{"type", "py,cpp"}, {"glob", "!build"}, {"depth", 1}}).text() == "b.py\nd.cpp");
  BOOST_TEST(call("search_text", {{"pattern", "x"}, {"type", "cpp,py"}, {"output", "files"}}).text() ==
             "b.py\nbuild/c.py\nd.cpp");
  BOOST_TEST(call("search_text", {{"pattern", "x"}, {"glob", "*.py,!build"}, {"globIgnoreCase", true}}).text() ==
             "a.PY:1: x\nb.py:1: x");
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_done_is_an_error_the_model_reads, Session) {
  const std::vector<std::pair<std::string, toolwire::JsonObject>> calls{
      {"read_file", {}},
      {"read_file", {{"path", "/etc/passwd"}}},
      {"read_file", {{"path", "../x"}}},
      {"read_file", {{"path", "x"}, {"offset", 0}}},
      {"read_file", {{"path", "x"}, {"limit", 2001}}},
      {"read_file", {{"path", "a"}, {"tail", 1}, {"byteOffset", 0}}},
      {"find_files", {{"pattern", ""}}},
      {"file_info", {{"path", "nothing"}}},
      {"read_files", {{"paths", toolwire::JsonArray{}}}},
      {"read_file", {{"path", std::string("x\0y", 3)}}},
      {"list_files", {{"depth", 0}}},
      {"list_files", {{"path", 7}}},
      {"list_files", {{"type", "nothing of the kind"}}},
      {"search_text", {{"pattern", "("}}},
      {"search_text", {{"pattern", "x"}, {"glob", "["}}},
      {"search_text", {{"pattern", "x"}, {"type", "nothing of the kind"}}},
      {"search_text", {{"pattern", "x"}, {"unknown", 1}}}};
  for (const auto& [tool, arguments] : calls) {
    const CallResult result = call(tool, arguments);
    BOOST_TEST(result.is_error, result.text());
    BOOST_TEST(!result.text().empty());
  }
  BOOST_TEST(says(call("search_text", {{"pattern", "("}}).text(), "missing )"));
}

BOOST_FIXTURE_TEST_CASE(a_search_reports_progress, Session) {
  for (int i = 0; i < 300; ++i) folder.file("f" + std::to_string(i), "x\n");
  std::vector<double> reports;
  toolwire::CallOptions options;
  options.on_progress = [&](const toolwire::ProgressReport& report) { reports.push_back(report.progress); };
  client.call("search_text", toolwire::JsonObject{{"pattern", "y"}}, options);
  BOOST_TEST(reports == std::vector<double>{256});
}

BOOST_AUTO_TEST_CASE(without_a_usable_root_the_tools_are_listed_and_say_what_is_wrong) {
  Session session{Root::at("/nowhere/at/all")};
  BOOST_TEST(session.client.list_tools().size() == 6U);
  for (const auto& [tool, arguments] : std::map<std::string, toolwire::JsonObject>{
           {"read_file", {{"path", "x"}}}, {"list_files", {}}, {"search_text", {{"pattern", "x"}}}}) {
    const CallResult result = session.call(tool, arguments);
    BOOST_TEST(result.is_error);
    BOOST_TEST(says(result.text(), "--root DIR"), result.text());
  }
  BOOST_TEST(says(workspace::instructions(session.roots, {}), "--root DIR"));
}

BOOST_FIXTURE_TEST_CASE(the_instructions_name_the_root_and_what_is_missing_to_write, Session) {
  BOOST_TEST(says(workspace::instructions(roots, {}), folder.text()));
  BOOST_TEST(says(workspace::instructions(roots, {}), "without --write"));
  BOOST_TEST(!says(workspace::instructions(roots, {.write = true}), "without --write"));
}

BOOST_FIXTURE_TEST_CASE(what_is_read_comes_as_text_and_as_values, Session) {
  folder.file("a.txt", "one\ntwo\n");
  const CallResult read = call("read_file", {{"path", "a.txt"}, {"limit", 1}});
  const toolwire::JsonObject values = read.structured->as_object();
  BOOST_TEST(values.at("text").as_string() == "one");
  BOOST_TEST(values.at("nextOffset").to_number<int>() == 2);
  BOOST_TEST(values.at("encoding").as_string() == "utf-8");
  BOOST_TEST(values.at("size").to_number<int>() == 8);
  const CallResult found = call("search_text", {{"pattern", "two"}});
  const toolwire::Json match = found.structured->at("matches").as_array().at(0);
  BOOST_TEST(match.at("path").as_string() == "a.txt");
  BOOST_TEST(match.at("line").to_number<int>() == 2);
  BOOST_TEST(match.at("text").as_string() == "two");
}

BOOST_FIXTURE_TEST_CASE(values_come_only_where_they_are_asked_for, Session) {
  folder.file("a.txt", "one\n");
  toolwire::Server other{{.name = "workspace", .version = "1"}};
  workspace::add_tools(other, roots, {.write = true});
  toolwire::testing::Client its_client{other};
  for (const auto& tool : its_client.list_tools())
    BOOST_TEST(!tool.raw.as_object().contains("outputSchema"), tool.name);
  for (const auto& [tool, arguments] : std::vector<std::pair<std::string, toolwire::JsonObject>>{
           {"read_file", {{"path", "a.txt"}}},
           {"list_files", {}},
           {"search_text", {{"pattern", "one"}}},
           {"edit_file", {{"path", "a.txt"}, {"oldText", "one"}, {"newText", "two"}}}}) {
    const CallResult result = its_client.call(tool, arguments);
    BOOST_TEST(!result.is_error, tool);
    BOOST_TEST(!result.structured.has_value(), tool);
    BOOST_TEST(!result.text().empty(), tool);
  }
}

BOOST_FIXTURE_TEST_CASE(errors_name_paths_as_they_were_given_where_there_are_several_roots, Session) {
  const toolwire_test::ScratchFolder elsewhere{toolwire_test::ScratchFolder::in_memory()};
  elsewhere.file(".env", "secret");
  const workspace::Roots both =
      workspace::Roots::from({"here=" + folder.text(), "there=" + elsewhere.text()}, workspace::Secrets::left_out);
  toolwire::Server other{{.name = "workspace", .version = "1"}};
  workspace::add_tools(other, both, {.write = true});
  toolwire::testing::Client its_client{other};
  for (const auto& [tool, path] : std::vector<std::pair<std::string, std::string>>{{"read_file", "there/nothing"},
                                                                                   {"read_file", "there/.env"},
                                                                                   {"file_info", "there/nothing"},
                                                                                   {"list_files", "there/nothing"},
                                                                                   {"delete", "there/a/nothing"},
                                                                                   {"delete", "there/.git/x"},
                                                                                   {"read_file", "there"}}) {
    const std::string text = its_client.call(tool, {{"path", path}}).text();
    BOOST_TEST((says(text, "path: " + path + ' ') || says(text, "path: \"" + path + "\" ")), text);
  }
}

BOOST_FIXTURE_TEST_CASE(images_are_image_content_and_binary_files_are_refused, Session) {
  folder.file("a.png", std::string("\x89PNG\r\n\x1A\n\0\0", 10));
  folder.file("b.bin", std::string("\x7f"
                                   "ELF\0\0\x01",
                                   7));
  const CallResult image = call("read_file", {{"path", "a.png"}});
  BOOST_TEST(image.text() == "image/png, 10 bytes");
  BOOST_TEST(image.structured->at("mimeType").as_string() == "image/png");
  BOOST_TEST(toolwire::to_json_text(image.raw).find("\"type\":\"image\"") != std::string::npos);
  BOOST_TEST(says(call("read_file", {{"path", "b.bin"}}).text(), "is binary (7 bytes)"));
  BOOST_TEST(call("read_file", {{"path", "b.bin"}, {"byteOffset", 0}}).text() ==
             "00000000  7f 45 4c 46 00 00 01                             .ELF...");
}

BOOST_FIXTURE_TEST_CASE(several_files_are_read_at_once_and_errors_stay_with_their_file, Session) {
  folder.file("a", "1\n2\n");
  folder.file("b", std::string(60'000, 'x') + '\n');
  folder.file("c", "3\n");
  const CallResult read = call("read_files", {{"paths", toolwire::JsonArray{"a", "nothing", "c"}}});
  BOOST_TEST(!read.is_error);
  BOOST_TEST(read.text().starts_with("==> a <==\n1\n2\n==> nothing <==\n[Not read: path: \"nothing\" does not exist"));
  BOOST_TEST(read.text().ends_with("==> c <==\n3"));
  const CallResult full = call("read_files", {{"paths", toolwire::JsonArray{"b", "c"}}});
  BOOST_TEST(says(full.text(), "[Not shown, as the answer is full: c."));
  BOOST_TEST(full.text().size() < 52'000U);
}

BOOST_FIXTURE_TEST_CASE(facts_of_a_file_are_told_without_its_content, Session) {
  folder.file("a.md", "caf\xE9\n");
  folder.link("a.md", "link");
  const toolwire::JsonObject facts = call("file_info", {{"path", "a.md"}}).structured->as_object();
  BOOST_TEST(facts.at("kind").as_string() == "file");
  BOOST_TEST(facts.at("size").to_number<int>() == 5);
  BOOST_TEST(facts.at("lines").to_number<int>() == 1);
  BOOST_TEST(facts.at("encoding").as_string() == "iso-8859-1");
  BOOST_TEST(facts.at("mimeType").as_string() == "text/markdown");
  BOOST_TEST(facts.at("hash").as_string().starts_with("sha256:"));
  BOOST_TEST(call("file_info", {{"path", "link"}}).structured->at("linkTarget").as_string() == "a.md");
  BOOST_TEST(call("read_file", {{"path", "a.md"}}).text() == "caf\u00e9");
}

BOOST_FIXTURE_TEST_CASE(directories_are_made_and_told_how_much_they_hold, WritingSession) {
  folder.file("d/a", "1234");
  folder.file("d/b/c", "567");
  folder.link("a", "d/link");
  const std::string facts = call("file_info", {{"path", "d"}}).text();
  BOOST_TEST(says(facts, "size: 7 bytes in 3 files and 1 directory\n"), facts);
  const CallResult made = call("create_directory", {{"path", "d/new/empty"}});
  BOOST_TEST(made.text() == "made the directory d/new/empty\n[To undo: delete {\"path\":\"d/new/empty\"}]");
  BOOST_TEST(says(call("list_files", {{"path", "d/new"}}).text(), "d/new/empty/"));
  BOOST_TEST(says(call("file_info", {{"path", "d/new/empty"}}).text(), "size: 0 bytes in 0 files and 0 directories\n"));
  BOOST_TEST(call("create_directory", {{"path", "d/new/empty"}}).text() ==
             "d/new/empty is there already, and a directory");
  BOOST_TEST(says(call("create_directory", {{"path", "d/a"}}).text(), "exists already and is a file"));
  BOOST_TEST(call("create_directory", {{"path", ".git/hooks"}}).is_error);
  BOOST_TEST(call("undo", {}).text() ==
             "undone:\ndeleted d/new/empty\nremoved the empty folder that was made for it, d/new");
  BOOST_TEST(!exists(folder / "d/new"));
  BOOST_TEST(says(call("delete", {{"path", "d/b"}}).text(), "deleted d/b"));
}
