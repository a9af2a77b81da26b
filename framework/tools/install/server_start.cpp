#include "server_start.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <toolwire/client.hpp>
#include <toolwire/json_members.hpp>
#include <toolwire/system/find_program.hpp>

#include "status_line.hpp"

namespace toolwire::install {
namespace {

namespace fs = std::filesystem;

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

ServerReport start_in(const std::string& revision, const Program& program, std::chrono::milliseconds limit) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  Client client(program, {.name = "toolwire", .version = TOOLWIRE_VERSION, .revision = revision, .timeout = limit});
  const ServerDescription& server = client.server();
  ServerReport report{.name = server.name,
                      .version = server.version,
                      .title = server.title,
                      .description = text_or(member_or_null(server.raw, "serverInfo"), "description"),
                      .revision = server.revision};
  if (find_member(server.capabilities, "tools") != nullptr) {
    for (ListedTool& tool : client.list_tools())
      report.tools.push_back({.name = std::move(tool.name),
                              .description = std::move(tool.description),
                              .input_schema = std::move(tool.input_schema)});
  }
  report.time = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
  return report;
}

/// Most hosts greet with the newest handshake. A server that refuses it may know the revisions without one.
ServerReport start(const Program& program, std::chrono::milliseconds limit) {
  try {
    return start_in("2025-11-25", program, limit);
  } catch (const ProtocolError&) {
    return start_in("", program, limit);
  }
}

bool starts_with_all_variables(const hosts::Server& server, const std::string& folder,
                               std::chrono::milliseconds limit) {
  try {
    start(program_of(server, folder, Variables::all), limit);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

ServerReport start_server(const hosts::Server& server, const std::string& folder, std::chrono::milliseconds limit,
                          std::string_view advice) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit).count();
  const StatusLine line("starting " + server.program + ", for at most " + std::to_string(seconds) + " s");
  try {
    return start(program_of(server, folder, Variables::as_hosts_pass_on), limit);
  } catch (const std::exception& error) {
    std::string text = error.what();
    if (starts_with_all_variables(server, folder, limit))
      text.append("; it does start with all variables of this shell, so ").append(advice);
    throw ServerFailure(text);
  }
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
    throw std::runtime_error("\"" + program + "\": there is no such program on PATH");
  }
  std::string file = (fs::path(folder) / program).lexically_normal().string();
  std::error_code error;
  if (!fs::exists(file, error)) throw std::runtime_error(file + ": there is no such program");
  if (!is_executable(file)) throw std::runtime_error(file + ": expected a program, but it is not executable");
  return file;
}

}  // namespace toolwire::install
