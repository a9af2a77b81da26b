// What a configuration says of the collector that gets the traces of a bridge (OpenTelemetry). A plain value; asks
// nobody.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <toolwire/http/detail/http_client.hpp>
#include <toolwire/json.hpp>

#include "manifest/findings.hpp"

namespace toolwire::bridge::traces {

struct Settings {
  std::string url = {};      ///< Of OTLP/HTTP, with its path: "https://collector.example.com/v1/traces".
  HttpHeaders headers = {};  ///< Sent with each request to it; their values are secrets.
  std::string service_name = "toolwire-bridge";
  double sample_ratio = 1;  ///< Of the traces that begin here, from 0 to 1.
};

/// Reads the member "traces". `place_of`: where the file has what stands at a pointer, "/traces/…". Nothing if there
/// are problems, which go to `findings`, and which show no value of a header.
std::optional<Settings> read_settings(const Json& json, const std::function<std::string(const std::string&)>& place_of,
                                      Findings& findings);

}  // namespace toolwire::bridge::traces
