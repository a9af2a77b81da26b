#include "activities/mcp/offer.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

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
    back_ends_.push_back(std::make_shared<BackEnd>(std::move(one)));
    back_ends_.back()->on_tools_changed([this, index = back_ends_.size() - 1] { tools_changed(index); });
  }
}

Offer::~Offer() {
  {
    const std::lock_guard lock(mutex_);
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
  const std::lock_guard lock(mutex_);
  begun_ = true;
  for (std::size_t i = 0; i < back_ends_.size(); ++i) offer_tools(i);
}

void Offer::tools_changed(std::size_t index) {
  const std::lock_guard lock(mutex_);
  if (begun_ && !ended_) offer_tools(index);
}

void Offer::offer_tools(std::size_t index) {
  const auto& back_end = back_ends_[index];
  std::map<std::string, Json> wanted;
  std::vector<std::string> order;
  for (Json& tool : back_end->tools()) {
    order.push_back(names_.name(back_end->name(), name_of(tool), prefixed_[index]));
    wanted.emplace(order.back(), std::move(tool));
  }
  auto& offered = offered_[index];
  for (auto it = offered.begin(); it != offered.end();) {
    const auto still = wanted.find(it->first);
    const bool stays = still != wanted.end() && still->second == it->second;
    if (!stays) server_.remove_tool(it->first);
    it = stays ? std::next(it) : offered.erase(it);
  }
  for (const std::string& name : order) {
    if (offered.contains(name)) continue;
    try {
      server_.add(offered_tool(wanted.at(name), name, back_end, options_.call_timeout));
      offered.emplace(name, wanted.at(name));
    } catch (const std::invalid_argument& error) {
      say("back-end \"" + back_end->name() + "\": not offered: " + clean_text(error.what()));
    }
  }
}

void Offer::say(const std::string& line) const {
  if (options_.log) options_.log(line);
}

}  // namespace toolwire::bridge::mcp
