#include "target/target.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <future>
#include <utility>
#include <vector>

#include "driver/interruption.hpp"
#include "target/start_up.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::size_t max_pages = 100;
constexpr std::string_view first_over_http = "2025-03-26";  // before, HTTP was another transport
constexpr std::chrono::milliseconds look_every{50};

const Json* find_by(const JsonArray& list, std::string_view member, std::string_view value) {
  for (const Json& item : list) {
    if (text_of(get(item, member)) == value) return &item;
  }
  return nullptr;
}

/// All pages of a list; what came before an error.
JsonArray list_of(Session& session, std::string_view method, std::string_view member) {
  JsonArray all;
  JsonObject params;
  for (std::size_t page = 0; page < max_pages; ++page) {
    const Answer answer = session.request(method, params);
    const JsonArray* items = get(answer.result, member).if_array();
    if (!answer.ok() || items == nullptr) break;
    all.insert(all.end(), items->begin(), items->end());
    const Json& cursor = get(answer.result, "nextCursor");
    if (!cursor.is_string()) break;
    params["cursor"] = cursor;
  }
  return all;
}

bool speaks(const Revision& revision, const Json& opening) {
  if (!revision.modern) return text_of(get(opening, "protocolVersion")) == revision.name;
  const JsonArray* supported = get(opening, "supportedVersions").if_array();
  return supported != nullptr && std::any_of(supported->begin(), supported->end(),
                                             [&](const Json& it) { return text_of(it) == revision.name; });
}

/// When any session was opened: the others need not be waited for much longer.
struct FirstAnswer {
  std::atomic<Clock::rep> at{Clock::time_point::max().time_since_epoch().count()};
  bool came_before(Clock::time_point time) const { return at.load() < time.time_since_epoch().count(); }
};

Answer open(Session& session, const Target& target, FirstAnswer& first) {
  const auto until = Clock::now() + target.start_timeout;
  const Json id = session.start_opening();
  Answer answer;
  for (StartWatch watch(session); answer.kind == Answer::Kind::silence && Clock::now() < until;) {
    answer = session.await(id, look_every);
    if (watch.is_hopeless() || first.came_before(Clock::now() - target.timeout)) break;
  }
  if (answer.ok()) first.at = Clock::now().time_since_epoch().count();
  session.finish_opening(answer);
  return answer;
}

Offer not_served(Session& session, const Answer& answer) {
  Offer offer{.revision = find_revision(session.revision().name)};
  offer.fault = fault_of(session, answer);
  offer.problem = offer.fault.got;
  return offer;
}

std::vector<StartedAs> processes_of(const Session& session) {
  if (!session.has_process()) return {};
  std::vector<pid_t> ids = session.process().descendants();
  std::ranges::sort(ids, std::greater<>{});
  ids.push_back(session.process().id());
  return started_as(ids);
}

Offer ask(const Target& target, const Revision& revision, FirstAnswer& first) {
  Offer offer{.revision = &revision};
  const auto begin = Clock::now();
  Session session(target.launch, revision, {.capabilities = all_capabilities(revision), .timeout = target.timeout});
  const Answer answer = open(session, target, first);
  if (!answer.ok() || !speaks(revision, answer.result)) return not_served(session, answer);
  offer.served = true;
  offer.fault = fault_before_answer(session);
  offer.start_time = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
  offer.opening = answer.result;
  if (const JsonObject* capabilities = get(answer.result, "capabilities").if_object())
    offer.capabilities = *capabilities;
  if (offer.has("tools")) offer.tools = list_of(session, "tools/list", "tools");
  if (offer.has("resources")) offer.resources = list_of(session, "resources/list", "resources");
  if (offer.has("resources")) offer.templates = list_of(session, "resources/templates/list", "resourceTemplates");
  if (offer.has("prompts")) offer.prompts = list_of(session, "prompts/list", "prompts");
  offer.processes = processes_of(session);
  return offer;
}

