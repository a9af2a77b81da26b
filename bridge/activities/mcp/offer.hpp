// Offers whole servers through one: all tools, resources and prompts of several back-ends, under names that never move
// to another. Independent of manifests; policies act on the calls as middleware of the server.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <toolwire/server.hpp>

#include "activities/mcp/back_end.hpp"
#include "activities/mcp/tool_names.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge::mcp {

struct OfferOptions {
  std::set<std::string> reserved = {};              // names other tools of the server have
  std::chrono::milliseconds start_wait{3'000};      // for those that have to be started to know their tools
  std::chrono::milliseconds call_timeout{600'000};  // of each call; zero: none
  bool single_use_answers = false;                  // of the tools: set where an approval is asked for before they run
  /// Whether the tool offered under this name is wanted; empty: all are. From any thread.
  std::function<bool(const std::string& name)> wants_tool = {};
  std::function<void(const std::string&)> log = {};  // as BackEndOptions::log, whose default it is
};

/// Keeps what a server has in step with what its back-ends have, from their supervising threads. The server must
/// outlive it. Destruction ends all back-ends at once; their tools stay registered and fail.
class Offer {
 public:
  /// Throws std::invalid_argument for two back-ends of one name, and what BackEnd does.
  Offer(Server& server, std::vector<BackEndOptions> back_ends, OfferOptions options = {});
  ~Offer();
  Offer(const Offer&) = delete;
  Offer& operator=(const Offer&) = delete;

  /// Registers the tools of all back-ends, in their order. Back-ends with pinned tools are not started yet; the others
  /// are, all at once. The tools of a server that is late or fails are added when it has started.
  void begin();

  /// Asks again which tools are wanted. Any thread.
  void refresh();

  const std::vector<std::shared_ptr<BackEnd>>& back_ends() const { return back_ends_; }
  /// The names under which tools are offered now. Any thread.
  std::vector<std::string> tool_names();

 private:
  /// What of one back-end is offered, by the name or URI it is offered under.
  struct Offered {
    std::map<std::string, Json> tools, resources, templates, prompts;
    bool tells_updates = false;  // of its resources
  };
  using Wanted = std::vector<std::pair<std::string, Json>>;

  void changed(std::size_t index);
  void updated(std::size_t index, const std::string& uri);
  void offer_all(std::size_t index) TOOLWIRE_REQUIRES(mutex_);
  void offer_tools(std::size_t index, const std::vector<Json>& tools) TOOLWIRE_REQUIRES(mutex_);
  void offer_resources(std::size_t index, const Listing& listing) TOOLWIRE_REQUIRES(mutex_);
  void offer_prompts(std::size_t index, const std::vector<Json>& prompts) TOOLWIRE_REQUIRES(mutex_);
  void keep_in_step(std::map<std::string, Json>& offered, const Wanted& wanted,
                    const std::function<void(const std::string&)>& remove,
                    const std::function<void(const std::string&, const Json&)>& add);

  Server& server_;
  const OfferOptions options_;
  std::vector<std::shared_ptr<BackEnd>> back_ends_;
  std::vector<bool> prefixed_;
  std::vector<bool> pinned_;
  Mutex mutex_;
  bool begun_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  bool ended_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  ToolNames names_ TOOLWIRE_GUARDED_BY(mutex_);
  ToolNames prompt_names_ TOOLWIRE_GUARDED_BY(mutex_);
  UriPrefixes uris_ TOOLWIRE_GUARDED_BY(mutex_);
  UriPrefixes templates_ TOOLWIRE_GUARDED_BY(mutex_);
  std::vector<Offered> offered_ TOOLWIRE_GUARDED_BY(mutex_);  // of each back-end
};

}  // namespace toolwire::bridge::mcp
