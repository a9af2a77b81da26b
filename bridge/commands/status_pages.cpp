#include "commands/status_pages.hpp"

#include "commands/served_bridge.hpp"
#include "commands/status_report.hpp"

namespace toolwire::bridge {

std::vector<http::Page> status_pages_of(ServedBridge& served) {
  return {{"/metrics", "text/plain; version=0.0.4; charset=utf-8", [&served] { return served.metrics(); }},
          {"/status", "text/html; charset=utf-8", [&served] { return report_page(served.status()); }},
          {"/status.json", "application/json", [&served] { return to_json_text(served.status()) + "\n"; }}};
}

}  // namespace toolwire::bridge
