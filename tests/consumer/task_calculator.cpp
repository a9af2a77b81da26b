// The same with tasks that are kept in a file, beside which it is run.
#include <toolwire/server.hpp>
#include <toolwire/sqlite_task_store.hpp>

struct Add {
  double a, b;
  static constexpr auto describe() {
    return toolwire::fields(toolwire::field<&Add::a>("First number"), toolwire::field<&Add::b>("Second number"));
  }
};

int main(int argc, char** argv) {
  toolwire::Server server{{.name = "calculator", .version = "1.0.0"},
                          {.tasks = {.store = toolwire::sqlite_task_store("tasks.sqlite")}}};
  server.tool({.name = "add", .description = "Add two numbers", .long_running = true}, [](Add n) { return n.a + n.b; });
  return server.run_stdio(argc, argv);
}
