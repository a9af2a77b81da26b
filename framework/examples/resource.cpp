// What a client can read: one resource under a URI, and many under a template; who has subscribed hears of changes.
#include <map>
#include <mutex>
#include <string>
#include <toolwire/server.hpp>

using namespace toolwire;

std::mutex mutex;
std::map<std::string, std::string> notes{{"monday", "Buy bread"}, {"friday", "Sell bread"}};

std::string read_note(const ResourceRequest& request) {
  const std::lock_guard lock(mutex);
  const auto found = notes.find(std::string(request.parameters.at("day").as_string()));
  if (found == notes.end()) throw ResourceNotFound("There is no note of that day");
  return found->second;
}

ResourcePage list_notes(const std::string& /*from*/) {
  const std::lock_guard lock(mutex);
  ResourcePage page;
  for (const auto& note : notes) page.resources.push_back({.uri = "notes://day/" + note.first});
  return page;
}

int main(int argc, char** argv) {
  Server server({.name = "notes", .version = "1.0.0"});
  server.resource({.uri = "notes://help", .mime_type = "text/markdown"}, [] { return "# One note a day"; });
  server.resource_template({.uri_template = "notes://day/{day}", .list = list_notes, .subscribable = true}, read_note);
  server.tool("write_note", "Write a note", args("day", "text"), [&](const std::string& day, const std::string& text) {
    std::unique_lock lock(mutex);
    notes[day] = text;
    lock.unlock();
    server.resource_updated("notes://day/" + day);
  });
  return server.run_stdio(argc, argv);
}
