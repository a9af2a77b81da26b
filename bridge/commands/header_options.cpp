#include "commands/header_options.hpp"

#include <stdexcept>
#include <utility>

#include <toolwire/http/detail/header_text.hpp>
#include "commands/back_end_settings.hpp"
#include "configuration/server_entry.hpp"
#include "manifest/findings.hpp"

namespace toolwire::bridge {

void give_headers(const std::vector<std::string>& headers, ExpansionSources sources, mcp::BackEndOptions& server) {
  Expansion expansion(std::move(sources));
  for (const std::string& header : headers) {
    const std::size_t colon = header.find(':');
    if (colon == std::string::npos) throw std::invalid_argument("expected NAME: VALUE");
    const std::string name = header.substr(0, colon);
    Findings findings("");
    const auto value = expansion.expand(header_text::trimmed(std::string_view(header).substr(colon + 1)), "", findings);
    for (const ManifestProblem& problem : findings.take_problems("")) throw std::invalid_argument(problem.text);
    if (const auto wrong = wrong_header(name, value.value_or(""))) throw std::invalid_argument(*wrong);
    add_secrets_of_header(*value, server.secrets);
    server.remote->headers.emplace_back(name, *value);
  }
}

}  // namespace toolwire::bridge
