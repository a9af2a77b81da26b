// Commands through the program itself: who is asked, what is said, and what is left when it ends.
#include <toolwire/client.hpp>

#define BOOST_TEST_MODULE workspace_run_test
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <exception>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "comes_true.hpp"
#include "file_content.hpp"
#include "scratch_folder.hpp"
#include "workspace/system/command_confinement.hpp"

using toolwire::CallResult;
using toolwire::Client;
using toolwire::ClientOptions;
using toolwire::Elicitation;
using toolwire::ElicitationReply;
using toolwire::Json;
using toolwire::JsonArray;
using toolwire::JsonObject;
using toolwire::Program;
using toolwire_test::comes_true;

namespace {

constexpr const char* revisions[] = {"2025-06-18", "2025-11-25", "2026-07-28"};

/// What a person was asked, and says. Asked on another thread.
struct Person {
  ElicitationReply reply;
  std::mutex mutex;
  std::vector<std::string> asked;

  std::vector<std::string> all() {
    const std::lock_guard lock(mutex);
    return asked;
  }
  void forget() {
    const std::lock_guard lock(mutex);
    asked.clear();
  }
  void will_say(ElicitationReply next) {
    const std::lock_guard lock(mutex);
    reply = std::move(next);
  }
};

struct Folder {
  toolwire_test::ScratchFolder folder;
  std::string top = folder.folder("top").string();
  Person person;

  Program program(const std::vector<std::string>& more) const {
    Program workspace{.command = {std::string{TOOLWIRE_BIN_DIR} + "/workspace", "--root", top}};
    workspace.command.insert(workspace.command.end(), more.begin(), more.end());
    workspace.environment["LSAN_OPTIONS"] = "detect_leaks=0";  // who is confined cannot look for leaks in /proc
    return workspace;
  }

  ClientOptions options(const char* revision, bool is_there) {
    ClientOptions made;
    made.revision = revision;
    if (is_there) {
      made.on_elicitation = [this](const Elicitation& question) {
        const std::lock_guard lock(person.mutex);
        person.asked.push_back(question.message);
        return person.reply;
      };
    }
    return made;
  }

  void says_yes(bool always = false) {
    person.will_say({ElicitationReply::Action::accept, JsonObject{{"approve", true}, {"remember", always}}});
  }

