#include "server_start.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <toolwire/client.hpp>
#include <toolwire/detail/mutex.hpp>
#include <toolwire/json_members.hpp>
#include <toolwire/system/file_text.hpp>
#include <toolwire/system/find_program.hpp>
#include <toolwire/system/missing_interpreter.hpp>
#include <toolwire/text.hpp>
#include <utility>

#include "client/listing.hpp"
#include "program_guard.hpp"
#include "status_line.hpp"
#include "tapped_transport.hpp"
#include "typescript_sdk.hpp"

namespace toolwire::install {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

enum class Variables { as_hosts_pass_on, all };

Program program_of(const hosts::Server& server, const std::string& folder, Variables variables) {
  Program program{.command = hosts::line_of(server), .environment = server.environment, .directory = folder};
  program.own_group = true;
  program.end_with_parent = true;
  program.inherit_environment = variables == Variables::all;
  for (const char* const name : {"HOME", "LANG", "PATH", "SHELL", "USER"}) {
    const char* const value = std::getenv(name);
    if (value != nullptr) program.environment.try_emplace(name, value);
  }
  return program;
}

/// What a server writes to its standard output that a host does not expect. For several threads.
class OddOutput {
 public:
  using Direction = tools::TappedTransport::Direction;

  void look_at(Direction direction, std::string_view line, std::size_t size) {
    if (direction == Direction::to_server) {
      const MutexLock lock(mutex_);
      if (told_.empty()) told_ = line;
    } else if (!has_stray_line_ && line.size() == size && is_stray(line)) {
      has_stray_line_ = true;
      const MutexLock lock(mutex_);
      stray_ = text::head(line, shown_bytes);
    } else {
      std::string fault = line.size() == size ? fault_of_line(line) : "";
      const MutexLock lock(mutex_);
      is_echo_ = is_echo_ || (!told_.empty() && line.starts_with(told_));
      if (sdk_fault_.empty()) sdk_fault_ = std::move(fault);
    }
  }

  [[nodiscard]] std::string stray_line() const {
    const MutexLock lock(mutex_);
    return stray_;
  }
  /// The first `fault_of_line`; empty if there was none.
  [[nodiscard]] std::string sdk_fault() const {
    const MutexLock lock(mutex_);
    return sdk_fault_;
  }
  /// It has sent back what it was told.
  [[nodiscard]] bool is_echo() const {
    const MutexLock lock(mutex_);
    return is_echo_;
  }

 private:
  static constexpr std::size_t shown_bytes = 200;

  mutable Mutex mutex_;
  std::atomic<bool> has_stray_line_ = false;
  std::string stray_ TOOLWIRE_GUARDED_BY(mutex_);
  std::string sdk_fault_ TOOLWIRE_GUARDED_BY(mutex_);
  std::string told_ TOOLWIRE_GUARDED_BY(mutex_);  // the first line
  bool is_echo_ TOOLWIRE_GUARDED_BY(mutex_) = false;
};

/// No answer within the time that there was.
struct Silence : ServerFailure {
  using ServerFailure::ServerFailure;
};

ServerReport ask(Client& client) {
  const ServerDescription& server = client.server();
  ServerReport report{.name = server.name,
                      .version = server.version,
                      .title = server.title,
                      .description = text_or(member_or_null(server.raw, "serverInfo"), "description"),
                      .revision = server.revision};
  // That SDK knows no revision without a handshake.
  if (!server.modern) report.sdk_faults = faults_of_greeting(server.raw);
  if (find_member(server.capabilities, "tools") == nullptr) return report;
  std::vector<std::string> faults;
  const auto judge = [&](const Json& page) {
    if (!server.modern && faults.empty()) faults = faults_of_tools(page);
  };
  for (const Json& item : client::list_all(client, "tools/list", "tools", judge)) {
    ListedTool tool = client::listed_tool(item);
    report.tools.push_back({.name = std::move(tool.name),
                            .description = std::move(tool.description),
                            .input_schema = std::move(tool.input_schema)});
  }
  report.sdk_faults.insert(report.sdk_faults.end(), faults.begin(), faults.end());
  return report;
}

/// One start of a server, until all that it has started has ended.
class Start {
 public:
  Start(const Program& program, Clock::time_point end)
      : program_(program),
        process_(program),
        guard_(process_, std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now())) {}

  /// Throws ProtocolError if the server refuses, Interrupted, and ServerFailure.
  ServerReport run(const std::string& revision) {
    const Clock::time_point begin = Clock::now();
    try {
      auto transport = std::make_unique<tools::TappedTransport>(
          process_.transport(), [this](OddOutput::Direction direction, std::string_view line, std::size_t size) {
            odd_.look_at(direction, line, size);
          });
      Client client(std::move(transport), {.name = "toolwire",
                                           .version = TOOLWIRE_VERSION,
                                           .revision = revision,
                                           .timeout = std::chrono::milliseconds::max()});
      ServerReport report = ask(client);
      report.time = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
      report.stray_line = odd_.stray_line();
      if (std::string fault = odd_.sdk_fault(); !client.server().modern && !fault.empty())
        report.sdk_faults.push_back(std::move(fault));
      if (guard_.is_interrupted()) throw Interrupted();
      return report;
    } catch (const ProtocolError&) {
      if (odd_.is_echo())
        throw ServerFailure(explained("it sends back what it is told; is there a terminal between (docker run -t)?"));
      throw;
    } catch (const ConnectionError& error) {
      if (guard_.is_interrupted()) throw Interrupted();
      if (guard_.is_late()) throw Silence(explained("it has not answered in time"));
      const auto status = process_.wait_for(for_the_exit);
      throw ServerFailure(
          explained(status ? "the server \"" + program_.command.front() + "\" " + status->text() : error.what()));
    } catch (const Interrupted&) {
      throw;
    } catch (const std::exception& error) {
      throw ServerFailure(explained(error.what()));
    }
  }

