// Tasks over JetStream, with replicas, workers, Redis and NATS as programs: whoever dies, a task comes to one end at
// any replica, and no tool has two effects that must not have them.
#define BOOST_TEST_MODULE cluster_tasks_test
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <toolwire/client.hpp>
#include <toolwire/http/connect.hpp>
#include <toolwire/json_members.hpp>

#include "nats_server.hpp"
#include "nats_stranger.hpp"
#include "program_run.hpp"
#include "replica.hpp"
#include "worker_program.hpp"

using namespace toolwire;
using namespace toolwire_test;
using namespace std::chrono_literals;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string tool(const std::string& name, const std::string& more) {
  return R"({"name": ")" + name + R"(", "description": "Leaves marks",
    "parameters": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
    "metadata": {"enabled_by_default": true, "requires_approval": false, "long_running": true)" +
         more + "}}";
}

/// Tools that leave a line in "begun", wait for their gate, and leave one in "done".
struct TaskCluster : ClusterFixture {
  NatsServer nats{"jetstream {store_dir: \"" + path("jetstream") + "\"}\n"};

  TaskCluster() {
    configure_replica({{"lease_seconds", 3}});
    configure_worker({});
    folder.file("marks.json", R"({"protocol_version": "1.0",
      "scenario": {"name": "marks", "version": "1.0.0", "description": "Leaves marks"},
      "tools": [)" + tool("mark", "") +
                                  "," + tool("mark_again", R"(, "idempotent": true)") +
                                  R"(], "generated_at": "2026-01-15T10:30:00Z"})");
    const std::string process = R"({"process": {"argv": ["sh", ")" + path("mark.sh") + R"(", "{text}"]}})";
    folder.file("marks.bindings.json", R"({"bindings": {"mark": )" + process + R"(, "mark_again": )" + process + "}}");
    folder.file("mark.sh", "cd '" + path("") + R"('
word=$(printf %s "$1" | cut -c1-20)
echo "$word" >> begun
while [ ! -e "$word.open" ]; do sleep 0.02; done
echo "$word" >> done
echo marked "$word"
)");
  }
  void configure_replica(JsonObject jetstream, JsonObject tools = {}) const {
    const JsonObject own{{"redis", JsonObject{{"address", redis.address()}}},
                         {"tools", std::move(tools)},
                         {"nats", JsonObject{{"address", nats.address()},
                                             {"workers", JsonArray{"marks"}},
                                             {"jetstream", std::move(jetstream)}}}};
    folder.file("mcp.json", to_json_text(JsonObject{{"mcpServers", JsonObject{}}, {"toolwire", own}}));
  }
  void configure_worker(JsonObject jetstream) const {
    const JsonObject own{
        {"manifests", JsonArray{"marks.json"}},
        {"nats", JsonObject{{"address", nats.address()}, {"worker", "marks"}, {"jetstream", std::move(jetstream)}}}};
    folder.file("worker.json", to_json_text(JsonObject{{"mcpServers", JsonObject{}}, {"toolwire", own}}));
  }
  void open(const std::string& word) const { folder.file(word + ".open", ""); }
  int count(const std::string& file, const std::string& word) const {
    std::istringstream lines(content_of(path(file)));
    int found = 0;
    for (std::string line; std::getline(lines, line);) found += line == word ? 1 : 0;
    return found;
  }
  int begun(const std::string& word) const { return count("begun", word); }
  int done(const std::string& word) const { return count("done", word); }
  bool begins(const std::string& word, int times = 1) const {
    return eventually([&] { return begun(word) >= times; });
  }
  std::string refused(const std::vector<std::string>& words) const {
    std::vector<std::string> command{cluster_program};
    command.insert(command.end(), words.begin(), words.end());
    const ProgramRun run = run_program(program(command));
    BOOST_TEST(run.status == 2);
    return run.errors;
  }
};

/// A client of one replica that can follow tasks.
class Host {
 public:
  explicit Host(const Replica& replica)
      : client_(http::connect(replica.url()), {.revision = "2026-07-28", .tasks = true, .timeout = 60s}) {}

