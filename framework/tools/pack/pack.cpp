#include "pack.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <toolwire/system/end_by_signal.hpp>
#include <toolwire/system/find_program.hpp>
#include <toolwire/text.hpp>

#include "bundle.hpp"
#include "details.hpp"
#include "extra_files.hpp"
#include "install/program_guard.hpp"
#include "install/request.hpp"
#include "npm.hpp"
#include "output.hpp"
#include "registry_entry.hpp"
#include "trial.hpp"
#include "zip.hpp"

namespace toolwire::pack {
namespace {

namespace fs = std::filesystem;
using install::Misuse;

struct Given {
  GivenDetails details;
  std::vector<std::string> formats, folders, secrets, platforms, files;
  std::string out = "packages";
};

constexpr const char* about =
    "Makes packages of an MCP server that is a native program, as in:\n"
    "  toolwire pack --name io.github.USER/notes --author USER -- ./notes --verbose {folder:notes}\n\n"
    "{folder:KEY} in an argument stands for a folder that each user chooses, {folders:KEY} for one or more, each of "
    "which "
    "becomes an argument. What no option says is asked of the server, which is started. Each package is unpacked and "
    "started before it is put in place.";
constexpr const char* ending =
    "With SOURCE_DATE_EPOCH (seconds since 1970) files in packages have that time, else the beginning of 1980.\n"
    "Exit status: 0 all is there, 1 nothing was written, 2 the command line makes no sense.";

void declare(CLI::App& app, Given& given) {
  const auto text = [&](const char* name, std::string& into, const char* type, const char* help) {
    app.add_option(name, into, help)->type_name(type);
  };
  GivenDetails& details = given.details;
  text("--name", details.name, "NAME", "In the registry of MCP servers, such as io.github.USER/notes");
  text("--version", details.version, "VERSION", "As in semver.org (default: the server's)");
  text("--title", details.title, "TEXT", "For people, at most 100 characters (default: the server's)");
  text("--description", details.description, "TEXT", "At most 100 characters (default: the server's)");
  text("--author", details.author, "TEXT", "Who has made it; a bundle needs that");
  text("--license", details.license, "TEXT", "Such as MIT");
  text("--repository", details.repository, "URL", "Where its sources are");
  text("--npm-name", details.npm_name, "NAME", "Of the package of npm (default: what stands behind the slash)");
  text("--url", details.bundle_url, "URL", "Where the bundle is going to be released, for server.json");
  app.add_option("--folder", given.folders, "What a folder that users choose is for; repeatable")
      ->type_name("KEY=TEXT")
      ->allow_extra_args(false);
  app.add_option("--secret", given.secrets,
                 "A variable that each user gives the server, and what it is for; its value here is only used to start "
                 "the server; repeatable")
      ->type_name("NAME=TEXT")
      ->allow_extra_args(false);
  app.add_option("--file", given.files, "Also in the packages, such as a licence or a README; repeatable")
      ->type_name("FILE")
      ->allow_extra_args(false);
  app.add_option("--format", given.formats, "mcpb, server.json or npm; repeatable (default: all)")
      ->type_name("FORMAT")
      ->allow_extra_args(false);
  app.add_option("--npm-platform", given.platforms,
                 "Such as linux-arm64: the package of npm also names the one for it, which is made there; repeatable")
      ->type_name("PLATFORM")
      ->allow_extra_args(false);
  app.add_option("--out", given.out, "Where the packages go")->type_name("DIR")->capture_default_str();
  app.footer(ending);
}

/// What is wanted.
struct Formats {
  bool bundle = false, registry = false, npm = false;
};

Formats formats_of(const Given& given) {
  constexpr std::array<std::string_view, 3> known{"mcpb", "server.json", "npm"};
  for (const std::string& format : given.formats) {
    if (std::ranges::find(known, std::string_view(format)) == known.end())
      throw Misuse("--format: expected mcpb, server.json or npm, found \"" + std::string(text::head(format, 100)) +
                   "\"");
  }
  const auto is_wanted = [&](const char* format) {
    return given.formats.empty() || std::ranges::find(given.formats, format) != given.formats.end();
  };
  const Formats formats{.bundle = is_wanted("mcpb"), .registry = is_wanted("server.json"), .npm = is_wanted("npm")};
  if (!given.details.bundle_url.empty() && !(formats.bundle && formats.registry))
    throw Misuse("--url: expected both mcpb and server.json among the formats, for it brings the one into the other");
  return formats;
}

std::map<std::string, std::string> descriptions_of(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> descriptions;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size() || !text::is_valid(text))
      throw Misuse("--folder: expected KEY=TEXT, found \"" + std::string(text::head(text, 100)) + "\"");
    descriptions[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return descriptions;
}

/// The values that the server is started with here.
std::map<std::string, std::string> values_of(const Package& package, const hosts::Surroundings& here) {
  std::map<std::string, std::string> values;
  for (const UserSecret& secret : package.secrets) {
    if (std::ranges::find(package.arguments.folders, secret.name, &UserFolder::key) != package.arguments.folders.end())
      throw Misuse("--secret: expected another name than that of a folder, found " + secret.name);
    values[secret.name] = here.variable(secret.name);
    if (values[secret.name].empty())
      throw Misuse("--secret: expected that " + secret.name +
                   " is set in this shell, for the server is started with it");
  }
  return values;
}

/// Those that were given, and that of the program.
std::vector<std::string> npm_platforms_of(const std::vector<std::string>& given, const std::string& own) {
  std::set<std::string> platforms{own};
  for (const std::string& platform : given) {
    constexpr std::string_view system = "linux-";
    if (!platform.starts_with(system) || !is_architecture(platform.substr(system.size())))
      throw Misuse("--npm-platform: expected linux-x64, linux-arm64, linux-riscv64 or linux-loong64, found \"" +
                   std::string(text::head(platform, 100)) + "\"");
    platforms.insert(platform);
  }
  return {platforms.begin(), platforms.end()};
}

/// Of all files in packages.
std::int64_t packing_time(const std::string& given) {
  constexpr std::int64_t beginning_of_1980 = 315'532'800;
  constexpr std::size_t most_digits = 12;
  if (given.empty()) return beginning_of_1980;
  if (given.size() > most_digits || given.find_first_not_of("0123456789") != std::string::npos)
    throw Misuse("SOURCE_DATE_EPOCH: expected seconds since 1970, found \"" + std::string(text::head(given, 100)) +
                 "\"");
  return std::max<std::int64_t>(std::stoll(given), beginning_of_1980);
}

void warn(const std::string& text) {
  std::fprintf(stderr, "toolwire pack: warning: %s\n", text::visible(text).c_str());
}

void warn_of_program(const std::string& path, const ProgramFile& program) {
  if (const auto libraries = uncommon_libraries(program); !libraries.empty())
    warn(path + " needs libraries that are not in the packages and not on every system: " + install::joined(libraries));
}

void warn_of_paths(const Arguments& arguments, const std::string& folder) {
  for (const Argument& argument : arguments.all) {
    std::error_code error;
    if (!argument.key && argument.before.find('/') != std::string::npos &&
        fs::exists(fs::path(folder) / argument.before, error))
      warn("the argument " + argument.before +
           " is a path of this machine, which others do not have; {folder:KEY} in its place asks each user for a "
           "folder");
  }
}

std::string size_text(std::size_t bytes) {
  constexpr std::size_t kib = 1024;
  return std::to_string((bytes + kib - 1) / kib) + " KiB";
}

/// Makes the packages, one kind after the other.
class Packing {
 public:
  Packing(Package package, const Trial& trial, std::int64_t time)
      : package_(std::move(package)), trial_(trial), time_(time) {}

