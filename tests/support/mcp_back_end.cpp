// A back-end for tests of the bridge: it holds calls, crashes, asks questions, changes its tools, floods. It uses no
// clock. `mcp_back_end` serves standard input and output until the input ends.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <toolwire/ask.hpp>
#include <toolwire/server.hpp>
#include <toolwire/system/file_descriptor.hpp>

namespace {

using toolwire::Context;
using toolwire::field;
using toolwire::fields;
using toolwire::Json;
using toolwire::JsonObject;
using toolwire::Outcome;
using toolwire::Reply;

struct Text {
  std::string text;
  static constexpr auto describe() { return fields(field<&Text::text>("Any text")); }
};

struct Count {
  int count = 1;
  static constexpr auto describe() { return fields(field<&Count::count>("How many")); }
};

struct Confirm {
  bool sure = false;
  static constexpr auto describe() { return fields(field<&Confirm::sure>("Really?")); }
};

/// Calls that wait until they are released, and how many of them were cancelled.
class Held {
 public:
  void keep(Reply reply) {
    const std::lock_guard lock(mutex_);
    replies_.push_back(std::move(reply));
    changed_.notify_all();
  }
  void wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return replies_.size() >= count; });
  }
  std::size_t release() {
    std::vector<Reply> all;
    {
      const std::lock_guard lock(mutex_);
      all.swap(replies_);
    }
    for (Reply& reply : all) reply("released");
    return all.size();
  }
  void wait_until_stopped(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    ++watched_;
    changed_.notify_all();
    changed_.wait(lock, stop, [] { return false; });
    ++stopped_;
    changed_.notify_all();
  }
  int watched() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return watched_ > 0; });
    return watched_;
  }
  int stopped() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ > 0; });
    return stopped_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<Reply> replies_;
  int watched_ = 0;
  int stopped_ = 0;
};

/// What it says of itself, unless TOOLWIRE_TEST_WORDS says otherwise.
std::string words(const char* usual) {
  const char* const others = std::getenv("TOOLWIRE_TEST_WORDS");
  return others != nullptr ? others : usual;
}

void add_plain_tools(toolwire::Server& server) {
  server.tool("echo", "Returns the text", [](const Text& text) { return text.text; });
  server.tool("bad.name", "\x1b[31mHas a name\x1b]0;title\x07 hosts do not like", [] { return "ok"; });
  server.tool("structured", "Returns structured content", [](Count count) {
    return toolwire::ToolResult::of(JsonObject{{"count", count.count}, {"list", {1, "two", nullptr}}});
  });
  server.tool("meta", "Returns the metadata of its request", [](Context& context) {
    toolwire::ToolResult result = toolwire::ToolResult::of(context.meta());
    result.meta["vendor/answer"] = 42;
    return result;
  });
  server.tool("log", "Logs what it is told, as a warning and for debugging", [](const Text& text, Context& context) {
    context.log(toolwire::LogLevel::debug, "debugging " + text.text);
    context.log(toolwire::LogLevel::warning, text.text, "inner");
    return "logged";
  });
  server.tool("progress", "Reports how far it is", [](Count count, Context& context) {
    for (int i = 1; i <= count.count; ++i) context.progress(i, count.count, words("step"));
    return context.wants_progress() ? "reported" : "nobody asked";
  });
}

void add_waiting_tools(toolwire::Server& server, Held& held) {
  server.tool("hold", "Waits to be released", [&held](Context&, Reply reply) { held.keep(std::move(reply)); });
  server.tool("held", "Waits until so many calls wait to be released", [&held](Count count) {
    held.wait_for(static_cast<std::size_t>(count.count));
    return "held";
  });
  server.tool("release", "Releases so many calls when they have come", [&held](Count count) {
    held.wait_for(static_cast<std::size_t>(count.count));
    return held.release();
  });
  server.tool("until_stopped", "Waits to be told to stop",
              [&held](Context& context) { held.wait_until_stopped(context.stop_token()); });
  server.tool("watched", "Waits until a call waits to be told to stop", [&held] { return held.watched(); });
  server.tool("stopped", "Waits until a call was told to stop", [&held] { return held.stopped(); });
}

Outcome<std::string> confirm(Context& context) {
  const auto answer = context.answer<Confirm>("confirm");
  if (!answer) return toolwire::ask<Confirm>("confirm", words("Go on?"));
  if (!answer->accepted()) return std::string("not accepted");
  return std::string(answer->value->sure ? "sure" : "unsure");
}

Outcome<std::string> confirm_twice(Context& context) {
  const auto first = context.answer<Confirm>("first");
  if (!first) return toolwire::ask<Confirm>("first", "Once?");
  const auto second = context.answer<Confirm>("second");
  if (!second) return toolwire::ask<Confirm>("second", "Twice?");
  return std::string(first->accepted() && second->accepted() ? "twice" : "not twice");
}