  /// Once the replica knows the tool.
  std::string begin(const std::string& name, const std::string& text) {
    Json created;
    BOOST_TEST_REQUIRE(eventually([&] {
      created = said("tools/call", {{"name", name}, {"arguments", JsonObject{{"text", text}}}});
      if (find_member(created, "taskId") != nullptr) return true;
      if (!created.is_null()) refusals_ += "no task: " + to_json_text(created).substr(0, 500) + "\n";
      return false;
    }));
    return text_or(created, "taskId");
  }
  Json get(const std::string& task) { return said("tasks/get", {{"taskId", task}}); }
  void cancel(const std::string& task) { said("tasks/cancel", {{"taskId", task}}); }
  std::string status(const std::string& task) { return text_or(get(task), "status"); }
  /// What was asked again, and why.
  const std::string& refusals() const { return refusals_; }
  /// Once it is over.
  Json end(const std::string& task) {
    Json now;
    BOOST_TEST_REQUIRE(eventually([&] {
      now = get(task);
      const auto status = task_status_named(text_or(now, "status"));
      return status && is_over(*status);
    }));
    return now;
  }

 private:
  /// What is refused while something is away is asked again.
  Json said(std::string_view method, const JsonObject& params) try {
    return client_.request(method, params);
  } catch (const ProtocolError& error) {
    refusals_ += std::string(method) + ": " + error.what() + " " + to_json_text(error.data) + "\n";
    std::this_thread::sleep_for(20ms);
    return nullptr;
  }

  Client client_;
  std::string refusals_;
};

std::string text_in(const Json& task) {
  const JsonArray* const content = array_member(member_or_null(task, "result"), "content");
  return content == nullptr || content->empty() ? std::string() : text_or(content->front(), "text");
}
bool succeeded(const Json& task) {
  return text_or(task, "status") == "completed" &&
         !bool_member(member_or_null(task, "result"), "isError").value_or(false);
}
/// "unavailable unknown", "unavailable" or another code of a task that came to an error.
std::string failure_in(const Json& task) {
  const Json& error = member_or_null(task, "result", "_meta", "dev.toolwire/error");
  return text_or(error, "code") + (text_or(error, "outcome") == "unknown" ? " unknown" : "");
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_task_waits_for_a_worker_and_any_replica_has_its_result, TaskCluster) {
  const Replica one(*this, "one");
  const Replica other(*this, "other");
  Host first(one);
  Host second(other);
  auto worker = std::make_unique<WorkerProgram>(*this, "worker");
  open("warm");
  BOOST_TEST(text_in(first.end(first.begin("mark", "warm"))) == "marked warm\n");
  worker->kill();  // before it has begun what comes now
  const std::string task = first.begin("mark", "late");
  BOOST_TEST(second.status(task) == "working");
  open("late");
  worker = std::make_unique<WorkerProgram>(*this, "worker");
  const Json end = second.end(task);
  BOOST_TEST(text_in(end) == "marked late\n", to_json_text(end));
  BOOST_TEST(text_in(first.end(task)) == "marked late\n");
  BOOST_TEST(begun("late") == 1);
}

BOOST_FIXTURE_TEST_CASE(a_task_goes_on_when_the_replica_that_began_it_is_killed, TaskCluster) {
  auto doomed = std::make_unique<Replica>(*this, "doomed");
  const WorkerProgram worker(*this, "worker");
  std::string running;
  std::string waiting;
  {
    Host host(*doomed);
    running = host.begin("mark", "running");
    BOOST_TEST(begins("running"));
    waiting = host.begin("mark", "asked");
    BOOST_TEST(begins("asked"));
  }
  doomed->kill();
  const Replica later(*this, "later");  // it was not there when they were begun
  Host host(later);
  BOOST_TEST(host.status(running) == "working");
  open("running");
  open("asked");
  BOOST_TEST(text_in(host.end(running)) == "marked running\n");
  BOOST_TEST(text_in(host.end(waiting)) == "marked asked\n");
  BOOST_TEST(begun("running") == 1);
  BOOST_TEST(text_in(host.get(running)) == "marked running\n");  // it is in the store now
}

