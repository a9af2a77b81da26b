#include "install/status_line.hpp"

#define BOOST_TEST_MODULE status_line_test
#include <boost/test/unit_test.hpp>
#include <string>
#include <string_view>

namespace {

using toolwire::install::StatusLine;

/// All that a line has written until it was gone.
std::string written(bool is_shown, std::string_view text) {
  std::string all;
  {
    const StatusLine line(is_shown, text, [&all](std::string_view part) { all += part; });
  }
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_line_is_shown_and_erased) {
  BOOST_TEST(written(true, "starting hello") == "\r\x1b[Kstarting hello\r\x1b[K");
}

BOOST_AUTO_TEST_CASE(nothing_is_written_where_there_is_no_terminal) {
  BOOST_TEST(written(false, "starting hello").empty());
}

BOOST_AUTO_TEST_CASE(no_line_is_broken_by_the_terminal_or_controls_it) {
  const std::string text = written(true, "starting \x1b[2J" + std::string(500, 'x') + "\n");
  BOOST_TEST(text.size() < 100U);
  BOOST_TEST(text.find('\n') == std::string::npos);
  BOOST_TEST(text.find("\x1b[2J") == std::string::npos);
}