void add_question_tools(toolwire::Server& server) {
  server.tool("ask", "Asks", confirm);
  server.tool("ask_twice", "Asks one thing, then another", confirm_twice);
}

void add_content(toolwire::Server& server) {
  server.resource({.uri = "note://one", .name = "one", .description = "\x1b[1mA note", .mime_type = "text/plain"},
                  [] { return "the note"; });
  server.resource({.uri = "note://kept", .name = "kept", .subscribable = true}, [] { return "kept"; });
  server.tool("touch", "Tells that a resource has changed", [&server](const Text& text) {
    server.resource_updated(text.text);
    return "told";
  });
  server.resource({.uri = "note://bytes", .name = "bytes"},
                  [] { return toolwire::ResourceContents::bytes(std::string("\0\xff\n", 3), "application/x"); });
  server.resource({.uri = "note://asks", .name = "asks"}, confirm);
  server.resource_template({.uri_template = "page://{number}",
                            .name = "page",
                            .complete = {{"number", toolwire::complete_from({"1", "10", "2"})}}},
                           [](const Json& parameters) -> std::string {
                             const Json& number = parameters.at("number");
                             if (number == "0") throw toolwire::ResourceNotFound();
                             return "page " + std::string(std::string_view(number.as_string()));
                           });
  server.prompt({.name = "greet",
                 .description = "Greets somebody",
                 .completers = {{"text", toolwire::complete_from({"bear", "bee", "cat"})}}},
                [](const Text& text) { return "Greet " + text.text; });
  server.tool("publish", "Adds so many resources, templates and prompts", [&server](Count count) {
    toolwire::ResourceChanges resources;
    toolwire::PromptChanges prompts;
    for (int i = 0; i < count.count; ++i) {
      const std::string number = std::to_string(i);
      resources.resources.add.push_back(toolwire::make_resource({.uri = "many://" + number}, [] { return "one"; }));
      resources.templates.add.push_back(
          toolwire::make_resource_template({.uri_template = "many" + number + "://{x}"}, [] { return "one"; }));
      prompts.add.push_back(toolwire::make_prompt({.name = "many_" + number}, [] { return "one"; }));
    }
    server.change_resources(std::move(resources));
    server.change_prompts(std::move(prompts));
    return "published";
  });
  server.tool("post", "Adds a resource", [&server](const Text& text) {
    server.resource({.uri = "note://" + text.text}, [] { return "posted"; });
    return "posted";
  });
}

/// Both wait for the disk, so that a call lasts long enough to be killed.
void add_recording(toolwire::Server& server, const char* file) {
  server.tool("record", "Adds a line to a file, as often as it is called", [file](const Text& text) {
    const toolwire::system::FileDescriptor record(::open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600));
    const std::string line = text.text + "\n";
    const bool is_whole = ::write(record.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size());
    return is_whole && ::fsync(record.get()) == 0 ? text.text : "not recorded";
  });
  server.tool({.name = "look", .description = "Changes nothing", .read_only = true}, [file](const Text& text) {
    const toolwire::system::FileDescriptor record(::open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    return ::fsync(record.get()) == 0 ? text.text : "no file";
  });
}

void add_nasty_tools(toolwire::Server& server) {
  server.tool("die", "Says something on standard error and is killed", [](const Text& text) {
    std::fprintf(stderr, "%s\n", text.text.c_str());
    std::fflush(stderr);
    ::raise(SIGKILL);
    return "alive";
  });
  if (const char* const file = std::getenv("TOOLWIRE_TEST_RECORD"); file != nullptr) add_recording(server, file);
  server.tool("process", "Its process", [] { return static_cast<int>(::getpid()); });
  server.tool("child", "Starts a process that outlives its parent, if it may", [] {
    const pid_t child = ::fork();
    if (child == 0) {
      while (true) ::pause();
    }
    return static_cast<int>(child);
  });
  server.tool("change", "Changes what it says of \"echo\"", [&server](const Text& text) {
    server.remove_tool("echo");
    server.tool("echo", text.text, [](const Text& echoed) { return "changed: " + echoed.text; });
    return "changed";
  });
  server.tool("grow", "Adds a tool", [&server](const Text& text) {
    server.tool(text.text, "A new tool", [] { return "new"; });
    return "added";
  });
  server.tool("shrink", "Takes a tool away", [&server](const Text& text) { return server.remove_tool(text.text); });
}

}  // namespace

int main() {
  Held held;
  toolwire::Server server{{.name = "mcp_back_end", .version = "1.0.0"}, {.declares = {.logging = true}}};
  add_plain_tools(server);
  add_waiting_tools(server, held);
  add_question_tools(server);
  add_nasty_tools(server);
  add_content(server);
  return server.run_stdio();
}
