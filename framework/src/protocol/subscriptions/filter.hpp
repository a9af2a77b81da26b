// What a subscriptions/listen asks for, reduced to what the server honours (2026-07-28 basic/patterns/subscriptions).
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/subscriptions/topic.hpp"

namespace toolwire::protocol {

/// A plain value.
class Filter {
 public:
  Filter& add(Topic topic);
  Filter& add(Topic topic, std::string_view subject);

  bool wants(const Change& change) const;
  /// As it is acknowledged: `{"toolsListChanged":true,…}`.
  std::string text() const;
  std::size_t subjects() const;
  std::vector<std::string> subjects_of(Topic topic) const;
  void remove(Topic topic, const std::string& subject);

 private:
  struct Wish {
    Topic topic;
    std::set<std::string, std::less<>> subjects;
  };
  const Wish* find(Topic topic) const;
  Wish& wish(Topic topic);
  std::vector<Wish> wishes_;
};

/// Reads `params.notifications`, and keeps what this server offers and this client may watch. Whether the tasks it
/// names exist is not checked here: only their store knows. Unknown members are passed over. Throws -32602 for members
/// of the wrong type.
Filter filter_in(const Exchange& exchange);

}  // namespace toolwire::protocol
