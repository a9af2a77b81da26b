// Lists of 100, 1 000 and 10 000 tools, in one page and in pages of 100.
#include <array>
#include <string>

#include "lines/groups.hpp"
#include "lines/many.hpp"

namespace toolwire::bench {
namespace {

constexpr std::array<std::size_t, 3> sizes = {100, 1'000, 10'000};
constexpr std::size_t tools_a_page = 100;

struct Listed {
  double first_ms = 0, again_ms = 0;
  double bytes = 0;
};

std::string list_line(Id id, std::string_view cursor) {
  const std::string params = cursor.empty() ? "" : R"(,"params":{"cursor":")" + std::string(cursor) + "\"}";
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"tools/list")" + params + "}\n";
}

/// Follows the cursors to the end of the list; returns its bytes.
double read_list(Session& session, Id& id, std::size_t tools) {
  double bytes = 0;
  std::string cursor;
  std::size_t pages = 0;
  do {
    const auto answer = session.ask(list_line(id, cursor), id);
    ++id;
    bytes += static_cast<double>(answer.size() + 1);
    ++pages;
    const auto tail = answer.substr(answer.size() - std::min<std::size_t>(answer.size(), 200));  // nextCursor is last
    const auto at = value_of(tail, "nextCursor");
    cursor = at == std::string_view::npos ? "" : tail.substr(at + 1, tail.find('"', at + 1) - at - 1);
  } while (!cursor.empty() && pages <= tools);
  return bytes;
}

Listed list(const Setting& setting, std::size_t tools, std::size_t page) {
  const Candidate server{"many-tools", {setting.many_tools, std::to_string(tools), std::to_string(page)}};
  Session session(server);
  Id id = first_call_id;
  Listed listed;
  auto begin = Clock::now();
  listed.bytes = read_list(session, id, tools);
  listed.first_ms = milliseconds(Clock::now() - begin);
  std::vector<double> again;
  for (int time = 0; time < 5; ++time) {
    begin = Clock::now();
    if (read_list(session, id, tools) != listed.bytes) throw MeasureFailed("two lists of the same tools differ");
    again.push_back(milliseconds(Clock::now() - begin));
  }
  listed.again_ms = median(again);
  return listed;
}

/// The value is how a tool's cost grows from the list of 1 000 to that of 10 000.
void measure_lists(const Setting& setting, Board& board, std::string_view line, std::size_t page) {
  std::array<Listed, sizes.size()> lists{};
  Figures figures;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    lists[i] = list(setting, sizes[i], page);
    const std::string name = std::to_string(sizes[i]) + " tools ";
    figures.emplace_back(name + "ms", lists[i].first_ms);
    figures.emplace_back(name + "again ms", lists[i].again_ms);
    figures.emplace_back(name + "bytes", lists[i].bytes);
  }
  board.add(line, lists[2].first_ms / 10 / lists[1].first_ms, figures);
}

void measure(const Setting& setting, Board& board) {
  measure_lists(setting, board, "list", 0);
  measure_lists(setting, board, "list-pages", tools_a_page);
}

}  // namespace

// What grows with the number of tools has 1, with its square 10; a list that no longer fits the caches has a little
// more than 1.
const Group& list_group() {
  static const Group group = {
      {
          {"list", "10 000 tools in one page: time a tool / that of 1 000", Bound::at_most, 3, "x"},
          {"list-pages", "10 000 tools in pages of 100: the same", Bound::at_most, 3, "x"},
      },
      measure};
  return group;
}

}  // namespace toolwire::bench
