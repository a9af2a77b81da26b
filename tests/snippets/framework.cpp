// The code that pages show and no example has: compiled, so that it means something, and not run. The test of the
// documentation site (site/site_test.py) looks for each block of a page here or in another source.
#include <chrono>
#include <memory>
#include <string>
#include <toolwire/engine.hpp>
#include <toolwire/http/handler.hpp>
#include <toolwire/log.hpp>
#include <toolwire/server.hpp>

namespace snippets {

using namespace std::chrono_literals;

struct Cart {
  std::string add(std::string item) { return item; }
};

struct Journal {
  void write(toolwire::LogLevel, std::chrono::system_clock::time_point, const std::string&, std::uint64_t,
             const std::string&);
};

std::string compile();
std::string draw();
std::string cut();
std::string delete_file();
void clean_up();
void read_from(int device);
void leave_the_loop();
void start_an_engine_with_a_banner();

int listeners(toolwire::Server& server) {
  server.listen(toolwire::UnixSocket{"/run/user/1000/notes/socket"});
  server.listen(toolwire::LoopbackPort{.port = 4711, .token = "at least 16 bytes"});
  return server.run();
}

int engine_of_its_own(int device) {
  auto engine = std::make_shared<toolwire::Engine>();
  toolwire::Server server({"notes", "1.0.0"}, {.engine = engine});
  auto watch = engine->watch(device, toolwire::Engine::readable, [&](unsigned) { read_from(device); });
  engine->after(10min, [&] { clean_up(); });
  return server.run_stdio();
}

void pumped(toolwire::Server& server, const std::unique_ptr<toolwire::Transport>& transport) {
  toolwire::Pump pump(server, *transport);
  if (!pump.run_ready()) leave_the_loop();
}

void behind_another_server(toolwire::Server& server, toolwire::http::Request request,
                           const std::shared_ptr<toolwire::http::Exchange>& exchange) {
  toolwire::http::Handler handler(server);
  handler.handle(std::move(request), exchange);
  exchange->closed();
}

void one_after_the_other(toolwire::Server& server) {
  server.tool({.name = "compile", .description = "Compiles", .serial = true}, compile);
  server.tool({.name = "draw", .serial_group = "printer"}, draw);
  server.tool({.name = "cut", .serial_group = "printer"}, cut);
}

void for_who_may(toolwire::Server& server) {
  server.tool({.name = "delete_file", .description = "Deletes a file", .scopes = {"files:write"}}, delete_file);
}

void of_a_connection(toolwire::Server& server) {
  server.tool("put", "Puts into the cart", toolwire::args("item"), [](std::string item, toolwire::Context& context) {
    return context.session().slot<Cart>()->add(std::move(item));
  });
}

void logged(Journal& journal) {
  toolwire::set_log_sink([&journal](const toolwire::LogEntry& entry) {
    journal.write(entry.level, entry.time, entry.tool, entry.connection, entry.text);
  });
}

}  // namespace snippets

using namespace snippets;

int main(int argc, char** argv) {
  toolwire::claim_stdio();
  start_an_engine_with_a_banner();
  toolwire::Server server({"engine", "1.0.0"});
  return server.run_stdio(argc, argv);
}
