#include "fetch/curl_library.hpp"

#include <array>
#include <stdexcept>
#include <string>

#include <toolwire/system/shared_library.hpp>

namespace toolwire {
namespace {

#ifdef __APPLE__
constexpr std::array names{"libcurl.4.dylib"};
#else
constexpr std::array names{"libcurl.so.4", "libcurl-gnutls.so.4"};
#endif

constexpr unsigned oldest_version = 0x075800;  // 7.88.0

CurlLibrary functions_of(const system::SharedLibrary& library) {
  CurlLibrary curl{};
  library.find(curl.easy_init, "curl_easy_init");
  library.find(curl.easy_cleanup, "curl_easy_cleanup");
  library.find(curl.easy_setopt, "curl_easy_setopt");
  library.find(curl.easy_getinfo, "curl_easy_getinfo");
  library.find(curl.easy_strerror, "curl_easy_strerror");
  library.find(curl.multi_init, "curl_multi_init");
  library.find(curl.multi_cleanup, "curl_multi_cleanup");
  library.find(curl.multi_setopt, "curl_multi_setopt");
  library.find(curl.multi_add_handle, "curl_multi_add_handle");
  library.find(curl.multi_remove_handle, "curl_multi_remove_handle");
  library.find(curl.multi_socket_action, "curl_multi_socket_action");
  library.find(curl.multi_info_read, "curl_multi_info_read");
  library.find(curl.slist_append, "curl_slist_append");
  library.find(curl.slist_free_all, "curl_slist_free_all");
  library.find(curl.url, "curl_url");
  library.find(curl.url_cleanup, "curl_url_cleanup");
  library.find(curl.url_dup, "curl_url_dup");
  library.find(curl.url_get, "curl_url_get");
  library.find(curl.url_set, "curl_url_set");
  library.find(curl.free, "curl_free");
  library.find(curl.getdate, "curl_getdate");
  return curl;
}

void begin(const system::SharedLibrary& library) {
  decltype(&::curl_version_info) version_info = nullptr;
  library.find(version_info, "curl_version_info");
  const auto* version = version_info(CURLVERSION_NOW);
  if (version->version_num < oldest_version) throw std::runtime_error("it is version " + std::string(version->version));
  decltype(&::curl_global_init) global_init = nullptr;
  library.find(global_init, "curl_global_init");
  if (global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) throw std::runtime_error("it cannot be initialized");
}

CurlLibrary load() try {
  const system::SharedLibrary library(names);
  begin(library);
  return functions_of(library);
} catch (const std::runtime_error& error) {
  throw std::runtime_error("http and https URLs need libcurl 7.88 or later (on Debian: apt-get install libcurl4): " +
                           std::string(error.what()));
}

}  // namespace

const CurlLibrary& curl() {
  static const CurlLibrary loaded = load();
  return loaded;
}

}  // namespace toolwire
