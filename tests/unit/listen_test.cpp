// Clients that connect to a server, beside standard input or alone; and the stop of a server.
#include <toolwire/client.hpp>
#include <toolwire/server.hpp>

#define BOOST_TEST_MODULE listen_test
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <toolwire/system/descriptor_limit.hpp>
#include <vector>

#include "comes_true.hpp"
#include "gates.hpp"
#include "log/log.hpp"
#include "scratch_folder.hpp"
#include "soft_descriptor_limit.hpp"
#include "transport/listening_socket.hpp"

using namespace std::chrono_literals;
using namespace toolwire;
using toolwire_test::comes_true;
using toolwire_test::Gates;
using toolwire_test::ScratchFolder;
using toolwire_test::SoftDescriptorLimit;

namespace {

struct Text {
  std::string text;
  static constexpr auto describe() { return fields(field<&Text::text>("Any text")); }
};

std::ptrdiff_t entries(const char* folder) {
  return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
}

/// A server with a socket in a folder of its own, running until it is stopped.
struct Listening {
  explicit Listening(ServerOptions options = {}) : server({"listening", "1"}, std::move(options)) {
    server.tool("echo", "The text", [](const Text& said) { return said.text; });
    server.tool("hold", "Waits until it is told to go on", [this](Context& context) {
      gates.open("held");
      return gates.wait("go on", context.stop_token()) ? "went on" : "stopped";
    });
    server.tool("grow", "Adds a tool", [this](const Text& said) {
      server.tool(said.text, "A new one", [] { return "new"; });
      return "added";
    });
    server.tool("stop", "Stops the server", [this] {
      server.stop();
      return "stopping";
    });
    server.listen(UnixSocket{path()});
  }
  ~Listening() { end(); }

  std::string path() const { return (folder / "socket").string(); }
  void run() {
    running = std::thread([this] { status = server.run(); });
  }
  void end() {
    server.stop();
    if (running.joinable()) running.join();
  }
  std::unique_ptr<Client> client(ClientOptions options = {}) {
    return std::make_unique<Client>(connect_unix_socket(path()), std::move(options));
  }

  ScratchFolder folder;
  Gates gates;
  Server server;
  std::thread running;
  std::optional<int> status;
};

std::string echo(Client& client, const std::string& text) { return client.call("echo", {{"text", text}}).text(); }

/// Nothing but bytes.
class Raw {
 public:
  explicit Raw(std::unique_ptr<Transport> transport) : transport_(std::move(transport)) {}
  void say(std::string_view text) { transport_->write(text.data(), text.size(), Transport::Blocking::yes); }
  /// Up to a line feed, or to the end.
  std::string hear() {
    while (heard_.find('\n') == std::string::npos) {
      char bytes[4096];
      const std::ptrdiff_t count = transport_->read(bytes, sizeof bytes);
      if (count <= 0) return std::exchange(heard_, "");
      heard_.append(bytes, static_cast<std::size_t>(count));
    }
    const std::size_t end = heard_.find('\n');
    std::string line = heard_.substr(0, end);
    heard_.erase(0, end + 1);
    return line;
  }

 private:
  std::unique_ptr<Transport> transport_;
  std::string heard_;
};

constexpr std::string_view ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})"
                                  "\n";

}  // namespace

BOOST_AUTO_TEST_CASE(many_clients_are_served_each_for_itself) {
  Listening listening;
  listening.run();
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 20; ++i) clients.push_back(listening.client());
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < clients.size(); ++i)
      BOOST_TEST(echo(*clients[i], std::to_string(i)) == std::to_string(i));
  }
  clients.erase(clients.begin(), clients.begin() + 10);
  for (const auto& client : clients) BOOST_TEST(echo(*client, "still there") == "still there");
}

