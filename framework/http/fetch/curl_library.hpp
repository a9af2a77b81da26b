// libcurl's functions, taken from the system's library when the first URL is parsed: a bridge that has none starts
// without loading libcurl and the libraries that it needs.
#pragma once

#include <curl/curl.h>

namespace toolwire {

/// The functions that are used, under libcurl's names without "curl_".
struct CurlLibrary {
  decltype(&::curl_easy_init) easy_init;
  decltype(&::curl_easy_cleanup) easy_cleanup;
  decltype(&::curl_easy_setopt) easy_setopt;
  decltype(&::curl_easy_getinfo) easy_getinfo;
  decltype(&::curl_easy_strerror) easy_strerror;
  decltype(&::curl_multi_init) multi_init;
  decltype(&::curl_multi_cleanup) multi_cleanup;
  decltype(&::curl_multi_setopt) multi_setopt;
  decltype(&::curl_multi_add_handle) multi_add_handle;
  decltype(&::curl_multi_remove_handle) multi_remove_handle;
  decltype(&::curl_multi_socket_action) multi_socket_action;
  decltype(&::curl_multi_info_read) multi_info_read;
  decltype(&::curl_slist_append) slist_append;
  decltype(&::curl_slist_free_all) slist_free_all;
  decltype(&::curl_url) url;
  decltype(&::curl_url_cleanup) url_cleanup;
  decltype(&::curl_url_dup) url_dup;
  decltype(&::curl_url_get) url_get;
  decltype(&::curl_url_set) url_set;
  decltype(&::curl_free) free;
  decltype(&::curl_getdate) getdate;
};

/// libcurl, loaded and initialized by whoever calls first. Throws std::runtime_error that says what to install if the
/// system has none, or one before 7.88.
const CurlLibrary& curl();

}  // namespace toolwire
