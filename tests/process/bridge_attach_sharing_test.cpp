// One bridge that many hosts share: how it is found, who is let in, whose answers are whose, and when it ends.
#define BOOST_TEST_MODULE bridge_attach_sharing_test
#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "attach_bench.hpp"
#include "confined_script.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

namespace fs = std::filesystem;

std::string call(const std::string& tool, const std::string& arguments, const std::string& token) {
  return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + tool + R"(","arguments":)" +
         arguments + R"(,"_meta":{"progressToken":")" + token + R"("}}})";
}

std::size_t resident_kilobytes(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string word; status >> word;) {
    std::size_t kilobytes = 0;
    if (word == "VmRSS:" && status >> kilobytes) return kilobytes;
  }
  return 0;
}

/// How long the processor has worked for it.
long ticks_of(pid_t process) {
  std::string stat = content_of("/proc/" + std::to_string(process) + "/stat");
  std::istringstream rest(stat.substr(stat.rfind(')') + 1));
  std::string word;
  for (int i = 0; i < 11; ++i) rest >> word;
  long user = 0;
  long system = 0;
  rest >> user >> system;
  return user + system;
}

std::string name_of(pid_t process) {
  std::string name;
  std::getline(std::ifstream("/proc/" + std::to_string(process) + "/comm"), name);
  return name;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_FIXTURE_TEST_CASE(fifty_hosts_that_start_at_the_same_moment_share_one_daemon, AttachFixture) {
  std::vector<Peer> peers;
  for (int i = 0; i < 50; ++i) peers.emplace_back(attach());
  for (Peer& peer : peers) peer.say(ping);
  for (Peer& peer : peers) BOOST_TEST(peer.hear() == pong);
  BOOST_TEST(attached() == 50U);
  const std::string log = content_of(daemon().at("shared").at("log").as_string().c_str());
  BOOST_TEST(log.find("listening on ") == log.rfind("listening on "), log);
  BOOST_TEST(!has(log, "another process listens"), log);
}

BOOST_FIXTURE_TEST_CASE(an_output_that_cannot_be_written_is_told_of_and_no_good_end, AttachFixture) {
  Program program = attach();
  program.command.insert(program.command.begin(), {"/bin/sh", "-c", R"(exec "$0" "$@" >/dev/full)"});
  const ProgramRun ended = run_program(program, ping + "\n");
  BOOST_TEST(ended.status == 1);
  BOOST_TEST(has(ended.errors, "standard output cannot be written: No space left on device"), ended.errors);
}

BOOST_FIXTURE_TEST_CASE(peers_with_the_same_ids_hear_their_own_answers_and_progress_only, AttachFixture) {
  std::vector<Peer> peers;
  for (int i = 0; i < 20; ++i) peers.emplace_back(attach());
  for (Peer& peer : peers) peer.shake_hands();
  const auto secret = [](std::size_t i) { return "secret-" + std::to_string(100 + i) + "-of-a-peer"; };
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < peers.size(); ++i) peers[i].say(call("progress", R"({"count":3})", secret(i)));
    for (std::size_t i = 0; i < peers.size(); ++i) {
      std::string line = peers[i].hear();
      for (; has(line, "notifications/progress"); line = peers[i].hear()) BOOST_TEST(has(line, secret(i)), line);
      BOOST_TEST(has(line, "\"id\":1,"), line);
      BOOST_TEST(has(line, "reported"), line);
    }
    for (std::size_t i = 0; i < peers.size(); ++i)
      peers[i].say(call("echo", R"({"text":")" + secret(i) + R"("})", secret(i)));
    for (std::size_t i = 0; i < peers.size(); ++i) {
      const std::string line = peers[i].hear();
      BOOST_TEST(has(line, secret(i)), line);
      BOOST_TEST(line.find("secret-") == line.find(secret(i)), line);
    }
  }
}

BOOST_FIXTURE_TEST_CASE(a_call_that_is_held_is_answered_to_the_peer_that_made_it, AttachFixture) {
  Client one(attach()), other(attach());
  CallHandle held = one.start_call("hold", JsonObject{});
  BOOST_TEST(other.call("release", {{"count", 1}}).text() == "1");
  BOOST_TEST(held.wait().text() == "released");
  BOOST_TEST(one.call("process").text() == other.call("process").text());
}

