#include "findings.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <toolwire/system/find_program.hpp>
#include <toolwire/text.hpp>
#include <utility>

#include "request.hpp"
#include "server_start.hpp"
#include "tool_faults.hpp"

namespace toolwire::install {
namespace {

namespace fs = std::filesystem;

/// One server of one scope.
struct Installed {
  hosts::Scope scope = hosts::Scope::user;
  std::string name = {};
  Json entry = {};
  std::optional<hosts::Server> server = {};
};

class Examination {
 public:
  Examination(const hosts::Host& host, const hosts::Surroundings& here, Starts starts)
      : host_(host), here_(here), starts_(starts) {}

  Findings run() {
    for (const hosts::Scope scope : scopes_of(host_, here_)) read(host_file(host_, scope, here_).value());
    for (const Installed& one : installed_) examine_server(one);
    find_twins();
    return std::move(found_);
  }

 private:
  void say(const char* kind, const std::string& about, const std::string& text) {
    found_.lines.push_back(std::string(kind) + ": " + std::string(host_.name) + ", " +
                           text::visible(about + ": " + text));
    if (std::string_view(kind) == "problem") ++found_.problems;
  }

  /// A problem that takes several lines.
  void say_lines(const std::string& about, std::string_view text) {
    const std::size_t first = std::min(text.find('\n'), text.size());
    say("problem", about, std::string(text.substr(0, first)));
    for (text.remove_prefix(first); !text.empty();) {
      text.remove_prefix(1);
      const std::size_t end = std::min(text.find('\n'), text.size());
      found_.lines.push_back("    " + text::visible(text.substr(0, end)));
      text.remove_prefix(end);
    }
  }

  static std::string name_of_server(const Installed& one) {
    return std::string(name_of(one.scope)) + ", \"" + one.name + "\"";
  }

  void read(const hosts::HostFile& place) {
    if (!place.exists) return;
    const std::string scope(name_of(place.scope));
    if (host_.format == hosts::Format::yaml) {
      say("note", scope, place.path + " is YAML, which is not read here");
      return;
    }
    try {
      for (auto& [name, entry] : servers_in(read_config_file(place.path), host_, place.scope, here_)) {
        auto server = server_of(host_, entry);
        installed_.push_back(
            {.scope = place.scope, .name = name, .entry = std::move(entry), .server = std::move(server)});
      }
    } catch (const std::exception& error) {
      say("problem", scope, std::string(error.what()) + ", so the host sees no server of this file");
    }
    if (place.existing > 1) say("note", scope, "there are several files, of which " + place.path + " was read");
  }

  void examine_server(const Installed& one) {
    ++found_.servers;
    const std::string about = name_of_server(one);
    if (hosts::is_off(one.entry)) return say("note", about, "is switched off");
    if (!hosts::has_needed(host_, one.entry))
      return say("problem", about, "is not loaded, because it has no \"" + std::string(host_.needed) + "\"");
    if (hosts::keeps_name(host_, one.name))
      return say("problem", about, "is not loaded, because the host keeps this name for itself");
    if (!one.server) return examine_other(one, about);
    if (!variable_in(host_, hosts::program_path(*one.server, one.entry)).empty())
      return say("note", about, "its program is named by a variable, which only the host knows");
    if (!folder_is_good(one, about) || !program_is_good(*one.server, one.entry, about)) return;
    if (one.scope != hosts::Scope::project && hosts::folder_of(one.entry).empty())
      find_relative(one.server->arguments, about);
    if (starts_ == Starts::none)
      say("good", about, "its program is there");
    else if (const std::string variable = variable_of(one); !variable.empty())
      say("note", about,
          "its program is there, and is not started, as " + variable + " stands for what only the host knows");
    else if (one.scope == hosts::Scope::project && starts_ != Starts::all)
      say("note", about, "its program is there, and is not started, as the files of the folder name it: see --project");
    else
      start(one, about);
  }

  void examine_other(const Installed& one, const std::string& about) {
    for (const char* const name : {"url", "httpUrl", "serverUrl", "uri"}) {
      if (one.entry.is_object() && one.entry.get_object().contains(name))
        return say("note", about, "is reached by a URL, which is not tried here");
    }
    if (one.entry.is_object() && !has_command(one.entry.get_object()))
      return say("note", about, "has no command, and is not tried here");
    const hosts::Server example{.program = "/path/to/server", .arguments = {"--option"}};
    const std::string type = hosts::remote_type_of(one.entry);
    say("problem", about,
        (type.empty() ? "" : "its \"type\" is \"" + type + "\", so that its program is not started; ") +
            "expected an entry such as " + to_json_text(Json(hosts::entry_of(host_, one.name, example))));
  }

  bool has_command(const JsonObject& entry) const {
    const Json form = parse_json(host_.entry);
    return std::ranges::any_of(form.get_object(), [&](const auto& member) {
      return (member.value() == "@command" || member.value() == "@line") && entry.contains(member.key());
    });
  }

  /// How the first variable behind its program looks that the host replaces; empty if there is none.
  std::string variable_of(const Installed& one) const {
    std::vector<std::string> texts = one.server->arguments;
    for (const auto& [name, text] : one.server->environment) texts.push_back(text);
    texts.push_back(hosts::folder_of(one.entry));
    for (const std::string& text : texts) {
      if (std::string variable = variable_in(host_, text); !variable.empty()) return variable;
    }
    return {};
  }

