#include "host_files.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace toolwire::hosts {
namespace {

namespace fs = std::filesystem;

#if defined(_WIN32)
constexpr System this_system = System::windows;
constexpr const char* home_variable = "USERPROFILE";
#elif defined(__APPLE__)
constexpr System this_system = System::mac;
constexpr const char* home_variable = "HOME";
#else
constexpr System this_system = System::linux_;
constexpr const char* home_variable = "HOME";
#endif

std::string environment(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? std::string() : std::string(value);
}

struct Named {
  std::string_view places;
  Trust trust = Trust::sure;
};

Named on_this_system(const Places& places, System system) {
  switch (system) {
    case System::linux_:
      return {places.linux_, places.linux_trust};
    case System::mac:
      return {places.mac, places.mac_trust};
    case System::windows:
      break;
  }
  return {places.windows, places.windows_trust};
}

struct Variable {
  std::string name = {};
  std::size_t length = 0;  // of the text that stands for it
};

/// The variable that a place begins with.
Variable variable_of(std::string_view place) {
  if (place.starts_with('$')) {
    const std::size_t end = std::min(place.find('/'), place.size());
    return {std::string(place.substr(1, end - 1)), end};
  }
  const std::size_t end = place.starts_with('%') ? place.find('%', 1) : std::string_view::npos;
  if (end == std::string_view::npos) return {};
  return {std::string(place.substr(1, end - 1)), end + 1};
}

std::vector<std::string> expanded(std::string_view places, const Surroundings& here) {
  std::vector<std::string> all;
  while (!places.empty()) {
    std::string_view place = places.substr(0, places.find('|'));
    places.remove_prefix(std::min(place.size() + 1, places.size()));
    const bool is_only_one = place.starts_with('!');
    if (is_only_one) place.remove_prefix(1);
    if (const Variable variable = variable_of(place); variable.length != 0) {
      const std::string value = here.variable(variable.name);
      if (value.empty()) continue;
      all.push_back(value + std::string(place.substr(variable.length)));
      if (is_only_one) break;
    } else if (place.starts_with("~/")) {
      all.push_back(here.home + std::string(place.substr(1)));
    } else {
      all.push_back(here.folder + "/" + std::string(place));
    }
  }
  return all;
}

/// Whether there is something of that name, also if it cannot be looked at. A folder of a project that is a file is
/// another program's, and no place of the host.
bool exists(const std::string& path, Scope scope) {
  std::error_code error;
  if (fs::status(path, error).type() != fs::file_type::not_found) return true;
  return scope != Scope::project && error == std::errc::not_a_directory;
}

/// Whether two paths lead to one file, which need not be there.
bool is_same_file(const std::string& one, const std::string& other) {
  std::error_code error, other_error;
  const fs::path first = fs::weakly_canonical(one, error), second = fs::weakly_canonical(other, other_error);
  return error || other_error ? one == other : first == second;
}

}  // namespace

Surroundings own_surroundings() {
  Surroundings here{.system = this_system,
                    .variable = environment,
                    .home = environment(home_variable),
                    .folder = fs::current_path().string()};
  if (!fs::path(here.home).is_absolute())
    throw std::runtime_error(std::string(home_variable) + ": expected the home directory, an absolute path, found \"" +
                             here.home + "\"");
  return here;
}

std::optional<HostFile> host_file(const Host& host, Scope scope, const Surroundings& here) {
  if (scope == Scope::local && !host.has_local) return std::nullopt;
  const Named named = on_this_system(scope == Scope::project ? host.project : host.user, here.system);
  HostFile file{.scope = scope, .places = expanded(named.places, here)};
  if (file.places.empty()) return std::nullopt;
  const auto is_there = [&](const std::string& path) { return exists(path, scope); };
  const auto found = std::ranges::find_if(file.places, is_there);
  file.exists = found != file.places.end();
  file.path = file.exists ? *found : file.places.front();
  file.existing = static_cast<std::size_t>(std::ranges::count_if(file.places, is_there));
  const bool is_only_one = file.existing == 1;
  file.may_be_written =
      host.format != Format::yaml && named.trust != Trust::print_only && (named.trust == Trust::sure || is_only_one);
  return file;
}

std::vector<Scope> scopes_of(const Host& host, const Surroundings& here) {
  std::vector<Scope> scopes;
  const auto user = host_file(host, Scope::user, here);
  for (const Scope scope : {Scope::user, Scope::project, Scope::local}) {
    const auto file = host_file(host, scope, here);
    const bool is_of_user =
        scope == Scope::project && user && file && is_same_file(user->path, file->path);  // in the home directory
    if (file && !is_of_user) scopes.push_back(scope);
  }
  return scopes;
}

std::vector<std::string> path_of_server(const Host& host, Scope scope, const Surroundings& here,
                                        const std::string& name) {
  if (scope == Scope::local) return {"projects", here.folder, std::string(host.key), name};
  return {std::string(host.key), name};
}

}  // namespace toolwire::hosts
