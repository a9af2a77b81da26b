#include "protocol/input_requests/state_key.hpp"

#include <sodium.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include <system_error>
#include <toolwire/system/new_file.hpp>
#include <toolwire/system/private_file.hpp>
#include <toolwire/system/state_secrets.hpp>
#include "log/log.hpp"
#include "protocol/input_requests/used_nonces.hpp"

namespace toolwire::protocol {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::optional<StateKey> key_of(const std::string& secret) {
  if (secret.empty()) return std::nullopt;
  StateKey key;
  crypto_generichash(key.data(), key.size(), reinterpret_cast<const unsigned char*>(secret.data()), secret.size(),
                     nullptr, 0);
  return key;
}

/// The folder for state of this user, or empty if there is no home.
std::string state_folder() {
  std::string_view state = environment("XDG_STATE_HOME");
  if (state.starts_with('/')) return std::string(state) + "/toolwire";
  std::string_view home = environment("HOME");
  return home.starts_with('/') ? std::string(home) + "/.local/state/toolwire" : std::string();
}

/// The key in the file, if that is of this user alone.
std::optional<StateKey> read_key(const std::string& path) {
  constexpr std::size_t max_bytes = std::size_t{1} << 20;  // only the first bytes of a longer file count
  const system::PrivateFile file(path, system::PrivateFile::Access::read);
  const auto text = file.is_open() ? file.read_all(max_bytes) : std::nullopt;
  StateKey key;
  if (!text || text->size() < key.size()) return std::nullopt;
  std::copy_n(text->begin(), key.size(), key.begin());
  return key;
}

/// Makes the file whole or not at all; the first process that does wins. False if there is none then.
bool create_key(const std::string& path) {
  constexpr unsigned for_its_user = 0600;
  StateKey key;
  randombytes_buf(key.data(), key.size());
  try {
    system::NewFile file(path, for_its_user);
    file.write({reinterpret_cast<const char*>(key.data()), key.size()});
    file.close();
    file.put_at_free_name();
  } catch (const std::system_error& error) {
    return error.code() == std::errc::file_exists;
  }
  return true;
}

std::optional<StateKey> key_from_file() {
  std::string folder = state_folder();
  if (folder.empty()) return std::nullopt;
  std::string path = folder + "/state-key";
  if (auto key = read_key(path)) return key;
  system::make_private_folders(folder);
  // First, as from now on a key without it means that it was lost.
  UsedNonces(folder + '/' + std::string(used_nonces_name)).make();
  return create_key(path) ? read_key(path) : std::nullopt;
}

struct FoundKey {
  StateKey key;
  KeyOrigin origin;
};

FoundKey find_key() {
  if (sodium_init() < 0) throw std::runtime_error("libsodium cannot find a source of randomness");
  if (const std::string folder = state_folder(); !folder.empty()) system::remove_old_drafts(folder);
  if (auto key = key_of(system::state_secrets().key)) return {*key, KeyOrigin::configuration};
  if (auto key = key_from_file()) return {*key, KeyOrigin::file};
  const std::string folder = state_folder();
  process::log(
      "the key of requestState cannot be kept in " + (folder.empty() ? "a home folder" : folder + "/state-key") +
      ": expected a file of at least 32 bytes that is yours and that no other can read, or a folder in which it "
      "can be made; questions asked now cannot be answered after a restart");
  FoundKey own{{}, KeyOrigin::this_process};
  randombytes_buf(own.key.data(), own.key.size());
  return own;
}

const FoundKey& found_key() {
  static const FoundKey found = find_key();
  return found;
}

}  // namespace

std::array<unsigned char, 6> id_of(const StateKey& key) {
  constexpr std::string_view purpose = "toolwire id of a state key";
  std::array<unsigned char, crypto_generichash_BYTES_MIN> hash{};
  crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(purpose.data()), purpose.size(),
                     key.data(), key.size());
  std::array<unsigned char, 6> id{};
  std::copy_n(hash.begin(), id.size(), id.begin());
  return id;
}

const StateKeys& state_keys() {
  static const StateKeys keys(found_key().key, key_of(system::state_secrets().second));
  return keys;
}

KeyOrigin key_origin() { return found_key().origin; }

std::string state_file(std::string_view name) {
  std::string folder = state_folder();
  if (folder.empty()) return {};
  system::make_private_folders(folder);
  return folder.append("/").append(name);
}

}  // namespace toolwire::protocol
