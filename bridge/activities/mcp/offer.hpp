// Offers whole servers through one: all tools, resources and prompts of several back-ends, under names that never move
// to another. Independent of manifests; policies act on the calls as middleware of the server.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <toolwire/bridge/activity.hpp>
#include <toolwire/server.hpp>

#include "activities/mcp/back_end.hpp"
#include "activities/mcp/tool_names.hpp"
#include "system/timers.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge::mcp {

/// The member of a tool's `_meta` that says where it comes from, as "SERVER/TOOL".
inline constexpr std::string_view origin_member = "dev.toolwire/origin";

struct OfferOptions {
  std::chrono::milliseconds start_wait{3'000};  // for those that have to be started to know their tools
  /// How long after `begin` those that have not answered still come before those behind them; from then on they get the
  /// names that are left. Zero, or without timers: until they have answered.
  std::chrono::milliseconds order_wait{2'500};
  std::chrono::milliseconds call_timeout{600'000};  // of each call; zero: none
  bool single_use_answers = false;                  // of the tools: set where an approval is asked for before they run
  /// What the user wants of a tool, from any thread; each may be empty. `origin` is "SERVER/TOOL", by its own name.
  /// Whether it is offered at all; under which name, if not its own; and what its description and limits are, and
  /// which scopes it needs beside those of its server.
  std::function<bool(const std::string& name, const std::string& origin)> wants_tool = {};
  std::function<std::string(const std::string& origin)> name_for = {};
  std::function<void(ToolInfo& tool, const std::string& origin)> adjust = {};
  /// What stands around a call: an Activity around `inner`, or null to leave it as it is. Asked at each call.
  std::function<ActivityPointer(ActivityPointer inner, const std::string& name, const std::string& origin)> around = {};
  /// Called once, when the tools of all back-ends are known or could not be had. Must not call the offer.
  std::function<void()> all_answered = {};
  std::function<void(const std::string&)> log = {};  // as BackEndOptions::log, whose default it is
  /// With timers, what back-ends change within gather_changes_for of the first change becomes one change of the server,
  /// which hosts are told of once. They must outlive the offer. Null: each at once.
  Timers* timers = nullptr;
};

inline constexpr std::chrono::milliseconds gather_changes_for{100};

/// Keeps what a server has in step with what its back-ends have, from their supervising threads. Names are given in the
/// order of the back-ends, not in the order in which they answer: what a back-end has is offered once all before it
/// have listed theirs, have failed to start or have been waited for (`order_wait`). The server must outlive it.
/// Destruction ends all back-ends at once; their tools stay registered and fail.
class Offer {
 public:
  /// Throws std::invalid_argument for two back-ends of one name, and what BackEnd does.
  Offer(Server& server, std::vector<BackEndOptions> back_ends, OfferOptions options = {});
  ~Offer();
  Offer(const Offer&) = delete;
  Offer& operator=(const Offer&) = delete;

  /// Starts the back-ends whose tools are not known, or only from an earlier start, all at once.
  void start();
  /// Starts and waits for them, and registers what all have. What a late one has is added when it has started.
  /// `reserved`: names that other tools of the server have.
  void begin(std::set<std::string> reserved = {});

  /// Asks again which tools are wanted and under which names, and is done when it returns. `reserved` as above; tools
  /// that have one of these get another name. Any thread.
  void refresh(std::set<std::string> reserved);

  const std::vector<std::shared_ptr<BackEnd>>& back_ends() const { return back_ends_; }
  /// Whether the tools of all back-ends are known, or could not be had. Any thread.
  bool have_all_answered();
  /// The names under which tools are offered now. Any thread.
  std::vector<std::string> tool_names();
  /// "SERVER/TOOL" of the tool that is offered under this name; empty if there is none. Any thread.
  std::string origin_of(const std::string& name);

 private:
  /// What of one kind of a back-end is offered.
  struct OfferedKind {
    std::map<std::string, Json> items;  // as they are listed, by the name or URI they are offered under
    std::vector<std::string> order;     // as the back-end lists them
  };
  struct Offered {
    OfferedKind tools, resources, templates, prompts;
  };
  /// Which tools of a back-end are offered, by their own names.
  struct ToolFilter {
    std::optional<std::vector<std::string>> only;
    std::vector<std::string> excluded;
    bool lets_pass(const std::string& tool) const;
  };
  /// What is to be offered of a back-end instead, and how the server changes for that.
  template <class Item>
  struct Step {
    std::size_t back_end = 0;
    OfferedKind wanted = {};
    Changes<Item> changes = {};
  };
  template <class Item>
  using Steps = std::vector<Step<Item>>;
  /// What timers hold of it, which may come too late.
  struct Reachable;

  void changed(std::size_t index);
  void updated(std::size_t index, const std::string& uri);
  void offer_changed() TOOLWIRE_REQUIRES(mutex_);
  std::vector<std::size_t> to_look_at() TOOLWIRE_REQUIRES(mutex_);
  void keep_order_until(std::chrono::steady_clock::time_point end) TOOLWIRE_REQUIRES(mutex_);
  void pass_over() TOOLWIRE_REQUIRES(mutex_);
  void offer_of(const std::vector<std::size_t>& back_ends) TOOLWIRE_REQUIRES(mutex_);
  LaterToolHandler surrounded(const std::string& name, const std::string& origin,
                              const std::shared_ptr<BackEnd>& back_end, const std::string& own) const;
  Step<Tool> step_of_tools(std::size_t index, const Listing& listing) TOOLWIRE_REQUIRES(mutex_);
  Step<Resource> step_of_resources(std::size_t index, const Listing& listing) TOOLWIRE_REQUIRES(mutex_);
  Step<ResourceTemplate> step_of_templates(std::size_t index, const Listing& listing) TOOLWIRE_REQUIRES(mutex_);
  Step<Prompt> step_of_prompts(std::size_t index, const Listing& listing) TOOLWIRE_REQUIRES(mutex_);
  void offer_resources(Steps<Resource> resources, Steps<ResourceTemplate> templates) TOOLWIRE_REQUIRES(mutex_);
  void not_offered(const std::string& name, const std::string& why) const;
  std::vector<std::string> order_of(OfferedKind Offered::*kind) const TOOLWIRE_REQUIRES(mutex_);
  template <class Item>
  Changes<Item> adopt(OfferedKind Offered::*kind, Steps<Item>& steps) TOOLWIRE_REQUIRES(mutex_);
  template <class Item>
  void exchange_offered(OfferedKind Offered::*kind, Steps<Item>& steps) TOOLWIRE_REQUIRES(mutex_);
  template <class Item, class Apply>
  void change(OfferedKind Offered::*kind, Steps<Item> steps, const Apply& apply) TOOLWIRE_REQUIRES(mutex_);
  template <class Item, class Apply>
  void change_in_parts(OfferedKind& offered, Step<Item> step, const Apply& apply) TOOLWIRE_REQUIRES(mutex_);
  template <class Item, class Apply>
  void add_in_halves(OfferedKind& offered, const Step<Item>& step, std::vector<Item> items, const Apply& apply)
      TOOLWIRE_REQUIRES(mutex_);

  Server& server_;
  const OfferOptions options_;
  std::vector<std::shared_ptr<BackEnd>> back_ends_;
  std::vector<Prefix> prefixes_;
  std::vector<std::vector<std::string>> scopes_;  // of all that a back-end offers
  std::vector<ToolFilter> filters_;
  std::vector<bool> lazy_;  // is started with the first call
  const std::shared_ptr<Reachable> reachable_;
  Mutex mutex_;
  bool begun_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::vector<bool> is_offered_ TOOLWIRE_GUARDED_BY(mutex_);  // what each back-end has
  bool keeps_order_ TOOLWIRE_GUARDED_BY(mutex_) = true;       // nothing is offered before what is in front of it
  bool told_all_answered_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::set<std::size_t> changed_ TOOLWIRE_GUARDED_BY(mutex_);  // back-ends, of which the server is not told yet
  bool is_gathering_ TOOLWIRE_GUARDED_BY(mutex_) = false;      // a timer is set
  bool ended_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  ToolNames names_ TOOLWIRE_GUARDED_BY(mutex_);
  ToolNames prompt_names_ TOOLWIRE_GUARDED_BY(mutex_);
  UriPrefixes uris_ TOOLWIRE_GUARDED_BY(mutex_);
  UriPrefixes templates_ TOOLWIRE_GUARDED_BY(mutex_);
  std::vector<Offered> offered_ TOOLWIRE_GUARDED_BY(mutex_);  // of each back-end
};

}  // namespace toolwire::bridge::mcp
