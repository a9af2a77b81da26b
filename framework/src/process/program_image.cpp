#include "process/program_image.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace toolwire::process {
namespace {

void refuse_nul(const std::string& text, const char* what) {
  if (text.find('\0') != std::string::npos) throw std::invalid_argument(std::string{what} + " contains a NUL byte");
}

void check(const Program& program) {
  if (program.command.empty() || program.command.front().empty())
    throw std::invalid_argument("no program to start was given: the command is empty");
  for (const std::string& argument : program.command) refuse_nul(argument, "an argument of the program");
  refuse_nul(program.directory, "the program's directory");
  for (const auto& [name, value] : program.environment) {
    if (name.empty() || name.find('=') != std::string::npos)
      throw std::invalid_argument("\"" + name + "\" cannot be the name of an environment variable");
    refuse_nul(name, "the name of an environment variable");
    refuse_nul(value, "the value of an environment variable");
  }
}

std::vector<std::string> environment_of(const Program& program) {
  std::vector<std::string> all;
  for (char** entry = ::environ; program.inherit_environment && entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text{*entry};
    if (!program.environment.contains(std::string{text.substr(0, text.find('='))})) all.emplace_back(text);
  }
  for (const auto& [name, value] : program.environment) all.push_back(name + "=" + value);
  return all;
}

std::string search_path(const std::vector<std::string>& environment) {
  for (const std::string& entry : environment) {
    if (entry.starts_with("PATH=")) return entry.substr(5);
  }
  return "/usr/local/bin:/usr/bin:/bin";
}

bool is_program(const std::string& path) {
  struct stat about {};
  return ::stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

std::string find_program(const std::string& name, const std::string& folders) {
  if (name.find('/') != std::string::npos) return name;
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const std::string folder = folders.substr(begin, end - begin);
    const std::string path = (folder.empty() ? "." : folder) + "/" + name;
    if (is_program(path)) return path;
    begin = end + 1;
  }
  throw std::system_error(ENOENT, std::generic_category(),
                          "cannot start \"" + name + "\": no such program in PATH (" + folders + ")");
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  all.reserve(texts.size() + 1);
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

ProgramImage::ProgramImage(const Program& program) {
  check(program);
  arguments_ = program.command;
  environment_ = environment_of(program);
  argument_pointers_ = pointers(arguments_);
  environment_pointers_ = pointers(environment_);
  path_ = find_program(arguments_.front(), search_path(environment_));
}

}  // namespace toolwire::process