  void add_bundle() {
    std::string zip = zip_of(bundle_files(package_), time_);
    const auto report = trial_.bundle(zip, package_);
    bundle_ = zip;
    add({.name = package_.short_name + "-" + package_.version + "-" + platform_of(package_) + ".mcpb",
         .content = std::move(zip)},
        "unpacked and started: " + answer(report));
  }

  void add_npm(const std::optional<std::string>& node) {
    PackedFile main = npm_tarball(main_npm_package(package_), package_.version, time_);
    PackedFile platform = npm_tarball(platform_npm_package(package_), package_.version, time_);
    const auto report = trial_.npm(main.content, platform.content, package_, node);
    if (!node) notes_.push_back("there is no node on PATH, so the script in " + main.name + " was not tried");
    add(std::move(main), node ? "unpacked and started by node: " + answer(report) : "not tried");
    add(std::move(platform), node ? "unpacked beside it" : "unpacked and started: " + answer(report));
  }

  void add_registry_entry(const Formats& formats) {
    const bool with_bundle = formats.bundle && !package_.bundle_url.empty();
    if (formats.bundle && !with_bundle)
      notes_.emplace_back("server.json does not name the bundle, because --url does not say where it will be released");
    if (!with_bundle && !formats.npm)
      notes_.emplace_back("server.json names no package: the registry has nothing to offer then");
    if (!package_.repository.empty() && !repository_source(package_.repository))
      notes_.emplace_back("server.json does not name the repository: the registry takes those of GitHub and GitLab");
    add({.name = "server.json",
         .content = registry_entry(package_, with_bundle ? std::optional<std::string_view>(bundle_) : std::nullopt,
                                   formats.npm)},
        "for " + package_.name);
  }