 private:
  static constexpr std::chrono::milliseconds for_the_exit{250};

  std::string explained(std::string text) {
    process_.kill();
    process_.wait();  // then all that it wrote is there
    std::string tail = process_.error_tail();
    while (tail.ends_with('\n')) tail.pop_back();
    if (!tail.empty()) text += "; the last it wrote to standard error:\n" + tail;
    if (const std::string line = odd_.stray_line(); !line.empty())
      text += "\nit wrote to its standard output what is no message: " + line;
    return text;
  }

  const Program& program_;
  OddOutput odd_ = {};
  const system::EndingSignalsHeld held_ = {};  // from before it is there until the guard is
  ChildProcess process_;
  const ProgramGuard guard_;
};

/// Most hosts greet with the newest handshake. A server that refuses it may know the revisions without one.
ServerReport start(const Program& program, Clock::time_point end) {
  try {
    try {
      return Start(program, end).run("2025-11-25");
    } catch (const ProtocolError&) {
      return Start(program, end).run("");
    }
  } catch (const std::system_error& error) {
    throw ServerFailure(error.what() + why_not_started(error, program.command.front(), program.directory));
  } catch (const std::invalid_argument& error) {  // a command that cannot be passed on
    throw ServerFailure(error.what());
  } catch (const ProtocolError& error) {
    throw ServerFailure(error.what());
  }
}

bool starts_with_all_variables(const hosts::Server& server, const std::string& folder, Clock::time_point end) {
  try {
    start(program_of(server, folder, Variables::all), end);
    return true;
  } catch (const ServerFailure&) {
    return false;
  }
}

}  // namespace

ServerReport start_server(const hosts::Server& server, const std::string& folder, std::chrono::milliseconds limit,
                          std::string_view advice) {
  const Clock::time_point end = Clock::now() + limit;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit).count();
  const StatusLine line("starting " + server.program + ", for at most " + std::to_string(seconds) + " s");
  try {
    return start(program_of(server, folder, Variables::as_hosts_pass_on), end);
  } catch (const Silence&) {
    throw;
  } catch (const ServerFailure& error) {
    if (!starts_with_all_variables(server, folder, end)) throw;
    throw ServerFailure(std::string(error.what()) + "; it does start with all variables of this shell, so " +
                        std::string(advice));
  }
}

bool is_stray(std::string_view line) {
  constexpr std::size_t longest = std::size_t{64} << 10;  // what is longer is no banner
  if (line.size() > longest || line.find_first_not_of(" \t\r") == std::string_view::npos) return false;
  try {
    const Json value = parse_json(line);
    return !value.is_object() && !value.is_array();
  } catch (const JsonError&) {
    return true;
  }
}

std::string why_not_started(const std::system_error& error, const std::string& program, const std::string& folder) {
  std::error_code ignored;
  std::string beginning;
  try {
    beginning = system::beginning_of_file(program, 256);
  } catch (const std::system_error&) {  // it is missing, or nobody's to read
    return {};
  }
  if (error.code() == std::errc::executable_format_error)
    return "; it is neither a program of this system nor a script, whose first line is #! and its interpreter";
  if (error.code() != std::errc::no_such_file_or_directory) return {};
  if (const auto missing = system::missing_interpreter(program)) return "; " + text::visible(*missing);
  if (beginning.starts_with("#!")) return {};
  const bool is_there = folder.empty() || fs::is_directory(folder, ignored);
  return is_there ? "; it is there, but not the loader that it was linked for: it was built for another system" : "";
}

bool is_executable(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  constexpr fs::perms any = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  return fs::is_regular_file(status) && (status.permissions() & any) != fs::perms::none;
}

std::string absolute_program(const std::string& program, const std::string& folder, const std::string& path) {
  if (program.find('/') == std::string::npos) {
    const auto found = system::find_program(program, path, system::RelativeFolders::skipped);
    if (found) return fs::path(*found).lexically_normal().string();
    throw std::runtime_error("\"" + program + "\": there is no such program on PATH" +
                             (program.find(' ') == std::string::npos ? "" : "; give each word by itself, unquoted"));
  }
  std::string file = (fs::path(folder) / program).lexically_normal().string();
  std::error_code error;
  if (!fs::exists(file, error)) throw std::runtime_error(file + ": there is no such program");
  if (!is_executable(file)) throw std::runtime_error(file + ": expected a program, but it is not executable");
  return file;
}

}  // namespace toolwire::install
