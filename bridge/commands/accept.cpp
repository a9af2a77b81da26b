#include "commands/accept.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <exception>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include <toolwire/text.hpp>

#include "activities/mcp/listing_store.hpp"
#include "commands/command_arguments.hpp"

namespace toolwire::bridge {
namespace {

void write_changes(const mcp::StoredListing& stored, const std::vector<std::string>& tools) {
  for (const std::string& tool : tools) std::cout << text::visible(mcp::changes_of(stored, tool), text::lines);
}

std::string started_by(const mcp::StoredListing& stored) {
  std::string words;
  for (const std::string& word : stored.command) words += (words.empty() ? "" : " ") + word;
  return text::visible(words);
}

/// All servers with changes, without accepting any.
int show_all(const mcp::ListingStore& store) {
  std::size_t changed = 0;
  for (const auto& [file, stored] : store.all("")) {
    const auto pending = mcp::pending_changes(stored);
    if (pending.empty()) continue;
    ++changed;
    std::cout << text::visible(stored.server) << " (" << started_by(stored) << ")\n";
    write_changes(stored, pending);
  }
  if (changed == 0) std::cout << "all tools are as they were accepted\n";
  return 0;
}

int accept_of(mcp::ListingStore& store, const std::string& server, const std::vector<std::string>& tools, bool show) {
  const auto all = store.all(server);
  if (all.empty()) {
    std::set<std::string> names;  // a server has a listing for each way in which it is started
    for (const auto& [file, stored] : store.all("")) names.insert(stored.server);
    const std::string known = fmt::format("{}", fmt::join(names, ", "));
    std::cerr << "toolwire-bridge accept: nothing is kept of a server \"" << text::visible(server)
              << "\"; expected one of: " << (known.empty() ? "none" : text::visible(known)) << '\n';
    return 1;
  }
  std::size_t accepted = 0;
  for (const auto& [file, known] : all) {
    if (mcp::pending_changes(known).empty()) continue;
    store.change(file, [&](mcp::StoredListing& stored) {
      mcp::StoredListing changed = stored;
      const auto names = mcp::accept(changed, tools);
      write_changes(stored, names);
      accepted += names.size();
      if (!show) stored = std::move(changed);
    });
  }
  if (accepted == 0) {
    std::cerr << "toolwire-bridge accept: the tools of \"" << text::visible(server) << "\" are as they were accepted\n";
    return 1;
  }
  std::cout << (show ? "to be accepted: " : "accepted: ") << accepted << (accepted == 1 ? " change\n" : " changes\n");
  return 0;
}

}  // namespace

int accept_command(int argc, const char* const* argv) {
  CommandArguments taken("accept",
                         "Shows how the tools of servers have changed since they were accepted, and accepts that.");
  std::string server;
  std::vector<std::string> tools;
  bool show = false;
  taken.option("SERVER", server, "The name of a server; without one, all changes are shown and none is accepted");
  taken.option("TOOL", tools, "Its tools whose changes are accepted, by its own names; without, all");
  taken.flag("--show", show, "Accept nothing");
  if (const auto ended = taken.parse(argc, argv)) return *ended;
  try {
    mcp::ListingStore store(mcp::ListingStore::usual_folder());
    return server.empty() ? show_all(store) : accept_of(store, server, tools, show);
  } catch (const std::exception& error) {
    std::cerr << "toolwire-bridge accept: " << error.what() << '\n';
    return 1;
  }
}

}  // namespace toolwire::bridge