BOOST_FIXTURE_TEST_CASE(a_replica_that_is_asked_to_end_leaves_its_tasks_to_the_others, TaskCluster) {
  auto leaving = std::make_unique<Replica>(*this, "leaving");
  const Replica staying(*this, "staying");
  const WorkerProgram worker(*this, "worker");
  std::string task;
  {
    Host host(*leaving);
    task = host.begin("mark", "long");
    BOOST_TEST(begins("long"));
  }
  leaving.reset();
  Host host(staying);
  BOOST_TEST(host.status(task) == "working");
  open("long");
  BOOST_TEST(text_in(host.end(task)) == "marked long\n");
  BOOST_TEST(begun("long") == 1);
}

BOOST_FIXTURE_TEST_CASE(of_a_task_whose_worker_is_killed_nobody_knows_and_it_is_not_begun_again, TaskCluster) {
  const Replica one(*this, "one");
  Host host(one);
  auto doomed = std::make_unique<WorkerProgram>(*this, "doomed");
  const std::string task = host.begin("mark", "once");
  BOOST_TEST(begins("once"));
  const WorkerProgram other(*this, "other");
  doomed->kill();
  open("once");
  const Json end = host.end(task);
  BOOST_TEST(failure_in(end) == "unavailable unknown", to_json_text(end));
  open("after");
  BOOST_TEST(text_in(host.end(host.begin("mark", "after"))) == "marked after\n");  // the other one works
  BOOST_TEST(begun("once") == 1);
}

BOOST_FIXTURE_TEST_CASE(without_its_replica_and_its_worker_a_task_ends_as_unknown_for_who_asks, TaskCluster) {
  auto replica = std::make_unique<Replica>(*this, "first");
  auto worker = std::make_unique<WorkerProgram>(*this, "worker");
  std::string task;
  {
    Host host(*replica);
    task = host.begin("mark", "lost");
    BOOST_TEST(begins("lost"));
  }
  replica->kill();
  worker->kill();
  const Replica later(*this, "later");
  Host host(later);
  const WorkerProgram other(*this, "other");
  const Json end = host.end(task);
  BOOST_TEST(failure_in(end) == "unavailable unknown", to_json_text(end));
  BOOST_TEST(begun("lost") == 1);
}

BOOST_FIXTURE_TEST_CASE(what_may_be_done_twice_is_begun_again_at_another_worker, TaskCluster) {
  const Replica one(*this, "one");
  Host host(one);
  auto doomed = std::make_unique<WorkerProgram>(*this, "doomed");
  const std::string task = host.begin("mark_again", "twice");
  BOOST_TEST(begins("twice"));
  doomed->kill();
  const WorkerProgram other(*this, "other");
  BOOST_TEST(begins("twice", 2));
  open("twice");
  BOOST_TEST(text_in(host.end(task)) == "marked twice\n");
  BOOST_TEST(begun("twice") == 2);
}

BOOST_FIXTURE_TEST_CASE(tasks_that_wait_and_that_run_outlive_nats, TaskCluster) {
  const Replica one(*this, "one");
  Host host(one);
  auto worker = std::make_unique<WorkerProgram>(*this, "worker");
  const std::string running = host.begin("mark", "runs");
  BOOST_TEST(begins("runs"));
  nats.kill();
  open("runs");
  BOOST_TEST(eventually([&] { return done("runs") == 1; }));
  nats.start_again();
  BOOST_TEST(text_in(host.end(running)) == "marked runs\n");
  worker->kill();
  const std::string waiting = host.begin("mark", "waits");
  nats.kill();
  nats.start_again();
  open("waits");
  worker = std::make_unique<WorkerProgram>(*this, "worker");
  BOOST_TEST(text_in(host.end(waiting)) == "marked waits\n");
  BOOST_TEST(begun("runs") == 1);
  BOOST_TEST(begun("waits") == 1);
}