BOOST_FIXTURE_TEST_CASE(a_question_that_could_be_of_either_of_two_peers_is_put_to_neither, AttachFixture) {
  configure("{}", R"({"servers": {"many": {"revision": "2025-06-18"}}})");
  Counter one_asked, other_asked;
  const auto answering = [](Counter& asked) {
    ClientOptions options{.revision = "2025-06-18"};
    options.on_elicitation = [&asked](const Elicitation&) {
      asked.count();
      return ElicitationReply{ElicitationReply::Action::accept, JsonObject{{"sure", true}}};
    };
    return options;
  };
  Client one(attach(), answering(one_asked)), other(attach(), answering(other_asked));
  CallHandle held = one.start_call("hold", JsonObject{});
  BOOST_TEST(other.call("held", {{"count", 1}}).text() == "held");
  BOOST_TEST(other.call("ask").text() == "not accepted");
  BOOST_TEST(one_asked.now() + other_asked.now() == 0);
  const std::string log = content_of(daemon().at("shared").at("log").as_string().c_str());
  BOOST_TEST(has(log, "nobody knows whose that is; from now on each host has a process of its own"), log);
  // Although the call of the other host is still held.
  BOOST_TEST(other.call("ask").text() != "not accepted");
  BOOST_TEST(other_asked.now() == 1);
  BOOST_TEST(one_asked.now() == 0);
  BOOST_TEST(one.call("process").text() != other.call("process").text());
  BOOST_TEST(has(run_program(program({"status"})).out, "each host has a process of its own, 2 now"));
  held.cancel();
}

BOOST_FIXTURE_TEST_CASE(two_calls_of_one_host_are_not_in_doubt, AttachFixture) {
  configure("{}", R"({"servers": {"many": {"revision": "2025-06-18"}}})");
  Counter asked;
  ClientOptions options{.revision = "2025-06-18"};
  options.on_elicitation = [&asked](const Elicitation&) {
    asked.count();
    return ElicitationReply{ElicitationReply::Action::accept, JsonObject{{"sure", true}}};
  };
  Client client(attach(), options);
  CallHandle held = client.start_call("hold", JsonObject{});
  BOOST_TEST(client.call("held", {{"count", 1}}).text() == "held");
  BOOST_TEST(client.call("ask").text() != "not accepted");
  BOOST_TEST(asked.now() == 1);
  BOOST_TEST(client.call("release", {{"count", 1}}).text() == "1");
  BOOST_TEST(held.wait().text() == "released");
}

// Each byte is moved a few times, not once for each piece that is passed on.
BOOST_FIXTURE_TEST_CASE(a_long_line_takes_little_processor_time, AttachFixture) {
  constexpr std::size_t size = std::size_t{40} << 20;
  constexpr long most_ticks = 400;  // of 10 ms
  Peer peer(attach());
  peer.shake_hands();
  peer.say(call("echo", R"({"text":")" + std::string(size, 'x') + R"("})", "token"));
  std::vector<char> bytes(std::size_t{1} << 20);
  std::size_t heard = 0;
  std::ptrdiff_t count = 0;
  do {
    count = peer.process().transport().read(bytes.data(), bytes.size());
    heard += count > 0 ? static_cast<std::size_t>(count) : 0;
  } while (count > 0 && bytes[static_cast<std::size_t>(count) - 1] != '\n');
  BOOST_TEST(heard > size);
  BOOST_TEST(ticks_of(peer.process().id()) < most_ticks);
}

BOOST_FIXTURE_TEST_CASE(of_a_line_that_is_too_long_no_more_is_kept_than_tells_so, AttachFixture) {
  constexpr long most_kilobytes = memory_is_ours ? 512 << 10 : 1'536 << 10;  // of a line of 1'024 << 10
  Peer peer(attach());
  peer.shake_hands();
  const std::string part(std::size_t{1} << 20, 'x');
  const auto write = [&](std::string_view text) {
    return peer.process().transport().write(text.data(), text.size(), Transport::Blocking::yes);
  };
  write(R"({"jsonrpc":"2.0","id":"long","method":"ping","params":{"x":")");
  for (int i = 0; i < 1'024; ++i) write(part);
  peer.say(R"("}})");
  const std::string answer = peer.hear();
  BOOST_TEST(has(answer, R"("id":"long")"), answer);
  BOOST_TEST(has(answer, "a line may have 83886080 bytes at most"), answer);
  peer.say(ping);
  BOOST_TEST(peer.hear() == pong);
  BOOST_TEST(status_of(peer.process().id(), "VmHWM") < most_kilobytes);
}

