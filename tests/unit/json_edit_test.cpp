#include "edit/json_edit.hpp"

#define BOOST_TEST_MODULE json_edit_test
#include <boost/test/unit_test.hpp>

#include <array>
#include <ctime>
#include <string>
#include <vector>

#include "edited_texts.hpp"

using namespace toolwire;
using namespace toolwire::edit;
using toolwire_test::Dice;

namespace {

const MemberPath path{"mcpServers", "notes"};
const Json entry = parse_json(R"({"command": "/bin/notes", "args": ["a\"b", "ü"], "env": {"KEY": "v"}})");

std::string with(const std::string& text, Comments comments = Comments::allowed) {
  return with_json_member(text, comments, path, entry);
}

std::string without(const std::string& text, Comments comments = Comments::allowed) {
  return without_json_member(text, comments, path);
}

/// The entry comes and goes, and nothing else does.
void comes_and_goes(const std::string& text, Comments comments = Comments::allowed) {
  BOOST_TEST_CONTEXT(text) {
    const std::string edited = with(text, comments);
    BOOST_TEST(toolwire_test::only_adds(text, edited), edited);
    BOOST_TEST((json_member(edited, comments, path) == entry), edited);
    BOOST_TEST(without(edited, comments) == text);
  }
}

std::string problem(const std::string& text, Comments comments = Comments::allowed) {
  try {
    return "no problem: " + with(text, comments);
  } catch (const Malformed& error) {
    return error.what();
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_hundred_thousand_members_of_one_line_take_no_time_to_speak_of) {
  std::string text = "{";
  for (int i = 0; i < 100'000; ++i) text += "\"k" + std::to_string(i) + "\":1,";
  text.back() = '}';
  const std::clock_t begin = std::clock();
  const std::string edited = with(text);
  BOOST_TEST((std::clock() - begin) / CLOCKS_PER_SEC < 10);  // a tenth of a second; were it each with each, 20
  BOOST_TEST(edited.size() > text.size());
}

BOOST_AUTO_TEST_CASE(what_is_new_looks_as_what_stands_beside_it) {
  BOOST_TEST(
      with("{\n\t\"mcpServers\": {\n\t\t\"a\": {}\n\t}\n}\n") ==
      "{\n\t\"mcpServers\": {\n\t\t\"a\": {},\n\t\t\"notes\": {\n\t\t\t\"command\": \"/bin/notes\",\n"
      "\t\t\t\"args\": [\"a\\\"b\", \"ü\"],\n\t\t\t\"env\": {\n\t\t\t\t\"KEY\": \"v\"\n\t\t\t}\n\t\t}\n\t}\n}\n");
  BOOST_TEST(with(R"({"mcpServers":{"a":{}}})") ==
             R"({"mcpServers":{"a":{},"notes":{"command":"/bin/notes","args":["a\"b","ü"],"env":{"KEY":"v"}}}})");
  BOOST_TEST(with("{\r\n    \"theme\": 1\r\n}") ==
             "{\r\n    \"theme\": 1,\r\n    \"mcpServers\": {\r\n        \"notes\": {\r\n"
             "            \"command\": \"/bin/notes\",\r\n            \"args\": [\"a\\\"b\", \"ü\"],\r\n"
             "            \"env\": {\r\n                \"KEY\": \"v\"\r\n            }\r\n        }\r\n    }\r\n}");
}

BOOST_AUTO_TEST_CASE(nothing_else_changes) {
  for (const char* const text :
       {"{\"mcpServers\": {\"a\": 1}}", "{\"mcpServers\": {\"a\": 1,}}", "{ \"mcpServers\" : { \"a\" : 1 , } } ",
        "{\n  \"mcpServers\": {\n    \"a\": 1\n  },\n  \"z\": [1, 2]\n}", "{\"mcpServers\": {\n\"a\": 1}, \"z\": 2}",
        "{\"mcpServers\": {\n    \"a\": 1, // of a\n    // the end\n  } /* x */}",
        "{\"mcpServers\": {\n    \"a\": 1 // of a, without a comma\n  }}",
        "{\"mcpServers\": {\"a\": 1 /* of a */ /* and\n more */ , // here\n\n }}",
        "\xEF\xBB\xBF{\r\n\t\"mcpServers\": {\r\n\t\t\"a\": 1 // a\r\n\t}\r\n}\r\n",
        "{\"mcpServers\": {\"notes2\": {\"notes\": 1}, \"é\": \"\\u00e9 // no comment\"}}", "{\"mcpServers\": {}}",
        "{\n  \"mcpServers\": {}\n}\n", "// first\n{\"mcpServers\": {\n  // none\n}}\n// last",
        "{\"a\": 1, \"mcpServers\": {/* none */}}"})
    comes_and_goes(text);
}

