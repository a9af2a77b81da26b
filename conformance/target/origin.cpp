#include "target/origin.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include "catalogue/causes.hpp"
#include "driver/message.hpp"

namespace toolwire::conformance {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_program = std::uintmax_t{256} << 20;
constexpr std::uintmax_t largest_manifest = std::uintmax_t{4} << 20;
constexpr std::size_t longest_version = 64;
constexpr std::size_t most_packages = 2000;
// Packages that run those of others.
constexpr std::string_view starters[] = {"npm", "npx", "yarn", "pnpm", "corepack"};
constexpr std::string_view dist_info = ".dist-info";
constexpr std::string_view elf =
    "\x7f"
    "ELF";  // what programs of Linux begin with

std::string content_of(const fs::path& file, std::uintmax_t largest) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return "";
  const std::uintmax_t size = fs::file_size(file, error);
  if (error || size > largest) return "";
  std::string content(size, '\0');
  std::ifstream(file, std::ios::binary).read(content.data(), static_cast<std::streamsize>(size));
  return content;
}

Json json_in(const fs::path& file) {
  try {
    return parse_json(content_of(file, largest_manifest));
  } catch (const std::exception&) {
    return nullptr;
  }
}

/// A word of a command as a file: as it stands, or found as shells find programs.
std::optional<fs::path> file_of(const std::string& word, const fs::path& directory) {
  std::error_code error;
  if (const fs::path file = directory / word; fs::is_regular_file(file, error)) return file;
  if (word.empty() || word.find('/') != std::string::npos) return std::nullopt;
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (const fs::path file = fs::path(rest.substr(0, end)) / word; fs::is_regular_file(file, error)) return file;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return std::nullopt;
}

/// Without its links. Empty if it is not there.
fs::path real_file(const fs::path& file) {
  std::error_code error;
  return fs::canonical(file, error);
}

/// The interpreter of a script by its first line, or the file itself if it is one. Its links are left alone: that of an
/// environment leads out of it.
fs::path python_of(const fs::path& file) {
  if (file.filename().string().starts_with("python")) return file;
  std::ifstream stream(file, std::ios::binary);
  std::string line(256, '\0');
  stream.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<std::size_t>(stream.gcount()));
  line.resize(std::min(line.find('\n'), line.size()));
  if (!line.starts_with("#!")) return {};
  const fs::path interpreter = line.substr(2, line.find(' ', 2) - 2);
  return interpreter.filename().string().starts_with("python") ? interpreter : fs::path();
}

/// Those of pip, and those of Debian.
std::vector<fs::directory_entry> packages_in(const fs::path& library) {
  std::vector<fs::directory_entry> packages;
  for (const char* folder : {"site-packages", "dist-packages"}) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(library / folder, error)) packages.push_back(entry);
  }
  return packages;
}

void look_in_python(const fs::path& file, Origin& origin) {
  const fs::path interpreter = python_of(file);
  if (interpreter.empty()) return;
  std::error_code error;
  for (const auto& library : fs::directory_iterator(interpreter.parent_path().parent_path() / "lib", error)) {
    if (!library.path().filename().string().starts_with("python3")) continue;
    for (const auto& entry : packages_in(library.path())) {
      const std::string name = entry.path().filename().string();
      if (!name.ends_with(dist_info)) continue;
      const std::size_t dash = name.find('-');
      for (const Sdk& sdk : known_sdks()) {
        if (sdk.registry == "pypi" && name.substr(0, dash) == sdk.package)
          origin.sdks.push_back(
              {"pypi", sdk.package, name.substr(dash + 1, name.size() - dash - 1 - dist_info.size())});
      }
    }
  }
}

/// The first version, which begins with a digit or with "v" and one, that stands between `before` and one of the
/// characters `after`.
std::string version_after(std::string_view content, const std::string& before, std::string_view after) {
  for (std::size_t at = 0; (at = content.find(before, at)) != std::string_view::npos;) {
    at += before.size();
    const std::string_view rest = content.substr(at, longest_version);
    const std::size_t digit = rest.starts_with('v') ? 1 : 0;
    const std::size_t end = rest.find_first_of(after);
    if (end != std::string_view::npos && end > digit && rest[digit] >= '0' && rest[digit] <= '9')
      return std::string(rest.substr(0, end));
  }
  return "";
}

/// Go writes its list of modules into programs, Rust the paths of its sources, C# the file of its dependencies, which
/// may also stand beside the program.
std::string version_in(const Sdk& sdk, std::string_view program) {
  if (sdk.registry == "go") return version_after(program, "\ndep\t" + sdk.package + "\t", "\t\n");
  if (sdk.registry == "nuget") return version_after(program, "\"" + sdk.package + "/", "\"");
  return sdk.registry == "cargo" ? version_after(program, "/" + sdk.package + "-", "/") : "";
}

