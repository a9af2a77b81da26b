#include "checks/target.hpp"

#include <algorithm>
#include <future>
#include <vector>

namespace toolwire::conformance {
namespace {

constexpr std::size_t most_pages = 100;
constexpr std::size_t shown_errors = 2000;

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
  for (std::size_t page = 0; page < most_pages; ++page) {
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

std::string tail(const std::string& text) {
  return text.size() <= shown_errors ? text : "…" + text.substr(text.size() - shown_errors);
}

/// Why a session could not be opened, for people.
std::string problem_of(Session& session, const Answer& answer) {
  ServerProcess& process = session.process();
  const auto foreign = std::count_if(session.messages().begin(), session.messages().end(),
                                     [](const Message& it) { return it.kind == Message::Kind::foreign; });
  std::string text = "its first request was answered with " + answer.text();
  if (process.ending().exited) text += "; the server " + process.ending().text();
  if (foreign > 0)
    text +=
        "; lines on standard output that are no messages, the first: " + session.messages().front().text.substr(0, 200);
  const auto echoed = std::any_of(session.messages().begin(), session.messages().end(), [](const Message& it) {
    return it.kind == Message::Kind::request && (it.method() == "initialize" || it.method() == "server/discover");
  });
  if (echoed) text += "; it sends our own requests back, so it is no server";
  if (session.flooded()) text += "; it floods its standard output";
  if (!process.errors().empty()) text += "; the last it wrote to standard error: " + tail(process.errors());
  return text;
}

bool speaks(const Revision& revision, const Json& opening) {
  if (!revision.modern) return text_of(get(opening, "protocolVersion")) == revision.name;
  const JsonArray* supported = get(opening, "supportedVersions").if_array();
  return supported != nullptr && std::any_of(supported->begin(), supported->end(),
                                             [&](const Json& it) { return text_of(it) == revision.name; });
}

Offer ask(const Target& target, const Revision& revision) {
  Offer offer{.revision = &revision};
  Session session(target.launch, revision,
                  {.capabilities = all_capabilities(revision), .timeout = target.start_timeout});
  const Answer answer = session.open();
  session.options().timeout = target.timeout;
  if (!answer.ok() || !speaks(revision, answer.result)) {
    offer.problem =
        answer.ok() ? "it offers " +
                          to_json_text(get(answer.result, revision.modern ? "supportedVersions" : "protocolVersion")) +
                          " instead"
                    : problem_of(session, answer);
    return offer;
  }
  offer.served = true;
  offer.opening = answer.result;
  if (const JsonObject* capabilities = get(answer.result, "capabilities").if_object())
    offer.capabilities = *capabilities;
  if (offer.has("tools")) offer.tools = list_of(session, "tools/list", "tools");
  if (offer.has("resources")) offer.resources = list_of(session, "resources/list", "resources");
  if (offer.has("resources")) offer.templates = list_of(session, "resources/templates/list", "resourceTemplates");
  if (offer.has("prompts")) offer.prompts = list_of(session, "prompts/list", "prompts");
  return offer;
}

}  // namespace

const Json* Offer::tool(std::string_view name) const { return find_by(tools, "name", name); }
const Json* Offer::prompt(std::string_view name) const { return find_by(prompts, "name", name); }
const Json* Offer::resource(std::string_view uri) const { return find_by(resources, "uri", uri); }
const Json* Offer::resource_template(std::string_view uri_template) const {
  return find_by(templates, "uriTemplate", uri_template);
}

bool Target::serves_any() const {
  return std::any_of(offers.begin(), offers.end(), [](const auto& it) { return it.second.served; });
}

bool Target::may_call(std::string_view tool) const {
  return read_only_tools.contains(std::string(tool)) || allowed_tools.contains(std::string(tool)) ||
         allowed_tools.contains("*");
}

void survey(Target& target) {
  std::vector<std::future<Offer>> asked;
  for (const Revision& revision : revisions) {
    asked.push_back(std::async(std::launch::async, [&target, &revision] { return ask(target, revision); }));
  }
  for (auto& one : asked) {
    Offer offer = one.get();
    for (const Json& tool : offer.tools) {
      if (get(tool, "annotations", "readOnlyHint") == Json(true))
        target.read_only_tools.emplace(text_of(get(tool, "name")));
    }
    target.offers.emplace(offer.revision->name, std::move(offer));
  }
}

}  // namespace toolwire::conformance