BOOST_AUTO_TEST_CASE(what_stands_first_or_in_the_middle_goes_alone) {
  BOOST_TEST(without(R"({"mcpServers": {"notes": 1, "b": 2}})") == R"({"mcpServers": { "b": 2}})");
  BOOST_TEST(without("{\"mcpServers\": {\n  \"a\": 1,\n  \"notes\": {\n  }, // mine\n  \"b\": 2\n}}") ==
             "{\"mcpServers\": {\n  \"a\": 1, // mine\n  \"b\": 2\n}}");
  // The comment would swallow what stands behind the member.
  BOOST_TEST(without("{\"mcpServers\": {// mine\n\"notes\": 1, \"b\": 2}}") ==
             "{\"mcpServers\": {// mine\n \"b\": 2}}");
  BOOST_TEST(without("{\"mcpServers\": {// mine\n\"notes\": 1 }}") == "{\"mcpServers\": {// mine\n }}");
  BOOST_TEST(without(R"({"mcpServers": {"a": 1}})") == R"({"mcpServers": {"a": 1}})");
}

BOOST_AUTO_TEST_CASE(a_value_is_replaced_in_its_place) {
  BOOST_TEST(with(R"({"mcpServers": {"notes": 5 /* five */, "b": 2}})").find("} /* five */, \"b\": 2}}") !=
             std::string::npos);
  BOOST_TEST(with(R"({"mcpServers":{"notes":{"command":"x"},"b":2}})") ==
             R"({"mcpServers":{"notes":{"command":"/bin/notes","args":["a\"b","ü"],"env":{"KEY":"v"}},"b":2}})");
}

BOOST_AUTO_TEST_CASE(a_missing_or_empty_text_becomes_one_object) {
  const std::string whole = with("");
  BOOST_TEST(whole.starts_with("{\n  \"mcpServers\": {\n    \"notes\": {\n"), whole);
  BOOST_TEST(whole.ends_with("}\n"), whole);
  BOOST_TEST(with("\xEF\xBB\xBF") == "\xEF\xBB\xBF" + whole);
  BOOST_TEST(with("// nothing yet") == "// nothing yet\n" + whole);
  BOOST_TEST((json_member(with(" \r\n"), Comments::refused, path) == entry));
  BOOST_TEST(!json_member("", Comments::refused, path));
  BOOST_TEST(without("").empty());
}

