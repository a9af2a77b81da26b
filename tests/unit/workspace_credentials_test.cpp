// Credentials in files whose names are harmless: masked wherever text is shown, and found by no search and no edit.
#include "workspace/text/credentials.hpp"

#define BOOST_TEST_MODULE workspace_credentials_test
#include <fcntl.h>

#include <boost/test/unit_test.hpp>
#include <string>
#include <toolwire/error.hpp>

#include "file_content.hpp"
#include "scratch_folder.hpp"
#include "workspace/changes/writer.hpp"
#include "workspace/reading/file_parts.hpp"
#include "workspace/search/report.hpp"

using namespace workspace;

namespace {

const std::string token = "ghp_0123456789abcdefABCDEF";
const std::string config =
    "[remote \"origin\"]\n\turl = https://bot:" + token + "@example.com/a.git\n\tfetch = +refs\n";

struct Tree {
  toolwire_test::ScratchFolder folder;
  Root root = Root::at(folder.text(), Secrets::left_out);
  Roots roots{Root::at(folder.text(), Secrets::left_out)};

  FileDescriptor open(const std::string& content) const {
    return FileDescriptor{::open(folder.file("f", content).c_str(), O_RDONLY | O_CLOEXEC)};
  }
  std::string search(const SearchRequest& request) const { return workspace::search(roots, request, {}, {}).text; }
  std::string edit(const std::string& from, const std::string& to, bool dry_run = false) const {
    try {
      const Changed changed = edit_file({&root, "f", ""}, {.edits = {{from, to}}, .dry_run = dry_run}, {});
      return changed.diff.value_or("");
    } catch (const toolwire::ToolError& error) {
      return error.what();
    }
  }
};

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string in_utf16(const std::string& text) {
  std::string wide = "\xFF\xFE";
  for (const char c : text) wide.append({c, '\0'});
  return wide;
}

}  // namespace

BOOST_AUTO_TEST_CASE(credentials_are_masked_byte_by_byte) {
  for (const std::string text :
       {"https://me:hunter2@host/x", "https://ghp_abcdef@github.com/a", "http://me:p@ss:w0rd@host",
        "postgres://app:s3cret@db/x", "redis://:s3cret@host", "https:\\/\\/me:hunter2@host",
        "amqp+ssl://me:hunter2@host", "mongodb+srv://me:x1@host", "https://x-access-token:ghs_1@host",
        "https://ghp_abcdef:x-oauth-basic@host", "https://user:hunter2@host"}) {
    const std::string masked = with_masked_credentials(text);
    BOOST_TEST(masked.size() == text.size());
    BOOST_TEST(masked.substr(masked.rfind('@')) == text.substr(text.rfind('@')));
    BOOST_TEST(has(masked, "/*"), text << " is " << masked);
    BOOST_TEST(!has(masked, ":h"), masked);
  }
  BOOST_TEST(with_masked_credentials("extraheader = AUTHORIZATION: basic eDp5\n") ==
             "extraheader = AUTHORIZATION: basic ****\n");
  BOOST_TEST(with_masked_credentials("{\"Authorization\": \"Bearer abc.def\"}") ==
             "{\"Authorization\": \"Bearer *******\"}");
  BOOST_TEST(with_masked_credentials("a://b:c1@d e://f:g2@h") == "a://****@d e://****@h");
}

BOOST_AUTO_TEST_CASE(what_only_looks_like_credentials_stays) {
  for (const std::string text :
       {"https://example.com/a@b", "ssh://git@example.com/a.git", "git@example.com:a.git", "std::string a; // x@y",
        "https://${USER}:${PASSWORD}@host", "https://user:password@host", "https://<user>:<password>@host",
        "postgres://$USER:$PASS@host", "https://{user}@host", "https://***:***@host", "http://host:80/?to=me@x.org",
        "see https://x.org or mail me@x.org", "file:///a@b", "Authorization: Bearer <token>",
        "Authorization: Bearer ${TOKEN}", "authorization is needed", "https://user@host",
        "\"http://host:80\", \"me@x.org\""})
    BOOST_TEST(with_masked_credentials(text) == text);
}

