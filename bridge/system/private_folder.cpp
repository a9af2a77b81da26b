#include "system/private_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "system/folder_entries.hpp"

namespace toolwire::bridge {
namespace {

/// Numbered names, until one is free.
struct FreshName {
  char text[32] = {};
  unsigned long last = 0;

  const char* next() {
    unsigned long rest = ++last;
    char* at = text + sizeof text - 1;
    do *--at = static_cast<char>('0' + rest % 10);
    while ((rest /= 10) != 0);
    *--at = '!';
    return at;
  }
};

bool remove_entry(int folder, const char* name) {
  return ::unlinkat(folder, name, 0) == 0 || ::unlinkat(folder, name, AT_REMOVEDIR) == 0;
}

bool move_entry(int from, const char* name, int to, FreshName& fresh) {
  constexpr unsigned not_over_another = 1;
  ::fchmodat(from, name, S_IRWXU, 0);  // moving a folder needs the right to write to it
  long moved = 0;
  while ((moved = ::syscall(SYS_renameat2, from, name, to, fresh.next(), not_over_another)) != 0 && errno == EEXIST) {
  }
  return moved == 0;
}

/// Moves the entries of a folder to the one at the top, so that deep trees need no recursion. Whether anything changed.
bool lift_entries(int top, const char* name, FreshName& fresh) {
  ::fchmodat(top, name, S_IRWXU, 0);
  const int folder = ::openat(top, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return false;
  bool changed = false;
  for_each_entry(folder, [&](const char* entry) {
    changed = remove_entry(folder, entry) || move_entry(folder, entry, top, fresh) || changed;
  });
  ::close(folder);
  return remove_entry(top, name) || changed;
}

}  // namespace

PrivateFolder::PrivateFolder() : path_((std::filesystem::temp_directory_path() / "toolwire-XXXXXX").string()) {
  if (::mkdtemp(path_.data()) == nullptr)
    throw std::system_error(errno, std::generic_category(), "cannot make a temporary folder");
}

PrivateFolder::~PrivateFolder() {
  if (is_ours_) remove_folder(path_.c_str());
}

void remove_folder(const char* path) {
  const int top = ::open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (top < 0) return;
  FreshName fresh;
  for (bool changed = true; changed;) {
    changed = false;
    for_each_entry(top, [&](const char* entry) {
      changed = remove_entry(top, entry) || lift_entries(top, entry, fresh) || changed;
    });
  }
  ::close(top);
  ::rmdir(path);
}

}  // namespace toolwire::bridge