BOOST_FIXTURE_TEST_CASE(a_server_that_is_not_shared_has_a_process_for_each_host, AttachFixture) {
  configure("{}", R"({"servers": {"many": {"shared": false}}})");
  std::optional<Client> one(attach());
  Client other(attach());
  const std::string process = one->call("process").text();
  BOOST_TEST(one->call("process").text() == process);
  const std::string others = other.call("process").text();
  BOOST_TEST(others != process);
  BOOST_TEST(daemon().at("back_ends").at(0).at("copies") == Json(2));
  one.reset();
  BOOST_TEST(eventually([&] { return has_ended(std::stoi(process)); }));
  BOOST_TEST(!has_ended(std::stoi(others)));
  BOOST_TEST(other.call("process").text() == others);
}

BOOST_FIXTURE_TEST_CASE(a_host_that_ends_its_input_is_answered_and_left, AttachFixture) {
  Peer stays(attach());
  stays.say(ping);
  BOOST_TEST(stays.hear() == pong);
  Peer leaves(attach());
  leaves.shake_hands();
  leaves.say(call("echo", R"({"text":"last"})", "x"));
  leaves.process().close_input();
  BOOST_TEST(has(leaves.hear(), "last"));
  BOOST_TEST(leaves.hear() == "");
  BOOST_TEST(leaves.process().wait().code == 0);
  BOOST_TEST(eventually([&] { return attached() == 1; }));
  stays.say(ping);
  BOOST_TEST(stays.hear() == pong);
}

BOOST_FIXTURE_TEST_CASE(a_signal_ends_an_attachment_and_not_the_daemon, AttachFixture) {
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGKILL}) {
    Peer peer(attach());
    peer.say(ping);
    BOOST_TEST(peer.hear() == pong);
    peer.process().signal(number);
    const ExitStatus ended = peer.process().wait();
    BOOST_TEST((number == SIGKILL ? ended.signal == SIGKILL : ended.code == 0), ended.text());
  }
  BOOST_TEST(eventually([&] { return attached() == 0; }));
}

BOOST_FIXTURE_TEST_CASE(the_daemon_outlives_the_group_of_the_host_that_started_it, AttachFixture) {
  Program first = attach();
  first.own_group = true;
  Peer starts(first);
  starts.say(ping);
  BOOST_TEST(starts.hear() == pong);
  Peer other(attach());
  other.say(ping);
  BOOST_TEST(other.hear() == pong);
  const pid_t before = daemon_process();
  BOOST_TEST(::getsid(before) == before);
  starts.process().kill();  // the whole group
  starts.process().wait();
  other.say(ping);
  BOOST_TEST(other.hear() == pong);
  BOOST_TEST(daemon_process() == before);
}

BOOST_FIXTURE_TEST_CASE(a_daemon_that_nobody_needs_ends_with_all_it_had, AttachFixture) {
  pid_t daemon_id = 0, back_end = 0;
  std::string socket;
  {
    Client client(attach({"--idle-seconds", "0.2"}));
    back_end = std::stoi(client.call("process").text());
    daemon_id = daemon_process();
    socket = daemon().at("shared").at("where").as_string();
    BOOST_TEST(fs::exists(socket));
  }
  BOOST_TEST(eventually([&] { return has_ended(daemon_id); }));
  BOOST_TEST(eventually([&] { return has_ended(back_end); }));
  BOOST_TEST(!fs::exists(socket));
  BOOST_TEST(daemons().empty());
}

BOOST_FIXTURE_TEST_CASE(a_daemon_is_shared_by_those_only_whose_variables_and_folder_are_the_same, AttachFixture) {
  configure(R"({"TOKEN": "${MY_TOKEN}"})");
  const auto with = [&](const std::string& name, const std::string& value) {
    Program made = attach();
    made.environment["MY_TOKEN"] = "one";
    made.environment[name] = value;
    return made;
  };
  const auto process_of = [](const Program& made) { return Client(made).call("process").text(); };
  const std::string first = process_of(with("MY_TOKEN", "one"));
  BOOST_TEST(process_of(with("OF_NO_CONCERN", "x")) == first);
  BOOST_TEST(process_of(with("MY_TOKEN", "other")) != first);
  BOOST_TEST(process_of(with("HTTPS_PROXY", "http://localhost:1")) != first);  // servers inherit it
  Program elsewhere = with("MY_TOKEN", "one");
  elsewhere.directory = (folder / "state").string();
  BOOST_TEST(process_of(elsewhere) != first);
  BOOST_TEST(daemons().size() == 4U);
  configure(R"({"TOKEN": "${MY_TOKEN}", "MORE": "x"})");
  BOOST_TEST(process_of(with("MY_TOKEN", "one")) != first);
  for (const Json& one : daemons()) {
    const std::string socket(one.at("shared").at("where").as_string());
    BOOST_TEST(!has(socket, "one"));
    BOOST_TEST((fs::status(socket).permissions() == (fs::perms::owner_read | fs::perms::owner_write)));
    BOOST_TEST((fs::status(fs::path(socket).parent_path()).permissions() == fs::perms::owner_all));
  }
}