/// No answer came: none in time, or the process ended.
bool is_silent(const Offer& offer) {
  return offer.fault.check == "start-answers" || offer.fault.check == "start-stays";
}

/// Nothing else is running.
void ask_alone(Target& target, Offer& offer) {
  FirstAnswer first;
  offer = ask(target, *offer.revision, first);
}

/// All revisions were asked at once, which may have been too much for the machine, or for a server that wants a file
/// for itself. Any server answers `initialize`, if with an error: where it is silent to that of the newest revision
/// alone, it is to all.
void repeat_silent_alone(Target& target) {
  constexpr std::chrono::milliseconds slow_start{1000};
  bool was_too_much = std::ranges::any_of(
      target.offers, [&](const auto& it) { return it.second.served && it.second.start_time > slow_start; });
  bool is_newest = true;
  for (auto at = target.offers.rbegin(); at != target.offers.rend() && run_end() == RunEnd::none; ++at) {
    Offer& offer = at->second;
    if (offer.revision->modern || !is_silent(offer)) continue;
    ask_alone(target, offer);
    if (std::exchange(is_newest, false) && is_silent(offer) && !target.serves_any()) return;
    was_too_much |= !is_silent(offer);
  }
  // A server of earlier revisions may be silent to a method that it does not know.
  for (auto& [name, offer] : target.offers) {
    if (was_too_much && offer.revision->modern && is_silent(offer) && run_end() == RunEnd::none)
      ask_alone(target, offer);
  }
}

/// What is known of the server from all of its revisions.
void sum_up(Target& target) {
  std::set<std::string> writing_tools;
  for (const auto& [revision, offer] : target.offers) {
    for (const Json& tool : offer.tools) {
      const Json& annotations = get(tool, "annotations");
      const std::string name(text_of(get(tool, "name")));
      if (get(annotations, "readOnlyHint") == Json(true)) target.read_only_tools.insert(name);
      if (get(annotations, "readOnlyHint") == Json(false) || get(annotations, "destructiveHint") == Json(true))
        writing_tools.insert(name);
    }
    target.start_time = std::max(target.start_time, offer.start_time);
  }
  for (const std::string& name : writing_tools) target.read_only_tools.erase(name);
}

}  // namespace

const Json* Offer::tool(std::string_view name) const { return find_by(tools, "name", name); }
const Json* Offer::prompt(std::string_view name) const { return find_by(prompts, "name", name); }
const Json* Offer::resource(std::string_view uri) const { return find_by(resources, "uri", uri); }
const Json* Offer::resource_template(std::string_view uri_template) const {
  return find_by(templates, "uriTemplate", uri_template);
}

std::vector<StartedAs> Target::commands() const {
  std::vector<StartedAs> all;
  for (const auto& [name, offer] : offers) {
    if (all.empty()) all = offer.processes;
  }
  all.push_back({launch.command, launch.directory});
  return all;
}

bool Target::serves_any() const {
  return std::any_of(offers.begin(), offers.end(), [](const auto& it) { return it.second.served; });
}

bool Target::serves_legacy() const {
  return std::any_of(offers.begin(), offers.end(),
                     [](const auto& it) { return it.second.served && !it.second.revision->modern; });
}

bool Target::may_call(std::string_view tool) const {
  return read_only_tools.contains(std::string(tool)) || allowed_tools.contains(std::string(tool)) ||
         allowed_tools.contains("*");
}

void survey(Target& target) {
  FirstAnswer first;
  std::vector<std::future<Offer>> asked;
  asked.reserve(std::size(revisions));
  for (const Revision& revision : revisions) {
    if (target.launch.http && revision.name < first_over_http) continue;
    asked.push_back(std::async(std::launch::async, [&] { return ask(target, revision, first); }));
  }
  for (auto& one : asked) {
    Offer offer = one.get();
    target.offers.emplace(offer.revision->name, std::move(offer));
  }
  repeat_silent_alone(target);
  sum_up(target);
}

}  // namespace toolwire::conformance
