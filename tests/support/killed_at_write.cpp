// A library that is loaded before a program (LD_PRELOAD) and kills it right before it changes files for the Nth time,
// N being the variable KILLED_AT_WRITE: writes to regular files, renaming, linking, removing, cutting, making folders.
#include <dlfcn.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>

namespace {

template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));  // what dlsym is for
}

int when() {
  static const int number = [] {
    const char* const text = std::getenv("KILLED_AT_WRITE");
    return text == nullptr ? 0 : static_cast<int>(std::strtol(text, nullptr, 10));
  }();
  return number;
}

void about_to_change() {
  static std::atomic<int> count{0};
  if (++count == when()) ::kill(::getpid(), SIGKILL);
}

bool is_file(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

extern "C" {

ssize_t write(int descriptor, const void* bytes, std::size_t count) {
  static const auto next = real<ssize_t (*)(int, const void*, std::size_t)>("write");
  if (is_file(descriptor)) about_to_change();
  return next(descriptor, bytes, count);
}

int fsync(int descriptor) {
  static const auto next = real<int (*)(int)>("fsync");
  about_to_change();
  return next(descriptor);
}

ssize_t pwrite(int descriptor, const void* bytes, std::size_t count, off_t at) {
  static const auto next = real<ssize_t (*)(int, const void*, std::size_t, off_t)>("pwrite");
  about_to_change();
  return next(descriptor, bytes, count, at);
}

ssize_t pwrite64(int descriptor, const void* bytes, std::size_t count, off64_t at) {
  static const auto next = real<ssize_t (*)(int, const void*, std::size_t, off64_t)>("pwrite64");
  about_to_change();
  return next(descriptor, bytes, count, at);
}

int fdatasync(int descriptor) {
  static const auto next = real<int (*)(int)>("fdatasync");
  about_to_change();
  return next(descriptor);
}

int ftruncate64(int descriptor, off64_t size) noexcept {
  static const auto next = real<int (*)(int, off64_t)>("ftruncate64");
  about_to_change();
  return next(descriptor, size);
}

int ftruncate(int descriptor, off_t size) noexcept {
  static const auto next = real<int (*)(int, off_t)>("ftruncate");
  about_to_change();
  return next(descriptor, size);
}

int rename(const char* from, const char* to) noexcept {
  static const auto next = real<int (*)(const char*, const char*)>("rename");
  about_to_change();
  return next(from, to);
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  static const auto next = real<int (*)(int, const char*, int, const char*)>("renameat");
  about_to_change();
  return next(from_folder, from, to_folder, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) noexcept {
  static const auto next = real<int (*)(int, const char*, int, const char*, unsigned)>("renameat2");
  about_to_change();
  return next(from_folder, from, to_folder, to, flags);
}

int unlink(const char* path) noexcept {
  static const auto next = real<int (*)(const char*)>("unlink");
  about_to_change();
  return next(path);
}

int unlinkat(int folder, const char* path, int flags) noexcept {
  static const auto next = real<int (*)(int, const char*, int)>("unlinkat");
  about_to_change();
  return next(folder, path, flags);
}

int mkdir(const char* path, mode_t mode) noexcept {
  static const auto next = real<int (*)(const char*, mode_t)>("mkdir");
  about_to_change();
  return next(path, mode);
}

int mkdirat(int folder, const char* path, mode_t mode) noexcept {
  static const auto next = real<int (*)(int, const char*, mode_t)>("mkdirat");
  about_to_change();
  return next(folder, path, mode);
}
}
