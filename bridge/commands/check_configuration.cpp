#include "commands/check_configuration.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <toolwire/bridge/manifest.hpp>
#include <toolwire/json_members.hpp>
#include <toolwire/system/find_program.hpp>
#include <toolwire/text.hpp>

#include "activities/factory.hpp"
#include "activities/mcp/back_end.hpp"
#include "activities/mcp/tool_names.hpp"
#include "commands/logins.hpp"
#include "commands/own_services.hpp"
#include "commands/runtime_settings.hpp"
#include "commands/tool_settings.hpp"
#include "commands/tool_sources.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::chrono::milliseconds start_wait{60'000};

/// Writes each problem once, though several profiles may have it.
class Problems {
 public:
  explicit Problems(std::ostream& out) : out_(out) {}

  /// What is added from now on is of this profile, though nobody has chosen it.
  void begin_profile(const std::string& name) { place_ = "profile " + in_quotes(name) + ": "; }
  void add(const std::string& text) {
    if (said_.insert(text).second) out_ << place_ << text << '\n';
  }
  bool has_any() const { return !said_.empty(); }

 private:
  std::ostream& out_;
  std::string place_;
  std::set<std::string> said_;
};

/// One profile, or none, of a configuration.
class Check {
 public:
  Check(const Configured& configured, const CheckOptions& options, std::ostream& out, Problems& problems)
      : configured_(configured),
        options_(options),
        out_(out),
        problems_(problems),
        services_({.allowed_addresses = {}}) {}

  /// All that is seen without starting anything.
  void look() {
    load();
    Findings programs(configured_.file);
    for (const mcp::BackEndOptions& server : configured_.back_ends) {
      if (!server.remote && server.reached_at.empty()) look_at_start_of(server, programs);
    }
    for (const ManifestProblem& found : programs.take_problems_of_file()) problem(found.message());
    look_at_bindings(loaded_.bindings);
    for (const ToolSource& source : loaded_.sources) look_at_bindings(source.bindings);
    look_for_useless_settings();
  }

  void start_servers() {
    std::vector<std::shared_ptr<mcp::BackEnd>> started;
    std::vector<std::string> names = names_of_files();
    mcp::ToolNames offered({names.begin(), names.end()});
    for (mcp::BackEndOptions server : configured_.back_ends) {
      server.http = services_.get().http;
      give_login(server, services_.get());
      started.push_back(mcp::make_back_end(std::move(server)));
      started.back()->start();
    }
    for (const auto& server : started) list_tools_of(*server, offered, names);
    look_for_settings_of_no_tool(names);
    for (const auto& server : started) server->stop();
    for (const auto& server : started) server->end();
  }

  void sum_up() {
    const auto count = [](std::size_t number, const char* what) {
      return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
    };
    out_ << configured_.file << ": " << count(configured_.back_ends.size(), "server");
    if (options_.start) out_ << " with " << count(listed_, "tool");
    if (!configured_.manifests.empty()) out_ << ", " << count(tools().size(), "tool") << " of files";
    out_ << ", no problems\n";
  }

 private:
  void problem(const std::string& text) { problems_.add(text); }

  void load() {
    ToolSources sources(configured_.manifests, "", "");
    sources.use_bindings(configured_.bindings);
    loaded_ = sources.load([this](const std::string& text) { problem(text); });
  }

  std::vector<ToolDefinition> tools() const {
    std::vector<ToolDefinition> all;
    for (const ToolSource& source : loaded_.sources)
      all.insert(all.end(), source.tools.tools.begin(), source.tools.tools.end());
    return all;
  }

  void look_at_start_of(const mcp::BackEndOptions& server, Findings& findings) const {
    const std::map<std::string, std::string> inherited = mcp::passed_on(server.inherit);
    const auto stated = server.environment.find("PATH");
    const auto own = inherited.find("PATH");
    const std::string path = stated != server.environment.end() ? stated->second
                             : own != inherited.end()           ? own->second
                                                                : system::usual_folders;  // as a start without PATH
    const std::string& program = server.command.front();
    const bool is_path = program.find('/') != std::string::npos;
    const std::string file = is_path && !program.starts_with('/') ? server.directory + "/" + program : program;
    const std::string& place = configured_.places.at(server.name);
    if (is_path ? !can_be_started(file) : !system::find_program(file, path, system::RelativeFolders::skipped))
      findings.problem(below(place, "command"),
                       std::string("expected a program that can be started") +
                           (program.find(' ') == std::string::npos ? "" : R"(, and its arguments in "args")"));
    std::error_code ignored;
    if (!std::filesystem::is_directory(server.directory, ignored))
      findings.problem(below(place, "cwd"), "expected a directory: " + server.directory);
  }

  static bool can_be_started(const std::string& file) {
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    constexpr auto executable =
        std::filesystem::perms::owner_exec | std::filesystem::perms::group_exec | std::filesystem::perms::others_exec;
    return !error && std::filesystem::is_regular_file(status) &&
           (status.permissions() & executable) != std::filesystem::perms::none;
  }

