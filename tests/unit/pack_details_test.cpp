#include "pack/details.hpp"

#define BOOST_TEST_MODULE pack_details_test
#include <boost/test/unit_test.hpp>

#include <string>

#include "install/request.hpp"

using namespace toolwire::pack;
using toolwire::install::Misuse;
using toolwire::install::ServerReport;

namespace {

const ServerReport talkative{
    .name = "notes", .version = "1.2.3", .title = "Notes", .description = "Keeps notes", .revision = "2025-11-25"};

Package filled(const GivenDetails& given, const ServerReport& server, bool needs_author = true) {
  Package package;
  fill_details(package, given, server, needs_author);
  return package;
}

std::string mistake_in(const GivenDetails& given, const ServerReport& server) {
  try {
    filled(given, server);
    return "";
  } catch (const Misuse& error) {
    return error.what();
  }
}

const GivenDetails least{.name = "io.github.me/Notes", .author = "Me"};

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_not_given_is_what_the_server_says) {
  const Package package = filled(least, talkative);
  BOOST_TEST(package.name == "io.github.me/Notes");
  BOOST_TEST(package.short_name == "Notes");
  BOOST_TEST(package.npm_name == "notes");  // npm takes no capitals
  BOOST_TEST(package.version == "1.2.3");
  BOOST_TEST(package.title == "Notes");
  BOOST_TEST(package.description == "Keeps notes");
}

BOOST_AUTO_TEST_CASE(what_is_given_goes_before_what_the_server_says) {
  GivenDetails given = least;
  given.version = "2.0.0";
  given.title = "Better notes";
  given.description = "Keeps more notes";
  given.npm_name = "@me/notes";
  const Package package = filled(given, talkative);
  BOOST_TEST(package.version == "2.0.0");
  BOOST_TEST(package.title == "Better notes");
  BOOST_TEST(package.description == "Keeps more notes");
  BOOST_TEST(package.npm_name == "@me/notes");
}

BOOST_AUTO_TEST_CASE(what_packages_cannot_have_of_the_server_is_asked_for) {
  ServerReport server = talkative;
  server.version = "v1.2";
  BOOST_TEST(mistake_in(least, server) ==
             "--version: expected one such as 1.2.3 (semver.org), for the server says \"v1.2\"");
  server = talkative;
  server.title = "Notes\nof all kinds";
  BOOST_TEST(mistake_in(least, server) ==
             "--title: is needed, for what the server says of itself does not fit: expected one line without hidden "
             "characters");
  server = talkative;
  server.description = std::string(101, 'd');
  BOOST_TEST(mistake_in(least, server) ==
             "--description: is needed, for what the server says of itself does not fit: expected at most 100 "
             "characters, found 101");
  GivenDetails given = least;
  given.description = "Keeps notes";
  BOOST_TEST(mistake_in(given, server).empty());
}

BOOST_AUTO_TEST_CASE(what_nobody_says_is_asked_for_by_its_option) {
  const ServerReport silent{.name = "notes"};
  BOOST_TEST(mistake_in(least, silent).starts_with("--version: expected the version of the server, such as 1.2.3"));
  GivenDetails given = least;
  given.version = "1.0.0";
  BOOST_TEST(mistake_in(given, silent).starts_with("--description: expected what the server does"));
  given.description = "Keeps notes";
  BOOST_TEST(mistake_in(given, silent).empty());
  given.author = "";
  BOOST_TEST(mistake_in(given, silent).starts_with("--author: expected who has made the server"));
  BOOST_CHECK_NO_THROW(filled(given, silent, false));
}

BOOST_AUTO_TEST_CASE(characters_are_counted_and_not_bytes) {
  GivenDetails given = least;
  for (int i = 0; i < 100; ++i) given.description += "ü";
  BOOST_CHECK_NO_THROW(require_good_details(given));
  given.description += "ü";
  BOOST_CHECK_THROW(require_good_details(given), Misuse);
}

BOOST_AUTO_TEST_CASE(addresses_of_bundles_are_those_the_registry_takes) {
  const auto is_taken = [](const std::string& url) {
    GivenDetails given = least;
    given.bundle_url = url;
    try {
      require_good_details(given);
      return true;
    } catch (const Misuse&) {
      return false;
    }
  };
  for (const char* const good : {"https://github.com/me/notes/releases/download/v1/notes.mcpb",
                                 "https://gitlab.com/group/part/notes/-/releases/v1/downloads/notes.mcpb",
                                 "https://gitlab.com/me/mcp-notes/-/package_files/17/download"})
    BOOST_TEST(is_taken(good), good);
  for (const char* const bad :
       {"http://github.com/me/notes/releases/download/v1/notes.mcpb", "https://github.com/me/notes/raw/main/notes.mcpb",
        "https://github.com/me/notes/releases/download/v1/notes.zip",
        "https://github.com.evil.example/me/notes/releases/download/v1/notes.mcpb",
        "https://github.com/me/notes/releases/download/v1/a b.mcpb"})
    BOOST_TEST(!is_taken(bad), bad);
}