BOOST_FIXTURE_TEST_CASE(any_server_is_shared_through_the_bridge, AttachFixture) {
  const std::string server = TOOLWIRE_BIN_DIR "/mcp_back_end";
  const auto sharing = [&](const std::string& argument, const std::string& token) {
    Program made = program({"attach", "--inherit", "TOKEN", "--", server, argument});
    made.environment["TOKEN"] = token;
    return made;
  };
  Client one(sharing("it's \"quoted\" \\ and spaced", "a")), same(sharing("it's \"quoted\" \\ and spaced", "a"));
  const std::string process = one.call("process").text();
  BOOST_TEST(same.call("process").text() == process);
  BOOST_TEST(has(content_of("/proc/" + process + "/cmdline"), "it's \"quoted\" \\ and spaced"));
  BOOST_TEST(has(content_of("/proc/" + process + "/environ"), std::string("TOKEN=a") + '\0'));
  BOOST_TEST(Client(sharing("it's \"quoted\" \\ and spaced", "b")).call("process").text() != process);
  BOOST_TEST(Client(sharing("another", "a")).call("process").text() != process);
}

BOOST_FIXTURE_TEST_CASE(a_folder_that_cannot_be_made_is_named_with_the_reason, AttachFixture) {
  const std::string place = (folder / "mcp.json").string() + "/place";  // below a file
  const std::string told = "the folder " + place + " cannot be made: Not a directory";
  const auto run_there = [&](Program made) {
    made.environment["XDG_STATE_HOME"] = made.environment["XDG_RUNTIME_DIR"] = place;
    return run_program(made);
  };
  const ProgramRun attached = run_there(attach());
  BOOST_TEST(attached.status == 2);
  BOOST_TEST(has(attached.errors, told), attached.errors);
  const std::string served = run_there(program({"serve", (folder / "mcp.json").string()})).errors;
  BOOST_TEST(has(served, "\"toolwire-bridge status\" will not see this bridge: " + told), served);
  const std::string listed = run_there(program({"serve", (folder / "mcp.json").string(), "--list"})).errors;
  BOOST_TEST(has(listed, "what the server \"many\" lists is not kept: " + told), listed);
}

BOOST_FIXTURE_TEST_CASE(a_folder_that_others_may_enter_or_own_is_refused, AttachFixture) {
  const fs::path open = folder / "open";
  fs::create_directory(open);
  fs::permissions(open, fs::perms::owner_all | fs::perms::group_read | fs::perms::others_exec);
  const auto serve = [&](const fs::path& where) {
    return run_program(program({"serve", (folder / "mcp.json").string(), "--listen", "unix:" + where.string()}));
  };
  const ProgramRun refused = serve(open / "socket");
  BOOST_TEST(refused.status == 2);
  BOOST_TEST(has(refused.errors, "others may enter the folder " + open.string()), refused.errors);
  fs::create_directory_symlink(folder / "run", folder / "link");
  BOOST_TEST(has(serve(folder / "link/socket").errors, "expected a folder, and no link to one"));
  BOOST_TEST(has(serve(folder / "missing/socket").errors, "cannot be used: No such file"));
  if (::geteuid() == 0) {
    const fs::path others = folder / "others";
    fs::create_directory(others);
    fs::permissions(others, fs::perms::owner_all);
    BOOST_REQUIRE(::chown(others.c_str(), 65534, 65534) == 0);
    const ProgramRun of_another = serve(others / "socket");
    BOOST_TEST(of_another.status == 2);
    BOOST_TEST(has(of_another.errors, "belongs to user 65534; expected one of yours"), of_another.errors);
  }
  fs::create_directory(folder / "run/toolwire");
  fs::permissions(folder / "run/toolwire", fs::perms::owner_all | fs::perms::others_exec);
  const ProgramRun attached_there = run_program(attach());
  BOOST_TEST(attached_there.status == 2);
  BOOST_TEST(has(attached_there.errors, "others may enter the folder"), attached_there.errors);
  Program directly{.command = {TOOLWIRE_BIN_DIR "/toolwire-attach", "--socket", (folder / "run/toolwire/x").string(),
                               "--log", (folder / "log").string(), "--", "/bin/false"}};
  const ProgramRun unchecked = run_program(directly);
  BOOST_TEST(unchecked.status == 1);
  BOOST_TEST(has(unchecked.errors, "others may enter the folder"), unchecked.errors);
}

