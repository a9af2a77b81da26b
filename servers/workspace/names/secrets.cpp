#include "workspace/names/secrets.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace workspace {
namespace {

constexpr std::array<std::string_view, 5> folders{".ssh", ".gnupg", ".aws", ".azure", ".kube"};
constexpr std::array<std::string_view, 20> files{
    ".env",        ".envrc",           ".netrc",       "_netrc",       ".npmrc",       ".pypirc",         ".pgpass",
    ".my.cnf",     ".htpasswd",        ".dockercfg",   "id_rsa",       "id_dsa",       "id_ecdsa",        "id_ed25519",
    "secrets.yml", ".git-credentials", "secrets.json", "secrets.yaml", "secrets.toml", "credentials.json"};
constexpr std::array<std::string_view, 9> endings{".pem", ".key",      ".p12",  ".pfx", ".jks",
                                                  ".ppk", ".keystore", ".kdbx", ".env"};
constexpr std::array<std::string_view, 5> made_to_be_shown{".example", ".sample", ".template", ".dist", ".defaults"};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

template <class Names>
bool has_ending(const Names& names, std::string_view text) {
  return std::any_of(names.begin(), names.end(), [text](std::string_view name) { return text.ends_with(name); });
}

template <class Names>
bool has(const Names& names, std::string_view text) {
  return std::find(names.begin(), names.end(), text) != names.end();
}

bool is_secret_name(std::string_view name) {
  const std::string known = lower(name);
  if (has(folders, known) || has(files, known) || has_ending(endings, known)) return true;
  return known.starts_with(".env.") && !has_ending(made_to_be_shown, known);
}

}  // namespace

bool holds_secrets(std::string_view path) {
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    if (is_secret_name(path.substr(0, slash))) return true;
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
  }
  return false;
}

}  // namespace workspace
