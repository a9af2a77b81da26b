#include "scenario/read_scenarios.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <utility>

#include "driver/message.hpp"
#include "driver/revision.hpp"
#include "scenario/matcher.hpp"
#include "scenario/variables.hpp"

namespace toolwire::conformance {
namespace {

[[noreturn]] void wrong(const std::string& place, const std::string& problem) {
  throw std::invalid_argument((place.empty() ? "" : place + ": ") + problem);
}

[[noreturn]] void unlike(const std::string& place, const std::string& expected, const Json& found) {
  wrong(place, "expected " + expected + ", found " + shown(found));
}

/// An object, each of whose members has to be known.
class Members {
 public:
  Members(const Json& json, std::string place, const std::vector<std::string_view>& known) : place_(std::move(place)) {
    if (!json.is_object()) unlike(place_, "an object", json);
    object_ = &json.get_object();
    for (const auto& member : *object_) {
      if (std::ranges::find(known, std::string_view(member.key())) != known.end()) continue;
      std::string names;
      for (const std::string_view name : known) names += (names.empty() ? "" : ", ") + std::string(name);
      wrong(at(member.key()), "expected one of " + names);
    }
  }

  std::string at(std::string_view name) const { return below(place_, name); }
  const std::string& place() const { return place_; }
  const Json* find(std::string_view name) const { return object_->if_contains(name); }
  bool has(std::string_view name) const { return find(name) != nullptr; }

  std::string text(std::string_view name, std::string otherwise) const {
    const Json* const found = find(name);
    if (found == nullptr) return otherwise;
    if (text_of(*found).empty()) unlike(at(name), "a string that is not empty", *found);
    return std::string(text_of(*found));
  }
  std::string text(std::string_view name) const {
    if (!has(name)) wrong(place_, "expected the member \"" + std::string(name) + "\"");
    return text(name, "");
  }
  JsonObject object(std::string_view name) const {
    const Json* const found = find(name);
    if (found == nullptr) return {};
    if (!found->is_object()) unlike(at(name), "an object", *found);
    return found->get_object();
  }
  const JsonArray& array(std::string_view name) const {
    const Json* const found = find(name);
    if (found == nullptr || !found->is_array() || found->get_array().empty())
      unlike(at(name), "an array that is not empty", found == nullptr ? Json() : *found);
    return found->get_array();
  }