BOOST_FIXTURE_TEST_CASE(a_place_that_cannot_be_used_is_told_with_the_variable_that_names_it, AttachFixture) {
  Program attaching = attach();
  attaching.environment["XDG_RUNTIME_DIR"] = "/proc/nowhere";  // as after su, of a user who has left
  const ProgramRun refused = run_program(attaching);
  BOOST_TEST(refused.status == 2);
  const std::string cannot = "the folder /proc/nowhere cannot be made: No such file or directory; ";
  BOOST_TEST(has(refused.errors, cannot + "XDG_RUNTIME_DIR is /proc/nowhere, expected a place of yours"),
             refused.errors);
  attaching.environment["XDG_RUNTIME_DIR"] = (folder / "run").string();
  attaching.environment["XDG_STATE_HOME"] = "/proc/nowhere";
  const ProgramRun without_logs = run_program(attaching);
  BOOST_TEST(without_logs.status == 2);
  BOOST_TEST(has(without_logs.errors, cannot + "XDG_STATE_HOME is /proc/nowhere"), without_logs.errors);
}

BOOST_FIXTURE_TEST_CASE(a_secret_that_is_lost_is_told_of_with_the_way_out, AttachFixture) {
  Peer stays(attach());
  stays.say(ping);
  BOOST_TEST(stays.hear() == pong);
  const fs::path secret = folder / "run/toolwire/secret";
  fs::permissions(secret, fs::perms::owner_read | fs::perms::group_read);
  const std::string way_out = "toolwire-bridge stop --all";
  BOOST_TEST(has(run_program(attach()).errors, way_out + "), and delete it for a new one"));
  fs::remove(secret);
  BOOST_REQUIRE(::mkfifo(secret.c_str(), S_IRUSR | S_IWUSR) == 0);
  BOOST_TEST(has(run_program(attach()).errors, way_out + "), and delete it for a new one"));
  fs::remove(secret);
  Peer refused(attach());
  refused.say(ping);
  BOOST_TEST(has(refused.hear(), R"("error":)"));
  BOOST_TEST(refused.process().wait().code == 1);
  BOOST_TEST(has(refused.process().error_tail(), way_out), refused.process().error_tail());
  BOOST_TEST(run_program(program({"stop", "--all"})).status == 0);
  Peer comes(attach());
  for (Peer* const one : {&stays, &comes}) {
    one->say(ping);
    BOOST_TEST(one->hear_answer() == pong);
  }
}

BOOST_FIXTURE_TEST_CASE(a_socket_in_use_is_an_error_and_one_left_behind_is_replaced, AttachFixture) {
  const std::string socket = (folder / "run/socket").string();
  const Program serving =
      program({"serve", (folder / "mcp.json").string(), "--listen", "unix:" + socket, "--idle-seconds", "60"});
  std::optional<ChildProcess> killed(serving);
  BOOST_TEST(eventually([&] { return fs::exists(socket); }));
  const ProgramRun second = run_program(serving);
  BOOST_TEST(second.status == 2);
  BOOST_TEST(has(second.errors, "another process listens on it"), second.errors);
  killed->kill();
  killed.reset();
  BOOST_TEST(fs::exists(socket));
  ChildProcess after(serving);
  std::optional<Client> client;
  BOOST_TEST(eventually([&] {
    try {
      client.emplace(connect_unix_socket(socket, content_of(folder / "run/secret")));
    } catch (const std::exception&) {
      return false;
    }
    return true;
  }));
  CallHandle held = client->start_call("hold", JsonObject{});
  BOOST_TEST(client->call("release", {{"count", 1}}).text() == "1");
  BOOST_TEST(held.wait().text() == "released");
  after.signal(SIGTERM);
  BOOST_TEST(after.wait().code == 0);
  BOOST_TEST(!fs::exists(socket));
}

