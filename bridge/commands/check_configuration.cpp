#include "commands/check_configuration.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <ostream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <toolwire/bridge/manifest.hpp>
#include <toolwire/system/find_program.hpp>

#include "activities/factory.hpp"
#include "activities/mcp/back_end.hpp"
#include "commands/own_services.hpp"
#include "commands/runtime_settings.hpp"
#include "commands/tool_settings.hpp"
#include "commands/tool_sources.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::chrono::milliseconds start_wait{60'000};

class Check {
 public:
  Check(const Configured& configured, const CheckOptions& options, std::ostream& out)
      : configured_(configured), options_(options), out_(out), services_({.allowed_addresses = {}}) {}

  int run() {
    load();
    Findings programs(configured_.file);
    for (const mcp::BackEndOptions& server : configured_.back_ends) look_for_program(server, programs);
    for (const ManifestProblem& found : programs.take_problems_of_file()) problem(found.message());
    look_at_bindings(loaded_.bindings);
    for (const ToolSource& source : loaded_.sources) look_at_bindings(source.bindings);
    look_for_useless_settings();
    if (options_.start && problems_ == 0) start_servers();
    if (problems_ == 0) sum_up();
    return problems_ == 0 ? 0 : 1;
  }

 private:
  void problem(const std::string& text) {
    ++problems_;
    out_ << text << '\n';
  }

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

  void look_for_program(const mcp::BackEndOptions& server, Findings& findings) const {
    const std::map<std::string, std::string> inherited = mcp::passed_on(server.inherit);
    const auto stated = server.environment.find("PATH");
    const auto own = inherited.find("PATH");
    const std::string path = stated != server.environment.end() ? stated->second
                             : own != inherited.end()           ? own->second
                                                                : "";
    const std::string& program = server.command.front();
    const bool is_path = program.find('/') != std::string::npos;
    const std::string file = is_path && !program.starts_with('/') ? server.directory + "/" + program : program;
    if (is_path ? !can_be_started(file) : !system::find_program(file, path, system::RelativeFolders::skipped))
      findings.problem(below(configured_.places.at(server.name), "command"), "expected a program that can be started");
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

  void start_servers() {
    std::vector<std::shared_ptr<mcp::BackEnd>> started;
    for (const mcp::BackEndOptions& server : configured_.back_ends) {
      started.push_back(mcp::make_back_end(server));
      started.back()->start();
    }
    for (const auto& server : started) {
      server->wait_for_tools(start_wait);
      const std::string name = configured_.file + ": the server " + in_quotes(server->name());
      if (const auto state = server->state(); state.failures > 0) {
        problem(name + ": " + state.trouble);
      } else if (!server->has_answered()) {
        problem(name + ": expected its tools within " + std::to_string(start_wait.count() / 1000) + " s");
      } else {
        listed_ += server->tools().size();
      }
    }
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

  const Configured& configured_;
  const CheckOptions& options_;
  std::ostream& out_;
  OwnServices services_;
  LoadedSources loaded_;
  std::size_t listed_ = 0;
  int problems_ = 0;
};

}  // namespace

int check_configuration(const std::string& file, const CheckOptions& options, std::ostream& out) {
  const ConfiguredReading read = read_configured(file, options.configured);
  for (const ManifestProblem& found : read.problems) out << found.message() << '\n';
  if (options.with_hints) {
    for (const ManifestProblem& hint : read.hints) out << "hint: " << hint.message() << '\n';
  }
  return read.configured ? Check(*read.configured, options, out).run() : 1;
}

}  // namespace toolwire::bridge
