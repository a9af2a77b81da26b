#include "protocol/input_requests/state_key.hpp"

#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include <toolwire/system/file_descriptor.hpp>
#include "log/log.hpp"

namespace toolwire::protocol {
namespace {

using system::FileDescriptor;

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::optional<StateKey> key_from_environment() {
  std::string_view text = environment("TOOLWIRE_STATE_KEY");
  if (text.empty()) return std::nullopt;
  if (text.size() < 16) {
    process::log("TOOLWIRE_STATE_KEY is ignored: it needs at least 16 bytes");
    return std::nullopt;
  }
  StateKey key;
  crypto_generichash(key.data(), key.size(), reinterpret_cast<const unsigned char*>(text.data()), text.size(), nullptr,
                     0);
  return key;
}

/// The folder for state of this user, or empty if there is no home.
std::string state_folder() {
  std::string_view state = environment("XDG_STATE_HOME");
  if (state.starts_with('/')) return std::string(state) + "/toolwire";
  std::string_view home = environment("HOME");
  return home.starts_with('/') ? std::string(home) + "/.local/state/toolwire" : std::string();
}

/// mkdir -p; what cannot be made shows when the file is opened.
void make_folders(const std::string& folder) {
  for (std::size_t slash = folder.find('/', 1); slash != std::string::npos; slash = folder.find('/', slash + 1)) {
    mkdir(folder.substr(0, slash).c_str(), 0700);
  }
  mkdir(folder.c_str(), 0700);
}

/// The key in the file, if it is a regular file of ours that no other user can read or write.
std::optional<StateKey> read_key(const std::string& path) {
  FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat about {};
  if (!file.is_open() || fstat(file.get(), &about) != 0) return std::nullopt;
  bool ours = S_ISREG(about.st_mode) && about.st_uid == geteuid() && (about.st_mode & 077) == 0;
  StateKey key;
  if (!ours || read(file.get(), key.data(), key.size()) != static_cast<ssize_t>(key.size())) return std::nullopt;
  return key;
}

/// Makes the file whole or not at all: written under another name, then linked; the first process to link wins.
bool create_key(const std::string& path) {
  StateKey key;
  randombytes_buf(key.data(), key.size());
  std::string draft = path + "." + std::to_string(getpid()) + ".new";
  unlink(draft.c_str());
  FileDescriptor file(open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  bool written = file.is_open() && write(file.get(), key.data(), key.size()) == static_cast<ssize_t>(key.size());
  bool made = written && (link(draft.c_str(), path.c_str()) == 0 || errno == EEXIST);
  unlink(draft.c_str());
  return made;
}

std::optional<StateKey> key_from_file() {
  std::string folder = state_folder();
  if (folder.empty()) return std::nullopt;
  std::string path = folder + "/state-key";
  if (auto key = read_key(path)) return key;
  make_folders(folder);
  return create_key(path) ? read_key(path) : std::nullopt;
}

struct FoundKey {
  StateKey key;
  bool of_this_process = false;
};

FoundKey find_key() {
  if (sodium_init() < 0) throw std::runtime_error("libsodium cannot find a source of randomness");
  if (auto key = key_from_environment()) return {*key};
  if (auto key = key_from_file()) return {*key};
  process::log(
      "no file for the key of requestState can be made; questions asked now cannot be answered after a restart");
  FoundKey own{{}, true};
  randombytes_buf(own.key.data(), own.key.size());
  return own;
}

const FoundKey& found_key() {
  static const FoundKey found = find_key();
  return found;
}

}  // namespace

const StateKey& state_key() { return found_key().key; }

bool key_is_of_this_process() { return found_key().of_this_process; }

std::string state_file(std::string_view name) {
  std::string folder = state_folder();
  if (folder.empty()) return {};
  make_folders(folder);
  return folder.append("/").append(name);
}

}  // namespace toolwire::protocol
