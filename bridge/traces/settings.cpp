#include "traces/settings.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include <toolwire/http/detail/header_text.hpp>
#include <toolwire/http/protected_resource.hpp>

#include "manifest/members.hpp"
#include "manifest/settings_reader.hpp"

namespace toolwire::bridge::traces {
namespace {

constexpr std::string_view root = "/traces";
constexpr std::string_view path = "/v1/traces";
constexpr std::array<std::string_view, 4> members{"endpoint", "headers", "service_name", "sample_ratio"};
/// Those that the request itself decides.
constexpr std::array<std::string_view, 8> own_headers{
    "host",       "content-type", "content-length",    "content-encoding",
    "connection", "expect",       "transfer-encoding", "accept-encoding"};
constexpr std::size_t longest_name = 255;

class Reader {
 public:
  Reader(const JsonObject& json, const SettingsReader::PlaceOf& place_of, Findings& findings)
      : json_(json), place_of_(place_of), findings_(findings), stated_(json, std::string(root), place_of, findings) {}

  std::optional<Settings> read() {
    stated_.refuse_unknown(members);
    read_endpoint();
    read_headers();
    read_service_name();
    read_ratio();
    return stated_.is_fine() && is_fine_ ? std::optional(std::move(read_)) : std::nullopt;
  }

 private:
  /// As OTEL_EXPORTER_OTLP_ENDPOINT: the path follows, unless it is there.
  void read_endpoint() {
    std::string url = stated_.needed_text("endpoint", "http://127.0.0.1:4318");
    if (url.empty()) return;
    if (const std::string wrong = http::wrong_identifier(url); !wrong.empty())
      return stated_.problem("endpoint", "expected " + wrong);
    while (url.ends_with('/')) url.pop_back();
    read_.url = url.ends_with(path) ? url : url.append(path);
    if (!http_origin_of(read_.url)) stated_.problem("endpoint", "expected the URL of a collector");
  }

  void read_headers() {
    const Json* const stated = json_.if_contains("headers");
    if (stated == nullptr) return;
    if (!stated->is_object())
      return stated_.problem("headers", "expected an object of strings, found " + std::string(kind_of(*stated)));
    for (const auto& [name, value] : stated->get_object()) {
      if (const std::string wrong = wrong_header(name, value); !wrong.empty()) {
        is_fine_ = false;
        findings_.problem(place_of_(below(below(std::string(root), "headers"), name)), "expected " + wrong);
      } else {
        read_.headers.emplace_back(name, value.get_string());
      }
    }
  }

  /// In words that follow "expected", without the value.
  static std::string wrong_header(std::string_view name, const Json& value) {
    if (!header_text::is_token(name)) return "a name that a header may have";
    if (std::ranges::find(own_headers, header_text::lower(name)) != own_headers.end())
      return "another header, as this one is that of the request itself";
    if (!value.is_string()) return "a string, found " + std::string(kind_of(value));
    return header_text::has_control(value.get_string()) ? "a value without line breaks" : "";
  }

  void read_service_name() {
    if (!stated_.has("service_name")) return;
    read_.service_name = stated_.text("service_name");
    if (read_.service_name.size() > longest_name)
      stated_.problem("service_name", "expected at most " + std::to_string(longest_name) + " bytes");
  }

  void read_ratio() {
    const Json* const stated = json_.if_contains("sample_ratio");
    if (stated == nullptr) return;
    const double ratio = stated->is_number() ? stated->to_number<double>() : -1;
    if (!(ratio >= 0 && ratio <= 1)) return stated_.problem("sample_ratio", "expected a number from 0 to 1");
    read_.sample_ratio = ratio;
  }

  const JsonObject& json_;
  const SettingsReader::PlaceOf& place_of_;
  Findings& findings_;
  SettingsReader stated_;
  Settings read_;
  bool is_fine_ = true;
};

}  // namespace

std::optional<Settings> read_settings(const Json& json, const std::function<std::string(const std::string&)>& place_of,
                                      Findings& findings) {
  if (const JsonObject* const object = json.if_object()) return Reader(*object, place_of, findings).read();
  findings.problem(place_of(std::string(root)), "expected an object, found " + std::string(kind_of(json)));
  return std::nullopt;
}

}  // namespace toolwire::bridge::traces
