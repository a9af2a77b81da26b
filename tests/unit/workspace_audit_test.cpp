#include "workspace/tools/audit.hpp"

#define BOOST_TEST_MODULE workspace_audit_test
#include <sys/resource.h>
#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <toolwire/testing.hpp>
#include <vector>

#include "scratch_folder.hpp"
#include "workspace/tools/tools.hpp"

using toolwire::Json;

namespace {

struct Session {
  toolwire_test::ScratchFolder folder;
  workspace::Roots roots{workspace::Root::at(folder.folder("top").string())};
  toolwire::Server server{{.name = "workspace", .version = "1"}};

  std::vector<Json> lines() const {
    std::vector<Json> all;
    std::ifstream file(folder / "audit");
    for (std::string line; std::getline(file, line);) all.push_back(toolwire::parse_json(line));
    return all;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(each_call_is_a_line_without_what_was_written, Session) {
  workspace::add_tools(server, roots, {.write = true});
  server.around_call(workspace::audit_to((folder / "audit").string()));
  toolwire::testing::Client client{server};
  client.call("write_file", toolwire::JsonObject{{"path", "f"}, {"content", "the words"}});
  client.call("edit_file", toolwire::JsonObject{{"path", "f"}, {"oldText", "no such"}, {"newText", "x"}});
  client.call("replace_text", toolwire::JsonObject{{"pattern", "words"}, {"replacement", "hidden"}});
  const std::vector<Json> all = lines();
  BOOST_REQUIRE(all.size() == 3U);
  BOOST_TEST(all[2].at("arguments").at("replacement").at("bytes").to_number<int>() == 6);
  BOOST_TEST(all[0].at("tool").as_string() == "write_file");
  BOOST_TEST(all[0].at("arguments").at("path").as_string() == "f");
  BOOST_TEST(all[0].at("arguments").at("content").at("bytes").to_number<int>() == 9);
  BOOST_TEST(all[0].at("outcome").as_string() == "ok");
  BOOST_TEST(all[1].at("outcome").as_string() == "error");
  BOOST_TEST(all[1].at("arguments").at("oldText").at("bytes").to_number<int>() == 7);
  struct stat status {};
  BOOST_REQUIRE(::stat((folder / "audit").c_str(), &status) == 0);
  BOOST_TEST((status.st_mode & 0777U) == 0600U);
}

BOOST_FIXTURE_TEST_CASE(
    a_line_that_was_cut_off_by_a_full_disk_spoils_no_other_and_a_file_that_was_moved_away_is_made_anew, Session) {
  workspace::add_tools(server, roots, {});
  server.around_call(workspace::audit_to((folder / "audit").string()));
  toolwire::testing::Client client{server};
  const auto call = [&](const char* path) { client.call("read_file", toolwire::JsonObject{{"path", path}}); };
  call("first");
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit usual{};
  BOOST_REQUIRE(::getrlimit(RLIMIT_FSIZE, &usual) == 0);
  const rlimit full{std::filesystem::file_size(folder / "audit") + 10, usual.rlim_max};
  BOOST_REQUIRE(::setrlimit(RLIMIT_FSIZE, &full) == 0);
  call("lost");
  ::setrlimit(RLIMIT_FSIZE, &usual);
  call("second");
  std::ifstream file(folder / "audit");
  std::vector<std::string> written;
  for (std::string line; std::getline(file, line);) written.push_back(line);
  BOOST_REQUIRE(written.size() == 3U);
  BOOST_TEST(written[1].size() == 10U);
  BOOST_TEST(toolwire::parse_json(written[2]).at("arguments").at("path").as_string() == "second");
  std::filesystem::rename(folder / "audit", folder / "audit.1");
  call("third");
  BOOST_REQUIRE(lines().size() == 1U);
  BOOST_TEST(lines()[0].at("arguments").at("path").as_string() == "third");
}

BOOST_FIXTURE_TEST_CASE(a_file_that_cannot_be_made_anew_is_written_to_where_it_is, Session) {
  workspace::add_tools(server, roots, {});
  server.around_call(workspace::audit_to((folder / "audit").string()));
  toolwire::testing::Client client{server};
  std::filesystem::rename(folder / "audit", folder / "audit.1");
  std::filesystem::create_directory(folder / "audit");
  client.call("read_file", toolwire::JsonObject{{"path", "moved"}});
  std::ifstream file(folder / "audit.1");
  std::string line;
  BOOST_REQUIRE(std::getline(file, line));
  BOOST_TEST(toolwire::parse_json(line).at("arguments").at("path").as_string() == "moved");
}

BOOST_FIXTURE_TEST_CASE(a_file_that_cannot_be_opened_is_an_error, Session) {
  BOOST_CHECK_THROW(workspace::audit_to((folder / "nothing/audit").string()), std::system_error);
}

BOOST_FIXTURE_TEST_CASE(a_choice_of_tools_is_just_those_and_must_make_sense, Session) {
  workspace::add_tools(server, roots, {.write = true, .only = {"move", "read_file"}});
  toolwire::testing::Client client{server};
  BOOST_TEST(client.list_tools().size() == 2U);
  toolwire::Server other{{.name = "workspace", .version = "1"}};
  BOOST_CHECK_THROW(workspace::add_tools(other, roots, {.only = {"move"}}), std::invalid_argument);
  BOOST_CHECK_THROW(workspace::add_tools(other, roots, {.only = {"remove"}}), std::invalid_argument);
}
