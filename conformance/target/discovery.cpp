#include "target/discovery.hpp"

#include <algorithm>
#include <future>
#include <system_error>
#include <utility>

#include "target/named_fixtures.hpp"
#include "target/search.hpp"

namespace toolwire::conformance {
namespace {

Found found_in(Session& session, const Offer& offer, const Target& target) {
  Search search(session, offer, target);
  search_completions(search);  // first: its values are arguments of prompts, as are the URIs of resources
  search_resources(search);
  search_prompts(search);
  search_tools(search);
  return search.take();
}

/// Nothing if no session can be opened: the checks will say so.
Found look_at(const Target& target, const Offer& offer) {
  try {
    Session session(target.launch, *offer.revision,
                    {.capabilities = all_capabilities(*offer.revision), .timeout = target.start_timeout});
    return session.open().ok() ? found_in(session, offer, target) : Found{};
  } catch (const std::system_error&) {
    return {};
  }
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

void discover(Target& target, const std::vector<std::string>& names) {
  std::vector<std::pair<Offer*, std::future<Found>>> searches;
  for (auto& [name, offer] : target.offers) {
    if (!offer.served || std::ranges::find(names, name) == names.end()) continue;
    searches.emplace_back(&offer, std::async(std::launch::async, look_at, std::cref(target), std::cref(offer)));
  }
  // Until all have come nothing is changed that they look at.
  std::vector<Found> found;
  found.reserve(searches.size());
  for (auto& [offer, search] : searches) found.push_back(search.get());
  for (std::size_t i = 0; i < searches.size(); ++i) searches[i].first->found = std::move(found[i]);
  share_what_asks(target);
}

}  // namespace toolwire::conformance
