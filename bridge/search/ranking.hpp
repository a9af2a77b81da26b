// Which of many tools fit the words of a query: BM25F (Robertson, Zaragoza, "The Probabilistic Relevance Framework",
// 2009) over their names, titles, descriptions and parameters. Takes values, returns values.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/json.hpp>

namespace toolwire::bridge {

/// The words of a text in small letters: "readTextFile", "read_text_file" and "Read text files." have the same but for
/// an 's' at the end, which is taken off. Characters beyond ASCII belong to words.
std::vector<std::string> search_words(std::string_view text);

/// An index of tools as `tools/list` has them. Immutable.
class ToolRanking {
 public:
  explicit ToolRanking(const JsonArray& tools);

  /// The indices of the tools that fit, the best first; equal ones in the order of the list. A word also fits longer
  /// words that begin with it, for less. A tool that is called like the query is the first.
  std::vector<std::size_t> best(std::string_view query) const;

 private:
  static constexpr std::size_t fields = 4;  // name, title, description, parameters
  using Counts = std::array<unsigned, fields>;

  void add(std::size_t tool, std::size_t field, std::string_view text);
  double weight_in(std::size_t tool, const Counts& counts) const;
  void score(const std::string& word, std::vector<double>& scores) const;

  std::vector<std::string> names_;
  std::vector<Counts> lengths_;  // in words, of each tool
  std::array<double, fields> usual_length_{};
  std::map<std::string, std::map<std::size_t, Counts>, std::less<>> words_;  // in which tools, how often
};

}  // namespace toolwire::bridge
