// A server in a main loop of GLib (GTK, GStreamer): tools run on its thread, so they share what it has without a lock.
#include <glib-unix.h>
#include <glib.h>

#include <thread>
#include <toolwire/server.hpp>
#include <toolwire/transport.hpp>

using namespace toolwire;

struct Served {
  Pump pump;
  GMainLoop* loop;
};

gboolean run_ready(gint, GIOCondition, gpointer data) {
  auto& served = *static_cast<Served*>(data);
  if (served.pump.run_ready()) return G_SOURCE_CONTINUE;
  g_main_loop_quit(served.loop);  // the client has left
  return G_SOURCE_REMOVE;
}

int main() {
  const auto streams = standard_streams();  // before anything is printed
  const auto loop_thread = std::this_thread::get_id();
  int ticks = 0;
  const auto tick = [](gpointer count) -> gboolean { return ++*static_cast<int*>(count), G_SOURCE_CONTINUE; };
  g_timeout_add(10, tick, &ticks);

  Server server({.name = "glib", .version = "1.0.0"});
  server.tool("ticks", "Tell how often the loop has ticked", [&] { return ticks; });
  server.tool("is_on_loop", "Tell on which thread tools run",
              [&] { return std::this_thread::get_id() == loop_thread; });

  Served served{Pump(server, *streams), g_main_loop_new(nullptr, FALSE)};
  g_unix_fd_add(served.pump.descriptor(), G_IO_IN, run_ready, &served);
  g_main_loop_run(served.loop);
  g_main_loop_unref(served.loop);
}
