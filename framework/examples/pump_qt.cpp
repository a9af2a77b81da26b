// A server in the event loop of Qt: tools run on its thread, so they may touch whatever belongs to it.
#include <QCoreApplication>
#include <QSocketNotifier>
#include <QTimer>
#include <thread>
#include <toolwire/server.hpp>
#include <toolwire/transport.hpp>

using namespace toolwire;

int main(int argc, char** argv) {
  const auto streams = standard_streams();  // before anything is printed
  QCoreApplication application(argc, argv);
  const auto loop_thread = std::this_thread::get_id();
  int ticks = 0;
  QTimer timer;
  QObject::connect(&timer, &QTimer::timeout, [&] { ++ticks; });
  timer.start(10);

  Server server({.name = "qt", .version = "1.0.0"});
  server.tool("ticks", "Tell how often the loop has ticked", [&] { return ticks; });
  server.tool("is_on_loop", "Tell on which thread tools run",
              [&] { return std::this_thread::get_id() == loop_thread; });

  Pump pump(server, *streams);
  QSocketNotifier readable(pump.descriptor(), QSocketNotifier::Read);
  QObject::connect(&readable, &QSocketNotifier::activated, [&] {
    if (!pump.run_ready()) QCoreApplication::quit();  // the client has left
  });
  return QCoreApplication::exec();
}