  /// What the program said before it ended at once; empty if it serves.
  std::string refusal(const std::vector<std::string>& more) const {
    try {
      Client client{program(more)};
      return {};
    } catch (const toolwire::ConnectionError& error) {
      return error.what();
    }
  }
};

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

JsonObject words(std::initializer_list<const char*> all) {
  JsonArray argv;
  for (const char* const word : all) argv.push_back(Json(word));
  return {{"argv", argv}};
}

JsonObject in_background(std::initializer_list<const char*> all) {
  JsonObject arguments = words(all);
  arguments["background"] = true;
  return arguments;
}

/// What is not the server's own, without line feeds.
std::string output_lines(const std::string& text) {
  std::string all, line;
  for (std::istringstream lines(text); std::getline(lines, line);) {
    if (line.empty() || std::string_view("[(").find(line.front()) == std::string_view::npos) all += line;
  }
  return all;
}

/// What a process writes there with a line feed behind it, once it is there.
pid_t number_in(const std::string& file) {
  for (int i = 0; i < 3000; ++i) {
    const std::string text = std::filesystem::exists(file) ? toolwire_test::content_of(file) : "";
    if (text.ends_with('\n')) return std::stoi(text);
    ::usleep(10'000);
  }
  return 0;
}

boost::test_tools::assertion_result confines(boost::unit_test::test_unit_id /*unit*/) {
  boost::test_tools::assertion_result result(workspace::command_confinement_problem().empty());
  result.message() << workspace::command_confinement_problem();
  return result;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(without_the_option_there_is_no_such_tool, Folder) {
  Client client{program({"--write"})};
  for (const auto& tool : client.list_tools()) BOOST_TEST(!says(tool.name, "command"));
  BOOST_TEST(says(refusal({"--run-allow", "ls"}), "the options --run-… need --run"));
}

BOOST_TEST_DECORATOR(*boost::unit_test::precondition(confines))
BOOST_AUTO_TEST_SUITE(confined)

BOOST_FIXTURE_TEST_CASE(what_a_pattern_approves_is_run_without_a_question, Folder) {
  for (const char* const revision : revisions) {
    Client client{program({"--run", "--run-allow", "echo *"}), options(revision, true)};
    const CallResult ran = client.call("run_command", words({"echo", "a b"}));
    BOOST_TEST(ran.text().starts_with("a b\n[exit status 0, after "), ran.text());
    BOOST_TEST(!ran.is_error);
  }
  BOOST_TEST(person.all().empty());
}

BOOST_FIXTURE_TEST_CASE(a_person_sees_what_is_to_be_run_and_decides, Folder) {
  for (const char* const revision : revisions) {
    person.forget();
    Client client{program({"--run", "--write"}), options(revision, true)};
    says_yes();
    const JsonObject command = words({"printf", "x\xE2\x80\xAEy"});
    BOOST_TEST(client.call("run_command", command).text().starts_with("xy\n[exit status 0"));
    BOOST_TEST_REQUIRE(person.all().size() == 1U);
    BOOST_TEST(says(person.all().at(0), R"(printf "x\u{202E}y")"), person.all().at(0));
    BOOST_TEST(says(person.all().at(0), top));
    BOOST_TEST(says(person.all().at(0), "no network"));
    BOOST_TEST(says(person.all().at(0), "with the secrets in them"));
    client.call("run_command", command);
    BOOST_TEST(person.all().size() == 2U);  // once is once
    person.will_say({ElicitationReply::Action::decline, {}});
    const CallResult refused = client.call("run_command", command);
    BOOST_TEST(refused.is_error);
    BOOST_TEST(says(refused.text(), "the person has not approved it"));
    person.will_say({ElicitationReply::Action::accept, JsonObject{{"approve", false}}});
    BOOST_TEST(client.call("run_command", command).is_error);
  }
}

BOOST_FIXTURE_TEST_CASE(a_person_can_approve_a_command_once_for_all, Folder) {
  Client client{program({"--run"}), options("2025-11-25", true)};
  says_yes(true);
  for (int i = 0; i < 3; ++i) client.call("run_command", words({"sh", "-c", "echo a"}));
  BOOST_TEST(person.all().size() == 1U);
  BOOST_TEST(says(person.all().at(0), "It runs text or programs that its arguments name"));
  client.call("run_command", words({"sh", "-c", "echo b"}));
  BOOST_TEST(person.all().size() == 2U);
}

BOOST_FIXTURE_TEST_CASE(where_nobody_can_be_asked_it_is_refused_and_said_what_to_do, Folder) {
  for (const char* const revision : revisions) {
    Client client{program({"--run", "--write", "--run-allow", "echo *"}), options(revision, false)};
    const CallResult refused = client.call("run_command", words({"touch", "f"}));
    BOOST_TEST(refused.is_error);
    BOOST_TEST(says(refused.text(), "No pattern approves touch f, and this client cannot ask a person"),
               refused.text());
    BOOST_TEST(says(refused.text(), "Approved are: 'echo *'"));
    BOOST_TEST(says(refused.text(), "--run-allow"));
    JsonObject keeping = words({"echo", "a"});
    keeping["changesWhatRunsLater"] = true;
    BOOST_TEST(client.call("run_command", keeping).is_error);
  }
  BOOST_TEST(!std::filesystem::exists(top + "/f"));
}

BOOST_FIXTURE_TEST_CASE(a_shell_is_refused_where_nobody_can_be_asked, Folder) {
  folder.file("top/run.sh", "#!/bin/sh\necho \"$1\"\n");
  folder.link("/bin/sh", "top/shell");
  std::filesystem::permissions(top + "/run.sh", std::filesystem::perms::owner_all);
  Client client{program({"--run", "--run-allow", "./run.sh *", "--run-allow", "./shell **"}),
                options("2025-11-25", false)};
  BOOST_TEST(client.call("run_command", words({"./run.sh", "a"})).text().starts_with("a\n[exit status 0"));
  for (const JsonObject& shell : {words({"sh", "-c", "echo a"}), words({"/bin/sh", "-c", "echo a"}),
                                  words({"./shell", "-c", "echo a"}), words({"env", "sh", "-c", "echo a"})}) {
    const CallResult refused = client.call("run_command", shell);
    BOOST_TEST(refused.is_error);
    BOOST_TEST(says(refused.text(), "this client cannot ask a person"), refused.text());
  }
  BOOST_TEST(says(client.call("run_command", words({"sh"})).text(), "No pattern can approve a shell"));
}

BOOST_FIXTURE_TEST_CASE(what_is_too_long_to_be_read_is_not_asked, Folder) {
  Client client{program({"--run"}), options("2025-11-25", true)};
  says_yes();
  const std::string much(5000, 'x');
  const CallResult refused = client.call("run_command", words({"echo", much.c_str()}));
  BOOST_TEST(refused.is_error);
  BOOST_TEST(says(refused.text(), "too long to be shown to a person"));
  BOOST_TEST(person.all().empty());
}

BOOST_FIXTURE_TEST_CASE(what_runs_later_stays_only_if_a_person_has_seen_that, Folder) {
  Client client{program({"--run", "--write", "--run-allow", "touch *"}), options("2025-11-25", true)};
  says_yes();
  const CallResult put_back = client.call("run_command", words({"touch", ".envrc"}));
  BOOST_TEST(says(put_back.text(), "[What runs later: .envrc was made; what the command made is in .workspace-trash/"));
  BOOST_TEST(!std::filesystem::exists(top + "/.envrc"));
  JsonObject keeping = words({"touch", ".envrc"});
  keeping["changesWhatRunsLater"] = true;
  client.call("run_command", keeping);
  BOOST_TEST_REQUIRE(person.all().size() == 1U);
  BOOST_TEST(says(person.all().at(0), "STAYS"));
  BOOST_TEST(std::filesystem::exists(top + "/.envrc"));
}

BOOST_FIXTURE_TEST_CASE(no_tool_changes_what_is_put_back_when_a_command_ends, Folder) {
  folder.file("top/.github/workflows/ci.yml", "on: push\n");
  folder.file("top/f", "f\n");
  says_yes();
  Client client{program({"--run", "--write"}), options("2025-11-25", true)};
  const JsonObject edit{{"path", ".github/workflows/ci.yml"}, {"oldText", "push"}, {"newText", "tag"}};
  JsonObject dry_run = edit;
  dry_run["dryRun"] = true;
  client.call("run_command", in_background({"sh", "-c", "sleep 1000"}));
  const CallResult refused = client.call("edit_file", edit);
  BOOST_TEST(refused.is_error);
  BOOST_TEST(says(refused.text(), ".github/workflows/ci.yml is run later"), refused.text());
  BOOST_TEST(client.call("move", {{"from", "f"}, {"to", ".envrc"}}).is_error);
  BOOST_TEST(!client.call("edit_file", dry_run).is_error);
  BOOST_TEST(!client.call("move", {{"from", "f"}, {"to", "g"}}).is_error);
  client.call("stop_command", {{"id", 1}});
  const CallResult done = client.call("edit_file", edit);
  BOOST_TEST(!done.is_error, done.text());
  BOOST_TEST(toolwire_test::content_of(top + "/.github/workflows/ci.yml") == "on: tag\n");
}

BOOST_FIXTURE_TEST_CASE(the_description_says_what_confines, Folder) {
  Client client{program({"--run"})};
  bool is_found = false;
  for (const auto& tool : client.list_tools()) {
    if (tool.name != "run_command") continue;
    is_found = true;
    BOOST_TEST(says(tool.raw.at("description").as_string().c_str(), "confined by the kernel (Landlock "));
    BOOST_TEST(tool.raw.at("annotations").at("destructiveHint").as_bool());
  }
  BOOST_TEST(is_found);
}

BOOST_FIXTURE_TEST_CASE(a_command_in_the_background_is_read_and_stopped, Folder) {
  says_yes();
  Client client{program({"--run"}), options("2025-11-25", true)};
  const CallResult begun =
      client.call("run_command", in_background({"sh", "-c", "echo up; read x <$TMPDIR; sleep 1000"}));
  BOOST_TEST(says(begun.text(), "[id 1: "), begun.text());
  const CallResult more = client.call("read_output", {{"id", 1}, {"offset", 0}, {"wait", 30}});
  BOOST_TEST(says(more.text(), "up\n"), more.text());
  BOOST_TEST(says(more.text(), "[still running, since "));
  const CallResult stopped = client.call("stop_command", {{"id", 1}});
  BOOST_TEST(says(stopped.text(), "[ended on request: ended by the signal"), stopped.text());
  BOOST_TEST(client.call("read_output", {{"id", 7}}).is_error);
}

BOOST_FIXTURE_TEST_CASE(nothing_is_lost_between_two_looks, Folder) {
  const char* const script = "i=0; while [ $i -lt 1500 ]; do echo $i; (:); i=$((i+1)); done; printf end";
  says_yes();
  Client client{program({"--run", "--structured"}), options("2025-11-25", true)};
  std::string expected, all;  // without line feeds, as a look may end within a line
  for (int i = 0; i < 1500; ++i) expected += std::to_string(i);
  CallResult look = client.call("run_command", in_background({"sh", "-c", script}));
  for (int i = 0; i < 10'000; ++i) {
    all += output_lines(look.text());
    if (!look.structured->at("running").as_bool()) break;
    look = client.call("read_output", {{"id", 1}, {"wait", 30}});
  }
  BOOST_TEST(all == expected + "end");
}

BOOST_FIXTURE_TEST_CASE(an_offset_that_cannot_be_meant_is_refused, Folder) {
  Client client{program({"--run", "--run-allow", "echo *"})};
  client.call("run_command", in_background({"echo", "four"}));
  BOOST_TEST(says(client.call("read_output", {{"id", 1}, {"offset", 0}, {"wait", 30}}).text(), "four\n"));
  BOOST_TEST(client.call("read_output", {{"id", 1}, {"offset", 4}, {"wait", 30}}).text().starts_with("\n["));
  BOOST_TEST(client.call("read_output", {{"id", 1}, {"offset", 5}}).text().starts_with("(no further output)\n["));
  const CallResult beyond = client.call("read_output", {{"id", 1}, {"offset", 6}});
  BOOST_TEST(beyond.is_error);
  BOOST_TEST(says(beyond.text(), "offset: 6 is more than it has written; expected at most 5"), beyond.text());
  for (const Json& offset : {Json(-1), Json(1.5), Json("x"), Json(1e300), Json(JsonArray{})})
    BOOST_TEST(client.call("read_output", JsonObject{{"id", 1}, {"offset", offset}}).is_error);
}

BOOST_FIXTURE_TEST_CASE(commands_end_with_their_session_and_leave_nothing, Folder) {
  const char* const script = "echo $$ >number; echo $TMPDIR; echo evil >.envrc; trap '' TERM; exec sleep 1000";
  std::string temporary;
  says_yes();
  {
    Client client{program({"--run", "--write"}), options("2025-11-25", true)};
    const CallResult begun = client.call("run_command", in_background({"sh", "-c", script}));
    const CallResult said = client.call("read_output", {{"id", 1}, {"offset", 0}, {"wait", 30}});
    temporary = said.text().substr(0, said.text().find('\n'));
    BOOST_TEST(std::filesystem::exists(temporary), begun.text() + said.text());
    client.process()->close_input();
    BOOST_TEST(client.process()->wait().success());
  }
  pid_t number = 0;
  std::ifstream(top + "/number") >> number;
  BOOST_TEST_REQUIRE(number > 0);
  BOOST_TEST(::kill(number, 0) != 0);
  BOOST_TEST(!std::filesystem::exists(std::filesystem::path(temporary).parent_path()));
  BOOST_TEST(!std::filesystem::exists(top + "/.envrc"));
}

BOOST_FIXTURE_TEST_CASE(a_server_that_is_told_to_end_puts_back_what_runs_later, Folder) {
  const char* const script = "echo evil >.envrc; echo $$ >number; exec sleep 1000";
  says_yes();
  for (const bool by_signal : {false, true}) {
    std::filesystem::remove(top + "/number");
    Client client{program({"--run", "--write"}), options("2025-11-25", true)};
    std::thread caller([&] {
      try {
        client.call("run_command", words({"sh", "-c", script}));
      } catch (const std::exception&) {  // the server ends meanwhile
      }
    });
    const pid_t number = number_in(top + "/number");
    if (by_signal)
      ::kill(client.process()->id(), SIGTERM);
    else
      client.process()->close_input();
    client.process()->wait();
    caller.join();
    BOOST_TEST(::kill(number, 0) != 0);
    BOOST_TEST(!std::filesystem::exists(top + "/.envrc"));
  }
}

BOOST_FIXTURE_TEST_CASE(commands_end_also_when_the_server_is_killed, Folder) {
  says_yes();
  Client client{program({"--run", "--write"}), options("2025-11-25", true)};
  client.call("run_command", in_background({"sh", "-c", "echo $$ >number; echo up; exec sleep 1000"}));
  client.call("read_output", {{"id", 1}, {"offset", 0}, {"wait", 30}});
  pid_t number = 0;
  std::ifstream(top + "/number") >> number;
  BOOST_TEST_REQUIRE(number > 0);
  ::kill(client.process()->id(), SIGKILL);
  BOOST_TEST(comes_true([&] { return ::kill(number, 0) != 0; }));
}

BOOST_FIXTURE_TEST_CASE(a_server_that_is_killed_leaves_nothing_that_runs_later, Folder) {
  folder.file("top/.git/hooks/pre-push", "#!/bin/sh\n");
  folder.file("top/.vscode/tasks.json", "{}");
  const char* const script =
      "echo evil >.mcp.json; echo evil >.git/hooks/pre-commit; rm .git/hooks/pre-push; echo evil >.vscode/tasks.json; "
      "echo $$ >number; exec sleep 1000";
  says_yes();
  Client client{program({"--run", "--write"}), options("2025-11-25", true)};
  client.call("run_command", in_background({"sh", "-c", script}));
  BOOST_TEST_REQUIRE(number_in(top + "/number") > 0);
  BOOST_TEST(toolwire_test::content_of(top + "/.vscode/tasks.json") == "evil\n");
  ::kill(client.process()->id(), SIGKILL);
  BOOST_TEST(comes_true([&] { return toolwire_test::content_of(top + "/.vscode/tasks.json") == "{}"; }));
  BOOST_TEST(comes_true([&] { return std::filesystem::exists(top + "/.git/hooks/pre-push"); }));
  BOOST_TEST(!std::filesystem::exists(top + "/.mcp.json"));
  BOOST_TEST(!std::filesystem::exists(top + "/.git/hooks/pre-commit"));
}

BOOST_FIXTURE_TEST_CASE(what_a_person_approved_stays_also_when_the_server_is_killed, Folder) {
  const char* const script = "echo wanted >.mcp.json; echo $$ >number; exec sleep 1000";
  pid_t number = 0;
  {
    Client client{program({"--run", "--write"}), options("2025-11-25", true)};
    says_yes();
    JsonObject keeping = in_background({"sh", "-c", script});
    keeping["changesWhatRunsLater"] = true;
    client.call("run_command", keeping);
    number = number_in(top + "/number");
    ::kill(client.process()->id(), SIGKILL);
  }
  BOOST_TEST(comes_true([&] { return ::kill(number, 0) != 0; }));
  // A next server's guard sees what is there: nothing of it is the work of that command any more.
  Client next{program({"--run", "--write", "--run-allow", "true"})};
  BOOST_TEST(!says(next.call("run_command", words({"true"})).text(), "What runs later"));
  BOOST_TEST(toolwire_test::content_of(top + "/.mcp.json") == "wanted\n");
}

BOOST_FIXTURE_TEST_CASE(an_option_that_cannot_be_meant_ends_the_program, Folder) {
  BOOST_TEST(says(refusal({"--run", "--run-allow", "bash **"}), "would approve what a shell is given"));
  BOOST_TEST(says(refusal({"--run", "--run-allow", "sh -c 'echo a'"}), "would approve what a shell is given"));
  BOOST_TEST(says(refusal({"--run", "--run-allow", "find **"}), "would approve whatever text"));
  BOOST_TEST(says(refusal({"--run", "--run-time", "0"}), "expected a whole number from 1"));
  BOOST_TEST(says(refusal({"--run", "--run-memory", "4G"}), "expected a whole number from 1"));
  BOOST_TEST(says(refusal({"--run", "--run-read", "/no/such"}), "expected a folder that is there"));
  BOOST_TEST(says(refusal({"--run", "--run-write", top}), "--run-write needs --write"));
}

BOOST_AUTO_TEST_SUITE_END()