BOOST_FIXTURE_TEST_CASE(a_daemon_that_was_started_by_hand_is_found, AttachFixture) {
  // toolwire-bridge serve mcp.json --listen unix:auto --keep
  ChildProcess by_hand(program({"serve", (folder / "mcp.json").string(), "--listen", "unix:auto", "--keep"}));
  BOOST_TEST(eventually([&] { return daemons().size() == 1; }));
  Peer peer(attach());
  peer.say(ping);
  BOOST_TEST(peer.hear() == pong);
  BOOST_TEST(daemon_process() == by_hand.id());
  by_hand.signal(SIGTERM);
  BOOST_TEST(by_hand.wait().code == 0);
  peer.say(ping);
  BOOST_TEST(peer.hear() == pong);  // of another one, which it has started
}

BOOST_FIXTURE_TEST_CASE(a_daemon_is_shared_where_paths_are_longer_than_the_address_of_a_socket, AttachFixture) {
  const std::filesystem::path deep = folder / std::string(150, 'd');
  std::filesystem::create_directory(deep);
  std::filesystem::permissions(deep, std::filesystem::perms::owner_all);
  Program deeper = attach();
  deeper.environment["XDG_RUNTIME_DIR"] = deeper.environment["XDG_STATE_HOME"] = deep.string();
  Peer one(deeper), other(deeper);
  for (Peer* const peer : {&one, &other}) {
    peer->say(ping);
    BOOST_TEST(peer->hear() == pong);
  }
  deeper.command = {bridge_program, "status", "--json"};
  const Json report = parse_json(run_program(deeper).out);
  BOOST_TEST(report.at_pointer("/shared/where").as_string().starts_with(deep.string()), report);
  deeper.command = {bridge_program, "stop", "--all"};
  BOOST_TEST(run_program(deeper).status == 0);
}

BOOST_FIXTURE_TEST_CASE(an_attachment_to_a_socket_alone_ends_with_its_daemon, AttachFixture) {
  ChildProcess by_hand(program({"serve", (folder / "mcp.json").string(), "--listen", "unix:auto", "--keep"}));
  BOOST_TEST(eventually([&] { return daemons().size() == 1; }));
  // toolwire-attach --socket PATH
  const std::string socket(daemon().at("shared").at("where").as_string());
  Peer directly(Program{.command = {TOOLWIRE_BIN_DIR "/toolwire-attach", "--socket", socket}});
  directly.say(ping);
  BOOST_TEST(directly.hear() == pong);
  by_hand.signal(SIGTERM);
  BOOST_TEST(by_hand.wait().code == 0);
  BOOST_TEST(directly.process().wait().code == 1);
  BOOST_TEST(has(directly.process().error_tail(), "nobody listens on " + socket));
}

BOOST_FIXTURE_TEST_CASE(a_daemon_that_is_stopped_answers_what_it_was_asked, AttachFixture) {
  ChildProcess by_hand(program({"serve", (folder / "mcp.json").string(), "--listen", "unix:auto", "--keep"}));
  BOOST_TEST(eventually([&] { return daemons().size() == 1; }));
  const std::string process = std::to_string(by_hand.id());
  Client client(attach());
  CallHandle held = client.start_call("hold", JsonObject{});
  BOOST_TEST(client.call("held", {{"count", 1}}).text() == "held");
  ChildProcess stopping(program({"stop", process}));
  BOOST_TEST(!has_ended(by_hand.id()));
  held.cancel();
  BOOST_TEST(stopping.wait().code == 0);
  BOOST_TEST(by_hand.wait().code == 0);
  BOOST_TEST(client.call("process").text() != "");  // of another one
  BOOST_TEST(daemon_process() != by_hand.id());
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_stopped_is_said, AttachFixture) {
  const auto said = [&](std::vector<std::string> arguments, int status) {
    arguments.insert(arguments.begin(), "stop");
    const ProgramRun ran = run_program(program(std::move(arguments)));
    BOOST_TEST(ran.status == status);
    return ran.errors;
  };
  BOOST_TEST(has(said({"--all"}, 1), "no bridge of this user listens"));
  BOOST_TEST(has(said({"1"}, 1), "no bridge of this user that listens is process \"1\""));
  BOOST_TEST(has(said({}, 2), "a PROCESS, or --all"));
  BOOST_TEST(has(said({"--all", "1"}, 2), "a PROCESS, or --all"));
  Client of_a_host(program({"serve", (folder / "mcp.json").string()}));
  BOOST_TEST(has(said({"--all"}, 1), "no bridge of this user listens"));
  Client attached(attach());
  BOOST_TEST(said({"--all"}, 0) == "");
}

