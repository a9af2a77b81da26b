#include "workspace/system/folder_janitor.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "workspace/system/helper_process.hpp"

namespace workspace {
namespace {

[[noreturn]] void wait_and_remove(int unneeded, const std::string& folder) {
  ::setsid();  // a terminal's signals are for the server
  close_all_but({unneeded});
  char byte = 0;
  while (::read(unneeded, &byte, 1) < 0 && errno == EINTR) {
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  ::_exit(0);
}

}  // namespace

FolderJanitor::FolderJanitor(const std::string& folder) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "no pipe");
  unneeded_.reset(ends[0]);
  needed_.reset(ends[1]);
  process_ = ::fork();
  if (process_ == 0) wait_and_remove(unneeded_.get(), folder);
  if (process_ < 0) throw std::system_error(errno, std::generic_category(), "no process");
}

FolderJanitor::~FolderJanitor() {
  if (process_ < 0) return;
  needed_.reset();
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace workspace