  void look_at_bindings(const Bindings& bindings) {
    for (const ManifestProblem& found : make_bound_activities(bindings, tools(), services_.get()).problems)
      problem(found.message());
    Findings findings(bindings.file);
    for (const auto& [name, settings] : bindings.runtimes)
      read_runtime(name, settings, below(bindings.base + "/runtimes", name), bindings.directory, findings);
    for (const ManifestProblem& found : findings.take_problems_of_file()) problem(found.message());
  }

  void look_for_useless_settings() {
    const OtherTools others = other_tools(configured_.back_ends, configured_.scenarios, loaded_);
    for (const ManifestProblem& found :
         useless_tool_settings(configured_.preferences, configured_.file, "/toolwire/tools", loaded_, others))
      problem(found.message());
    for (const ManifestProblem& found : useless_always_listed(configured_, loaded_, others)) problem(found.message());
  }

  void list_tools_of(mcp::BackEnd& server, mcp::ToolNames& offered, std::vector<std::string>& names) {
    server.wait_for_tools(start_wait);
    const std::string name = configured_.file + ": the server " + in_quotes(server.name());
    if (const auto state = server.state(); state.failures > 0) {
      problem(name + ": " + state.trouble);
    } else if (!server.has_answered()) {
      problem(name + ": expected its tools within " + std::to_string(start_wait.count() / 1000) + " s");
    } else {
      take_list(server, offered, names);
    }
  }

  std::vector<std::string> names_of_files() {
    std::vector<std::string> names;
    for (const ToolDefinition& tool : tools()) {
      names.push_back(tool.name);
      take_given_name(tool.name, tool.origin);
    }
    for (const ToolSource& source : loaded_.sources) std::ranges::copy(source.left_out, std::back_inserter(names));
    return names;
  }

  /// Writes its tools by its own names, and adds all by which settings may mean them.
  void take_list(const mcp::BackEnd& server, mcp::ToolNames& offered, std::vector<std::string>& names) {
    const auto options = std::ranges::find(configured_.back_ends, server.name(), &mcp::BackEndOptions::name);
    std::string all;
    for (const Json& tool : server.tools()) {
      const std::string name = text_or(tool.get_object(), "name");
      all += (all.empty() ? "" : ", ") + text::stripped(name);
      std::ranges::move(names_of_tool(server.name(), name), std::back_inserter(names));
      names.push_back(offered.name(server.name(), name, options->prefix));
      take_given_name({}, server.name() + "/" + name);
      ++listed_;
    }
    for (const std::string& text : unused_filters(*options, server.tools()))
      problem(configured_.file + ": the server " + in_quotes(server.name()) + ": " + text);
    out_ << configured_.file << ": the server " << in_quotes(server.name()) << " has "
         << (all.empty() ? "no tools" : all) << '\n';
  }

  /// Once all tools are known that there are.
  void look_for_settings_of_no_tool(const std::vector<std::string>& names) {
    if (problems_.has_any() || !configured_.scenarios.empty() || has_runtimes()) return;
    Findings findings(configured_.file);
    for (const UnusedKey& unused : unused_tool_settings(configured_.preferences, names))
      findings.problem(below("/toolwire/tools", unused.key), unused.text);
    for (const ManifestProblem& found : findings.take_problems_of_file()) problem(found.message());
    std::vector<std::string> listed = names;
    std::ranges::copy(given_names_, std::back_inserter(listed));
    for (const ManifestProblem& found : unfit_always_listed(configured_, listed)) problem(found.message());
  }

  /// By which hosts know a tool, as the user wants.
  void take_given_name(std::string_view tool, std::string_view origin) {
    const auto& given = configured_.preferences.preference(tool, origin).name;
    if (given) given_names_.push_back(*given);
  }

  bool has_runtimes() const {
    return !loaded_.bindings.runtimes.empty() || std::ranges::any_of(loaded_.sources, [](const ToolSource& source) {
      return !source.bindings.runtimes.empty();
    });
  }

  const Configured& configured_;
  const CheckOptions& options_;
  std::ostream& out_;
  Problems& problems_;
  OwnServices services_;
  LoadedSources loaded_;
  std::vector<std::string> given_names_;
  std::size_t listed_ = 0;
};

void check_profile(const std::string& file, CheckOptions options, const std::string& profile, std::ostream& out,
                   Problems& problems) {
  options.configured.profile = profile;
  problems.begin_profile(profile);
  const ConfiguredReading read = read_configured(file, options.configured);
  for (const ManifestProblem& found : read.problems) problems.add(found.message());
  if (read.configured) Check(*read.configured, options, out, problems).look();
}

}  // namespace

int check_configuration(const std::string& file, const CheckOptions& options, std::ostream& out) {
  Problems problems(out);
  const ConfiguredReading read = read_configured(file, options.configured);
  for (const ManifestProblem& found : read.problems) problems.add(found.message());
  if (options.with_hints) {
    for (const ManifestProblem& hint : read.hints) out << "hint: " << hint.message() << '\n';
  }
  std::optional<Check> check;
  if (read.configured) check.emplace(*read.configured, options, out, problems).look();
  if (options.configured.profile.empty()) {
    for (const std::string& profile : read.profiles) check_profile(file, options, profile, out, problems);
  }
  if (options.start && !problems.has_any()) check->start_servers();
  if (!problems.has_any()) check->sum_up();
  return problems.has_any() ? 1 : 0;
}

}  // namespace toolwire::bridge
