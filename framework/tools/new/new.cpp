#include "new.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <system_error>
#include <toolwire/system/nearest_name.hpp>
#include <toolwire/system/new_file.hpp>
#include <toolwire/text.hpp>

#include "install/request.hpp"
#include "templates.hpp"

namespace toolwire::projects {
namespace {

namespace fs = std::filesystem;

struct Kind {
  std::string_view name, what;
};

constexpr std::array kinds{
    Kind{"tools", "tools in C++"},
    Kind{"sqlite", "tools on an SQLite database"},
    Kind{"engine", "tools in a program that has a loop of its own"},
    Kind{"bridge", "programs as tools, by toolwire-bridge: nothing is compiled"},
};

constexpr std::size_t longest_name = 50;
constexpr std::string_view placeholder = "{{NAME}}";

void require_name(const std::string& name) {
  const auto is_part = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-'; };
  constexpr std::array<std::string_view, 8> taken{"test",       "all",           "clean",     "install", "help",
                                                  "edit_cache", "rebuild_cache", "preinstall"};  // targets of CMake
  const bool is_of_library = name == "toolwire" || name.starts_with("toolwire_");
  const bool is_good = !name.empty() && name.size() <= longest_name && name.front() >= 'a' && name.front() <= 'z' &&
                       std::ranges::all_of(name, is_part) && name != "tools_test" && !is_of_library &&
                       std::ranges::find(taken, name) == taken.end();
  if (!is_good)
    throw install::Misuse(
        "NAME: expected a small letter, then small letters, digits, _ and -, at most " + std::to_string(longest_name) +
        ", and no name of a target of CMake or of the library, found \"" + std::string(text::head(name, 100)) + "\"");
}

void require_kind(const std::string& kind) {
  std::vector<std::string_view> names;
  std::string list;
  for (const Kind& one : kinds) {
    names.push_back(one.name);
    list.append(list.empty() ? "" : ", ").append(one.name);
  }
  if (std::ranges::find(names, kind) != names.end()) return;
  const std::string near(system::nearest_name(kind, names));
  throw install::Misuse("--template: expected one of " + list + ", found \"" + std::string(text::head(kind, 100)) +
                        "\"" + (near.empty() ? "" : ", did you mean " + near + "?"));
}

std::string filled(std::string_view text, const std::string& name) {
  std::string out(text);
  for (std::size_t at = out.find(placeholder); at != std::string::npos; at = out.find(placeholder, at + name.size()))
    out.replace(at, placeholder.size(), name);
  return out;
}

/// What a file is called in the project.
std::string name_in_project(std::string_view name, const std::string& project) {
  if (name == "mcp.json") return ".mcp.json";
  if (name == "gitignore") return ".gitignore";
  if (name == "ci.yml") return ".github/workflows/ci.yml";
  if (name == "manifest.json") return project + ".json";
  if (name == "bindings.json") return project + ".bindings.json";
  return std::string(name);
}

std::map<std::string, std::string> files_of(const std::string& kind, const std::string& name) {
  std::map<std::string, std::string> files;
  for (const std::string& of : {std::string("common"), kind}) {
    for (const TemplateFile& file : template_files()) {
      const bool is_cpp = file.name.ends_with(".hpp");
      if (file.kind != of || (is_cpp && of == "common" && kind == "bridge")) continue;
      files[name_in_project(file.name, name)] = filled(file.text, name);
    }
  }
  return files;
}

void write_all(const fs::path& folder, const std::map<std::string, std::string>& files) {
  constexpr unsigned for_all = 0644;
  if (!fs::create_directory(folder))
    throw std::runtime_error(folder.string() + ": there is such a file or folder already");
  try {
    for (const auto& [name, text] : files) {
      fs::create_directories((folder / name).parent_path());
      system::NewFile file((folder / name).string(), for_all);
      file.write(text);
      file.close();
      file.put_at_free_name();
    }
  } catch (const std::exception&) {  // such as a full disk: half a project would only be in the way
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    throw;
  }
}

int run(const std::vector<std::string>& arguments) {
  std::string name, kind = "tools", list;
  for (const Kind& one : kinds) list.append(list.empty() ? "" : "; ").append(one.name).append(": ").append(one.what);
  CLI::App app("Writes a new project of an MCP server, with a test, into a new folder.", "toolwire new");
  app.add_option("NAME", name, "Of the project, its folder and its server")->required();
  app.add_option("--template", kind, list)->type_name("KIND")->capture_default_str();
  if (const auto status = install::parse(app, arguments)) return *status;
  require_name(name);
  require_kind(kind);
  const auto files = files_of(kind, name);
  write_all(name, files);
  for (const auto& [file, text] : files) std::printf("%s/%s\n", name.c_str(), file.c_str());
  std::printf("\nNext: cd %s && cmake -B build && cmake --build build && ctest --test-dir build\n", name.c_str());
  if (kind != "bridge")
    std::printf(
        "The library has to be installed (libtoolwire-dev, or `cmake --install`), else the first of them says where\n"
        "its sources are: cmake -B build -DTOOLWIRE_REPOSITORY=FOLDER_OR_URL\n");
  return install::done;
}

}  // namespace

int new_command(const std::vector<std::string>& arguments) { return install::reported("new", run, arguments); }

}  // namespace toolwire::projects
