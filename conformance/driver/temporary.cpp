#include "driver/temporary.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "toolwire/detail/mutex.hpp"

namespace toolwire::conformance {
namespace {

struct Made {
  Mutex mutex;
  std::vector<std::string> paths TOOLWIRE_GUARDED_BY(mutex);
  bool is_over TOOLWIRE_GUARDED_BY(mutex) = false;
};

/// Never destroyed: a signal may come at the very end.
Made& made() {
  static auto* const all = new Made;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
  return *all;
}

/// Makes one as mkstemp(3) does; what that gave, or -1. Does not return while the program is ended by a signal.
template <class Make>
int make(std::string& path, Make how) {
  {
    const MutexLock lock(made().mutex);
    if (!made().is_over) {
      const int given = how(path.data());
      if (given >= 0) made().paths.push_back(path);
      return given;
    }
  }
  while (true) ::pause();
}

std::string pattern(std::string_view prefix) {
  return (std::filesystem::temp_directory_path() / (std::string(prefix) + "XXXXXX")).string();
}

}  // namespace

std::optional<std::string> temporary_file(std::string_view content) {
  std::string path = pattern("toolwire-conformance-");
  const int file = make(path, [](char* name) { return ::mkstemp(name); });
  if (file < 0) return std::nullopt;
  const bool written = ::write(file, content.data(), content.size()) == static_cast<ssize_t>(content.size());
  ::close(file);
  if (written) return path;
  std::filesystem::remove(path);
  return std::nullopt;
}

std::optional<std::string> temporary_folder(std::string_view prefix) {
  std::string path = pattern(prefix);
  const int given = make(path, [](char* name) { return ::mkdtemp(name) == nullptr ? -1 : 0; });
  return given < 0 ? std::nullopt : std::optional(std::move(path));
}

bool remove_temporaries() {
  const MutexLock lock(made().mutex);
  made().is_over = true;
  bool were_there = false;
  for (const std::string& path : made().paths) {
    std::error_code ignored;
    were_there = std::filesystem::remove_all(path, ignored) != 0 || were_there;  // the greatest number: it failed
  }
  return were_there;
}

}  // namespace toolwire::conformance
