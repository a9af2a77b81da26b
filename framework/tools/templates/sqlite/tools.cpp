#include "tools.hpp"

#include <string>
#include <vector>

namespace {

struct Note {
  std::string id, text;

  static constexpr auto describe() {
    return toolwire::fields(toolwire::field<&Note::id>("For remove_note"), toolwire::field<&Note::text>("The note"));
  }
};

std::vector<Note> find_notes(Database& database, const std::string& words, int limit) {
  std::vector<Note> notes;
  for (const auto& row :
       database.run("SELECT id, text FROM notes WHERE instr(lower(text), lower(?)) > 0 ORDER BY id DESC", {words},
                    static_cast<std::size_t>(limit)))
    notes.push_back({row[0], row[1]});
  return notes;
}

Note add_note(Database& database, const std::string& text) {
  return {database.run("INSERT INTO notes (text) VALUES (?) RETURNING id", {text}).at(0).at(0), text};
}

std::string remove_note(Database& database, const std::string& id) {
  if (database.run("DELETE FROM notes WHERE id = ? RETURNING id", {id}).empty())
    throw toolwire::ToolError{"id: there is no note " + id + "; find_notes shows those there are"};
  return "removed note " + id;
}

}  // namespace

void add_tools(toolwire::Server& server, Database& database) {
  using toolwire::arg, toolwire::args;
  database.run("CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)");
  server.tool(
      {.name = "find_notes", .description = "Find notes by a part of their text, the newest first", .read_only = true},
      args(arg("words", "A part of the text; empty for all"), arg("limit", "How many").between(1, 100)),
      [&database](const std::string& words, int limit) { return find_notes(database, words, limit); });
  server.tool({.name = "add_note", .description = "Keep a note", .read_only = false, .destructive = false},
              args(arg("text", "The note")), [&database](const std::string& text) { return add_note(database, text); });
  server.tool({.name = "remove_note", .description = "Remove a note", .read_only = false, .destructive = true},
              args(arg("id", "As find_notes shows it")),
              [&database](const std::string& id) { return remove_note(database, id); });
}
