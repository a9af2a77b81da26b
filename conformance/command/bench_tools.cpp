#include "command/bench_tools.hpp"

#include <optional>

#include <toolwire/schema.hpp>

namespace toolwire::conformance {
namespace {

constexpr std::string_view measured_revision = "2025-06-18";  // that of the driver

/// A tool the server may have, with a placeholder among its arguments.
struct Way {
  std::string name = {};
  JsonObject arguments = {};
  std::string_view placeholder = {};
  double units_a_millisecond = 1;
  bool by_profile = false;
};

bool fits(const Json& tool, const JsonObject& arguments) {
  try {
    return Schema::compile(get(tool, "inputSchema"), {.unsupported_pattern = UnsupportedPattern::annotate})
        .is_valid(arguments);
  } catch (const SchemaError&) {
    return false;
  }
}

/// The first way the server takes, with `sample` for the placeholder.
std::optional<Way> usable(const Target& target, const std::vector<Way>& ways, const Json& sample) {
  const auto offer = target.offers.find(measured_revision);
  if (offer == target.offers.end()) return std::nullopt;
  for (const Way& way : ways) {
    const Json* tool = offer->second.tool(way.name);
    if (tool == nullptr || !(way.by_profile || target.may_call(way.name))) continue;
    if (fits(*tool, filled(way.arguments, way.placeholder, sample))) return way;
  }
  return std::nullopt;
}

std::vector<Way> ways_of(const Target& target, std::string_view kind, Way of_profile, Way own) {
  std::vector<Way> ways;
  if (auto fixture = target.profile.find(kind)) {
    of_profile.name = fixture->name;
    of_profile.arguments = fixture->arguments;
    of_profile.by_profile = fixture->by_profile;
    ways.push_back(std::move(of_profile));
  }
  ways.push_back(std::move(own));
  return ways;
}

/// Parts the text of the arguments where the placeholder stands; `quoted`: within its quotes.
void split(const Way& way, bool quoted, std::string& before, std::string& after) {
  const std::string text = to_json_text(way.arguments);
  const std::string mark = (quoted ? "<" : "\"<") + std::string(way.placeholder) + (quoted ? ">" : ">\"");
  const std::size_t at = text.find(mark);
  before = text.substr(0, at);
  after = at == std::string::npos ? "" : text.substr(at + mark.size());
}

}  // namespace

BenchTools bench_tools(const Target& target) {
  BenchTools found;
  toolwire::bench::Tools& tools = found.tools;
  tools.echo = tools.sleep = tools.add = "";
  const auto echoes = ways_of(target, "tool:echo", {.placeholder = "TEXT"}, {"echo", {{"text", "<TEXT>"}}, "TEXT"});
  if (const auto way = usable(target, echoes, "text")) {
    tools.echo = way->name;
    split(*way, true, tools.before_text, tools.after_text);
  } else {
    found.notes.emplace_back("n/a without a tool: neither tool:echo of the profile nor echo {text} may be called");
  }
  const auto sleeps = ways_of(target, "tool:slow", {.placeholder = "SECONDS", .units_a_millisecond = 0.001},
                              {"sleep", {{"ms", "<MS>"}}, "MS"});
  if (const auto way = usable(target, sleeps, 0.0009)) {
    tools.sleep = way->name;
    tools.units_a_millisecond = way->units_a_millisecond;
    split(*way, false, tools.before_time, tools.after_time);
  } else {
    found.notes.emplace_back("n/a without a tool: neither tool:slow of the profile nor sleep {ms} may be called");
  }
  if (usable(target, {{"add", {{"a", 1}, {"b", 2}}, ""}}, nullptr)) tools.add = "add";
  return found;
}

}  // namespace toolwire::conformance
