#include "workspace/system/file_state.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <climits>
#include <cstdio>

namespace workspace {
namespace {

constexpr std::int64_t second = 1'000'000'000;

FileState state(const struct stat& status) {
  return {.kind = file_kind(status.st_mode),
          .size = static_cast<std::uint64_t>(status.st_size),
          .modified = static_cast<std::int64_t>(status.st_mtim.tv_sec) * second + status.st_mtim.tv_nsec,
          .mode = status.st_mode & 07777U,
          .owner = status.st_uid,
          .group = status.st_gid,
          .device = status.st_dev,
          .number = status.st_ino};
}

}  // namespace

std::optional<FileState> state_of(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return std::nullopt;
  return state(status);
}

std::optional<FileState> state_at(int directory, const std::string& name) {
  struct stat status {};
  if (::fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
  return state(status);
}

std::optional<std::string> link_target(int directory, const std::string& name) {
  std::array<char, PATH_MAX> target{};
  const ssize_t length = ::readlinkat(directory, name.c_str(), target.data(), target.size());
  if (length < 0) return std::nullopt;
  return std::string(target.data(), static_cast<std::size_t>(length));
}

bool is_same_version(const FileState& a, const FileState& b) {
  return a.device == b.device && a.number == b.number && a.kind == b.kind && a.size == b.size &&
         a.modified == b.modified;
}

std::string time_text(std::int64_t nanoseconds) {
  using namespace std::chrono;
  const sys_time<std::chrono::nanoseconds> time{std::chrono::nanoseconds{nanoseconds}};
  const auto day = floor<days>(time);
  const year_month_day date{day};
  const hh_mm_ss clock{time - day};
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02ld:%02ld:%02ld.%09ldZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<long>(clock.hours().count()), static_cast<long>(clock.minutes().count()),
                static_cast<long>(clock.seconds().count()), static_cast<long>(clock.subseconds().count()));
  return text.data();
}

}  // namespace workspace
