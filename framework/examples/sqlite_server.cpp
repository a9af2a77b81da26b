// `sqlite_server FILE`: an SQLite database to read. A query says how far it is, can be cancelled, and can neither
// change nor open anything else; tables are resources whose names are suggested, and a prompt begins a conversation
// about one.
#include <sqlite3.h>

#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <toolwire/server.hpp>
#include <vector>

using namespace toolwire;

struct Rows {
  std::vector<std::map<std::string, Json>> rows = {};
  bool has_more = false;
  static constexpr auto describe() {
    return fields(field<&Rows::rows>("By column; values are texts or null"),
                  field<&Rows::has_more>("There are more than were asked for"));
  }
};

/// A query under way, and what SQLite calls meanwhile, which ends it by returning something else than 0.
struct Query {
  Context& call;
  int most;
  Rows found = {};
  int steps = 0;

  static int has_worked(void* query) {
    auto& mine = *static_cast<Query*>(query);
    mine.call.progress(mine.steps += 1000, {}, "steps of the query");
    return mine.call.stop_requested() ? 1 : 0;
  }
  static int has_found(void* query, int count, char** values, char** columns) {
    auto& mine = *static_cast<Query*>(query);
    mine.found.has_more = static_cast<int>(mine.found.rows.size()) == mine.most;
    if (mine.found.has_more) return 1;
    auto& row = mine.found.rows.emplace_back();
    for (int i = 0; i < count; ++i) row[columns[i]] = values[i] == nullptr ? Json() : Json(values[i]);
    return 0;
  }
};

/// On a connection of its own: queries run side by side, and each is stopped by its own call.
Rows run_query(const std::string& file, const std::string& sql, int most, Context& call) {
  Query query{call, most};
  sqlite3* opened = nullptr;
  int status = sqlite3_open_v2(file.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
  const std::unique_ptr<sqlite3, int (*)(sqlite3*)> database(opened, &sqlite3_close);
  sqlite3_limit(opened, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_progress_handler(opened, 1000, &Query::has_worked, &query);
  if (status == SQLITE_OK) status = sqlite3_exec(opened, sql.c_str(), &Query::has_found, &query, nullptr);
  if (status != SQLITE_OK && !query.found.has_more) throw ToolError(sqlite3_errmsg(opened));
  return query.found;
}

int main(int argc, char** argv) {
  if (argc < 2) return std::fputs("usage: sqlite_server FILE\n", stderr), 2;
  const std::string file = argv[1];
  const auto complete_table = [file](std::string_view typed, const CompletionContext&) {
    const JsonObject nothing;
    Context nobody({}, nothing, nothing);
    std::vector<std::string> names;
    for (auto& row : run_query(file, "SELECT name FROM sqlite_schema WHERE type = 'table'", 100, nobody).rows)
      if (std::string name(row.at("name").as_string()); name.starts_with(typed)) names.push_back(name);
    return Completion(names);
  };

  Server server({.name = "sqlite", .version = "1.0.0", .instructions = "Read sqlite://schema before you query."});
  server.tool({.name = "query", .description = "Run SQL that reads", .read_only = true},
              args(arg("sql", "Of SQLite"), arg("most", "Rows to return").between(1, 1000)),
              [file](const std::string& sql, int most, Context& call) { return run_query(file, sql, most, call); });
  server.resource({.uri = "sqlite://schema", .mime_type = "application/json"},
                  [file](Context& call) { return run_query(file, "SELECT sql FROM sqlite_schema", 1000, call); });
  server.resource_template({.uri_template = "sqlite://table/{name}", .complete = {{"name", complete_table}}},
                           [file](const Json& parameters, Context& call) {
                             const std::string name(parameters.at("name").as_string());
                             if (name.find(']') != std::string::npos) throw ResourceNotFound();
                             return run_query(file, "SELECT * FROM [" + name + "]", 10, call);
                           });
  server.prompt({.name = "explore",
                 .arguments = {{.name = "table", .required = true}},
                 .completers = {{"table", complete_table}}},
                [](const Json& texts) { return "What is in the table " + std::string(texts.at("table").as_string()); });
  return server.run_stdio(argc - 1, argv + 1);
}