 private:
  std::string place_;
  const JsonObject* object_;
};

// What stands in an id, and a revision's name

bool is_id(std::string_view text) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  return !text.empty() && text.front() != '-' && std::ranges::all_of(text, fits);
}

std::string id(const std::string& place, std::string text) {
  if (!is_id(text)) unlike(place, "small letters, digits and \"-\"", Json(text));
  return text;
}

std::vector<std::string> revisions_of(const Members& scenario) {
  std::vector<std::string> names;
  if (!scenario.has("revisions")) {
    for (const Revision& revision : revisions) names.emplace_back(revision.name);
    return names;
  }
  for (const Json& name : scenario.array("revisions")) {
    if (find_revision(text_of(name)) == nullptr)
      unlike(scenario.at("revisions"), "names of revisions, such as \"2025-11-25\"", name);
    names.emplace_back(text_of(name));
  }
  return names;
}

// Steps

struct Action {
  std::string_view word;
  Step::Kind kind;
  std::vector<std::string_view> members;  // what may stand beside it
};

const std::vector<Action> actions{
    {"connect", Step::Kind::connect, {"connect", "capabilities", "answers"}},
    {"request", Step::Kind::request, {"request", "on", "params", "as", "expect", "keep", "within_ms"}},
    {"await", Step::Kind::await, {"await", "expect", "keep", "within_ms"}},
    {"cancel", Step::Kind::cancel, {"cancel"}},
    {"notify", Step::Kind::notify, {"notify", "on", "params"}},
    {"send", Step::Kind::send, {"send", "on"}},
    {"expect_message", Step::Kind::expect_message, {"expect_message", "on", "keep", "within_ms"}},
    {"expect_no_message", Step::Kind::expect_no_message, {"expect_no_message", "on", "within_ms"}},
    {"close", Step::Kind::close, {"close", "within_ms"}},
};

const Action& action_of(const Json& step, const std::string& place) {
  const Action* found = nullptr;
  std::string words;
  for (const Action& action : actions) {
    words += (words.empty() ? "" : ", ") + std::string(action.word);
    if (get(step, action.word).is_null()) continue;
    if (found != nullptr)
      wrong(place, "expected one action, found " + std::string(found->word) + " and " + std::string(action.word));
    found = &action;
  }
  if (found == nullptr) unlike(place, "an object with one of " + words, step);
  return *found;
}

std::optional<std::chrono::milliseconds> time_of(const Members& step) {
  constexpr std::int64_t longest = 3'600'000;
  const Json* const time = step.find("within_ms");
  if (time == nullptr) return std::nullopt;
  if (!time->is_int64() || time->get_int64() < 1 || time->get_int64() > longest)
    unlike(step.at("within_ms"), "milliseconds from 1 to 3600000", *time);
  return std::chrono::milliseconds(time->get_int64());
}

void check_matcher_at(const Json& matcher, const std::string& place) {
  try {
    check_matcher(matcher);
  } catch (const std::invalid_argument& error) {
    const std::string why = error.what();
    wrong(place + (why.starts_with('/') ? why.substr(0, why.find(": ")) : ""),
          why.starts_with('/') ? why.substr(why.find(": ") + 2) : why);
  }
}

Expectation expectation_of(const Members& step) {
  const Json* const given = step.find("expect");
  if (given == nullptr) return {};
  const Members members(*given, step.at("expect"), {"result", "error"});
  if (members.has("result") == members.has("error")) unlike(members.place(), "either \"result\" or \"error\"", *given);
  const std::string_view which = members.has("result") ? "result" : "error";
  check_matcher_at(*members.find(which), members.at(which));
  Expectation expected;
  (which == "result" ? expected.result : expected.error) = *members.find(which);
  return expected;
}

std::map<std::string, std::string> kept_of(const Members& step) {
  std::map<std::string, std::string> keep;
  for (const auto& [name, pointer] : step.object("keep")) {
    const std::string place = below(step.at("keep"), name);
    if (!is_variable_name(name)) wrong(place, "expected letters, digits and underscores as the name of a variable");
    const std::string_view text = text_of(pointer);
    if (!pointer.is_string() || !(text.empty() || text.starts_with('/')))
      unlike(place, "a JSON pointer, such as \"/content/0/text\"", pointer);
    keep.emplace(name, text);
  }
  return keep;
}

/// The steps of one scenario, of which each may use what those before it have brought.
class Steps {
 public:
  explicit Steps(const JsonObject& variables) {
    for (const auto& variable : variables) variables_.emplace(variable.key());
  }

  Step read(const Json& json, const std::string& place, std::size_t number) {
    const Action& action = action_of(json, place);
    const Members members(json, place, action.members);
    Step step{.kind = action.kind, .expected = expectation_of(members), .keep = kept_of(members)};
    step.text =
        "step " + std::to_string(number) + ", " + std::string(action.word) + " " + shown(*members.find(action.word));
    step.within = time_of(members);
    step.params = members.object("params");
    check_variables(json, place);
    take_subject(step, members, action.word);
    for (const auto& kept : step.keep) variables_.insert(kept.first);
    return step;
  }

 private:
  void check_variables(const Json& json, const std::string& place) const {
    try {
      for_each_variable(json, [&](std::string_view name) {
        if (!variables_.contains(name)) wrong("", "there is no variable \"" + std::string(name) + "\" yet");
      });
    } catch (const std::invalid_argument& error) {
      wrong(place, error.what());
    }
  }

  void take_subject(Step& step, const Members& members, std::string_view word) {
    if (step.kind == Step::Kind::expect_message || step.kind == Step::Kind::expect_no_message) {
      step.message = *members.find(word);
      check_matcher_at(step.message, members.at(word));
    } else {
      step.subject = members.text(word);
    }
    take_connection(step, members);
    if (step.kind == Step::Kind::request) take_name(step, members);
    if (step.kind == Step::Kind::await || step.kind == Step::Kind::cancel) find_request(step, members, word);
    if (step.kind == Step::Kind::expect_no_message && !step.within)
      wrong(members.place(), "expected \"within_ms\", for how long nothing may come");
  }

