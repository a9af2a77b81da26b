#include <toolwire/output_budget.hpp>

#define BOOST_TEST_MODULE output_budget_test
#include <boost/test/unit_test.hpp>

#include <string>

#include <toolwire/testing.hpp>
#include <toolwire/text.hpp>

using namespace toolwire;

namespace {

/// "line 1\nline 2\n…", each `wide` bytes with its newline.
std::string numbered(std::size_t lines, std::size_t wide = 8) {
  std::string text;
  for (std::size_t i = 1; i <= lines; ++i) {
    std::string line = std::to_string(i);
    line.resize(wide - 1, '.');
    text += line + "\n";
  }
  return text;
}

OutputBudget budget_of(std::size_t lines, std::size_t bytes, KeptPart keep = KeptPart::head) {
  return {.lines = lines, .bytes = bytes, .keep = keep};
}

std::string cut(std::string_view text, const OutputBudget& budget, std::string_view how = {}) {
  const auto where = cut_for(text, budget);
  return where ? shown(text, *where, how, budget.advice) : std::string(text);
}

Server server_within(const OutputBudget& budget, std::size_t kept = 0) {
  ServerOptions options;
  options.output_budget = budget;
  options.kept_output = kept;
  return Server({.name = "s", .version = "1"}, options);
}

const Json& record_of(const CallResult& result) { return result.raw.at("_meta").as_object().at("dev.toolwire/output"); }

}  // namespace

BOOST_AUTO_TEST_CASE(a_text_at_the_budget_is_left_alone_and_one_over_it_is_cut) {
  BOOST_TEST(!cut_for(numbered(10), budget_of(10, 80)));
  BOOST_TEST(!cut_for(numbered(10).substr(0, 79), budget_of(10, 79)));
  BOOST_TEST(cut_for(numbered(10), budget_of(9, 80)).has_value());
  BOOST_TEST(cut_for(numbered(10), budget_of(10, 79)).has_value());
  BOOST_TEST(!cut_for("", budget_of(0, 0)));
}

BOOST_AUTO_TEST_CASE(the_head_is_whole_lines_and_the_notice_stands_behind_it) {
  BOOST_TEST(cut(numbered(10), budget_of(2, 1000)) ==
             "1......\n2......\n[Not shown: lines 3-10 of 10, 64 of 80 bytes.]");
  BOOST_TEST(cut(numbered(10), budget_of(100, 23)) ==
             "1......\n2......\n[Not shown: lines 3-10 of 10, 64 of 80 bytes.]");
}

BOOST_AUTO_TEST_CASE(the_tail_is_whole_lines_and_the_notice_stands_before_it) {
  BOOST_TEST(cut(numbered(10), budget_of(1, 1000, KeptPart::tail)) ==
             "[Not shown: lines 1-9 of 10, 72 of 80 bytes.]\n10.....\n");
  BOOST_TEST(cut("a\nb\nc", budget_of(1, 1000, KeptPart::tail)) == "[Not shown: lines 1-2 of 3, 4 of 5 bytes.]\nc");
}

BOOST_AUTO_TEST_CASE(of_both_ends_the_middle_is_missing) {
  BOOST_TEST(cut(numbered(10), budget_of(3, 1000, KeptPart::ends)) ==
             "1......\n2......\n[Not shown: lines 3-9 of 10, 56 of 80 bytes.]\n10.....\n");
}

BOOST_AUTO_TEST_CASE(advice_and_the_way_to_go_on_close_the_notice) {
  OutputBudget budget = budget_of(1, 1000);
  budget.advice = "Narrow your query.";
  BOOST_TEST(cut("a\nb\n", budget, "Call more.") ==
             "a\n[Not shown: line 2 of 2, 2 of 4 bytes. Call more. Narrow your query.]");
}

BOOST_AUTO_TEST_CASE(a_line_longer_than_the_budget_is_cut_between_two_characters) {
  const std::string line = "aé€😀é€😀";  // 1, 2, 3, 4 bytes …
  for (std::size_t bytes = 0; bytes < line.size(); ++bytes) {
    for (const KeptPart keep : {KeptPart::head, KeptPart::tail, KeptPart::ends}) {
      const auto where = cut_for(line, budget_of(10, bytes, keep));
      BOOST_TEST_REQUIRE(where.has_value());
      const std::string head = line.substr(0, where->gap_begin);
      const std::string tail = line.substr(where->gap_end);
      BOOST_TEST(head.size() + tail.size() <= bytes);
      BOOST_TEST((text::is_valid(head) && text::is_valid(tail)));
      BOOST_TEST(head.size() + tail.size() + (keep == KeptPart::ends ? 6 : 3) >= bytes);
    }
  }
  BOOST_TEST(cut(std::string(100, 'x'), budget_of(5, 10)) ==
             "xxxxxxxxxx\n[Not shown: line 1 of 1 (in part), 90 of 100 bytes.]");
}