BOOST_FIXTURE_TEST_CASE(a_socket_that_was_handed_over_is_served, AttachFixture) {
  const std::string path = (folder / "run/handed").string();
  folder.file("hand_over.py", R"py(import os, socket, sys
listens = socket.socket(socket.AF_UNIX)
listens.bind(sys.argv[1])
listens.listen()
os.dup2(listens.fileno(), 3)
os.set_inheritable(3, True)
os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
os.execv(sys.argv[2], sys.argv[2:])
)py");
  Program started = program({});
  started.command = {"/usr/bin/env",
                     "python3",
                     (folder / "hand_over.py").string(),
                     path,
                     bridge_program,
                     "serve",
                     (folder / "mcp.json").string(),
                     "--listen",
                     "unix:" + path,
                     "--idle-seconds",
                     "0.2"};
  ChildProcess serving(started);
  BOOST_TEST(eventually([&] { return fs::exists(path); }));
  {
    Client client(Program{.command = {TOOLWIRE_BIN_DIR "/toolwire-attach", "--socket", path}});
    BOOST_TEST(!client.call("process").text().empty());
  }
  BOOST_TEST(serving.wait().code == 0);
  BOOST_TEST(fs::exists(path));  // it is who made it that removes it
}

BOOST_FIXTURE_TEST_CASE(mistakes_are_said_before_anything_is_started, AttachFixture) {
  const std::string file = (folder / "mcp.json").string();
  const auto said = [&](std::vector<std::string> arguments) {
    const ProgramRun ran = run_program(program(std::move(arguments)));
    BOOST_TEST(ran.status == 2);
    return ran.errors;
  };
  BOOST_TEST(has(said({"serve", file, "--listen", "tcp:1"}), "expected \"unix:PATH\", \"unix:auto\" or \"http://"));
  BOOST_TEST(has(said({"serve", file, "--keep"}), "expected --listen"));
  BOOST_TEST(has(said({"serve", file, "--listen", "unix:auto", "--keep", "--idle-seconds", "1"}), "one of the two"));
  BOOST_TEST(has(said({"serve", file, "--listen", "unix:auto", "--idle-seconds", "-1"}), "expected more than 0"));
  BOOST_TEST(has(said({"serve", file, "--listen", "unix:auto", "--list"}), "expected without --list"));
  BOOST_TEST(has(said({"attach", file, "--idle-seconds", "soon"}), "expected more than 0"));
  BOOST_TEST(has(said({"attach", "--"}), "expected a program behind"));
  BOOST_TEST(has(said({"attach"}), "FILE"));
  folder.file("mcp.json", R"({"mcpServers": {"many": {"comand": "x"}}})");
  BOOST_TEST(has(said({"attach", file}), "mcp.json:1: /mcpServers/many"));
  BOOST_TEST(daemons().empty());
}

BOOST_FIXTURE_TEST_CASE(a_daemon_that_cannot_start_says_why_to_its_host, AttachFixture) {
  folder.file("mcp.json", "{");  // nobody knows what that is to be
  const ProgramRun ran = run_program(attach());
  BOOST_TEST(ran.status == 1);
  BOOST_TEST(has(ran.errors, "at its start; it said:"), ran.errors);
  BOOST_TEST(has(ran.errors, "mcp.json: at byte 1"), ran.errors);
  BOOST_TEST(daemons().empty());
}