BOOST_FIXTURE_TEST_CASE(who_is_cancelled_before_does_not_begin_and_who_is_cancelled_at_work_is_stopped, TaskCluster) {
  Stranger waits(nats, "*.jobs.marks.>");
  Stranger ends(nats, "*.job.marks.*.end");
  const Replica one(*this, "one");
  const Replica other(*this, "other");
  Host first(one);
  Host second(other);
  auto worker = std::make_unique<WorkerProgram>(*this, "worker");
  const std::string running = first.begin("mark", "stopped");
  BOOST_TEST(begins("stopped"));
  second.cancel(running);
  BOOST_TEST(text_or(first.end(running), "status") == "cancelled");
  worker->kill();
  const std::string waiting = first.begin("mark", "never");
  waits.messages(2);
  first.cancel(waiting);
  BOOST_TEST(text_or(second.end(waiting), "status") == "cancelled");
  ends.messages(2);  // NATS is told once the task is cancelled
  worker = std::make_unique<WorkerProgram>(*this, "worker");
  open("stopped");
  open("never");
  open("next");
  BOOST_TEST(text_in(first.end(first.begin("mark", "next"))) == "marked next\n");
  BOOST_TEST(begun("never") == 0);
  BOOST_TEST(done("stopped") == 0);
}

BOOST_FIXTURE_TEST_CASE(a_task_of_a_replica_that_is_gone_is_cancelled_where_it_runs, TaskCluster) {
  auto doomed = std::make_unique<Replica>(*this, "doomed");
  const Replica other(*this, "other");
  const WorkerProgram worker(*this, "worker");
  std::string task;
  {
    Host host(*doomed);
    task = host.begin("mark", "orphan");
    BOOST_TEST(begins("orphan"));
  }
  doomed->kill();
  Host host(other);
  host.cancel(task);
  BOOST_TEST(host.status(task) == "cancelled");
  configure_worker({{"max_tasks", 1}});
  open("next");
  BOOST_TEST(text_in(host.end(host.begin("mark", "next"))) == "marked next\n");
  open("orphan");
  std::this_thread::sleep_for(500ms);  // it would have come to its end
  BOOST_TEST(done("orphan") == 0);
}

/// Between the promise to its client and NATS' word that it has it, which takes as long as NATS is away: then nobody
/// but its replica has its arguments.
struct UnkeptTasks : TaskCluster {
  std::unique_ptr<Replica> doomed = std::make_unique<Replica>(*this, "doomed");
  const Replica other{*this, "other"};
  const WorkerProgram worker{*this, "worker"};

  /// What has become of one of each tool, once NATS is there again and the replica is not.
  template <class Away, class There>
  std::vector<Json> ends(Away away, There there) {
    std::vector<std::string> tasks;
    {
      Host host(*doomed);
      open("warm");
      host.end(host.begin("mark", "warm"));
      away();
      for (const std::string& name : names) tasks.push_back(host.begin(name, name));
      std::this_thread::sleep_for(500ms);  // that NATS is asked is written down after the task has been answered
    }
    doomed->kill();
    there();
    Host host(other);
    for (const std::string& name : names) open(name);
    std::vector<Json> ends;
    ends.reserve(tasks.size());
    for (const std::string& task : tasks) ends.push_back(host.end(task));
    open("next");
    host.end(host.begin("mark", "next"));  // whatever waited before it has had its turn
    for (const std::string& name : names) BOOST_TEST(begun(name) == 0);
    return ends;
  }

  const std::vector<std::string> names{"mark", "mark_again"};
};

BOOST_FIXTURE_TEST_CASE(a_task_of_which_nats_has_nothing_when_its_replica_dies_is_interrupted, UnkeptTasks) {
  for (const Json& end : ends([&] { nats.kill(); }, [&] { nats.start_again(); })) {
    BOOST_TEST(text_or(end, "status") == "failed", to_json_text(end));
    BOOST_TEST(text_or(member_or_null(end, "error", "data"), "code") == "interrupted", to_json_text(end));
  }
}