BOOST_AUTO_TEST_CASE(a_call_that_takes_its_time_holds_up_nobody_else) {
  Listening listening;
  listening.run();
  const auto slow = listening.client();
  const auto quick = listening.client();
  std::vector<CallHandle> held;
  for (int i = 0; i < 40; ++i) held.push_back(slow->start_call("hold", JsonObject{}));
  BOOST_TEST(listening.gates.wait("held", {}));
  BOOST_TEST(echo(*quick, "quick") == "quick");
  listening.gates.open("go on");
  for (CallHandle& call : held) BOOST_TEST(call.wait().text() == "went on");
}

BOOST_AUTO_TEST_CASE(three_hundred_clients_with_the_same_id_are_answered_by_few_threads) {
  Listening listening;
  listening.run();
  Raw stays(connect_unix_socket(listening.path()));
  stays.say(ping);
  stays.hear();
  const auto descriptors = entries("/proc/self/fd");
  {
    std::vector<Raw> clients;
    for (int i = 0; i < 300; ++i) clients.emplace_back(connect_unix_socket(listening.path()));
    for (Raw& client : clients) client.say(ping);
    for (Raw& client : clients) BOOST_TEST(client.hear() == R"({"jsonrpc":"2.0","id":1,"result":{}})");
    BOOST_TEST(entries("/proc/self/task") <= 12);
  }
  BOOST_TEST(comes_true([&] { return entries("/proc/self/fd") == descriptors; }));
}

BOOST_AUTO_TEST_CASE(a_change_is_told_to_all_clients_also_by_a_tool_of_one) {
  Listening listening;
  listening.run();
  Gates told;
  const auto hears = [&told](const std::string& who) {
    ClientOptions options{.revision = "2025-11-25"};
    options.on_notification = [&told, who](const std::string& method, const Json&) {
      if (method == "notifications/tools/list_changed") told.open(who);
    };
    return options;
  };
  const auto one = listening.client(hears("one"));
  const auto other = listening.client(hears("other"));
  BOOST_TEST(echo(*other, "here") == "here");
  BOOST_TEST(one->call("grow", {{"text", "more"}}).text() == "added");
  BOOST_TEST(told.wait("one", {}));
  BOOST_TEST(told.wait("other", {}));
}

BOOST_AUTO_TEST_CASE(a_change_made_by_a_tool_of_one_connection_is_told_on_another_of_the_same_process) {
  Server server({"twice", "1"});
  server.tool("grow", "Adds a tool", [&server](const Text& said) {
    server.tool(said.text, "A new one", [] { return "new"; });
    return "added";
  });
  Gates told;
  ClientOptions hears{.revision = "2025-11-25"};
  hears.on_notification = [&told](const std::string& method, const Json&) { told.open(method); };
  auto [ours, theirs] = memory_transports();
  auto [our_other, their_other] = memory_transports();
  std::thread running([&server, end = theirs.get()] { server.run(*end); });
  std::thread running_other([&server, end = their_other.get()] { server.run(*end); });
  {
    Client changes(std::move(ours));
    Client idle(std::move(our_other), hears);
    BOOST_TEST(idle.list_tools().size() == 1U);  // its handshake is over
    BOOST_TEST(changes.call("grow", {{"text", "more"}}).text() == "added");
    BOOST_TEST(told.wait("notifications/tools/list_changed", {}));
  }
  running.join();
  running_other.join();
}

BOOST_AUTO_TEST_CASE(the_socket_is_for_its_user_alone_and_goes_with_the_server) {
  Listening listening;
  struct stat about {};
  BOOST_REQUIRE(::stat(listening.path().c_str(), &about) == 0);
  BOOST_TEST((about.st_mode & 07777u) == 0600u);
  listening.run();
  BOOST_TEST(echo(*listening.client(), "here") == "here");
  listening.end();
  BOOST_TEST(!std::filesystem::exists(listening.path()));
}

