#include "commands/fits_together.hpp"

#include <map>
#include <set>
#include <string_view>
#include <vector>

#include <toolwire/json_members.hpp>

#include "commands/runtime_settings.hpp"
#include "manifest/findings.hpp"

namespace toolwire::bridge {
namespace {

using Problem = std::function<void(const std::string&)>;

/// What bindings may be called: the Activities that tools name, and tools that name none.
struct Users {
  std::set<std::string, std::less<>> names;
  std::set<std::string, std::less<>> latent;  // tools whose `_activity` is empty
};

Users users_in(const LoadedSources& loaded) {
  Users users;
  for (const ToolSource& source : loaded.sources) {
    users.names.insert(source.left_out.begin(), source.left_out.end());
    for (const ToolDefinition& tool : source.tools.tools) {
      const bool latent = tool.activity && tool.activity->empty();
      (latent ? users.latent : users.names).insert(latent ? tool.name : tool.activity.value_or(tool.name));
    }
  }
  return users;
}

std::string unused_text(const std::string& name, const Users& users) {
  if (users.latent.contains(name)) return "the tool uses no binding, as its \"_activity\" is \"\" (latent)";
  const std::vector<std::string_view> known(users.names.begin(), users.names.end());
  return "no tool is called " + in_quotes(name) + " or names it as its \"_activity\"" + did_you_mean(name, known);
}

void look_at(const Bindings& bindings, const Users& users, Findings& findings) {
  std::set<std::string, std::less<>> servers;
  for (const auto& [name, binding] : bindings.by_name) {
    if (!users.names.contains(name)) findings.problem(binding.pointer, unused_text(name, users));
    if (binding.kind == "mcp") servers.insert(text_or(binding.settings.get_object(), "server"));
  }
  for (const auto& [name, settings] : bindings.servers) {
    if (!servers.contains(name))
      findings.problem(below(bindings.base + "/servers", name),
                       R"(no binding uses it; expected one like {"mcp": {"server": )" + in_quotes(name) + "}}");
    if (find_member(settings, "prefix") != nullptr)
      findings.problem(below(below(bindings.base + "/servers", name), "prefix"),
                       "nothing follows from it: bindings call tools by their own names; expected no prefix here");
  }
}

/// The second file would lend its bindings to the tool of the first.
bool each_tool_stands_in_one_file(const LoadedSources& loaded, const Problem& problem) {
  std::map<std::string_view, const ToolSource*> first;
  bool single = true;
  for (const ToolSource& source : loaded.sources) {
    for (const ToolDefinition& tool : source.tools.tools) {
      const auto [known, fresh] = first.emplace(tool.name, &source);
      if (fresh || known->second == &source) continue;
      problem(source.file + ": the tool " + in_quotes(tool.name) + " stands in " + known->second->file + " already");
      single = false;
    }
  }
  return single;
}

bool bindings_can_be_used(const LoadedSources& loaded, const Problem& problem) {
  const Users users = users_in(loaded);
  std::vector<const Bindings*> all{&loaded.bindings};
  for (const ToolSource& source : loaded.sources) all.push_back(&source.bindings);
  bool usable = true;
  for (const Bindings* const bindings : all) {
    Findings findings(bindings->file);
    look_at(*bindings, users, findings);
    usable = runtimes_fit(*bindings, problem) && usable;
    if (!findings.has_problems()) continue;
    usable = false;
    for (const ManifestProblem& found : findings.take_problems_of_file()) problem(found.message());
  }
  return usable;
}

}  // namespace

bool runtimes_fit(const Bindings& bindings, const Problem& problem) {
  Findings findings(bindings.file);
  for (const auto& [name, settings] : bindings.runtimes)
    read_runtime(name, settings, below(bindings.base + "/runtimes", name), bindings.directory, findings);
  const bool fits = !findings.has_problems();
  for (const ManifestProblem& found : findings.take_problems_of_file()) problem(found.message());
  return fits;
}

bool fit_together(const LoadedSources& loaded, const Problem& problem) {
  const bool single = each_tool_stands_in_one_file(loaded, problem);
  return bindings_can_be_used(loaded, problem) && single;
}

}  // namespace toolwire::bridge
