#include "cluster/tls.hpp"

#include <stdexcept>
#include <system_error>

#include <toolwire/system/file_text.hpp>

#include "system/secret_file.hpp"

namespace toolwire::bridge::cluster {
namespace {

constexpr std::size_t longest = std::size_t{4} << 20;

std::string certificates_of(const std::string& path, const std::string& member) try {
  if (path.empty()) return {};
  std::string text = system::text_of_file(path, longest);
  if (text.empty()) throw std::invalid_argument('"' + member + "\": expected certificates (PEM): " + path);
  return text;
} catch (const std::system_error& error) {
  throw std::invalid_argument('"' + member + "\": expected certificates (PEM): " + error.what());
}

}  // namespace

std::optional<Tls> tls_of(const WaySettings& settings) {
  if (!settings.tls) return std::nullopt;
  return Tls{.ca = certificates_of(settings.tls->ca_file, "ca_file"),
             .certificate = certificates_of(settings.tls->certificate_file, "certificate_file"),
             .key = secret_of(settings.tls->key_file, "key_file", "a private key (PEM)"),
             .server_name = settings.tls->server_name};
}

}  // namespace toolwire::bridge::cluster
