// What a configuration says of where `http` listens. Takes values, returns values.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <toolwire/json.hpp>

#include "manifest/findings.hpp"

namespace toolwire::bridge {

/// See HttpProviderOptions.
struct ListenSettings {
  std::string address = {};  // HOST:PORT
  std::string token_file = {};
  std::vector<std::string> host_names = {};
  std::vector<std::string> origins = {};
};

/// Reads the member "listen": "HOST:PORT", or an object with that and who may ask. Relative paths count from
/// `directory`. `place_of`: where the file has what stands at a pointer, "/listen/…". Mistakes go to `findings`.
ListenSettings read_listen_settings(const Json& json, const std::string& directory,
                                    const std::function<std::string(const std::string&)>& place_of, Findings& findings);

}  // namespace toolwire::bridge