BOOST_AUTO_TEST_CASE(a_line_that_is_shown_in_two_parts_is_one_line) {
  const auto lines_of = [](const std::string& text, const OutputBudget& budget) {
    const auto where = cut_for(text, budget);
    BOOST_TEST_REQUIRE(where.has_value());
    return std::to_string(where->shown_lines) + " of " + std::to_string(where->lines);
  };
  const std::string wide(100, 'x');
  const std::string narrow(7, 'x');
  BOOST_TEST(lines_of(wide, budget_of(10, 20, KeptPart::ends)) == "1 of 1");
  BOOST_TEST(lines_of(wide + "\n", budget_of(10, 20, KeptPart::ends)) == "1 of 1");
  BOOST_TEST(lines_of(wide + "\n" + wide, budget_of(10, 20, KeptPart::ends)) == "2 of 2");
  BOOST_TEST(lines_of(narrow + "\n" + wide + "\n" + narrow, budget_of(10, 20, KeptPart::ends)) == "2 of 3");
  BOOST_TEST(lines_of(wide, budget_of(10, 20, KeptPart::head)) == "1 of 1");
  BOOST_TEST(lines_of(wide, budget_of(10, 20, KeptPart::tail)) == "1 of 1");
  for (const std::string& text : {wide, wide + "\n", numbered(10), wide + "\n" + numbered(5), numbered(5) + wide}) {
    for (std::size_t bytes = 0; bytes < text.size(); ++bytes) {
      for (const KeptPart keep : {KeptPart::head, KeptPart::tail, KeptPart::ends}) {
        for (const std::size_t lines : {1U, 2U, 4U, 20U}) {
          const auto where = cut_for(text, budget_of(lines, bytes, keep));
          BOOST_TEST_REQUIRE(where.has_value());
          BOOST_TEST(where->shown_lines <= where->lines);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_utf8_are_cut_all_the_same) {
  const std::string bytes(100, '\x80');
  BOOST_TEST(text::head(bytes, 50).size() <= 50u);
  BOOST_TEST(text::head(bytes, 50).size() >= 46u);
  BOOST_TEST(text::tail(bytes, 50).size() <= 50u);
}

BOOST_AUTO_TEST_CASE(a_servers_budget_holds_for_its_tools_and_a_tools_own_goes_before_it) {
  Server server = server_within(budget_of(2, 1000));
  server.tool("long", "", [] { return numbered(10); });
  ToolInfo info{.name = "wide", .description = ""};
  info.output_budget = budget_of(20, 1000);
  server.tool(std::move(info), [] { return numbered(10); });
  testing::Client client{server};
  const CallResult cut_result = client.call("long");
  BOOST_TEST(cut_result.text() == cut(numbered(10), budget_of(2, 1000)));
  BOOST_TEST(record_of(cut_result).at("lines") == 10);
  BOOST_TEST(record_of(cut_result).at("shownLines") == 2);
  BOOST_TEST(record_of(cut_result).at("shownBytes") == 16);
  BOOST_TEST(!record_of(cut_result).as_object().contains("cursor"));
  const CallResult whole = client.call("wide");
  BOOST_TEST(whole.text() == numbered(10));
  BOOST_TEST(!whole.raw.at("_meta").as_object().contains("dev.toolwire/output"));
}

BOOST_AUTO_TEST_CASE(without_a_budget_nothing_is_cut) {
  Server server({.name = "s", .version = "1"});
  server.tool("long", "", [] { return numbered(10'000); });
  testing::Client client{server};
  BOOST_TEST(client.call("long").text() == numbered(10'000));
}

BOOST_AUTO_TEST_CASE(structured_content_is_never_cut) {
  Server server = server_within(budget_of(2000, 100));
  server.tool("small", "", [] { return std::vector<int>(10, 1); });
  server.tool("large", "", [] { return std::vector<int>(100, 1); });
  testing::Client client{server};
  BOOST_TEST(client.call("small").structured.has_value());
  const CallResult large = client.call("large");
  BOOST_TEST(large.is_error);
  BOOST_TEST(!large.structured.has_value());
  BOOST_TEST(large.raw.at("_meta").at("dev.toolwire/error").at("code") == "too_large");
}

BOOST_AUTO_TEST_CASE(several_texts_that_are_too_long_together_become_one) {
  Server server = server_within(budget_of(3, 1000));
  server.tool("texts", "", [] {
    ToolResult result = ToolResult::text(numbered(2));
    result.add({ImageContent{"bytes", "image/png"}}).add_text(numbered(2));
    return result;
  });
  testing::Client client{server};
  const CallResult result = client.call("texts");
  BOOST_TEST_REQUIRE(result.content.size() == 2u);
  BOOST_TEST(result.text() == cut(numbered(2) + numbered(2), budget_of(3, 1000)));
  BOOST_TEST(result.content.at(1).at("type") == "image");
}

BOOST_AUTO_TEST_CASE(texts_that_another_server_has_written_are_cut_as_well) {
  Server server = server_within(budget_of(3, 1000));
  server.tool("texts", "", [] {
    ToolResult result;
    const Json first = JsonObject{{"type", "text"}, {"text", numbered(2)}, {"_meta", JsonObject{{"vendor/x", 1}}}};
    const Json image = JsonObject{{"type", "image"}, {"data", "AA=="}, {"mimeType", "image/png"}};
    for (const Json& item : {first, image, Json(JsonObject{{"type", "text"}, {"text", numbered(2)}})})
      result.content.push_back({.item = item});
    return result;
  });
  testing::Client client{server};
  const CallResult result = client.call("texts");
  BOOST_TEST_REQUIRE(result.content.size() == 2u);
  BOOST_TEST(result.text() == cut(numbered(2) + numbered(2), budget_of(3, 1000)));
  BOOST_TEST(result.content.at(0).at("_meta").at("vendor/x") == 1);
  BOOST_TEST(result.content.at(1).at("type") == "image");
  BOOST_TEST(record_of(result).at("lines") == 4);
}

BOOST_AUTO_TEST_CASE(details_for_people_are_not_in_the_text) {
  Server server({.name = "s", .version = "1"});
  server.tool("run", "", [] { return ToolResult::text("ok").add_detail("exit_code", 0).add_detail("seconds", 1.5); });
  testing::Client client{server};
  const CallResult result = client.call("run");
  BOOST_TEST(result.text() == "ok");
  BOOST_TEST(result.raw.at("_meta").at("dev.toolwire/details") == Json({{"exit_code", 0}, {"seconds", 1.5}}));
}

BOOST_AUTO_TEST_CASE(what_was_cut_is_read_on_with_its_cursor_until_all_is_read) {
  for (const KeptPart keep : {KeptPart::head, KeptPart::tail, KeptPart::ends}) {
    Server server = server_within(budget_of(4, 1000, keep), 1 << 20);
    server.tool("long", "", [] { return numbered(11); });
    testing::Client client{server};
    Json record = record_of(client.call("long"));
    const auto begin = record.at("gap").at("begin").to_number<std::size_t>();
    const auto end = record.at("gap").at("end").to_number<std::size_t>();
    std::string missing;
    for (;;) {
      const CallResult more = client.call("read_output", {{"cursor", record.at("cursor")}});
      BOOST_TEST_REQUIRE(!more.is_error, more.text());
      const std::string text = more.text();
      const JsonObject& meta = more.raw.at("_meta").as_object();
      missing += text.substr(0, text.find("[Not shown"));
      if (!meta.contains("dev.toolwire/output")) break;
      record = meta.at("dev.toolwire/output");
    }
    BOOST_TEST(missing == numbered(11).substr(begin, end - begin));
  }
}

BOOST_AUTO_TEST_CASE(a_cursor_that_is_none_gets_an_error_that_says_what_to_do) {
  Server server = server_within(budget_of(1, 1000), 1 << 20);
  testing::Client client{server};
  for (const char* cursor : {"", "x", "x.1.2", ".0.5", "00000000000000000000000000000000.0.5"}) {
    const CallResult result = client.call("read_output", {{"cursor", cursor}});
    BOOST_TEST(result.is_error);
    BOOST_TEST(result.text().find("no output with this cursor") != std::string::npos);
  }
}
