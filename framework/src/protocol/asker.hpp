// Who asks, as the predicates of tools, prompts and resources see them (toolwire::Visible): what is hidden is not there
// for them.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "features/resource_registry.hpp"
#include "protocol/exchange.hpp"
#include "toolwire/context.hpp"

namespace toolwire::protocol {

/// For one request, which must outlive it; one thread.
class Asker {
 public:
  /// What is known of who asks.
  struct Who {
    const JsonObject& meta;  // of the request
    const JsonObject& client_info;
    const Principal& principal;
    const Peer* peer = nullptr;  // null: not known
    Session* session = nullptr;  // null: has none yet, and is given one of its own
  };
  explicit Asker(const Who& who);
  explicit Asker(const Exchange& exchange);

  /// The word of a predicate, which is not empty, on the item of this key. One that throws is logged and hides.
  bool sees(const Visible& visible, const std::string& key);
  template <class Item>
  bool sees(const Item& item) {
    return !item.visible() || sees(item.visible(), item.key());
  }

 private:
  Context context_;
};

/// Whether this one is there for who asks.
template <class Item>
bool is_visible(const Item& item, const Exchange& exchange) {
  return !item.visible() || Asker(exchange).sees(item);
}

/// What of a features::Registry is there for who asks.
template <class Listing>
Listing visible_part(Listing listing, const Exchange& exchange) {
  if (!listing.depends_on_asker) return listing;
  Asker asker(exchange);
  auto seen = *listing.items;
  std::erase_if(seen, [&](const auto& item) { return !asker.sees(*item); });
  listing.items = std::make_shared<const decltype(seen)>(std::move(seen));
  return listing;
}

/// What a URI means to who asks.
std::optional<features::FoundResource> find_visible(const std::string& uri, const Exchange& exchange);

}  // namespace toolwire::protocol
