#include "commands/tool_confinement.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include <toolwire/json_members.hpp>

#include "activities/process_settings.hpp"

namespace toolwire::bridge {
namespace {

/// Stands for the name of any tool: no key without a star fits it.
constexpr std::string_view any_tool = "\x01";

std::string activity_name(const ToolDefinition& tool) { return tool.activity.value_or(tool.name); }

const Confinement* confinement_of(const Preferences& preferences, const ToolDefinition& tool) {
  const auto& stated = preferences.preference(tool.name, tool.origin).confinement;
  return stated ? &*stated : nullptr;
}

bool same(const Confinement* one, const Confinement* other) {
  return one == nullptr || other == nullptr ? one == other : *one == *other;
}

bool is_pattern(std::string_view key) { return key.find('*') != std::string_view::npos; }

struct Bound {
  const Bindings& bindings;
  const Binding& binding;
};

/// The file for all takes the place of the one beside the tools.
std::optional<Bound> bound(const LoadedSources& loaded, const ToolSource& source, const std::string& activity) {
  for (const Bindings* const bindings : {&loaded.bindings, &source.bindings}) {
    if (const auto found = bindings->by_name.find(activity); found != bindings->by_name.end())
      return Bound{*bindings, found->second};
  }
  return std::nullopt;
}

/// A tool of a file with what runs it.
class ToolOfFile {
 public:
  ToolOfFile(const LoadedSources& loaded, const ToolSource& source, const ToolDefinition& tool)
      : tool_(tool), activity_(activity_name(tool)), bound_(bound(loaded, source, activity_)) {}

  bool has_own_program() const { return bound_ && bound_->binding.kind == "process"; }

  /// Why its program cannot be confined so; empty if it can, or if it has none.
  std::string obstacle(const Confinement& wanted) const {
    const std::string name = in_quotes(tool_.name);
    if (has_own_program()) return conflict(wanted);
    if (!bound_ && tool_.activity && !activity_.empty())
      return name + " is run by " + in_quotes(activity_) + ", which cannot be confined for one tool";
    if (bound_ && bound_->binding.kind == "runtime")
      return name + " runs in a process of the runtime " + named("runtime") +
             R"( with the others; expected "confinement" there, in "runtimes")";
    if (bound_ && bound_->binding.kind == "mcp")
      return name + " runs in the server " + named("server") + ", and servers are not confined";
    return {};
  }

  std::string nothing_to_confine() const {
    return "no program is started for " + in_quotes(tool_.name) +
           R"(; expected a tool with a binding of the kind "process")";
  }

 private:
  std::string named(std::string_view member) const {
    return in_quotes(text_or(bound_->binding.settings.get_object(), member));
  }

  std::string conflict(const Confinement& wanted) const {
    Findings said_elsewhere("");
    ProcessSettings settings = read_process_settings(bound_->binding.settings.get_object(), bound_->binding.pointer,
                                                     bound_->bindings.directory, said_elsewhere);
    return confine_further(settings, wanted);
  }

  const ToolDefinition& tool_;
  const std::string activity_;
  const std::optional<Bound> bound_;
};

bool is_left_out(const LoadedSources& loaded, const std::string& tool) {
  return std::ranges::any_of(loaded.sources, [&](const ToolSource& source) {
    return std::ranges::find(source.left_out, tool) != source.left_out.end();
  });
}

class Search {
 public:
  Search(const Preferences& preferences, const std::string& pointer, const LoadedSources& loaded, Findings& findings)
      : preferences_(preferences),
        pointer_(pointer),
        loaded_(loaded),
        findings_(findings),
        wanted_(preferences, loaded) {}

  void look_at_tools() {
    for (const ToolSource& source : loaded_.sources) {
      for (const ToolDefinition& tool : source.tools.tools) look_at(source, tool);
    }
  }

  /// Those whose tools are known later only.
  void look_at_others(const std::vector<std::string>& servers, bool runtimes) {
    for (const std::string& server : servers)
      refuse_for_all(preferences_.entry(any_tool, server + "/" + std::string(any_tool)), [&] {
        return "fits the tools of the server " + in_quotes(server) +
               R"( too, and servers are not confined; expected a key of tools with a binding of the kind "process", )"
               "or an entry " +
               in_quotes(server + "/*") + " beside it";
      });
    if (runtimes)
      refuse_for_all(preferences_.entry(any_tool), [] {
        return R"(fits the tools of "runtimes" too, which are confined there; expected a key of tools with a binding )"
               R"(of the kind "process")";
      });
  }

