#include "npm.hpp"

#include <algorithm>
#include <string_view>

#include "json_file.hpp"
#include "npm_launcher.hpp"
#include "tar.hpp"

namespace toolwire::pack {
namespace {

constexpr unsigned for_all = 0644, program_for_all = 0755;

std::string name_for(const Package& package, const std::string& platform) { return package.npm_name + "-" + platform; }

std::string filled_script(const Package& package) {
  const auto replace_all = [](std::string& text, std::string_view what, const std::string& by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
      text.replace(at, what.size(), by);
  };
  std::string text(npm_launcher());
  JsonObject packages;
  for (const std::string& platform : package.npm_platforms) packages[platform] = name_for(package, platform);
  replace_all(text, "@PACKAGES@", to_json_text(packages));
  replace_all(text, "@NAME@", package.short_name);
  return text;
}

JsonObject described(const Package& package, const std::string& name, const std::string& description) {
  JsonObject file{{"name", name}, {"version", package.version}, {"description", description}};
  if (!package.author.empty()) file["author"] = package.author;
  if (!package.license.empty()) file["license"] = package.license;
  if (!package.repository.empty()) file["repository"] = JsonObject{{"type", "git"}, {"url", package.repository}};
  return file;
}

JsonArray names_of(const std::string& program, const std::vector<PackedFile>& others) {
  JsonArray names{Json(program)};
  for (const PackedFile& file : others) names.emplace_back(file.name);
  return names;
}

NpmPackage npm_package(const std::string& name, const JsonObject& about, PackedFile program,
                       const std::vector<PackedFile>& others) {
  NpmPackage npm{.name = name, .files = {{.name = "package.json", .mode = for_all, .content = json_file(about)}}};
  npm.files.push_back(std::move(program));
  npm.files.insert(npm.files.end(), others.begin(), others.end());
  return npm;
}

}  // namespace

std::string platform_package_name(const Package& package) { return name_for(package, platform_of(package)); }

std::string npm_script_name(const Package& package) { return "bin/" + package.short_name + ".js"; }

NpmPackage main_npm_package(const Package& package) {
  const std::string program = npm_script_name(package);
  JsonObject file = described(package, package.npm_name, package.description);
  file["mcpName"] = package.name;
  file["bin"] = JsonObject{{package.short_name, program}};
  file["files"] = names_of(program, package.files);
  JsonObject programs;
  for (const std::string& platform : package.npm_platforms) programs[name_for(package, platform)] = package.version;
  file["optionalDependencies"] = std::move(programs);
  return npm_package(package.npm_name, file,
                     {.name = program, .mode = program_for_all, .content = filled_script(package)}, package.files);
}

NpmPackage platform_npm_package(const Package& package) {
  const std::string program = "bin/" + package.short_name;
  const std::string name = platform_package_name(package);
  JsonObject file = described(package, name, "The program of " + package.npm_name + " for " + platform_of(package));
  file["os"] = JsonArray{"linux"};
  file["cpu"] = JsonArray{Json(package.program.architecture)};
  if (const CLibrary library = c_library_of(package.program); library != CLibrary::none)
    file["libc"] = JsonArray{library == CLibrary::glibc ? "glibc" : "musl"};
  file["preferUnplugged"] = true;
  file["files"] = names_of(program, package.files);
  return npm_package(name, file, {.name = program, .mode = program_for_all, .content = package.program.content},
                     package.files);
}

PackedFile npm_tarball(const NpmPackage& npm, const std::string& version, std::int64_t seconds) {
  std::vector<PackedFile> files = npm.files;
  for (PackedFile& file : files) file.name.insert(0, "package/");
  std::string name = npm.name;
  std::erase(name, '@');
  std::ranges::replace(name, '/', '-');
  return {.name = name + "-" + version + ".tgz", .mode = for_all, .content = tar_gz_of(files, seconds)};
}

}  // namespace toolwire::pack