void look_in_program(const fs::path& link, Origin& origin) {
  const fs::path file = real_file(link);
  std::string program;
  if (file.extension() == ".dll")
    program = content_of(fs::path(file).replace_extension(".deps.json"), largest_manifest);
  if (program.empty()) program = content_of(file, largest_program);
  if (!program.starts_with(elf) && file.extension() != ".dll") return;
  for (const Sdk& sdk : known_sdks()) {
    if (std::string version = version_in(sdk, program); !version.empty())
      origin.sdks.push_back({sdk.registry, sdk.package, std::move(version)});
  }
}

/// The folder of a package that another one needs, as Node finds it. Empty if it is not there.
fs::path needed_package(fs::path folder, const std::string& name) {
  std::error_code error;
  for (; folder.has_relative_path(); folder = folder.parent_path()) {
    const fs::path found = folder / "node_modules" / name;
    if (fs::is_regular_file(found / "package.json", error)) return real_file(found);
  }
  return {};
}

/// What a package needs when it runs; the server itself may be bundled with what it is developed with.
std::vector<std::string> needs_of(const Json& manifest, bool is_server) {
  std::vector<std::string> names;
  for (const char* kind : {"dependencies", "peerDependencies", "optionalDependencies", "devDependencies"}) {
    const JsonObject* needed = get(manifest, kind).if_object();
    if (needed == nullptr || (!is_server && kind == std::string_view("devDependencies"))) continue;
    for (const auto& [name, version] : *needed) names.emplace_back(name);
  }
  return names;
}

void add_sdk_of_npm(const std::string& name, const fs::path& folder, Origin& origin) {
  if (std::ranges::any_of(known_sdks(), [&](const Sdk& it) { return it.registry == "npm" && it.package == name; }))
    origin.sdks.push_back({"npm", name, std::string(text_of(get(json_in(folder / "package.json"), "version")))});
}

/// The SDKs among what a package needs, and what that needs. Others of the same folder say nothing of it.
void look_for_needed_sdks(const fs::path& package, Origin& origin) {
  std::vector<fs::path> packages{package};
  for (std::size_t i = 0; i < packages.size() && i < most_packages; ++i) {
    for (const std::string& name : needs_of(json_in(packages[i] / "package.json"), i == 0)) {
      const fs::path folder = needed_package(packages[i], name);
      if (folder.empty() || std::ranges::find(packages, folder) != packages.end()) continue;
      packages.push_back(folder);
      add_sdk_of_npm(name, folder, origin);
    }
  }
}

void look_in_npm(const fs::path& file, Origin& origin) {
  for (fs::path folder = real_file(file).parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
    const Json manifest = json_in(folder / "package.json");
    const std::string_view name = text_of(get(manifest, "name"));
    if (std::ranges::find(starters, name) != std::end(starters)) return;
    if (name.empty()) continue;  // those without only say what kind of modules there are
    origin.server = Package{"npm", std::string(name), std::string(text_of(get(manifest, "version")))};
    look_for_needed_sdks(folder, origin);
    return look_in_program(file, origin);  // packages of npm may hold programs of other languages
  }
}

bool is_known(const Origin& origin) { return origin.server || !origin.sdks.empty(); }

Origin origin_of_files(const std::vector<fs::path>& files) {
  for (const auto look : {look_in_npm, look_in_python, look_in_program}) {
    // What stands last is what a starter or an interpreter was given.
    for (auto file = files.rbegin(); file != files.rend(); ++file) {
      Origin origin;
      look(*file, origin);
      if (is_known(origin)) return origin;
    }
  }
  return {};
}

/// A script, or a program: settings and data that a server is given lie in packages of others.
bool is_code(const fs::path& file) {
  static constexpr std::string_view endings[] = {".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".py", ".pyz", ".dll"};
  if (std::ranges::find(endings, file.extension().string()) != std::end(endings)) return true;
  std::string start(4, '\0');
  std::ifstream(file, std::ios::binary).read(start.data(), static_cast<std::streamsize>(start.size()));
  return start.starts_with("#!") || start == elf;
}

Origin origin_of_command(const StartedAs& command) {
  std::vector<fs::path> files;
  for (const std::string& word : command.words) {
    auto file = file_of(word, command.directory);
    if (file && (&word == &command.words.front() || is_code(*file))) files.push_back(std::move(*file));
  }
  return origin_of_files(files);
}

}  // namespace

std::string Package::text() const { return version.empty() ? name : name + " " + version; }

Origin origin_of(const std::vector<StartedAs>& commands) noexcept {
  try {
    for (const StartedAs& command : commands) {
      if (Origin origin = origin_of_command(command); is_known(origin)) return origin;
    }
  } catch (const std::exception&) {  // a folder that cannot be read, or too little memory for a program
  }
  return {};
}

}  // namespace toolwire::conformance
