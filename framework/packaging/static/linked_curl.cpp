// libcurl as a static program has it: in itself. See README.md of the folder above.
#include <curl/curl.h>

#include <array>
#include <filesystem>
#include <system_error>

#include "system/linked_library.hpp"

namespace toolwire::system {
namespace {

// Where distributions have the certificates that they trust: Debian and Arch, Fedora, openSUSE, RHEL, Alpine.
constexpr std::array trusted_files{"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
                                   "/etc/ssl/ca-bundle.pem", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
                                   "/etc/ssl/cert.pem"};

const char* trusted_file() {
  for (const char* file : trusted_files) {
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) return file;
  }
  return nullptr;
}

/// A distribution's own libcurl knows its file, ours is for all of them. Without one no certificate is trusted.
CURL* easy_init() {
  CURL* const made = ::curl_easy_init();
  static const char* const trusted = trusted_file();
  if (made != nullptr && trusted != nullptr) ::curl_easy_setopt(made, CURLOPT_CAINFO, trusted);
  return made;
}

template <class Function>
LinkedFunction linked(const char* name, Function* function) {
  return {name, reinterpret_cast<void*>(function)};
}

const std::array functions{linked("curl_easy_init", &easy_init),
                           linked("curl_easy_cleanup", &::curl_easy_cleanup),
                           linked("curl_easy_getinfo", &(::curl_easy_getinfo)),
                           linked("curl_easy_setopt", &(::curl_easy_setopt)),
                           linked("curl_easy_strerror", &::curl_easy_strerror),
                           linked("curl_free", &::curl_free),
                           linked("curl_getdate", &::curl_getdate),
                           linked("curl_global_init", &::curl_global_init),
                           linked("curl_multi_add_handle", &::curl_multi_add_handle),
                           linked("curl_multi_cleanup", &::curl_multi_cleanup),
                           linked("curl_multi_info_read", &::curl_multi_info_read),
                           linked("curl_multi_init", &::curl_multi_init),
                           linked("curl_multi_remove_handle", &::curl_multi_remove_handle),
                           linked("curl_multi_setopt", &(::curl_multi_setopt)),
                           linked("curl_multi_socket_action", &::curl_multi_socket_action),
                           linked("curl_slist_append", &::curl_slist_append),
                           linked("curl_slist_free_all", &::curl_slist_free_all),
                           linked("curl_url", &::curl_url),
                           linked("curl_url_cleanup", &::curl_url_cleanup),
                           linked("curl_url_dup", &::curl_url_dup),
                           linked("curl_url_get", &::curl_url_get),
                           linked("curl_url_set", &::curl_url_set),
                           linked("curl_version_info", &::curl_version_info)};

const LinkedLibrary library{"libcurl.so.4", functions};

[[maybe_unused]] const bool is_added = [] {
  add_linked_library(library);
  return true;
}();

}  // namespace
}  // namespace toolwire::system