// Also one that may read the secret.
BOOST_FIXTURE_TEST_CASE(a_confined_program_reaches_no_daemon, AttachFixture,
                        *boost::unit_test::precondition(has_landlock)) {
  Peer peer(attach());
  peer.shake_hands();
  folder.file("work/ask.py", R"(
import glob, os, socket, sys
def ask(path):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        connection.sendall(open(os.path.dirname(path) + '/secret', 'rb').read() + b'\n')
        connection.sendall(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        return connection.recv(100).decode().strip() or 'nothing'
for path in sys.argv[1:]:
    try:
        print(ask(path))
    except OSError as error:
        print(type(error).__name__)
)");
  folder.file("tool.json", R"j({"type": "object", "properties": {"_tool": {"const": "ask"}}})j");
  std::string sockets;
  for (const char* const place : {"run/toolwire", "state/toolwire/running"}) {
    for (const auto& entry : fs::directory_iterator(folder / place)) {
      if (entry.is_socket()) sockets += ", " + to_json_text(Json(entry.path().string()));
    }
  }
  const auto asked = [&](const std::string& confinement) {
    folder.file("confined.json", R"j({"mcpServers": {}, "toolwire": {"manifests": ["tool.json"], "bindings": {"ask":
      {"process": {"argv": ["/usr/bin/python3", )j" +
                                     to_json_text(Json((folder / "work/ask.py").string())) + sockets + "]" +
                                     confinement + "}}}}}");
    const ProgramRun ended =
        run_program(program({"serve", (folder / "confined.json").string(), "--call", "ask", "{}"}));
    BOOST_TEST(ended.status == 0, ended.errors);
    return ended.out;
  };
  BOOST_TEST(asked("") == pong + "\n" + pong + "\n");
  const std::string told = asked(R"j(, "confinement": {"files": "read-only"})j");
  BOOST_TEST(!has(told, "result"), told);
  BOOST_TEST(std::ranges::count(told, '\n') == 2);
  const std::string log = content_of(daemon().at("shared").at("log").as_string().c_str());
  BOOST_TEST(has(log, "is confined, and is not let in"), log);
  const std::string workspace = to_json_text(Json((folder / "work").string()));
  BOOST_TEST(asked(R"j(, "confinement": {"files": "workspace", "workspace": [)j" + workspace + "]}") ==
             "PermissionError\nPermissionError\n");
}

BOOST_FIXTURE_TEST_CASE(a_host_in_a_sandbox_has_a_daemon_of_its_own, AttachFixture) {
  // A filter that refuses nothing.
  const std::string enter = folder
                                .file("enter.py", R"(
import ctypes, os, struct, sys
allow = ctypes.create_string_buffer(struct.pack('HBBI', 0x06, 0, 0, 0x7fff0000))
program = ctypes.create_string_buffer(struct.pack('HP', 1, ctypes.addressof(allow)))
libc = ctypes.CDLL(None)
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, program, 0, 0) == 0
os.execv(sys.argv[1], sys.argv[1:])
)")
                                .string();
  const auto sandboxed = [&](Program program) {
    program.command.insert(program.command.begin(), {"/usr/bin/python3", enter});
    return program;
  };
  Peer outside(attach());
  outside.shake_hands();
  Peer inside(sandboxed(attach())), another(sandboxed(attach()));
  inside.shake_hands();
  another.shake_hands();
  const std::vector<Json> all = daemons();
  BOOST_REQUIRE(all.size() == 2U);
  BOOST_TEST(all[0].at("shared").at("peers").as_array().size() + all[1].at("shared").at("peers").as_array().size() ==
             3U);
  const std::string socket(all[0].at("shared").at("where").as_string());
  Peer intruder(sandboxed({.command = {TOOLWIRE_BIN_DIR "/toolwire-attach", "--socket", socket}}));
  intruder.say(ping);
  BOOST_TEST(has(intruder.hear(), R"("error":)"));
  BOOST_TEST(intruder.process().wait().code == 1);
  BOOST_TEST(has(intruder.process().error_tail(), "ends again and again"));
}

BOOST_FIXTURE_TEST_CASE(an_attachment_is_small, AttachFixture) {
  Peer peer(attach());
  peer.shake_hands();
  for (int i = 0; i < 20; ++i) {
    peer.say(call("echo", R"({"text":")" + std::string(100'000, 'x') + R"("})", "x"));
    BOOST_TEST(has(peer.hear(), "xxx"));
  }
  BOOST_TEST(name_of(peer.process().id()) == "toolwire-attach");
  BOOST_TEST_MESSAGE("resident: " << resident_kilobytes(peer.process().id()) << " kB");
#ifdef TOOLWIRE_ATTACH_IS_STATIC
  BOOST_TEST(resident_kilobytes(peer.process().id()) <= 1'024U);
#endif
  const std::string environment = content_of("/proc/" + std::to_string(peer.process().id()) + "/environ");
  BOOST_TEST(!has(environment, "XDG_STATE_HOME"));
}

BOOST_FIXTURE_TEST_CASE(who_is_attached_is_told, AttachFixture) {
  Peer peer(attach());
  peer.say(ping);
  BOOST_TEST(peer.hear() == pong);
  const ProgramRun shown = run_program(program({"status"}));
  BOOST_TEST(has(shown.out, ", 1 attached: process " + std::to_string(peer.process().id()) + "\n"), shown.out);
  BOOST_TEST(has(shown.out, "listens on " + (folder / "run/toolwire").string()), shown.out);
  BOOST_TEST(has(shown.out, ", log " + (folder / "state/toolwire/logs").string()), shown.out);
}