BOOST_FIXTURE_TEST_CASE(a_task_that_nats_knows_of_and_does_not_have_has_certainly_not_begun, UnkeptTasks) {
  for (const Json& end : ends([&] { nats.stop(); }, [&] { nats.go_on(); })) {
    BOOST_TEST(!succeeded(end), to_json_text(end));
    BOOST_TEST(failure_in(end) == "unavailable", to_json_text(end));
  }
}

BOOST_FIXTURE_TEST_CASE(what_comes_too_late_to_a_worker_does_not_begin, TaskCluster) {
  configure_replica({{"lease_seconds", 3}}, {{"mark", JsonObject{{"deadline_seconds", 2}}}});
  auto doomed = std::make_unique<Replica>(*this, "doomed");
  auto worker = std::make_unique<WorkerProgram>(*this, "worker");
  std::string task;
  {
    Host host(*doomed);
    open("warm");
    host.end(host.begin("mark", "warm"));
    worker->kill();
    task = host.begin("mark", "late");
    std::this_thread::sleep_for(200ms);  // it has been handed over
  }
  doomed->kill();
  std::this_thread::sleep_for(2'500ms);
  open("late");
  worker = std::make_unique<WorkerProgram>(*this, "worker");
  const Replica later(*this, "later");
  Host host(later);
  const Json end = host.end(task);
  BOOST_TEST(!succeeded(end), to_json_text(end));
  BOOST_TEST(failure_in(end) == "unavailable", to_json_text(end));
  BOOST_TEST(begun("late") == 0);
}

BOOST_FIXTURE_TEST_CASE(what_the_stream_has_no_room_for_is_refused_and_nothing_else_is_lost, TaskCluster) {
  configure_replica({{"lease_seconds", 3}, {"max_bytes", 65'536}});
  const Replica one(*this, "one");
  Host host(one);
  auto worker = std::make_unique<WorkerProgram>(*this, "worker");
  open("warm");
  host.end(host.begin("mark", "warm"));
  worker->kill();
  std::vector<std::string> tasks;
  for (char name = 'a'; name <= 'e'; ++name) {
    const std::string word(20, name);
    open(word);
    tasks.push_back(host.begin("mark", word + std::string(20'000, '.')));
  }
  const Json last = host.end(tasks.back());
  BOOST_TEST(failure_in(last) == "unavailable", to_json_text(last));
  BOOST_TEST(has(text_in(last), "maximum bytes exceeded"), to_json_text(last));
  worker = std::make_unique<WorkerProgram>(*this, "worker");
  int succeeding = 0;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const std::string word(20, static_cast<char>('a' + static_cast<int>(i)));
    const bool is_done = succeeded(host.end(tasks[i]));
    succeeding += is_done ? 1 : 0;
    BOOST_TEST(begun(word) == (is_done ? 1 : 0), word);
  }
  BOOST_TEST(succeeding >= 2);
}

BOOST_FIXTURE_TEST_CASE(what_a_task_has_come_to_and_does_not_fit_is_said_and_keeps_no_room_at_the_worker, TaskCluster) {
  configure_replica({{"lease_seconds", 3}, {"max_bytes", 65'536}});
  configure_worker({{"max_tasks", 1}});
  folder.file("mark.sh", "cd '" + path("") + "'\necho \"$1\" >> begun\nhead -c 40000 /dev/zero | tr '\\0' z\n");
  const Replica one(*this, "one");
  Host host(one);
  const WorkerProgram worker(*this, "worker");
  const Json first = host.end(host.begin("mark", "first"));
  BOOST_TEST(succeeded(first), to_json_text(first).substr(0, 500));
  const Json end = host.end(host.begin("mark", "second"));
  BOOST_TEST(failure_in(end) == "unavailable unknown", to_json_text(end));
  BOOST_TEST(has(text_in(end), "maximum bytes exceeded"), to_json_text(end));
  host.begin("mark", "third");
  BOOST_TEST(eventually([&] { return begun("third") == 1; }));
}

BOOST_FIXTURE_TEST_CASE(a_worker_that_is_there_before_its_stream_pulls_once_that_is_there, TaskCluster) {
  Stranger stranger(nats, "$JS.API.CONSUMER.>");
  const WorkerProgram worker(*this, "worker");
  const auto asked = stranger.messages(2);
  for (std::size_t i = 0; i < 2; ++i) BOOST_TEST(asked[i].subject == "$JS.API.CONSUMER.INFO.toolwire.marks");
  const Replica one(*this, "one");
  Host host(one);
  open("word");
  BOOST_TEST(succeeded(host.end(host.begin("mark", "word"))));
}

BOOST_FIXTURE_TEST_CASE(long_arguments_and_results_go_in_parts, TaskCluster) {
  folder.file("mark.sh", "cd '" + path("") +
                             "'\nprintf %s \"$1\" | cut -c1-4 >> begun\nprintf '%s' \"$1\" | tail -c 4; "
                             "head -c 900000 /dev/zero | tr '\\0' z\n");
  const Replica one(*this, "one");
  Host host(one);
  const WorkerProgram worker(*this, "worker");
  const std::string task = host.begin("mark", "head" + std::string(100'000, 'x') + "tail");
  const Json end = host.end(task);
  BOOST_TEST(succeeded(end), to_json_text(end).substr(0, 500));
  BOOST_TEST(text_in(end).starts_with("tailzzz"));
  BOOST_TEST(begun("head") == 1, "begun " << begun("head") << " times; " << host.refusals());
}

BOOST_FIXTURE_TEST_CASE(a_stranger_learns_nothing_and_changes_nothing, TaskCluster) {
  Stranger stranger(nats);
  auto doomed = std::make_unique<Replica>(*this, "doomed");
  const Replica other(*this, "other");
  const WorkerProgram worker(*this, "worker");
  std::string running;
  std::string ended;
  {
    Host host(*doomed);
    open("secret");
    ended = host.begin("mark", "secret");
    BOOST_TEST(text_in(host.end(ended)) == "marked secret\n");
    running = host.begin("mark", "hidden");
    BOOST_TEST(begins("hidden"));
  }
  doomed->kill();
  const auto heard = stranger.messages(20);
  for (const nats::Message& message : heard) {
    for (const std::string& word :
         {std::string("secret"), std::string("hidden"), std::string("tools/call"), ended, running})
      BOOST_TEST(!has(message.payload + message.subject + message.reply, word));
  }
  for (const nats::Message& message : heard) {
    if (message.subject.starts_with("$JS") || message.payload.starts_with("{")) continue;
    stranger.send(message.subject, message.payload);
    std::string altered = message.payload;
    if (!altered.empty()) altered[altered.size() / 2] = static_cast<char>(altered[altered.size() / 2] ^ 1);
    stranger.send(message.subject, altered);
  }
  Host host(other);
  open("hidden");
  BOOST_TEST(text_in(host.end(running)) == "marked hidden\n");
  BOOST_TEST(text_in(host.end(ended)) == "marked secret\n");
  open("next");
  BOOST_TEST(text_in(host.end(host.begin("mark", "next"))) == "marked next\n");
  BOOST_TEST(begun("secret") == 1);
  BOOST_TEST(begun("hidden") == 1);
}

BOOST_FIXTURE_TEST_CASE(what_cannot_keep_tasks_does_not_start, TaskCluster) {
  const NatsServer plain;
  const auto at_plain = [&](const std::string& file) {
    std::string text = content_of(path(file));
    text.replace(text.find(nats.address()), nats.address().size(), plain.address());
    folder.file("plain.json", text);
    return path("plain.json");
  };
  BOOST_TEST(has(refused({"serve", at_plain("mcp.json")}), "has no JetStream"));
  BOOST_TEST(has(refused({"work", at_plain("worker.json")}), "has no JetStream"));
  { const Replica first(*this, "first"); }
  configure_replica({{"lease_seconds", 3}, {"max_age_seconds", 600}});
  BOOST_TEST(has(refused({"serve", path("mcp.json")}), R"(has another stream "toolwire" (max_age)"));
  configure_replica({{"max_tasks", 1}});
  BOOST_TEST(has(refused({"serve", path("mcp.json")}), "max_tasks"));
  configure_worker({{"max_bytes", 100'000}});
  BOOST_TEST(has(refused({"work", path("worker.json")}), "max_bytes"));
}

BOOST_FIXTURE_TEST_CASE(who_may_not_ask_for_tasks_does_not_start, TaskCluster) {
  const auto denied = [&](const std::string& how, const std::string& subject, const std::string& verb) {
    nats.kill();
    nats.start_again("jetstream {store_dir: \"" + path("jetstream") +
                     "\"}\nno_auth_user: any\nauthorization { users: [" +
                     "{ user: any, password: any, permissions: { " + how + ": { deny: \"" + subject + "\" } } } ] }\n");
    return refused({verb, path(verb == "serve" ? "mcp.json" : "worker.json")});
  };
  const std::string created = "$JS.API.STREAM.CREATE.toolwire";
  BOOST_TEST(has(denied("publish", created, "serve"), "its user may not publish to " + created));
  // Of two subscriptions that are refused at once the library may tell one; then it takes the time of an answer.
  BOOST_TEST(has(denied("subscribe", "toolwire.replica.*.*", "serve"), "refuses $JS.API.STREAM.CREATE.toolwire: "));
  const std::string asked = "$JS.API.CONSUMER.INFO.toolwire.marks";
  BOOST_TEST(has(denied("publish", asked, "work"), "its user may not publish to " + asked));
}

BOOST_FIXTURE_TEST_CASE(a_task_that_its_replica_may_not_hand_over_fails_at_once, TaskCluster) {
  nats.kill();
  nats.start_again("jetstream {store_dir: \"" + path("jetstream") +
                   "\"}\nno_auth_user: any\nauthorization { users: [ { user: any, password: any, permissions: { "
                   "publish: { deny: \"toolwire.jobs.>\" } } } ] }\n");
  const Replica replica(*this, "replica");
  const WorkerProgram worker(*this, "worker");
  Host host(replica);
  const Json end = host.end(host.begin("mark", "word"));
  BOOST_TEST(failure_in(end) == "unavailable");
  BOOST_TEST(has(to_json_text(end), "its user may not publish to toolwire.jobs.marks."));
  BOOST_TEST(begun("word") == 0);
}

BOOST_FIXTURE_TEST_CASE(a_task_of_a_handshake_revision_is_finished_elsewhere_too, TaskCluster) {
  auto doomed = std::make_unique<Replica>(*this, "doomed");
  const Replica other(*this, "other");
  const WorkerProgram worker(*this, "worker");
  std::string task;
  const ClientOptions legacy{.revision = "2025-11-25", .tasks = true, .timeout = 60s};
  {
    Client client(http::connect(doomed->url()), legacy);
    Json created;
    BOOST_TEST_REQUIRE(eventually([&] {
      try {
        created = client.request(
            "tools/call",
            {{"name", "mark"}, {"arguments", JsonObject{{"text", "legacy"}}}, {"task", JsonObject{{"ttl", 600'000}}}});
      } catch (const ProtocolError&) {
      }
      return find_member(created, "task") != nullptr;
    }));
    task = text_or(created.at("task"), "taskId");
    BOOST_TEST(begins("legacy"));
  }
  doomed->kill();
  Client client(http::connect(other.url()), legacy);
  open("legacy");
  const Json result = client.request("tasks/result", {{"taskId", task}});
  BOOST_TEST(text_or(result.at("content").at(0), "text") == "marked legacy\n", to_json_text(result));
  BOOST_TEST(begun("legacy") == 1);
}
