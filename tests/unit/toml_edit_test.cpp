#include "edit/toml_edit.hpp"

#define BOOST_TEST_MODULE toml_edit_test
#include <boost/test/unit_test.hpp>

#include <ctime>
#include <string>
#include <vector>

#include "edited_texts.hpp"

using namespace toolwire;
using namespace toolwire::edit;
using toolwire_test::Dice;

namespace {

const TomlKeys path{"mcp_servers", "notes"};
const JsonObject entry =
    parse_json(R"({"command": "/bin/notes", "args": ["a\"b\\", "ü\u007f"], "env": {"A KEY": "v", "B": ""}})")
        .get_object();
const std::string table =
    "[mcp_servers.notes]\ncommand = \"/bin/notes\"\nargs = [\"a\\\"b\\\\\", \"ü\\u007F\"]\nenv = { \"A KEY\" = \"v\", "
    "B = "
    "\"\" }\n";

std::string with(const std::string& text) { return with_toml_table(text, path, entry); }
std::string without(const std::string& text) { return without_toml_table(text, path); }

/// The table comes and goes, and nothing else does.
void comes_and_goes(const std::string& text) {
  BOOST_TEST_CONTEXT(text) {
    const std::string edited = with(text);
    BOOST_TEST(toolwire_test::only_adds(text, edited), edited);
    BOOST_TEST((toml_member(edited, path) == Json(entry)), edited);
    BOOST_TEST(without(edited) == text);
  }
}

Json value_of(const std::string& text) { return read_toml_tree(text).value; }

