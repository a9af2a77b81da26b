// What replicas of a server tell each other, and calls to workers elsewhere, over NATS. A library of its own
// (toolwire::nats), so that a server without it needs no libnats. Independent of who tells what.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <toolwire/engine.hpp>
#include <toolwire/stores.hpp>
#include <toolwire/task_store.hpp>
#include <toolwire/tls.hpp>
#include <toolwire/transport.hpp>

namespace toolwire::nats {

/// Where NATS is, and what may be done there. A plain value.
struct Options {
  /// "127.0.0.1:4222", "[::1]:4222", "nats.internal:4222". With neither `tls` nor `is_tunnelled` it has to be this
  /// machine: loopback or "localhost".
  std::string address = "127.0.0.1:4222";
  std::optional<Tls> tls = {};  ///< Empty: none is spoken.
  bool is_tunnelled = false;    ///< Something else encrypts the way to another machine, such as WireGuard.
  std::string nkey_seed = {};   ///< Of a user ("SU…"); empty: none is asked for.
  /// What seals all that is sent; any text of at least 16 bytes, the same for all who take part.
  std::string key = {};
  /// One more key: what is sealed with it opens. For a change of the key; empty: none.
  std::string second_key = {};
  std::string prefix = "toolwire";                ///< Of all subjects: letters, digits, '-' and '_', with dots between.
  std::chrono::milliseconds deadline{2'000};      ///< Of connecting, and of writing to a server that takes nothing.
  std::size_t max_bytes = std::size_t{64} << 20;  ///< That wait to be sent, and as many that wait to be read.
  /// Called when NATS is away or there again, in words; from any thread. Must not wait.
  std::function<void(const std::string&)> log = {};
};

/// One connection to a NATS, made when it is first needed and again whenever it broke.
class Client;

/// Waits for nothing. `engine`: whose threads it uses, besides those of libnats; empty: one of its own. Throws
/// std::invalid_argument, saying what was expected, if the options cannot be right.
std::shared_ptr<Client> make_client(Options options, const std::shared_ptr<Engine>& engine = {});

/// Where calls that are tasks wait for workers, and what they come to is kept (JetStream). The same for all replicas. A
/// plain value.
struct JetStreamOptions {
  std::string stream = "toolwire";  ///< Letters, digits, '-' and '_'; that of the results ends with "-results".
  int replicas = 1;                 ///< Servers that keep it.
  std::chrono::milliseconds max_age{86'400'000};     ///< A call that nobody has begun by then does not begin.
  std::int64_t max_bytes = std::int64_t{256} << 20;  ///< Of each of the two; what does not fit is refused.
  std::chrono::milliseconds lease{30'000};           ///< How long a worker that says nothing counts as running.
};

class TaskJobs;

/// Calls of long-running tools of these workers, which go on when the replica that began them ends. Waits for nothing.
std::shared_ptr<TaskJobs> make_task_jobs(const std::shared_ptr<Client>& client, const JetStreamOptions& options,
                                         const std::vector<std::string>& workers);
/// Whether the server keeps them; false if NATS is away for as long as this waits (`patience`). Throws
/// std::invalid_argument, saying why, if it cannot.
bool can_keep_tasks(TaskJobs& jobs, std::chrono::milliseconds patience);
/// The same store, whose tasks are ended with what their calls have come to, whichever server is asked.
std::shared_ptr<TaskStore> with_task_jobs(std::shared_ptr<TaskStore> store, const std::shared_ptr<Client>& client,
                                          const std::shared_ptr<TaskJobs>& jobs);

/// Events of all servers with the same key and prefix, sealed, for Stores::events. While NATS is away events are lost;
/// servers are told of that once it is back.
std::shared_ptr<EventBus> event_bus(std::shared_ptr<Client> client);

/// A conversation with whichever workers of one name there are, as with one server of revision 2026-07-28.
struct WorkerConnection {
  std::unique_ptr<Transport> transport = {};
  /// Ends it at once, from any thread, also when the transport is gone; the reason is what its client reads.
  std::function<void(const std::string& reason)> end = {};
};

/// Waits for nothing. Each request goes to one worker, which begins it only if the client still waits for it; what is
/// known then of one that is not answered stands in its error: `data.code` is "unavailable", and `data.outcome` is
/// "unknown" unless it was certainly not begun. With `jobs`, calls that are tasks wait in a stream instead.
WorkerConnection connect_worker(const std::shared_ptr<Client>& client, const std::string& worker,
                                const std::shared_ptr<TaskJobs>& jobs = {});

struct WorkerOptions {
  std::string name = {};       ///< Letters, digits, '-' and '_'. Workers of one name share its calls.
  std::size_t max_calls = 64;  ///< At once; others are left to other workers.
  /// Differs whenever the list of tools does (Server::tools_version). From any thread; must not wait.
  std::function<std::uint64_t()> tools_version = {};
  std::string stream = {};     ///< Where tasks wait (JetStreamOptions::stream); empty: it takes none.
  std::size_t max_tasks = 16;  ///< At once, and no more than `max_calls` with all else.
};

class WorkerService;

/// Calls from replicas, for a server: `server.run(worker.transport())`. The server has no other client of this kind.
class Worker {
 public:
  Worker(const std::shared_ptr<Client>& client, WorkerOptions options);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  Transport& transport() { return *transport_; }
  /// As of replicas: whether the server keeps tasks; only with a stream.
  bool can_take_tasks(std::chrono::milliseconds patience);
  /// Takes no more calls, waits until those under way are answered or `patience` is over, and ends the transport. From
  /// any thread that is none of the engine's.
  void drain(std::chrono::milliseconds patience);

 private:
  const std::shared_ptr<WorkerService> service_;
  const std::unique_ptr<Transport> transport_;
};

}  // namespace toolwire::nats
