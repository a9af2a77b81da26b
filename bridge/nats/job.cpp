#include "job.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include <toolwire/json.hpp>

#include "activities/mcp/text_hash.hpp"
#include "letter.hpp"

namespace toolwire::nats {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t id_bytes = 16;
/// A message that is read from a stream comes in base64.
constexpr std::size_t longest_part = std::size_t{256} << 10;

std::int64_t number_of(WallTime time) { return time.time_since_epoch().count(); }
WallTime time_in(const Json& number) { return WallTime(milliseconds(number.as_int64())); }
std::size_t count_in(const Json& number) {
  return static_cast<std::size_t>(std::max<std::int64_t>(0, number.as_int64()));
}

std::string with_text(const JsonArray& head, std::string_view text) {
  return to_json_text(head).append(1, '\n').append(text);
}

template <class Made, class Make>
std::optional<Made> taken_apart(std::string_view text, Make make) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  try {
    const Json head = parse_json(text.substr(0, end));
    return make(head.as_array(), std::string(text.substr(end + 1)));
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::string word(const JsonArray& head, std::size_t which) { return std::string(head.at(which).as_string()); }

}  // namespace

JobStreams job_streams(const std::string& name) { return {name, name + "-results"}; }

std::string job_id(std::string_view task, int attempt) {
  return bridge::mcp::text_hash(std::string(task) + "\n" + std::to_string(attempt), id_bytes);
}

std::string JobSubjects::waiting(std::string_view tool) const {
  return prefix_ + ".jobs." + job_.worker + "." + bridge::mcp::text_hash(tool, id_bytes) + "." + job_.id;
}

std::string JobSubjects::below(std::string_view what, std::size_t part) const {
  return prefix_ + ".job." + job_.worker + "." + job_.id + "." + std::string(what) + "." + std::to_string(part);
}

WallTime wall_time() { return std::chrono::floor<milliseconds>(std::chrono::system_clock::now()); }

std::string text_of(const Made& made) {
  return with_text({made.worker, made.again, number_of(made.until), number_of(made.ends)}, made.waiting);
}

std::string text_of(const Ticket& ticket) {
  return with_text({ticket.id, ticket.again, number_of(ticket.until), number_of(ticket.ends), ticket.lease.count(),
                    ticket.tools, static_cast<std::int64_t>(ticket.parts)},
                   ticket.text);
}

std::string text_of(const Ending& ending) {
  return with_text({ending.is_answer, ending.time, static_cast<std::int64_t>(ending.parts)}, ending.text);
}

std::string text_of(const Said& said) { return with_text({said.time, said.number}, said.text); }

std::optional<Made> made_in(std::string_view text) {
  return taken_apart<Made>(text, [](const JsonArray& head, std::string&& rest) {
    return Made{word(head, 0), head.at(1).as_bool(), time_in(head.at(2)), time_in(head.at(3)), std::move(rest)};
  });
}

std::optional<Ticket> ticket_in(std::string_view text) {
  return taken_apart<Ticket>(text, [](const JsonArray& head, std::string&& rest) {
    return Ticket{.id = word(head, 0),
                  .again = head.at(1).as_bool(),
                  .until = time_in(head.at(2)),
                  .ends = time_in(head.at(3)),
                  .lease = milliseconds(head.at(4).as_int64()),
                  .tools = word(head, 5),
                  .parts = count_in(head.at(6)),
                  .text = std::move(rest)};
  });
}

std::optional<Ending> ending_in(std::string_view text) {
  return taken_apart<Ending>(text, [](const JsonArray& head, std::string&& rest) {
    return Ending{head.at(0).as_bool(), head.at(1).as_int64(), count_in(head.at(2)), std::move(rest)};
  });
}

std::optional<Said> said_in(std::string_view text) {
  return taken_apart<Said>(text, [](const JsonArray& head, std::string&& rest) {
    return Said{head.at(0).as_int64(), head.at(1).as_int64(), std::move(rest)};
  });
}

std::vector<std::string> in_parts(std::string_view text, std::size_t max_payload) {
  const std::size_t room = std::min(longest_part, room_for_text(max_payload) / 2 + 1);
  std::vector<std::string> parts;
  for (std::size_t at = 0; at == 0 || at < text.size(); at += room) parts.emplace_back(text.substr(at, room));
  return parts;
}

}  // namespace toolwire::nats