BOOST_AUTO_TEST_CASE(a_socket_that_is_in_use_is_refused_and_one_that_was_left_behind_is_replaced) {
  Listening listening;
  const auto is_in_use = [](const std::system_error& error) {
    return error.code() == std::errc::address_in_use &&
           std::string_view(error.what()).find("another process listens on it") != std::string_view::npos;
  };
  BOOST_CHECK_EXCEPTION(listening.server.listen(UnixSocket{listening.path()}), std::system_error, is_in_use);
  const std::string left = (listening.folder / "left").string();
  {
    const system::FileDescriptor socket{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    left.copy(address.sun_path, sizeof address.sun_path - 1);
    BOOST_REQUIRE(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  }
  listening.server.listen(UnixSocket{left});
  listening.run();
  Client client(connect_unix_socket(left));
  BOOST_TEST(echo(client, "both") == "both");
}

BOOST_AUTO_TEST_CASE(a_socket_may_have_a_path_that_is_longer_than_its_address) {
  const ScratchFolder folder;
  const std::filesystem::path deep = folder / std::string(150, 'd') / std::string(150, 'e');
  std::filesystem::create_directories(deep);
  const std::string path = (deep / "socket").string();
  Listening listening;
  listening.server.listen(UnixSocket{path});
  BOOST_CHECK_THROW(listening.server.listen(UnixSocket{path}), std::system_error);
  BOOST_CHECK_THROW(listening.server.listen(UnixSocket{(deep / std::string(100, 'x')).string()}), std::system_error);
  BOOST_CHECK_THROW(listening.server.listen(UnixSocket{(deep / "none/socket").string()}), std::system_error);
  listening.run();
  Client client(connect_unix_socket(path));
  BOOST_TEST(echo(client, "deep") == "deep");
  listening.end();
  BOOST_TEST(!std::filesystem::exists(path));
}

BOOST_AUTO_TEST_CASE(places_that_are_not_safe_or_not_possible_are_refused) {
  Server server({"refusing", "1"});
  const ScratchFolder folder;
  const std::string file = folder.file("file", "text").string();
  const auto says = [](const char* what) {
    return [what](const std::system_error& error) {
      return std::string_view(error.what()).find(what) != std::string_view::npos;
    };
  };
  BOOST_CHECK_EXCEPTION(server.listen(UnixSocket{file}), std::system_error, says("no socket"));
  BOOST_TEST(std::filesystem::exists(file));
  BOOST_CHECK_THROW(server.listen(UnixSocket{""}), std::system_error);
  BOOST_CHECK_THROW(server.listen(UnixSocket{std::string(200, 'x')}), std::system_error);
  BOOST_CHECK_THROW(server.listen(UnixSocket{"/nonexistent/socket"}), std::system_error);
  std::filesystem::create_directory(folder / "open");
  std::filesystem::permissions(folder / "open", std::filesystem::perms(0777));
  BOOST_CHECK_EXCEPTION(server.listen(UnixSocket{(folder / "open/socket").string()}), std::system_error,
                        says("other users may write to its folder"));
  BOOST_CHECK_THROW(server.listen(LoopbackPort{}), std::invalid_argument);
  BOOST_CHECK_THROW(server.listen(LoopbackPort{0, "too short"}), std::invalid_argument);
  BOOST_CHECK_THROW(server.listen(LoopbackPort{0, "with a line break\nin it"}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_folder_that_another_process_has_locked_is_not_waited_for_forever,
                     *boost::unit_test::timeout(60)) {
  const ScratchFolder folder;
  const std::string path = (folder / "socket").string();
  system::FileDescriptor lock{::open(folder.text().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  BOOST_REQUIRE(::flock(lock.get(), LOCK_EX) == 0);
  Server server({"listening", "1"});
  const auto says_why = [](const std::system_error& error) {
    return error.code() == std::errc::operation_would_block &&
           std::string_view(error.what()).find("another process has locked its folder") != std::string_view::npos;
  };
  BOOST_CHECK_EXCEPTION(server.listen(UnixSocket{path}), std::system_error, says_why);
  BOOST_REQUIRE(::flock(lock.get(), LOCK_UN) == 0);
  std::optional<Server> ending;
  ending.emplace(ServerInfo{"ending", "1"}).listen(UnixSocket{path});
  BOOST_REQUIRE(::flock(lock.get(), LOCK_EX) == 0);
  ending.reset();
  lock = {};
  server.listen(UnixSocket{path});  // in the place of the socket that the ended one had to leave
}

BOOST_AUTO_TEST_CASE(another_user_is_not_let_in) {
  if (::geteuid() != 0) {
    BOOST_TEST_MESSAGE("only root can become another user: left out");
    return;
  }
  Listening listening;
  listening.run();
  std::filesystem::permissions(listening.folder.path(), std::filesystem::perms(0755));
  std::filesystem::permissions(listening.path(), std::filesystem::perms(0666));
  const std::string path = listening.path();
  const pid_t other = ::fork();
  if (other == 0) {
    if (::setuid(65534) != 0) ::_exit(2);
    const auto transport = connect_unix_socket(path);
    transport->write(ping.data(), ping.size(), Transport::Blocking::yes);
    char byte = 0;
    ::_exit(transport->read(&byte, 1) == Transport::end_of_input ? 0 : 1);
  }
  int status = 0;
  BOOST_REQUIRE(::waitpid(other, &status, 0) == other);
  BOOST_TEST(status == 0);
}

BOOST_AUTO_TEST_CASE(who_identifies_a_caller_is_told_the_process) {
  ServerOptions options;
  options.identify = [](const UnidentifiedRequest& request, Done<Principal> done) {
    done(request.peer != nullptr ? std::to_string(request.peer->process) : "nobody");
  };
  options.threads = 2;
  Listening listening(std::move(options));
  listening.server.tool("caller", "Who calls", [](const Context& context) { return context.principal().id; });
  listening.server.tool("process", "From where", [](const Context& context) { return context.peer_process(); });
  listening.run();
  BOOST_TEST(listening.client()->call("caller", JsonObject{}).text() == std::to_string(::getpid()));
  BOOST_TEST(listening.client()->call("process", JsonObject{}).text() == std::to_string(::getpid()));
}

BOOST_AUTO_TEST_CASE(a_port_serves_those_who_know_the_token) {
  const std::string token = "0123456789abcdef";
  Listening listening;
  const std::uint16_t port = listening.server.listen(LoopbackPort{0, token});
  BOOST_TEST(port != 0);
  listening.run();
  Client knows(connect_loopback(port, token));
  BOOST_TEST(echo(knows, "let in") == "let in");
  for (const std::string wrong : {"0123456789abcdeF", "0123456789abcde", "", "GET / HTTP/1.1\r"}) {
    Raw raw(connect_loopback(port, wrong));
    raw.say(ping);
    BOOST_TEST(raw.hear().find("the first line of a client has to be the token") != std::string::npos, wrong);
    BOOST_TEST(raw.hear() == "");
  }
  Raw endless(connect_loopback(port, std::string(10'000, 'x')));
  BOOST_TEST(endless.hear().find("has to be the token") != std::string::npos);
  Raw with_carriage_return(connect_loopback(port, token + "\r"));
  with_carriage_return.say(ping);
  BOOST_TEST(with_carriage_return.hear() == R"({"jsonrpc":"2.0","id":1,"result":{}})");
}

BOOST_AUTO_TEST_CASE(a_socket_with_a_token_serves_those_who_know_it) {
  const std::string token = "0123456789abcdef";
  const ScratchFolder folder;
  const std::string path = (folder / "with_token").string();
  Listening listening;
  BOOST_CHECK_THROW(listening.server.listen(UnixSocket{.path = path, .token = "short"}), std::invalid_argument);
  listening.server.listen(UnixSocket{.path = path, .token = token});
  listening.run();
  Client knows(connect_unix_socket(path, token));
  BOOST_TEST(echo(knows, "let in") == "let in");
  Raw raw(connect_unix_socket(path));
  raw.say(ping);
  BOOST_TEST(raw.hear().find("the first line of a client has to be the token") != std::string::npos);
  BOOST_TEST(raw.hear() == "");
}

BOOST_AUTO_TEST_CASE(a_client_that_does_not_say_the_token_in_time_is_sent_away) {
  const std::string token = "0123456789abcdef";
  ServerOptions options;
  options.limits.identify = 20ms;
  Listening listening(std::move(options));
  const std::uint16_t port = listening.server.listen(LoopbackPort{0, token});
  listening.run();
  Client knows(connect_loopback(port, token));
  const system::FileDescriptor silent{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  BOOST_REQUIRE(::connect(silent.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  char byte = 0;
  BOOST_TEST(::recv(silent.get(), &byte, 1, 0) == 0);
  BOOST_TEST(echo(knows, "still there") == "still there");
}

BOOST_AUTO_TEST_CASE(a_server_that_listens_may_open_as_many_descriptors_as_the_system_lets_it) {
  const SoftDescriptorLimit few(200);
  rlimit limit{};
  BOOST_REQUIRE(::getrlimit(RLIMIT_NOFILE, &limit) == 0);
  const Listening listening;
  BOOST_TEST(system::descriptor_limit().value_or(limit.rlim_max) == limit.rlim_max);
}

BOOST_AUTO_TEST_CASE(where_descriptors_have_run_out_clients_wait_and_this_is_said_once) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  BOOST_TEST_MESSAGE("the sanitizer needs descriptors of its own: left out");
  return;
#endif
#endif
  Listening listening;
  listening.run();
  const auto client = listening.client();  // which stays: a descriptor that is closed later would let another in
  BOOST_TEST(echo(*client, "before") == "before");
  const std::string log = (listening.folder / "log").string();
  const system::FileDescriptor written{::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)};
  const system::FileDescriptor error{::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)};
  BOOST_REQUIRE(::dup2(written.get(), STDERR_FILENO) == STDERR_FILENO);
  const system::FileDescriptor late{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  const SoftDescriptorLimit few(200);
  std::vector<system::FileDescriptor> all;
  while (true) {
    system::FileDescriptor one{::open("/dev/null", O_RDONLY | O_CLOEXEC)};
    if (!one.is_open()) break;
    all.push_back(std::move(one));
  }
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  listening.path().copy(address.sun_path, sizeof address.sun_path - 1);
  BOOST_REQUIRE(::connect(late.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  BOOST_REQUIRE(::send(late.get(), ping.data(), ping.size(), 0) == static_cast<ssize_t>(ping.size()));
  std::this_thread::sleep_for(250ms);  // some rounds
  char byte = 0;
  BOOST_TEST(::recv(late.get(), &byte, 1, MSG_DONTWAIT) < 0);
  all.clear();
  BOOST_TEST(::recv(late.get(), &byte, 1, 0) == 1);
  process::flush_log(10'000);
  BOOST_REQUIRE(::dup2(error.get(), STDERR_FILENO) == STDERR_FILENO);
  std::ifstream lines(log);
  int said = 0;
  for (std::string line; std::getline(lines, line);) said += line.find("have to wait") != std::string::npos ? 1 : 0;
  BOOST_TEST(said == 1);
}

BOOST_AUTO_TEST_CASE(a_stop_answers_what_was_accepted) {
  Listening listening;
  listening.run();
  const auto client = listening.client();
  CallHandle held = client->start_call("hold", JsonObject{});
  BOOST_TEST(listening.gates.wait("held", {}));
  listening.server.stop();
  listening.gates.open("go on");
  BOOST_TEST(held.wait().text() == "went on");
  listening.end();
  BOOST_TEST(listening.status.value() == 0);
}

BOOST_AUTO_TEST_CASE(a_stop_cancels_what_does_not_end_in_time) {
  ServerOptions options;
  options.limits.drain = 20ms;
  Listening listening(std::move(options));
  listening.run();
  const auto client = listening.client();
  CallHandle held = client->start_call("hold", JsonObject{});
  BOOST_TEST(listening.gates.wait("held", {}));
  listening.end();
  BOOST_CHECK_THROW(held.wait(), ConnectionError);
}

BOOST_AUTO_TEST_CASE(a_tool_can_stop_its_server_and_is_answered) {
  Listening listening;
  listening.run();
  const auto client = listening.client();
  BOOST_TEST(client->call("stop", JsonObject{}).text() == "stopping");
  listening.running.join();
}

BOOST_AUTO_TEST_CASE(a_stop_also_ends_a_single_connection) {
  Server server({"single", "1"});
  server.tool("echo", "The text", [](const Text& said) { return said.text; });
  auto [ours, theirs] = memory_transports();
  std::thread running([&server, end = theirs.get()] { server.run(*end); });
  Client client(std::move(ours));
  BOOST_TEST(echo(client, "here") == "here");
  server.stop();
  running.join();
}

BOOST_AUTO_TEST_CASE(after_a_stop_nothing_is_served_any_more) {
  Listening listening;
  listening.server.stop();
  BOOST_TEST(listening.server.run() == 0);
  BOOST_TEST(!std::filesystem::exists(listening.path()));
  BOOST_CHECK_THROW(listening.server.listen(UnixSocket{listening.path()}), std::logic_error);
  auto [ours, theirs] = memory_transports();
  BOOST_TEST(listening.server.run(*theirs) == 0);
}

BOOST_AUTO_TEST_CASE(more_places_can_be_added_while_it_runs) {
  Listening listening;
  listening.run();
  BOOST_TEST(echo(*listening.client(), "here") == "here");
  const std::string second = (listening.folder / "second").string();
  listening.server.listen(UnixSocket{second});
  Client client(connect_unix_socket(second));
  BOOST_TEST(echo(client, "there") == "there");
}

BOOST_AUTO_TEST_CASE(who_is_let_in_and_who_has_left_is_told) {
  std::atomic<int> there = 0, told = 0;
  Listening listening;
  const std::string second = (listening.folder / "second").string();
  listening.server.listen(UnixSocket{.path = second, .on_peer = [&](const Peer& peer, bool is_there) {
                                       there += is_there ? 1 : -1;
                                       told += peer.process == ::getpid() && peer.user == ::geteuid() ? 1 : 0;
                                     }});
  listening.run();
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 1; i <= 3; ++i) {
    clients.push_back(std::make_unique<Client>(connect_unix_socket(second)));
    BOOST_TEST(echo(*clients.back(), "here") == "here");
    BOOST_TEST(there == i);
  }
  BOOST_TEST(echo(*listening.client(), "elsewhere") == "elsewhere");
  clients.pop_back();
  BOOST_TEST(comes_true([&] { return there == 2; }));
  listening.end();
  BOOST_TEST(there == 0);
  BOOST_TEST(told == 6);
}

BOOST_AUTO_TEST_CASE(a_socket_that_listens_already_is_used_and_left) {
  const ScratchFolder folder;
  const std::string path = (folder / "handed").string();
  system::FileDescriptor socket{::socket(AF_UNIX, SOCK_STREAM, 0)};
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  BOOST_REQUIRE(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  Listening listening;
  BOOST_CHECK_THROW(listening.server.listen(UnixSocket{.descriptor = socket.get()}), std::system_error);
  BOOST_REQUIRE(::listen(socket.get(), 8) == 0);
  const int descriptor = socket.release();
  listening.server.listen(UnixSocket{.descriptor = descriptor});
  BOOST_TEST((::fcntl(descriptor, F_GETFD) & FD_CLOEXEC) != 0);
  listening.run();
  {
    Client client(connect_unix_socket(path));
    BOOST_TEST(echo(client, "handed") == "handed");
  }
  listening.end();
  BOOST_TEST(std::filesystem::exists(path));
}

BOOST_AUTO_TEST_CASE(a_socket_takes_the_place_of_no_standard_stream) {
  const ScratchFolder folder;
  const std::string path = (folder / "socket").string();
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(STDIN_FILENO);
    const auto socket = transport::ListeningSocket::at_path(path);
    ::_exit(::fcntl(STDIN_FILENO, F_GETFD) < 0 ? 0 : 1);
  }
  int status = 0;
  BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
  BOOST_TEST(status == 0);
}

BOOST_AUTO_TEST_CASE(a_server_without_any_place_cannot_be_run) {
  Server server({"placeless", "1"});
  BOOST_CHECK_THROW(server.run(), std::logic_error);
}