BOOST_FIXTURE_TEST_CASE(no_part_of_a_file_shows_them, Tree) {
  const FileDescriptor file = open(config);
  const std::size_t at = config.find(token);
  BOOST_TEST(has(file_text(file.get(), {}, {}).lines, "url = https://****"));
  BOOST_TEST(!has(file_text(file.get(), {}, {}).text, token));
  BOOST_TEST(!has(file_tail(file.get(), {3}, {}).text, token));
  for (std::uint64_t column = 1; column < 60; ++column)
    BOOST_TEST(!has(file_text(file.get(), {.offset = 2, .column = column}, {}).text, "cdefABCDEF"), column);
  for (std::size_t from = 0; from < at + 20; ++from)
    BOOST_TEST(!has(file_bytes_text(file.get(), from, 20).text, token.substr(from > at ? from - at : 0, 6)), from);
  BOOST_TEST(has(file_text(file.get(), {}, {}, {}, Secrets::shown).text, token));
  const FileDescriptor wide = open(in_utf16(config));
  BOOST_TEST(has(file_text(wide.get(), {}, {}).lines, "url = https://****"));
  BOOST_CHECK_THROW(file_bytes_text(wide.get(), 0, 100), toolwire::ToolError);
}

BOOST_FIXTURE_TEST_CASE(they_are_masked_in_the_middle_of_a_long_line_too, Tree) {
  const std::string url = "https://bot:" + token + "@example.com ";
  std::string line;
  while (line.size() < 200'000) line += url;
  const FileDescriptor file = open(line);
  LineRange range;
  std::string all;
  while (true) {
    const FileText part = file_text(file.get(), range, {});
    all += part.lines;
    if (!part.next_column) break;
    range.column = *part.next_column;
  }
  BOOST_TEST(all.size() == line.size());
  BOOST_TEST(!has(all, "ghp_"));
}

BOOST_FIXTURE_TEST_CASE(a_search_across_lines_neither_shows_nor_finds_them, Tree) {
  folder.file("f", config);
  BOOST_TEST(has(search({.pattern = "(?s)url.*fetch", .multiline = true}), "https://****"));
  BOOST_TEST(!has(search({.pattern = "(?s)url.*fetch", .multiline = true}), token));
  for (const char* pattern : {"ghp_", "(?s)ghp_.*fetch", "(?s)bot:.*", "url[^#]*ghp_"})
    BOOST_TEST(has(search({.pattern = pattern, .multiline = true}), "No match"), pattern);
}

BOOST_FIXTURE_TEST_CASE(a_search_neither_shows_nor_finds_them, Tree) {
  folder.file("f", config);
  BOOST_TEST(has(search({.pattern = "url"}), "https://****"));
  BOOST_TEST(!has(search({.pattern = "fetch", .before = 3, .after = 3}), token));
  for (const char* pattern : {"ghp_", "ghp_0[0-9]", "bot:", "://b"})
    for (const SearchOutput output : {SearchOutput::lines, SearchOutput::files, SearchOutput::count})
      BOOST_TEST(has(search({.pattern = pattern, .output = output}), "No match"), pattern);
}

BOOST_FIXTURE_TEST_CASE(an_edit_beside_them_keeps_them_and_shows_nothing, Tree) {
  folder.file("f", config);
  BOOST_TEST(!has(edit("+refs", "+heads"), token));
  BOOST_TEST(has(toolwire_test::content_of(folder / "f"), token));
  BOOST_TEST(has(toolwire_test::content_of(folder / "f"), "+heads"));
  BOOST_TEST(has(edit("bot:ghp_0", "x", true), "not in the file"));
  BOOST_TEST(!has(edit("url = https://bot:ghp_9", "x", true), token));
  BOOST_TEST(has(edit("**@example.com", "x"), "only shown as ***"));
}

BOOST_FIXTURE_TEST_CASE(what_was_read_masked_is_not_written_back, Tree) {
  folder.file("f", config);
  const WriteRequest back{.content = with_masked_credentials(config), .overwrite = true};
  BOOST_CHECK_THROW(write_file({&root, "f", ""}, back, {}), toolwire::ToolError);
  BOOST_TEST(toolwire_test::content_of(folder / "f") == config);
}