std::string problem(const std::string& text) {
  try {
    return "no problem: " + with(text);
  } catch (const Malformed& error) {
    return error.what();
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(many_tables_take_no_time_to_speak_of) {
  std::string text;
  for (int i = 0; i < 30'000; ++i) text += "[mcp_servers.k" + std::to_string(i) + "]\ncommand = \"x\"\n";
  const std::clock_t begin = std::clock();
  const std::string edited = with(text);
  BOOST_TEST((std::clock() - begin) / CLOCKS_PER_SEC < 10);  // half a second; were it each with each, 30
  BOOST_TEST(edited.size() > text.size());
}

BOOST_AUTO_TEST_CASE(a_table_is_written_at_the_end) {
  BOOST_TEST(with("") == table);
  BOOST_TEST(with("model = \"o\"\n") == "model = \"o\"\n\n" + table);
  BOOST_TEST(with("model = \"o\"") == "model = \"o\"\n\n" + table.substr(0, table.size() - 1));
  BOOST_TEST(with_toml_table("a = 1\r\n", {"mcp_servers", "b.c"}, {{"x", true}}) ==
             "a = 1\r\n\r\n[mcp_servers.\"b.c\"]\r\nx = true\r\n");
}

BOOST_AUTO_TEST_CASE(nothing_else_changes) {
  for (const char* const text :
       {"",
        "\n",
        "\xEF\xBB\xBF",
        "\xEF\xBB\xBF# hello\r\n",
        "# only a comment",
        "model = 'o' # comment\n\n\n",
        "[mcp_servers]\n[mcp_servers.a]\ncommand = \"x\"\n[mcp_servers.a.env]\nK = \"V\"\n# end\n",
        "mcp_servers.a.command = \"x\"\nmcp_servers.a.args = [\n  \"1\", # one\n  \"2\",\n]\n[other]\nx = 1",
        "[mcp_servers]\n  a = { command = \"x\", env = { K = \"V\" } } # inline\n",
        "mcp_servers = { a = { command = \"x\" } }\n[z]\n",
        "mcp_servers = {}\n",
        "mcp_servers = { a.command = 'x' }",
        "[\"mcp_servers\".'notes 2']\n\"quoted key\" = 1979-05-27 07:32:00Z\n",
        "mcp_servers = {\n  a = { b = 1 }, # one\n  c = 2, # two\n} # three\n",
        "mcp_servers = { # none\r\n}\r\n",
        "mcp_servers = {\n  a = 1 # one\n  , # comma\n}\n",
        "mcp_servers = { a = { t = 07:32, }\n}\n",
        "mcp_servers = {\n# only\na = \"\\x41\\e\"\n# behind\n}",
        "[[profiles]]\nx = 1\n[[profiles]]\ny = '''\n''\n'''\n",
        "a = \"\"\"\n[mcp_servers.notes]\n\"\"\"\n"})
    comes_and_goes(text);
}

BOOST_AUTO_TEST_CASE(what_others_have_written_around_it_stays) {
  BOOST_TEST(without("a = 1\n\n" + table + "\n[other]\nx = 1\n") == "a = 1\n\n[other]\nx = 1\n");
  BOOST_TEST(without("# mine\n[mcp_servers.notes]\nx = 1 # one\n\n[mcp_servers.notes.env]\nK = 1\n# next\n[other]\n") ==
             "# mine\n# next\n[other]\n");
  BOOST_TEST(without("mcp_servers.notes.x = 1\nb = 2\nmcp_servers.notes.y = 2\n") == "b = 2\n");
  BOOST_TEST(without("[mcp_servers]\nnotes = { x = [\n1,\n] }\nb = {}\n") == "[mcp_servers]\nb = {}\n");
  BOOST_TEST(without("mcp_servers = { a = 1, notes.x = 1, notes.y = 2 }") == "mcp_servers = { a = 1 }");
  BOOST_TEST(without("mcp_servers = { notes.x = 1, a = 1, notes.y = 2 }") == "mcp_servers = { a = 1 }");
  BOOST_TEST(without("[mcp_servers.notes2]\nx = 1") == "[mcp_servers.notes2]\nx = 1");
}

BOOST_AUTO_TEST_CASE(a_table_takes_the_place_of_what_stands_there) {
  BOOST_TEST(with("[mcp_servers.notes]\nx = 1\n\n[z]\ny = 2\n") == table + "\n[z]\ny = 2\n");
  BOOST_TEST((toml_member(with("mcp_servers = { notes = 5, b = { c = 1 } }"), path) == Json(entry)));
}

BOOST_AUTO_TEST_CASE(comments_and_what_is_the_same_stay_in_a_table_that_is_written_anew) {
  const std::string args = "args = [\"a\\\"b\\\\\", # first\n  \"ü\\u007F\",\n]\n";
  BOOST_TEST(with("# mine\n[mcp_servers.notes] # of it\n# before\ncommand = 'old' # the program\n" + args +
                  "# between\ntimeout = 5 # seconds\n# last\n\n[mcp_servers.notes.env] # keys\n\"A KEY\" = \"v\" # "
                  "secret\nC = \"gone\"\n# end\n[z]\n") ==
             "# mine\n[mcp_servers.notes] # of it\n# before\ncommand = \"/bin/notes\" # the program\n" + args +
                 "# between\n# last\n\n[mcp_servers.notes.env] # keys\n\"A KEY\" = \"v\" # secret\nB = \"\"\n# "
                 "end\n[z]\n");
  BOOST_TEST(with_toml_table("[a]\r\n  b = { c = 1 } # it\r\n", {"a", "b"}, {{"x", 1}}) ==
             "[a]\r\n  b = { x = 1 } # it\r\n");
  BOOST_TEST(with_toml_table("[a.b]\n  # first\n  c = 1", {"a", "b"}, {{"c", 2}, {"d", 3}}) ==
             "[a.b]\n  # first\n  c = 2\n  d = 3");
  BOOST_TEST(with_toml_table("[a.b]\nc = 1979-05-27\n", {"a", "b"}, {{"c", "1979-05-27"}}) ==
             "[a.b]\nc = \"1979-05-27\"\n");
  BOOST_TEST(with_toml_table("[a.b]\n# c\n[a.b.d]\nx = 1\n[a.b.d.e]\n# last\n", {"a", "b"}, {{"d", JsonObject{}}}) ==
             "[a.b]\nd = {}\n# c\n# last\n");
}

BOOST_AUTO_TEST_CASE(values_of_all_kinds_are_read) {
  BOOST_TEST((value_of("a = \"\\u00e9\\n\\\"\"\nb = 'c:\\x'\nc = \"\"\"\nx\\\n   y\"\"\"\"\"\nd = '''\r\nz\r\n'''\n") ==
              Json({{"a", "é\n\""}, {"b", "c:\\x"}, {"c", "xy\"\""}, {"d", "z\r\n"}})));
  BOOST_TEST(
      (value_of("a = 1_000\nb = 0x1F\nc = -0.5\nd = 1979-05-27 07:32:00Z\ne = [true, {f.g = -inf}] # x") ==
       parse_json(
           R"({"a": 1000, "b": 31, "c": -0.5, "d": "1979-05-27 07:32:00Z", "e": [true, {"f": {"g": "-inf"}}]})")));
}

BOOST_AUTO_TEST_CASE(what_does_not_parse_is_refused_with_its_place) {
  BOOST_TEST(problem("a = 1\nb 2\n") == "line 2, column 3: expected =");
  BOOST_TEST(problem("a = \"é\" x\n") == "line 1, column 9: expected the end of the line");
  BOOST_TEST(problem("a = \"open\n") == "line 1, column 5: expected a text that ends on its line");
  BOOST_TEST(problem("a = '''open\n") == "line 1, column 5: expected a text that ends");
  BOOST_TEST(problem("a = [1, 2\n") == "line 2, column 1: expected a comma or ]");
  BOOST_TEST(problem("a = { b = 1, , }\n") == "line 1, column 14: expected a key");
  BOOST_TEST(problem("a = { b\n = 1 }\n") == "line 1, column 8: expected =");
  BOOST_TEST(problem("a = { b = 1 # }\n") == "line 2, column 1: expected a comma or }");
  BOOST_TEST(problem("a = 01\n") == "line 1, column 5: expected a value, found \"01\"");
  BOOST_TEST(problem("a = \n") == "line 1, column 5: expected a value");
  BOOST_TEST(problem("a = 9223372036854775808\n").starts_with("line 1, column 5: expected a value"));
  BOOST_TEST(problem("a = 1979-13-01\n").starts_with("line 1, column 5: expected a value"));
  BOOST_TEST(problem("[a\n") == "line 1, column 3: expected ]");
  BOOST_TEST(problem("größe = 1\n") == "line 1, column 3: expected =");
  BOOST_TEST(problem("a = \"\\x\"\n").starts_with("line 1, column 6: expected one of the escapes"));
  BOOST_TEST(problem("a = \"\xFF\"\n") == "line 1, column 6: expected UTF-8");
  BOOST_TEST(problem("a = 1\r") == "line 1, column 6: expected the end of the line");
  BOOST_TEST(problem("# \x01\n").starts_with("line 1, column 3: "));
  BOOST_TEST(problem("a = " + std::string(300, '[') + std::string(300, ']')).find("nested too deeply") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_is_defined_twice_is_refused) {
  for (const char* const text : {"a = 1\na = 2\n", "a.b = 1\na.b.c = 2\n", "[a]\n[a]\n", "[a.b]\n[a]\nb = 1\n",
                                 "a = 1\n[a]\n", "a = {b = 1}\n[a.c]\n", "a = { b = 1, b = 2 }\n", "[[a]]\n[a]\n",
                                 "[a]\n[[a]]\n", "a.b = 1\n[a]\n", "a = [1]\n[[a]]\n", "[a.b.c]\n[a]\nb.c.d = 1\n"})
    BOOST_TEST(problem(text).find("is defined already") != std::string::npos, text);
  BOOST_TEST(problem("[x]\na = 1\n  a = 2\n") == "line 3, column 3: \"x.a\" is defined already, or is part of a value");
  for (const char* const text :
       {"[a.b]\n[a]\n", "[[a]]\n[a.b]\n[[a]]\n[a.b]\n", "a.b = 1\na.c = 2\n[a.d]\n", "[a]\nb.c = 1\n[a.e]\n"})
    BOOST_CHECK_NO_THROW(read_toml_tree(text));
}

BOOST_AUTO_TEST_CASE(another_shape_is_refused_with_its_place) {
  BOOST_TEST(problem("a = 1\nmcp_servers = 5\n") == "line 2, column 1: expected a table under \"mcp_servers\"");
  BOOST_TEST(problem("[[mcp_servers]]\n") == "line 1, column 1: expected a table under \"mcp_servers\"");
}

namespace {

/// A text with tables of all forms, comments and blanks where they may stand.
class RandomText {
 public:
  explicit RandomText(unsigned seed) : dice_(seed), crlf_(dice_.one_in(3)) {}

  std::string text() {
    std::string text = dice_.one_in(6) ? "\xEF\xBB\xBF" : "";
    text += lines("root", 3);
    if (dice_.one_in(3)) {
      text += "mcp_servers" + spaces() + "=" + spaces() + inline_servers() + end();
    } else if (dice_.one_in(3)) {
      text += "mcp_servers.dotted.command = 'x'" + end() + "mcp_servers.dotted.args = [" + end() + "1, 2," + end() +
              "]" + end();
    } else {
      text += header("[mcp_servers]") + lines("in", 2) + "shortly = { command = \"x\", n = [1, {a = 2}] }" + end();
      text +=
          header("[mcp_servers.long]") + lines("l", 3) + header("[ mcp_servers . long . \"env x\" ]") + lines("e", 2);
    }
    for (std::size_t i = dice_.roll(3); i > 0; --i)
      text +=
          header("[[list]]") + lines("o", 2) + header("[list.of." + std::string(1, static_cast<char>('a' + i)) + "]");
    if (dice_.one_in(3)) text += "# the end";
    return text;
  }

 private:
  std::string spaces() { return std::string(dice_.roll(3), dice_.one_in(3) ? '\t' : ' '); }
  std::string end() {
    static const std::vector<std::string> comments{"", "", " # it's \"quoted\" [x]", "\t#"};
    const std::string line = crlf_ ? "\r\n" : "\n";
    return spaces() + dice_.pick(comments) + line + (dice_.one_in(3) ? line : "");
  }
  std::string header(const std::string& text) { return (dice_.one_in(4) ? "# of it\n" : "") + spaces() + text + end(); }
  std::string value() {
    static const std::vector<std::string> some{"1",
                                               "-1_0.5e+3",
                                               "0xFF",
                                               "inf",
                                               "true",
                                               "\"\\\"#\"",
                                               "'\\'",
                                               "\"\"\"\na = [\n\"\"\\\"\n\"\"\"",
                                               "'''\n''x'''''",
                                               "1979-05-27T07:32:00-08:00",
                                               "07:32:00",
                                               "[]",
                                               "[ 'a', # b\n [1,2], ]",
                                               "{}",
                                               "{ a.b = 1, \"c\" = '' }",
                                               "{ # x\n a = 1, # }\n}",
                                               "07:32",
                                               "\"ü\""};
    return dice_.pick(some);
  }
  std::string lines(const std::string& name, std::size_t most) {
    std::string text;
    for (std::size_t i = dice_.roll(most + 1); i > 0; --i) {
      const std::string key = name + std::to_string(i);
      text += spaces() +
              (dice_.one_in(4)   ? "\"" + key + " x\""
               : dice_.one_in(4) ? key + " . y"
                                 : key) +
              spaces() + "=" + spaces() + value() + end();
    }
    return text;
  }
  std::string inline_servers() {
    std::string text = "{" + spaces();
    for (std::size_t i = dice_.roll(3); i > 0; --i)
      text +=
          "s" + std::to_string(i) + spaces() + "= " + value() + spaces() + "," + (dice_.one_in(3) ? end() : spaces());
    return text + "last = { command = 'x' }" + spaces() + (dice_.one_in(3) ? "," + end() : "") + "}";
  }

  Dice dice_;
  bool crlf_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_table_comes_and_goes_in_any_text) {
  for (unsigned seed = 0; seed < 3000; ++seed) comes_and_goes(RandomText(seed).text());
}

BOOST_AUTO_TEST_CASE(any_table_goes_alone) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    std::string rest = RandomText(seed).text();
    JsonObject servers = toml_member(rest, {"mcp_servers"})->get_object();
    while (!servers.empty()) {
      const std::string name(
          Dice(seed).pick(std::vector<JsonObject::value_type>(servers.begin(), servers.end())).key());
      servers.erase(name);
      const std::string shorter = without_toml_table(rest, {"mcp_servers", name});
      BOOST_TEST((toml_member(shorter, {"mcp_servers"}).value_or(JsonObject()) == Json(servers)), shorter);
      BOOST_TEST(toolwire_test::only_adds(shorter, rest), rest << "\n-- became --\n" << shorter);
      rest = shorter;
    }
  }
}

BOOST_AUTO_TEST_CASE(a_table_is_written_anew_in_any_text) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    const std::string before = RandomText(seed).text();
    const Json servers = *toml_member(before, {"mcp_servers"});
    for (const auto& [name, old] : servers.get_object()) {
      const std::string edited = with_toml_table(before, {"mcp_servers", std::string(name)}, entry);
      Json expected = servers;
      expected.get_object()[name] = entry;
      BOOST_TEST((toml_member(edited, {"mcp_servers"}) == expected), before << "\n-- became --\n" << edited);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_damaged_text_is_refused_or_only_the_table_comes) {
  int refused = 0, taken = 0;
  for (unsigned seed = 0; seed < 20000; ++seed) {
    Dice dice(seed);
    const std::string text =
        toolwire_test::mutated(RandomText(seed % 500).text(), dice, "{}[]=.,:\"'#\\\n\r \t01_-xu\xC3");
    try {
      const bool had_it = toml_member(text, path).has_value();
      const std::string edited = with(text);
      BOOST_TEST((toml_member(edited, path) == Json(entry)), edited);
      if (!had_it) BOOST_TEST(toolwire_test::only_adds(text, edited), text << "\n-- became --\n" << edited);
      if (!had_it) BOOST_TEST(without(edited) == text, text << "\n-- became --\n" << without(edited));
      (void)without(text);
      ++taken;
    } catch (const Malformed&) {
      ++refused;
    }
  }
  BOOST_TEST(refused > 1000);
  BOOST_TEST(taken > 1000);
}
