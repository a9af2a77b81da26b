#include "server/trace_lines.hpp"

#define BOOST_TEST_MODULE trace_lines_test
#include <boost/test/unit_test.hpp>
#include <toolwire/json.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

using toolwire::server::TraceLines;
using Direction = TraceLines::Direction;

namespace {

struct Described {
  TraceLines lines{100'000};
  std::string file = {};

  Described& in(double at, std::string_view bytes) { return add(Direction::in, at, bytes); }
  Described& out(double at, std::string_view bytes) { return add(Direction::out, at, bytes); }
  Described& add(Direction direction, double at, std::string_view bytes) {
    lines.add(file, direction, at, bytes);
    return *this;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_message_stands_there_as_it_was_sent_with_the_time_of_its_end) {
  Described trace;
  trace.in(0.25, "{\"id\" : 1.0").in(0.5, "}\r\n{}\n");
  BOOST_TEST(trace.file == "{\"in\":{\"id\" : 1.0},\"at\":0.500000}\n{\"in\":{},\"at\":0.500000}\n");
}

BOOST_AUTO_TEST_CASE(both_directions_are_cut_apart_by_themselves) {
  Described trace;
  trace.in(1, "[1").out(2, "[2").in(3, "]\n").out(4, "]\n");
  BOOST_TEST(trace.file == "{\"in\":[1],\"at\":3.000000}\n{\"out\":[2],\"at\":4.000000}\n");
}

BOOST_AUTO_TEST_CASE(a_line_that_is_no_json_is_kept_as_text) {
  Described trace;
  trace.in(0, "he said \"no\"\n").out(0, "oops\n");
  BOOST_TEST(trace.file ==
             "{\"raw\":\"he said \\\"no\\\"\",\"at\":0.000000}\n{\"out_text\":\"oops\",\"at\":0.000000}\n");
}

BOOST_AUTO_TEST_CASE(secrets_are_left_out_of_messages_and_of_text) {
  Described trace;
  trace.in(0, "{\"password\":\"hunter2\"}\n{\"password\":\"hunter2\"\n").out(0, "{\"token\":\"hunter2\"}\n");
  BOOST_TEST(trace.file.find("hunter2") == std::string::npos);
  BOOST_TEST(trace.file.find("{\"in\":{\"password\":\"(redacted)\"}") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(secrets_that_are_given_are_left_out_wherever_they_stand) {
  const std::vector<std::string> secrets{"two\nlines \"quoted\"", "hunter2-of-sam", "hunter2", "47110815"};
  TraceLines lines(100'000, secrets);
  std::string file;
  lines.add(file, Direction::out, 0,
            "{\"result\":{\"text\":\"it is hunter2-of-sam\",\"hunter2\":47110815}}\n"
            "{\"text\":\"a key: two\\nlines \\\"quoted\\\".\"}\n"
            "{\"text\":\"\\u0068unter2\"}\n"
            "{\"text\":\"{\\\"inner\\\":\\\"hunter2\\\"}\"}\n"
            "no JSON: hunter2\n");
  BOOST_TEST(file ==
             "{\"out\":{\"result\":{\"text\":\"it is (redacted)\",\"(redacted)\":\"(redacted)\"}},\"at\":0.000000}\n"
             "{\"out\":{\"text\":\"a key: (redacted).\"},\"at\":0.000000}\n"
             "{\"out\":{\"text\":\"(redacted)\"},\"at\":0.000000}\n"
             "{\"out\":{\"text\":\"{\\\"inner\\\":\\\"(redacted)\\\"}\"},\"at\":0.000000}\n"
             "{\"out_text\":\"no JSON: (redacted)\",\"at\":0.000000}\n");
}

BOOST_AUTO_TEST_CASE(no_part_of_a_secret_stands_where_a_line_was_cut) {
  const std::string secret = "hunter2-of-sam";
  const auto cut = [&](std::size_t before) {
    TraceLines lines(10, {secret});
    std::string file;
    lines.add(file, Direction::in, 0, std::string(before, 'x') + secret + std::string(200'000, 'x') + "\n[1]\n");
    return file.substr(0, file.find('\n'));
  };
  const std::string whole = cut(200'000);
  const auto kept = static_cast<std::size_t>(std::count(whole.begin(), whole.end(), 'x'));
  BOOST_TEST(cut(kept - secret.size()).find("xx(redacted)\"") != std::string::npos);
  for (std::size_t part = 1; part < secret.size(); ++part) {
    const std::string line = cut(kept - part);
    BOOST_TEST(line.find("xxh") == std::string::npos, line.substr(line.size() - 60));
    BOOST_TEST(std::count(line.begin(), line.end(), 'x') == static_cast<std::ptrdiff_t>(kept - part));
  }
}

BOOST_AUTO_TEST_CASE(no_part_of_a_secret_stands_where_the_connection_ended) {
  const std::string secret = "hunter2-of-sam";
  for (std::size_t part = 1; part <= secret.size(); ++part) {
    for (const char* const before : {"{\"params\":{\"text\":\"xx", "no JSON: xx"}) {
      TraceLines lines(1000, {secret});
      std::string file;
      lines.add(file, Direction::out, 0, before + secret.substr(0, part));
      lines.finish(file, 1);
      BOOST_TEST(file.starts_with("{\"out_text\":"));
      BOOST_TEST(file.find(part == secret.size() ? "xx(redacted)\"" : "xx\"") != std::string::npos, file);
    }
  }
  TraceLines lines(1000, {secret});
  std::string file;
  lines.add(file, Direction::out, 0, "[\"h\"]");
  lines.finish(file, 1);
  BOOST_TEST(file == "{\"out\":[\"h\"],\"at\":1.000000}\n");
}

BOOST_AUTO_TEST_CASE(a_line_too_long_for_the_connection_is_kept_as_its_beginning) {
  Described trace;
  trace.in(0, std::string(200'000, 'x') + "\n[1]\n");
  BOOST_TEST(trace.file.starts_with("{\"in_cut\":\"xxx"));
  BOOST_TEST(trace.file.ends_with("}\n{\"in\":[1],\"at\":0.000000}\n"));
  BOOST_TEST(trace.file.size() < 10'000u);
}

BOOST_AUTO_TEST_CASE(after_a_gap_the_next_whole_line_goes_on) {
  Described trace;
  trace.out(0, "[1,");
  trace.lines.lost(trace.file, Direction::out, 1, 70);
  trace.out(2, "5]").out(3, ",6]\n[7]\n");
  BOOST_TEST(trace.file == "{\"lost\":\"out\",\"bytes\":70,\"at\":1.000000}\n{\"out\":[7],\"at\":3.000000}\n");
}

BOOST_AUTO_TEST_CASE(what_has_no_end_of_line_comes_at_the_end) {
  Described trace;
  trace.in(0, "[1]");
  BOOST_TEST(trace.file == "");
  trace.lines.finish(trace.file, 9);
  BOOST_TEST(trace.file == "{\"in\":[1],\"at\":9.000000}\n");
}

BOOST_AUTO_TEST_CASE(the_heading_names_the_server) {
  const toolwire::Json heading = toolwire::parse_json(toolwire::server::trace_heading("calc \"x\"", "1.0"));
  BOOST_TEST((heading.at("about") == "calc \"x\" 1.0"));
  BOOST_TEST(heading.at("process").is_int64());
  BOOST_TEST(heading.at("started").as_string().size() == 20u);
}