  void look_at_unused() {
    for (const auto& [key, stated] : preferences_.entries()) {
      if (!stated.confinement || settled_.contains(key) || is_left_out(loaded_, key)) continue;
      problem(key, std::string(key.find('/') != std::string::npos
                                   ? "a tool of a server runs in the program of the server, which is not confined"
                               : is_pattern(key) ? "counts for no tool that a program is started for"
                                                 : "there is no tool of a file of this name; those of servers are not "
                                                   "confined, those of runtimes are in \"runtimes\"") +
                       R"(; expected a tool with a binding of the kind "process")");
    }
  }

 private:
  void look_at(const ToolSource& source, const ToolDefinition& tool) {
    const Preferences::Entry* const entry = preferences_.entry(tool.name, tool.origin);
    if (entry == nullptr || !entry->second.confinement) return;
    const ToolOfFile looked_at(loaded_, source, tool);
    if (std::string why = looked_at.obstacle(*entry->second.confinement); !why.empty()) {
      problem(entry->first, std::move(why));
    } else if (looked_at.has_own_program()) {
      settled_.insert(entry->first);
      if (std::string shared = wanted_.of(activity_name(tool)).problem; !shared.empty())
        problem(entry->first, std::move(shared));
    } else if (!is_pattern(entry->first)) {
      problem(entry->first, looked_at.nothing_to_confine());
    }
  }

  template <class Text>
  void refuse_for_all(const Preferences::Entry* entry, Text text) {
    if (entry != nullptr && entry->second.confinement && entry->first.find('/') == std::string::npos)
      problem(entry->first, text());
  }

  void problem(const std::string& key, std::string text) {
    settled_.insert(key);
    findings_.problem(below(below(pointer_, key), "confinement"), std::move(text));
  }

  const Preferences& preferences_;
  const std::string& pointer_;
  const LoadedSources& loaded_;
  Findings& findings_;
  const WantedConfinements wanted_;
  std::set<std::string, std::less<>> settled_;  // keys that something follows from, or of which it was said
};

}  // namespace

WantedConfinements::WantedConfinements(const Preferences& preferences, const LoadedSources& loaded)
    : preferences_(preferences), loaded_(loaded) {
  for (const ToolSource& source : loaded.sources) {
    for (const ToolDefinition& tool : source.tools.tools) users_[activity_name(tool)].push_back({&source, &tool});
  }
}

WantedConfinement WantedConfinements::of(const std::string& activity) const {
  WantedConfinement wanted;
  const auto users = users_.find(activity);
  if (users == users_.end()) return wanted;
  const ToolDefinition& first = *users->second.front().tool;
  wanted.confinement = confinement_of(preferences_, first);
  for (const auto& [source, tool] : users->second) {
    const Confinement* const own = confinement_of(preferences_, *tool);
    if (own != nullptr && wanted.problem.empty()) wanted.problem = ToolOfFile(loaded_, *source, *tool).obstacle(*own);
    if (!same(own, wanted.confinement))
      wanted.problem = in_quotes(first.name) + " and " + in_quotes(tool->name) +
                       " have the same binding; expected the same confinement of both";
  }
  return wanted;
}

std::string missing_confinement(const Preferences& preferences, std::string_view tool, std::string_view origin) {
  const Preferences::Entry* const entry = preferences.entry(tool, origin);
  if (entry == nullptr || !entry->second.confinement) return {};
  return "\"confinement\" of " + in_quotes(entry->first) +
         " cannot be had: no program is started for this tool alone; expected an entry of its own";
}

void look_for_useless_confinement(const Preferences& preferences, const std::string& pointer,
                                  const LoadedSources& loaded, const std::vector<std::string>& servers, bool runtimes,
                                  Findings& findings) {
  Search search(preferences, pointer, loaded, findings);
  search.look_at_tools();
  search.look_at_others(servers, runtimes);
  search.look_at_unused();
}

}  // namespace toolwire::bridge
