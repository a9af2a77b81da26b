// Stores in Redis, for servers that several processes or machines run at once: what one of them has counted, used up or
// kept is so for all. A library of its own (toolwire::redis), so that a server without it needs no hiredis. Independent
// of who asks for what is stored.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <toolwire/engine.hpp>
#include <toolwire/stores.hpp>
#include <toolwire/task_store.hpp>
#include <toolwire/tls.hpp>

namespace toolwire::redis {

/// Where Redis is, and what may be asked of it. A plain value.
struct Options {
  /// "127.0.0.1:6379", "[::1]:6379", "redis.internal:6379", or "unix:/run/redis/redis.sock". With neither `tls` nor
  /// `is_tunnelled` it has to be this machine: loopback, "localhost" or a Unix socket.
  std::string address = "127.0.0.1:6379";
  std::optional<Tls> tls = {};  ///< Empty: none is spoken.
  bool is_tunnelled = false;    ///< Something else encrypts the way to another machine, such as WireGuard.
  std::string user = {};        ///< Of Redis' ACL; empty: the default user.
  std::string password = {};    ///< Empty: none is asked for.
  unsigned database = 0;
  /// What seals values and hides names; any text of at least 16 bytes, the same for all who share them.
  std::string key = {};
  /// One more key: what is sealed with it opens, and its names count. For a change of the key; empty: none.
  std::string second_key = {};
  std::string prefix = "toolwire:";  ///< Of all keys in Redis.
  /// How long a command may take from when it is asked for to its answer, connecting included.
  std::chrono::milliseconds deadline{2'000};
  std::size_t max_commands = 10'000;              ///< That wait for an answer at once; one more fails.
  std::size_t max_bytes = std::size_t{64} << 20;  ///< Of these commands together.
  std::size_t max_reply = std::size_t{64} << 20;  ///< Bytes; a longer reply ends the connection.
};

/// One connection to a Redis, made when it is first needed and again when it broke. Shared by the stores over it.
class Client;

/// Waits for nothing. `engine`: whose threads it uses; empty: one of its own. Throws std::invalid_argument, saying what
/// was expected, if the options cannot be right.
std::shared_ptr<Client> make_client(Options options, const std::shared_ptr<Engine>& engine = {});

/// Nonces that count once for each `purpose`, such as "answers". While Redis is away `use` fails once its deadline is
/// over, and the nonce may have been used up: it is never let through twice.
std::shared_ptr<NonceStore> nonce_store(std::shared_ptr<Client> client, std::string purpose);

/// Sliding windows of one minute by Redis' own clock, the same for all who ask. While Redis is away a question fails
/// once its deadline is over; a charge that failed may have been counted.
std::shared_ptr<RateStore> rate_store(std::shared_ptr<Client> client);

struct OutputLimits {
  std::chrono::milliseconds time_to_live{3'600'000};
  std::size_t max_text = std::size_t{8} << 20;  ///< Bytes; a longer text is not kept.
};

/// Sealed texts. `find` fails for a text that was altered, moved, or sealed with a key that is not named, and while
/// Redis is away.
std::shared_ptr<OutputStore> output_store(std::shared_ptr<Client> client, OutputLimits limits = {});

struct TaskLimits {
  /// How long a store that says nothing counts as running, at least 100 ms. It says so three times in this time while
  /// it has tasks that run.
  std::chrono::milliseconds lease{30'000};
};

/// Tasks of all who share it, sealed, for TaskOptions::store. A task is there once Redis has it: with `appendfsync
/// always` on its disk. One whose store has said nothing for one and a half leases counts as interrupted. While Redis
/// is away, calls that would become tasks fail, and what becomes of tasks that run is stored when it is back. `list`
/// passes over tasks that cannot be opened, `find` fails for them.
std::shared_ptr<TaskStore> task_store(std::shared_ptr<Client> client, const TaskLimits& limits = {});

/// All of them but the tasks, for ServerOptions::stores.
toolwire::Stores stores(const std::shared_ptr<Client>& client, OutputLimits limits = {});

}  // namespace toolwire::redis
