#include "search/ranking.hpp"

#include <algorithm>
#include <cmath>

#include <toolwire/json_members.hpp>
#include <toolwire/text.hpp>

namespace toolwire::bridge {
namespace {

constexpr std::array<double, 4> weights{5, 4, 2, 1};
constexpr double saturation = 1.2;     // k1
constexpr double length_weight = 0.6;  // b
constexpr double of_beginning = 0.5;   // what a longer word counts
constexpr std::size_t shortest_beginning = 3;
constexpr std::size_t max_query = 1'024;  // bytes: each of its words takes time with each tool that has it

bool is_small(char c) { return (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_of_word(char c) { return is_small(c) || is_capital(c) || is_digit(c); }

/// "textFile" has a word that begins at 'F', "HTTPServer" at 'S'.
bool begins_word(std::string_view text, std::size_t at) {
  if (at == 0 || !is_capital(text[at])) return false;
  const bool next_is_small = at + 1 < text.size() && is_small(text[at + 1]);
  return is_small(text[at - 1]) || is_digit(text[at - 1]) || (is_capital(text[at - 1]) && next_is_small);
}

void end_word(std::string& word, std::vector<std::string>& words) {
  if (word.size() > 3 && word.back() == 's' && word[word.size() - 2] != 's') word.pop_back();
  if (!word.empty()) words.push_back(std::move(word));
  word.clear();
}

/// Names and descriptions of the properties of a schema, however deep.
void collect_parameters(const Json& schema, std::string& into, unsigned depth = 0) {
  constexpr unsigned max_depth = 8;
  const JsonObject* const object = schema.if_object();
  if (object == nullptr || depth > max_depth) return;
  const JsonObject* const properties = object_member(*object, "properties");
  if (properties != nullptr) {
    for (const auto& [name, property] : *properties) {
      into.append(name).append(" ");
      if (property.is_object()) into.append(text_or(property.get_object(), "description")).append(" ");
      collect_parameters(property, into, depth + 1);
    }
  }
  if (const Json* const items = object->if_contains("items")) collect_parameters(*items, into, depth + 1);
}

std::string parameters_of(const JsonObject& tool) {
  std::string text;
  if (const Json* const schema = tool.if_contains("inputSchema")) collect_parameters(*schema, text);
  return text;
}

}  // namespace

std::vector<std::string> search_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_of_word(text[i]) || begins_word(text, i)) end_word(word, words);
    if (is_of_word(text[i])) word += is_capital(text[i]) ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
  }
  end_word(word, words);
  return words;
}

ToolRanking::ToolRanking(const JsonArray& tools) : lengths_(tools.size()) {
  for (std::size_t i = 0; i < tools.size(); ++i) {
    const JsonObject& tool = tools[i].as_object();
    names_.push_back(text_or(tool, "name"));
    add(i, 0, names_.back());
    add(i, 1, text_or(tool, "title"));
    add(i, 2, text_or(tool, "description"));
    add(i, 3, parameters_of(tool));
  }
  for (std::size_t field = 0; field < fields; ++field) {
    double all = 0;
    for (const Counts& lengths : lengths_) all += lengths[field];
    usual_length_[field] = lengths_.empty() || all == 0 ? 1 : all / static_cast<double>(lengths_.size());
  }
}

void ToolRanking::add(std::size_t tool, std::size_t field, std::string_view text) {
  for (std::string& word : search_words(text)) {
    ++words_[std::move(word)][tool][field];
    ++lengths_[tool][field];
  }
}

double ToolRanking::weight_in(std::size_t tool, const Counts& counts) const {
  double sum = 0;
  for (std::size_t field = 0; field < fields; ++field) {
    const double length = lengths_[tool][field] / usual_length_[field];
    sum += weights[field] * counts[field] / (1 - length_weight + length_weight * length);
  }
  return sum;
}

void ToolRanking::score(const std::string& word, std::vector<double>& scores) const {
  std::map<std::size_t, double> weights_of_tools;
  for (auto found = words_.lower_bound(word); found != words_.end() && found->first.starts_with(word); ++found) {
    const bool whole = found->first == word;
    if (!whole && word.size() < shortest_beginning) break;
    for (const auto& [tool, counts] : found->second)
      weights_of_tools[tool] += (whole ? 1 : of_beginning) * weight_in(tool, counts);
  }
  const auto with = static_cast<double>(weights_of_tools.size());
  const double rarity = std::log(1 + (static_cast<double>(names_.size()) - with + 0.5) / (with + 0.5));
  for (const auto& [tool, weight] : weights_of_tools) scores[tool] += rarity * weight / (saturation + weight);
}

std::vector<std::size_t> ToolRanking::best(std::string_view query) const {
  std::vector<double> scores(names_.size(), 0);
  for (const std::string& word : search_words(text::head(query, max_query))) score(word, scores);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (names_[i] == query) scores[i] = HUGE_VAL;
    if (scores[i] > 0) found.push_back(i);
  }
  std::ranges::stable_sort(found, [&](std::size_t one, std::size_t other) { return scores[one] > scores[other]; });
  return found;
}

}  // namespace toolwire::bridge