  void write_to(const std::string& folder) const {
    write_all(folder, files_);
    for (std::size_t i = 0; i < files_.size(); ++i)
      std::printf("%s: %s, %s\n", text::visible((fs::path(folder) / files_[i].name).string()).c_str(),
                  size_text(files_[i].content.size()).c_str(), text::visible(said_[i]).c_str());
    for (const std::string& note : notes_) std::printf("note: %s\n", text::visible(note).c_str());
  }

 private:
  static std::string answer(const install::ServerReport& report) {
    return std::to_string(report.tools.size()) + (report.tools.size() == 1 ? " tool" : " tools") + " after " +
           std::to_string(report.time.count()) + " ms";
  }

  void add(PackedFile file, std::string said) {
    files_.push_back(std::move(file));
    said_.push_back(std::move(said));
  }

  const Package package_;
  const Trial& trial_;
  const std::int64_t time_;
  std::string bundle_ = {};
  std::vector<PackedFile> files_ = {};
  std::vector<std::string> said_ = {};  ///< Of each file, what was seen of it.
  std::vector<std::string> notes_ = {};
};

int make_packages(const Given& given, const std::vector<std::string>& server) {
  const hosts::Surroundings here = hosts::own_surroundings();
  require_good_details(given.details);
  const Formats formats = formats_of(given);
  const std::int64_t time = packing_time(here.variable("SOURCE_DATE_EPOCH"));
  Package package{.arguments = arguments_from({server.begin() + 1, server.end()}, descriptions_of(given.folders))};
  package.secrets = secrets_from(given.secrets);
  package.files = extra_files_from(given.files, here.folder);
  const std::string path = install::absolute_program(server.front(), here.folder, here.variable("PATH"));
  package.program = read_program(path);
  package.npm_platforms = npm_platforms_of(given.platforms, platform_of(package));
  warn_of_program(path, package.program);
  warn_of_paths(package.arguments, here.folder);
  const system::EndingSignalsHeld held;  // until the folder of the trial is removed
  const auto end_if_asked = [&] {
    if (held.has_come()) throw install::Interrupted();
  };
  const Trial trial(package.arguments, values_of(package, here));
  install::ServerReport report = trial.unpacked(path, package.arguments, here.folder);
  fill_details(package, given.details, report, formats.bundle);
  package.tools = std::move(report.tools);
  if (report.version != package.version)
    warn("the server says that its version is \"" + report.version + "\", and not " + package.version);
  Packing packing(std::move(package), trial, time);
  end_if_asked();
  if (formats.bundle) packing.add_bundle();
  end_if_asked();
  if (formats.npm)
    packing.add_npm(system::find_program("node", here.variable("PATH"), system::RelativeFolders::skipped));
  if (formats.registry) packing.add_registry_entry(formats);
  end_if_asked();
  packing.write_to(given.out);
  return install::done;
}

int run(const std::vector<std::string>& arguments) {
  Given given;
  CLI::App app(about, "toolwire pack");
  declare(app, given);
  if (const auto status =
          install::parse_before_server(app, arguments, "toolwire pack --name io.github.USER/notes -- ./notes"))
    return *status;
  return make_packages(given, {std::ranges::find(arguments, "--") + 1, arguments.end()});
}

}  // namespace

int pack_command(const std::vector<std::string>& arguments) { return install::reported("pack", run, arguments); }

}  // namespace toolwire::pack