BOOST_AUTO_TEST_CASE(what_does_not_parse_is_refused_with_its_place) {
  BOOST_TEST(problem("{\n  \"a\": 1,\n  \"b\" 2\n}") == "line 3, column 7: expected a colon");
  BOOST_TEST(problem("{\"é\": 1 2}") == "line 1, column 9: expected a comma or }");
  BOOST_TEST(problem("\xEF\xBB\xBF{\"a\": 01}").starts_with("line 1, column 8: "));
  BOOST_TEST(problem("{\"a\": [1, 2}") == "line 1, column 12: expected a comma or ]");
  BOOST_TEST(problem("{\"a\": \"open\n}") == "line 1, column 7: expected a string that ends on its line");
  BOOST_TEST(problem("{\"a\": 1} x") == "line 1, column 10: expected the end of the file");
  BOOST_TEST(problem("{\"a\":") == "line 1, column 6: expected a value, found the end of the file");
  BOOST_TEST(problem("{/* open") == "line 1, column 2: expected a value or a comment that ends");
  BOOST_TEST(problem("{\"a\": \"\xFF\"}") == "line 1, column 8: expected UTF-8");
  BOOST_TEST(problem("{\"a\": 1e999}").starts_with("line 1, column 7: "));
  BOOST_TEST(problem(std::string(300, '[') + std::string(300, ']')).find("nested too deeply") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(json_without_comments_is_held_to_it) {
  BOOST_TEST(problem("{\"a\": 1} // no", Comments::refused) == "line 1, column 10: expected JSON without comments");
  BOOST_TEST(problem("{\"a\": 1,}", Comments::refused) == "line 1, column 9: expected a member behind the comma");
  BOOST_TEST(problem("{\"a\": [1,]}", Comments::refused) == "line 1, column 10: expected an element behind the comma");
}

BOOST_AUTO_TEST_CASE(json_with_comments_may_have_no_last_comma) {
  const Comments comments = Comments::allowed_without_last_comma;
  for (const char* const text :
       {"// first\n{\"mcpServers\": {\n  \"a\": 1, // of a\n  \"b\": [2] /* of b */\n}, \"z\": 1}\n// last",
        "{\"mcpServers\": {\n  \"a\": 1 // of a\n  // \"old\": 1,\n}}", "{\"mcpServers\": {/* none */}}"})
    comes_and_goes(text, comments);
  BOOST_TEST(problem("{\"a\": 1, // no\n}", comments) == "line 2, column 1: expected a member behind the comma");
  BOOST_TEST(problem("{\"a\": [1,]}", comments) == "line 1, column 10: expected an element behind the comma");
}

BOOST_AUTO_TEST_CASE(another_shape_is_refused_with_its_place) {
  BOOST_TEST(problem("[]") == "line 1, column 1: expected an object");
  BOOST_TEST(problem("{\n\"mcpServers\": []}") == "line 2, column 15: expected an object under \"mcpServers\"");
  BOOST_TEST(problem(R"({"mcpServers": {}, "mcpServers": {}})") ==
             "line 1, column 20: expected \"mcpServers\" once, found it twice");
}

namespace {

/// A text with comments, blanks and last commas where they may stand.
class RandomText {
 public:
  explicit RandomText(unsigned seed) : dice_(seed), lines_(!dice_.one_in(4)) {}

  std::string text() {
    const std::string servers = object(2, false);
    std::string text = blank() + "{" + blank();
    for (std::size_t i = dice_.roll(3); i > 0; --i) text += member("k" + std::to_string(i), value(2)) + "," + blank();
    text += member("mcpServers", servers);
    for (std::size_t i = dice_.roll(3); i > 0; --i)
      text += blank() + "," + blank() + member("z" + std::to_string(i), value(2));
    return text + last_comma() + "}" + blank();
  }

 private:
  std::string blank() {
    static const std::vector<std::string> lines{
        "", "", " ", "\n", "\n  ", "\r\n\t", " // a \"comment\" }\n", "/* b, */", " /* c\n } */ ", "//\r\n"};
    static const std::vector<std::string> one_line{"", "", "", " ", "/* b, */"};
    return dice_.pick(lines_ ? lines : one_line);
  }
  std::string last_comma() { return blank() + (dice_.one_in(3) ? "," + blank() : ""); }
  std::string member(const std::string& name, const std::string& value) {
    return "\"" + name + "\"" + blank() + ":" + blank() + value;
  }
  std::string scalar() {
    static const std::vector<std::string> some{"1",         "-0.5e3", "\"\"", "\"// no\"",
                                               "\"\\\"}\"", "null",   "true", "\"\\u00e9ü\""};
    return dice_.pick(some);
  }
  std::string value(std::size_t depth) {
    if (depth == 0 || dice_.one_in(2)) return scalar();
    if (dice_.one_in(2)) return object(depth - 1, true);
    std::string text = "[" + blank();
    for (std::size_t i = dice_.roll(3); i > 0; --i) text += value(depth - 1) + blank() + "," + blank();
    return text + value(depth - 1) + last_comma() + "]";
  }
  std::string object(std::size_t depth, bool may_be_empty) {
    std::string text = "{" + blank();
    std::size_t count = dice_.roll(4);
    if (count == 0 && may_be_empty) return text + "}";
    for (; count > 0; --count) text += member("m" + std::to_string(count), value(depth)) + blank() + "," + blank();
    return text + member("m0", value(depth)) + last_comma() + "}";
  }

  Dice dice_;
  bool lines_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(an_entry_comes_and_goes_in_any_text) {
  for (unsigned seed = 0; seed < 3000; ++seed) comes_and_goes(RandomText(seed).text());
}

BOOST_AUTO_TEST_CASE(any_member_goes_alone) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    const std::string text = RandomText(seed).text();
    JsonObject servers = json_member(text, Comments::allowed, {"mcpServers"})->get_object();
    std::string rest = text;
    while (!servers.empty()) {
      const std::string name(
          Dice(seed).pick(std::vector<JsonObject::value_type>(servers.begin(), servers.end())).key());
      servers.erase(name);
      const std::string shorter = without_json_member(rest, Comments::allowed, {"mcpServers", name});
      BOOST_TEST((json_member(shorter, Comments::allowed, {"mcpServers"}) == Json(servers)), shorter);
      BOOST_TEST(toolwire_test::only_adds(shorter, rest), rest << "\n-- became --\n" << shorter);
      rest = shorter;
    }
  }
}

BOOST_AUTO_TEST_CASE(a_damaged_text_is_refused_or_only_the_entry_comes) {
  int refused = 0, taken = 0;
  for (unsigned seed = 0; seed < 20000; ++seed) {
    Dice dice(seed);
    const std::string text =
        toolwire_test::mutated(RandomText(seed % 500).text(), dice, "{}[],:\"/*\\\n\r \t01e-.u\xC3");
    try {
      const bool had_it = json_member(text, Comments::allowed, path).has_value();
      const std::string edited = with(text);
      BOOST_TEST((json_member(edited, Comments::allowed, path) == entry), edited);
      if (!had_it) BOOST_TEST(toolwire_test::only_adds(text, edited), text << "\n-- became --\n" << edited);
      (void)without(text);
      ++taken;
    } catch (const Malformed&) {
      ++refused;
    }
  }
  BOOST_TEST(refused > 1000);
  BOOST_TEST(taken > 1000);
}