  static std::string advice_for(const std::string& program) {
    return program.find(' ') == std::string::npos ? "" : " (its arguments are words of their own, not part of it)";
  }

  bool program_is_good(const hosts::Server& server, const Json& entry, const std::string& about) {
    const std::string program = hosts::program_path(server, entry);
    if (program.find('/') == std::string::npos) {
      const auto own = server.environment.find("PATH");
      const bool has_own = own != server.environment.end();
      const std::string path = has_own ? own->second : here_.variable("PATH");
      if (system::find_program(program, path, system::RelativeFolders::skipped)) return true;
      say("problem", about,
          "its program \"" + program + "\" is neither absolute nor on " + (has_own ? "the PATH of its entry" : "PATH") +
              advice_for(program));
      return false;
    }
    if (!program.starts_with('/')) {
      say("problem", about, "its program " + program + " is not absolute, and hosts start servers in any folder");
      return false;
    }
    std::error_code error;
    if (!fs::exists(program, error)) {
      say("problem", about, "its program is missing: " + program + advice_for(program));
      return false;
    }
    if (is_executable(program)) return true;
    say("problem", about, "its program is not executable: " + program);
    return false;
  }

  /// Only what can be nothing but a path.
  void find_relative(const std::vector<std::string>& arguments, const std::string& about) {
    for (const std::string& word : arguments) {
      if (word == "." || word == ".." || word.starts_with("./") || word.starts_with("../"))
        say("note", about,
            "its argument " + word + " is a path from the folder in which the host starts it, whichever that is");
    }
  }

  std::string folder_for(const Installed& one) const {
    const std::string& usual = one.scope == hosts::Scope::user ? here_.home : here_.folder;
    const std::string own = hosts::folder_of(one.entry);
    return own.empty() ? usual : (fs::path(usual) / own).string();
  }

  /// Whether the folder that its entry names is there, if it names one.
  bool folder_is_good(const Installed& one, const std::string& about) {
    const std::string own = hosts::folder_of(one.entry);
    std::error_code error;
    if (!own.starts_with('/') || fs::is_directory(own, error) || !variable_in(host_, own).empty()) return true;
    say("problem", about, "there is no folder " + own + ", in which its entry has it started");
    return false;
  }

  void start(const Installed& one, const std::string& about) {
    try {
      const ServerReport report = start_server(*one.server, folder_for(one), time_for(host_, one.entry));
      const std::size_t before = found_.problems;
      judge_time(one, report, about);
      if (!report.stray_line.empty())
        say("problem", about,
            "it writes to its standard output what is no message, and the host may refuse it for that: " +
                report.stray_line);
      for (const ToolReport& tool : report.tools) {
        for (const std::string& fault : faults_of(tool, host_)) say("problem", about, fault);
      }
      for (const std::string& fault : report.sdk_faults) say(host_.other_sdk ? "note" : "problem", about, fault);
      if (before == found_.problems)
        say("good", about,
            std::to_string(report.tools.size()) + (report.tools.size() == 1 ? " tool" : " tools") + " after " +
                std::to_string(report.time.count()) + " ms");
    } catch (const ServerFailure& error) {
      say_lines(about, "does not answer: " + std::string(error.what()));
    }
  }

  void judge_time(const Installed& one, const ServerReport& report, const std::string& about) {
    const std::string time = "takes " + std::to_string(report.time.count()) + " ms to start; ";
    if (const auto limit = start_limit_of(host_, one.entry); report.time > limit)
      say("problem", about, time + "the host gives it " + std::to_string(limit.count()) + " ms");
    else if (report.time > host_.slow_start)
      say("note", about,
          time + "the host may begin without it after " + std::to_string(host_.slow_start.count()) + " ms");
  }

  /// The same server twice, and two servers of one name.
  void find_twins() {
    for (std::size_t i = 0; i < installed_.size(); ++i) {
      for (std::size_t j = i + 1; j < installed_.size(); ++j) {
        const Installed &one = installed_[i], &other = installed_[j];
        const bool are_on = !hosts::is_off(one.entry) && !hosts::is_off(other.entry);
        if (are_on && one.server && one.server == other.server)
          say("problem", name_of_server(other),
              "is the same server as " + name_of_server(one) + ", so its tools are there twice");
        else if (one.name == other.name)
          say("problem", name_of_server(other),
              "has the name of " + name_of_server(one) + ", so that one of them is not seen");
      }
    }
  }

  const hosts::Host& host_;
  const hosts::Surroundings& here_;
  const Starts starts_;
  std::vector<Installed> installed_ = {};
  Findings found_ = {};
};

}  // namespace

std::chrono::milliseconds time_for(const hosts::Host& host, const Json& entry) {
  constexpr std::chrono::milliseconds usual = std::chrono::seconds(30);
  return std::max(usual, start_limit_of(host, entry));
}

Findings examine(const hosts::Host& host, const hosts::Surroundings& here, Starts starts) {
  return Examination(host, here, starts).run();
}

}  // namespace toolwire::install
