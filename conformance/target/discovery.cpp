#include "target/discovery.hpp"

#include <algorithm>
#include <future>
#include <iterator>
#include <system_error>
#include <utility>

#include "target/named_fixtures.hpp"
#include "target/search.hpp"

namespace toolwire::conformance {
namespace {

struct Looked {
  Found found;
  std::vector<std::unique_ptr<Session>> sessions;
};

/// Nothing if no session can be opened: the checks will say so.
Looked look_at(const Target& target, const Offer& offer) {
  Search search(offer, target);
  try {
    if (!search.open()) return {};
    search_completions(search);  // first: its values are arguments of prompts, as are the URIs of resources
    search_resources(search);
    search_prompts(search);
    search_tools(search);
  } catch (const std::system_error&) {
    return {};
  }
  return {search.take(), search.take_sessions()};
}

/// What asks in one revision must fail in those that cannot ask: there it is known by what it is elsewhere.
void share_what_asks(Target& target) {
  for (const std::string_view kind : {"prompt:needs-input", "resource:needs-input"}) {
    const auto asks = [&](const auto& it) { return it.second.found.contains(kind); };
    const auto source = std::ranges::find_if(target.offers, asks);
    if (source == target.offers.end()) continue;
    const Fixture fixture = source->second.found.find(kind)->second;
    for (auto& [name, offer] : target.offers) {
      const bool is_listed = offer.prompt(fixture.name) != nullptr || offer.resource(fixture.name) != nullptr;
      if (is_listed && !named_fixture(target, offer, kind)) offer.found.emplace(kind, fixture);
    }
  }
}

}  // namespace

std::vector<std::unique_ptr<Session>> discover(Target& target, const std::vector<std::string>& names) {
  std::vector<std::pair<Offer*, std::future<Looked>>> searches;
  for (auto& [name, offer] : target.offers) {
    if (!offer.served || std::ranges::find(names, name) == names.end()) continue;
    searches.emplace_back(&offer, std::async(std::launch::async, look_at, std::cref(target), std::cref(offer)));
  }
  // Until all have come nothing is changed that they look at.
  std::vector<Looked> looked;
  looked.reserve(searches.size());
  for (auto& [offer, search] : searches) looked.push_back(search.get());
  std::vector<std::unique_ptr<Session>> sessions;
  for (std::size_t i = 0; i < searches.size(); ++i) {
    searches[i].first->found = std::move(looked[i].found);
    std::ranges::move(looked[i].sessions, std::back_inserter(sessions));
  }
  share_what_asks(target);
  return sessions;
}

}  // namespace toolwire::conformance