  void take_connection(Step& step, const Members& members) {
    if (step.kind == Step::Kind::connect || step.kind == Step::Kind::close) {
      step.connection = step.subject;
    } else {
      step.connection = members.text("on", main_connection);
    }
    if (step.kind == Step::Kind::connect) {
      step.capabilities = members.object("capabilities");
      step.answers = members.object("answers");
      if (!connections_.insert(step.connection).second)
        wrong(members.at("connect"), "there is a connection \"" + step.connection + "\" already");
    } else if (closed_.contains(step.connection)) {
      wrong(members.place(), "the connection \"" + step.connection + "\" was closed before");
    } else if (step.connection == main_connection) {
      connections_.insert(step.connection);
    } else if (!connections_.contains(step.connection)) {
      wrong(members.place(), "expected a step that connects \"" + step.connection + "\" before this one");
    }
    if (step.kind == Step::Kind::close) closed_.insert(step.connection);
  }

  void take_name(Step& step, const Members& members) {
    step.as = members.text("as", "");
    if (step.as.empty()) return;
    for (const char* const later : {"expect", "keep", "within_ms"}) {
      if (members.has(later)) wrong(members.at(later), "expected in the step that awaits \"" + step.as + "\"");
    }
    if (!requests_.emplace(step.as, step.connection).second)
      wrong(members.at("as"), "there is a request \"" + step.as + "\" already");
  }

  void find_request(Step& step, const Members& members, std::string_view word) const {
    const auto found = requests_.find(step.subject);
    if (found == requests_.end())
      wrong(members.at(word), "expected the name that \"as\" gives a request before, found \"" + step.subject + "\"");
    step.connection = found->second;
  }

  std::set<std::string, std::less<>> variables_;
  std::set<std::string> connections_, closed_;
  std::map<std::string, std::string> requests_;  // their connections
};

std::vector<Step> steps_of(const Members& scenario, const JsonObject& variables) {
  Steps steps(variables);
  std::vector<Step> all;
  for (const Json& step : scenario.array("steps"))
    all.push_back(steps.read(step, below(scenario.at("steps"), std::to_string(all.size())), all.size() + 1));
  return all;
}

JsonObject variables_of(const Members& members) {
  JsonObject variables = members.object("variables");
  for (const auto& variable : variables) {
    if (!is_variable_name(variable.key()))
      wrong(below(members.at("variables"), variable.key()), "expected letters, digits and underscores as its name");
  }
  return variables;
}

Requirement requirement_of(const Members& scenario, const std::string& group, const std::string& file) {
  const std::string level = scenario.text("level", "MUST");
  if (level != "MUST" && level != "SHOULD") unlike(scenario.at("level"), "\"MUST\" or \"SHOULD\"", Json(level));
  return {.id = id(scenario.at("id"), scenario.text("id")),
          .group = group,
          .level = level == "MUST" ? Level::must : Level::should,
          .level_text = level,
          .first = true,
          .revisions = revisions_of(scenario),
          .requirement = scenario.text("requires"),
          .stimulus = {},
          .expected = {},
          .fixture = "none",
          .section = file,
          .note = {},
          .why = scenario.text("why", ""),
          .fix = scenario.text("fix", "")};
}

Scenario read_scenario(const Json& json, const std::string& place, const std::string& group, const std::string& file,
                       JsonObject variables) {
  const Members members(json, place, {"id", "requires", "level", "revisions", "why", "fix", "variables", "steps"});
  for (const auto& variable : variables_of(members)) variables[variable.key()] = variable.value();
  Scenario scenario{.requirement = requirement_of(members, group, file), .variables = std::move(variables)};
  scenario.steps = steps_of(members, scenario.variables);
  return scenario;
}

}  // namespace

std::vector<Scenario> read_scenarios(const Json& file, const std::string& name) {
  const Members members(file, "", {"group", "variables", "scenarios"});
  const std::string stem = std::filesystem::path(name).stem().string();
  if (!members.has("group") && !is_id(stem))
    wrong("", "expected a \"group\" of small letters, digits and \"-\", as the name of the file is none");
  const std::string group = id(members.at("group"), members.text("group", stem));
  const JsonObject variables = variables_of(members);
  std::vector<Scenario> all;
  for (const Json& scenario : members.array("scenarios"))
    all.push_back(
        read_scenario(scenario, below(members.at("scenarios"), std::to_string(all.size())), group, name, variables));
  return all;
}

}  // namespace toolwire::conformance
