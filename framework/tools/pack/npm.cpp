#include "npm.hpp"

#include <algorithm>
#include <string_view>

#include "json_file.hpp"
#include "tar.hpp"

namespace toolwire::pack {
namespace {

constexpr unsigned for_all = 0644, program_for_all = 0755;

/// Where node has process.execve (22.15 and later, not on Windows) the process becomes the program and node is gone;
/// elsewhere node stays, hands on signals and ends as the program does.
constexpr std::string_view script = R"~(#!/usr/bin/env node
"use strict";

const packages = @PACKAGES@;

function fail(text) {
  process.stderr.write(`@NAME@: ${text}\n`);
  process.exit(1);
}

function programFile() {
  const platform = `${process.platform}-${process.arch}`;
  const name = packages[platform];
  if (name === undefined)
    fail(`there is no program for ${platform}, only for ${Object.keys(packages).join(", ")}`);
  try {
    return require.resolve(`${name}/bin/@NAME@`);
  } catch {
    fail(`the package ${name} is missing: it is an optional dependency, so install again without --omit=optional`);
  }
}

function stayBeside(file, words) {
  // Before there is a program, so that it does not outlive a signal that comes at once.
  const signals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2"];
  const handOn = (signal) => child.kill(signal);
  for (const signal of signals) process.on(signal, handOn);
  const child = require("node:child_process").spawn(file, words, { stdio: "inherit" });
  child.on("error", (error) => fail(`${file} cannot be started: ${error.message}`));
  child.on("exit", (code, signal) => {
    for (const name of signals) process.off(name, handOn);
    if (signal === null) process.exit(code);
    process.kill(process.pid, signal);
  });
}

const file = programFile();
const words = process.argv.slice(2);
if (typeof process.execve === "function" && process.platform !== "win32")
  process.execve(file, [file, ...words], process.env);
else
  stayBeside(file, words);
)~";

std::string name_for(const Package& package, const std::string& platform) { return package.npm_name + "-" + platform; }

std::string filled_script(const Package& package) {
  const auto replace_all = [](std::string& text, std::string_view what, const std::string& by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
      text.replace(at, what.size(), by);
  };
  std::string text(script);
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

}  // namespace

std::string platform_package_name(const Package& package) { return name_for(package, platform_of(package)); }

std::string npm_script_name(const Package& package) { return "bin/" + package.short_name + ".js"; }

NpmPackage main_npm_package(const Package& package) {
  const std::string program = npm_script_name(package);
  JsonObject file = described(package, package.npm_name, package.description);
  file["mcpName"] = package.name;
  file["bin"] = JsonObject{{package.short_name, program}};
  file["files"] = JsonArray{Json(program)};
  JsonObject programs;
  for (const std::string& platform : package.npm_platforms) programs[name_for(package, platform)] = package.version;
  file["optionalDependencies"] = std::move(programs);
  return {.name = package.npm_name,
          .files = {{.name = "package.json", .mode = for_all, .content = json_file(file)},
                    {.name = program, .mode = program_for_all, .content = filled_script(package)}}};
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
  file["files"] = JsonArray{Json(program)};
  return {.name = name,
          .files = {{.name = "package.json", .mode = for_all, .content = json_file(file)},
                    {.name = program, .mode = program_for_all, .content = package.program.content}}};
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
