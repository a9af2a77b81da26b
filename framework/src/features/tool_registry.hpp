// The tools of a server, in the order of their registration. Knows nothing of calls in progress, revisions or the wire.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "features/served_tool.hpp"

namespace toolwire::features {

/// Thread-safe. A tool is shared with the calls that run it: one that is removed stays alive until they are done.
class ToolRegistry {
 public:
  using Tools = std::vector<std::shared_ptr<const ServedTool>>;
  struct Listing {
    std::shared_ptr<const Tools> tools;
    std::uint64_t version = 0;  // differs whenever the list does
  };

  /// Throws std::invalid_argument, naming the tool, if its name is taken.
  void add(std::shared_ptr<const ServedTool> served);
  bool remove(std::string_view name);

  std::shared_ptr<const ServedTool> find(std::string_view name) const;
  Listing list() const;

 private:
  mutable std::mutex mutex_;
  Tools ordered_;
  std::unordered_map<std::string, std::shared_ptr<const ServedTool>> by_name_;
  std::uint64_t version_ = 1;
  mutable std::shared_ptr<const Tools> listed_;  // of this version; made when first asked for
};

}  // namespace toolwire::features
