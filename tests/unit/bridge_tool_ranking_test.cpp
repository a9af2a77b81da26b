// Which tools a search finds, and in which order.
#define BOOST_TEST_MODULE bridge_tool_ranking_test
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "search/ranking.hpp"

using namespace toolwire;
using namespace toolwire::bridge;

namespace {

Json tool(const char* name, const char* description, JsonObject properties = {}) {
  return JsonObject{{"name", name},
                    {"description", description},
                    {"inputSchema", JsonObject{{"type", "object"}, {"properties", std::move(properties)}}}};
}

const JsonArray some{
    tool("read_text_file", "Reads a file as text", {{"path", JsonObject{{"description", "Where it is"}}}}),
    tool("write_file", "Creates or overwrites a file"),
    tool("createEntities", "Adds entities to the knowledge graph"),
    tool("weather", "Tells the weather of a city", {{"city", JsonObject{{"description", "Its name, as in an atlas"}}}}),
    tool("list_files", "Lists a folder. A file is shown with its size, a file that is a link with where it leads"),
    JsonObject{{"name", "odd"}, {"title", "Solar eclipse"}, {"inputSchema", 5}},
};

std::vector<std::string> found(const char* query) {
  std::vector<std::string> names;
  for (const std::size_t index : ToolRanking(some).best(query))
    names.emplace_back(std::string_view(some[index].at("name").as_string()));
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_CASE(words_are_found_in_any_way_of_writing) {
  const Names words{"read", "text", "file"};
  BOOST_TEST(search_words("read_text_file") == words, boost::test_tools::per_element());
  BOOST_TEST(search_words("readTextFiles") == words, boost::test_tools::per_element());
  BOOST_TEST(search_words("Read: TEXT-files!") == words, boost::test_tools::per_element());
  BOOST_TEST(search_words("HTTPServer2Go") == (Names{"http", "server2", "go"}), boost::test_tools::per_element());
  BOOST_TEST(search_words("Größe, 大小") == (Names{"größe", "大小"}), boost::test_tools::per_element());
  BOOST_TEST(search_words(" -_./ ").empty());
}

BOOST_AUTO_TEST_CASE(the_tool_of_the_name_comes_first) {
  BOOST_TEST(found("write_file").front() == "write_file");
  BOOST_TEST(found("list files").front() == "list_files");
  BOOST_TEST(found("createEntities").front() == "createEntities");
}

BOOST_AUTO_TEST_CASE(descriptions_titles_and_parameters_are_searched) {
  BOOST_TEST(found("knowledge graph") == Names{"createEntities"}, boost::test_tools::per_element());
  BOOST_TEST(found("eclipse") == Names{"odd"}, boost::test_tools::per_element());
  BOOST_TEST(found("atlas") == Names{"weather"}, boost::test_tools::per_element());
  BOOST_TEST(found("path") == Names{"read_text_file"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(rare_words_count_more_and_a_beginning_counts) {
  BOOST_TEST(found("overwrite a file").front() == "write_file");
  BOOST_TEST(found("know").front() == "createEntities");
  BOOST_TEST(found("kn").empty());  // too short for a beginning
}

BOOST_AUTO_TEST_CASE(what_fits_nothing_finds_nothing) {
  BOOST_TEST(found("quantum").empty());
  BOOST_TEST(found("").empty());
  BOOST_TEST(ToolRanking(JsonArray{}).best("file").empty());
}

BOOST_AUTO_TEST_CASE(of_a_query_the_first_kibibyte_counts) {
  std::string words = "file";
  while (words.size() < 2'048) words += " file";
  BOOST_TEST(found((words + " eclipse").c_str()).size() == 3U);
  BOOST_TEST(found(("eclipse " + words).c_str()).size() == 4U);
}

BOOST_AUTO_TEST_CASE(equal_tools_stay_in_the_order_of_the_list) {
  const JsonArray twins{tool("b", "same"), tool("a", "same")};
  BOOST_TEST(ToolRanking(twins).best("same") == (std::vector<std::size_t>{0, 1}), boost::test_tools::per_element());
}
