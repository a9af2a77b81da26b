#include "activities/mcp/offer.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <toolwire/text.hpp>

#include "activities/mcp/offered_content.hpp"
#include "activities/mcp/offered_tool.hpp"

namespace toolwire::bridge::mcp {

Offer::Offer(Server& server, std::vector<BackEndOptions> back_ends, OfferOptions options)
    : server_(server), options_(std::move(options)), names_(options_.reserved), offered_(back_ends.size()) {
  std::set<std::string> known;
  for (BackEndOptions& one : back_ends) {
    if (!known.insert(one.name).second)
      throw std::invalid_argument("two back-ends have the name \"" + one.name + "\"; give each a name of its own");
    if (!one.log) one.log = options_.log;
    prefixed_.push_back(one.always_prefix);
    pinned_.push_back(one.pinned.has_value());
    back_ends_.push_back(make_back_end(std::move(one)));
    const std::size_t index = back_ends_.size() - 1;
    back_ends_.back()->on_offer_changed([this, index] { changed(index); });
    back_ends_.back()->on_resource_updated([this, index](const std::string& uri) { updated(index, uri); });
  }
}

Offer::~Offer() {
  {
    const MutexLock lock(mutex_);
    ended_ = true;
  }
  for (const auto& back_end : back_ends_) back_end->stop();
  for (const auto& back_end : back_ends_) back_end->end();
}

void Offer::begin() {
  const auto until = std::chrono::steady_clock::now() + options_.start_wait;
  for (std::size_t i = 0; i < back_ends_.size(); ++i) {
    if (!pinned_[i]) back_ends_[i]->start();
  }
  for (const auto& back_end : back_ends_) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    back_end->wait_for_tools(std::max(left, std::chrono::milliseconds{0}));
  }
  const MutexLock lock(mutex_);
  begun_ = true;
  for (std::size_t i = 0; i < back_ends_.size(); ++i) offer_all(i);
}

void Offer::refresh() {
  for (std::size_t i = 0; i < back_ends_.size(); ++i) changed(i);
}

std::vector<std::string> Offer::tool_names() {
  const MutexLock lock(mutex_);
  std::vector<std::string> names;
  for (const Offered& one : offered_) {
    for (const auto& [name, tool] : one.tools) names.push_back(name);
  }
  return names;
}

void Offer::changed(std::size_t index) {
  const MutexLock lock(mutex_);
  if (begun_ && !ended_) offer_all(index);
}

void Offer::updated(std::size_t index, const std::string& uri) {
  std::string whole;
  {
    const MutexLock lock(mutex_);
    if (!begun_ || ended_) return;
    whole = uris_.prefix(back_ends_[index]->name(), uri, prefixed_[index]) + uri;
  }
  server_.resource_updated(whole);
}

void Offer::offer_all(std::size_t index) {
  const Listing listing = back_ends_[index]->offered();
  offer_tools(index, listing.tools);
  offer_resources(index, listing);
  offer_prompts(index, listing.prompts);
}

void Offer::offer_tools(std::size_t index, const std::vector<Json>& tools) {
  const auto& back_end = back_ends_[index];
  Wanted wanted;
  for (const Json& tool : tools) {
    const std::string& name = names_.name(back_end->name(), name_of(tool), prefixed_[index]);
    if (!options_.wants_tool || options_.wants_tool(name)) wanted.emplace_back(name, tool);
  }
  keep_in_step(
      offered_[index].tools, wanted, [this](const std::string& name) { server_.remove_tool(name); },
      [&](const std::string& name, const Json& tool) {
        Tool made = offered_tool(tool, name, back_end, options_.call_timeout);
        made.info.single_use_answers = options_.single_use_answers;
        server_.add(std::move(made));
      });
}

void Offer::offer_resources(std::size_t index, const Listing& listing) {
  const auto& back_end = back_ends_[index];
  const auto own = [](const Json& listed, std::string_view key) {
    return std::string(std::string_view(listed.at(key).as_string()));
  };
  const auto prefix_of = [](const std::string& whole, const std::string& uri) {
    return whole.substr(0, whole.size() - uri.size());
  };
  Wanted resources;
  for (const Json& one : listing.resources) {
    const std::string uri = own(one, "uri");
    resources.emplace_back(uris_.prefix(back_end->name(), uri, prefixed_[index]) + uri, one);
  }
  const auto remove = [this](const std::string& uri) { server_.remove_resource(uri); };
  const bool tells_updates = listing.tells_updates;
  if (std::exchange(offered_[index].tells_updates, tells_updates) != tells_updates)
    keep_in_step(offered_[index].resources, {}, remove, [](const std::string&, const Json&) {});
  keep_in_step(offered_[index].resources, resources, remove, [&](const std::string& uri, const Json& one) {
    Resource made = offered_resource(one, prefix_of(uri, own(one, "uri")), back_end, options_.call_timeout);
    made.info.subscribable = tells_updates;
    server_.add(std::move(made));
  });
  Wanted templates;
  for (const Json& one : listing.templates) {
    const std::string uri = own(one, "uriTemplate");
    templates.emplace_back(templates_.prefix(back_end->name(), uri, prefixed_[index]) + uri, one);
  }
  keep_in_step(
      offered_[index].templates, templates, [this](const std::string& uri) { server_.remove_resource_template(uri); },
      [&](const std::string& uri, const Json& one) {
        server_.add(offered_template(one, prefix_of(uri, own(one, "uriTemplate")), back_end, options_.call_timeout));
      });
}

void Offer::offer_prompts(std::size_t index, const std::vector<Json>& prompts) {
  const auto& back_end = back_ends_[index];
  Wanted wanted;
  for (const Json& prompt : prompts)
    wanted.emplace_back(prompt_names_.name(back_end->name(), name_of(prompt), prefixed_[index]), prompt);
  keep_in_step(
      offered_[index].prompts, wanted, [this](const std::string& name) { server_.remove_prompt(name); },
      [&](const std::string& name, const Json& prompt) {
        server_.add(offered_prompt(prompt, name, back_end, options_.call_timeout));
      });
}

/// Removes what is no longer wanted or has changed, and adds what is missing, in order.
void Offer::keep_in_step(std::map<std::string, Json>& offered, const Wanted& wanted,
                         const std::function<void(const std::string&)>& remove,
                         const std::function<void(const std::string&, const Json&)>& add) {
  const std::map<std::string, Json> by_name(wanted.begin(), wanted.end());
  for (auto it = offered.begin(); it != offered.end();) {
    const auto still = by_name.find(it->first);
    const bool stays = still != by_name.end() && still->second == it->second;
    if (!stays) remove(it->first);
    it = stays ? std::next(it) : offered.erase(it);
  }
  for (const auto& [name, listed] : wanted) {
    if (offered.contains(name)) continue;
    try {
      add(name, listed);
      offered.emplace(name, listed);
    } catch (const std::exception& error) {
      if (options_.log)
        options_.log("\"" + text::stripped(name) + "\" is not offered: " + text::stripped(error.what(), text::lines));
    }
  }
}

}  // namespace toolwire::bridge::mcp
