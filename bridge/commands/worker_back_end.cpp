#include "commands/worker_back_end.hpp"

#include <chrono>
#include <limits>

#include <toolwire/json_members.hpp>

#include "commands/back_end_settings.hpp"

namespace toolwire::bridge {

mcp::BackEndOptions worker_back_end(const NatsSettings& nats, const std::string& name) {
  mcp::BackEndOptions made;
  made.name = name;
  made.kind = "nats";
  made.reached_at = "nats://" + nats.address + "/" + nats.prefix + "/" + name;
  made.tells_caller = true;
  made.keeps_tasks = nats.jetstream.has_value();
  made.revision = "2026-07-28";  // in which each request stands for itself, whoever answers it
  made.unasked_restarts = std::numeric_limits<unsigned>::max();  // it may come at any time
  made.back_off.longest = std::chrono::seconds(5);
  return made;
}

void read_worker_settings(const JsonObject& stated, mcp::BackEndOptions& into,
                          const std::function<void(const std::string& member, const std::string& text)>& problem) {
  for (const auto& [member, value] : stated) {
    if (member == "prefix" && value.is_null()) continue;
    if (member == "prefix") {
      const auto prefix = prefix_named(text_or(stated, "prefix"));
      if (!prefix) problem(member, R"(expected "on_conflict", "always" or "never")");
      into.prefix = prefix.value_or(into.prefix);
    } else if (member == "on_change") {
      const std::string what = text_or(stated, "on_change");
      if (what != "accept" && what != "refuse") problem(member, R"(expected "refuse" or "accept")");
      into.on_change = what == "accept" ? mcp::OnChange::accept : mcp::OnChange::refuse;
    } else if (member != "description" && member != "scopes") {
      problem(member, "nothing follows from it for a worker; expected prefix, scopes or on_change");
    }
  }
}

}  // namespace toolwire::bridge
