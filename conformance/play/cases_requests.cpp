// What belongs to a request of the host: cancellation, progress, pages, lists that change.
#include <array>

#include "play/cases.hpp"

namespace toolwire::conformance {
namespace {

constexpr int requests_many = 200;

bool cancels(const Message& it, const Message& main) {
  return it.method() == "notifications/cancelled" &&
         std::optional<Json>(get(it.member("params"), "requestId")) == main.id();
}

/// The host may cancel it; then the answer comes after all.
void no_answer(Stage& stage) {
  const Message main = stage.stimulus();
  const auto is_end = [&](const Message& it) { return cancels(it, main); };
  if (stage.serve_until(is_end, stage.settings().watch)) {
    stage.note("late");
    stage.answer(main);
    stage.probe();
  }
  stage.finish();
}

JsonObject page(const Served& served, std::string_view tool, const Json& next) {
  Json one = served.tools.at(0);
  one.as_object()["name"] = tool;
  JsonObject members{{"tools", tool.empty() ? JsonArray{} : JsonArray{one}}};
  if (!next.is_null()) members["nextCursor"] = next;
  return served.result(std::move(members), true);
}

/// Three pages, the second of them empty, with cursors that want to be read.
void pages(Stage& stage) {
  const Message first = stage.await("tools/list");
  stage.note(note::stimulus);
  const auto& served = stage.served();
  const auto send_page = [&](const Message& asked, std::string_view tool, const Json& next) {
    stage.send(response(asked.id().value_or(nullptr), page(served, tool, next)));
  };
  send_page(first, played_tool, " page/2?a=1&b=\"é\" ==");
  send_page(stage.await("tools/list"), "", "3");
  send_page(stage.await("tools/list"), "toolwire_last", nullptr);
  stage.note(note::answered);
  stage.serve_for(time_for_lists);
  stage.finish();
}

/// Each page leads to itself.
void endless_pages(Stage& stage) {
  stage.note(note::stimulus);
  const auto until = Clock::now() + stage.settings().wait;
  while (Clock::now() < until) {
    const auto is_list = [](const Message& it) { return it.method() == "tools/list"; };
    const auto asked = stage.serve_until(is_list, stage.settings().wait / 2);
    if (!asked) break;
    stage.send(response(asked->id().value_or(nullptr), page(stage.served(), played_tool, "again")));
  }
  stage.finish();
}

/// A list is there only once it was asked for.
void list_changes(Stage& stage) {
  Message main = stage.await("tools/list");
  stage.serve(main);
  if (stage.settings().main != "tools/list") main = stage.await(stage.settings().main);
  stage.note(note::stimulus);
  stage.send(notification("notifications/tools/list_changed"));
  stage.serve_for(time_for_lists);
  stage.serve(main);
  stage.serve_for(time_for_lists);
  stage.finish();
}

void many_list_changes(Stage& stage) {
  const Message main = stage.stimulus();
  std::string lines;
  for (int i = 0; i < requests_many; ++i)
    lines += to_json_text(notification("notifications/tools/list_changed")) + "\n";
  stage.write(lines);
  stage.probe();
  stage.answer(main);
  stage.finish();
}

Json token_of(const Message& main) { return get(main.member("params"), "_meta", "progressToken"); }

void progress(Stage& stage) {
  const Message main = stage.stimulus();
  for (const double done : {0.25, 0.5, 1.0}) {
    if (!token_of(main).is_null())
      stage.send(notification("notifications/progress",
                              {{"progressToken", token_of(main)}, {"progress", done}, {"total", 1}}));
  }
  stage.probe();
  stage.answer(main);
  stage.finish();
}

void odd_progress(Stage& stage) {
  const Message main = stage.stimulus();
  const Json token = token_of(main).is_null() ? Json("none") : token_of(main);
  for (const JsonObject& params :
       {JsonObject{{"progressToken", "toolwire-unknown"}, {"progress", 1}}, JsonObject{{"progress", 1}},
        JsonObject{{"progressToken", token}, {"progress", "half"}}, JsonObject{{"progressToken", token}},
        JsonObject{{"progressToken", token}, {"progress", 5}}, JsonObject{{"progressToken", token}, {"progress", 1}}})
    stage.send(notification("notifications/progress", params));
  stage.probe();
  stage.answer(main);
  stage.finish();
}

void late_progress(Stage& stage) {
  const Message main = stage.stimulus();
  stage.answer(main);
  const Json token = token_of(main).is_null() ? Json("none") : token_of(main);
  stage.send(notification("notifications/progress", {{"progressToken", token}, {"progress", 2}}));
  stage.probe();
  stage.finish();
}

void odd_cancellations(Stage& stage) {
  const Message main = stage.stimulus();
  for (const JsonObject& params : {JsonObject{{"requestId", "toolwire-unknown"}}, JsonObject{{"reason", "none"}},
                                   JsonObject{{"requestId", JsonArray{}}, {"reason", 7}}})
    stage.send(notification("notifications/cancelled", params));
  stage.probe();
  stage.answer(main);
  stage.finish();
}

constexpr std::array all_request_cases{
    Case{"no-answer", Played::newest, "does not answer until it is cancelled, and then does", no_answer},
    Case{"pages", Played::newest, "lists its tools in three pages, the second of them empty", pages},
    Case{"endless-pages", Played::newest, "lists its tools in pages of which each leads to itself", endless_pages},
    Case{"list-changes", Played::legacy, "says that its tools have changed", list_changes},
    Case{"many-list-changes", Played::legacy, "says 200 times that its tools have changed", many_list_changes},
    Case{"progress", Played::newest, "reports progress", progress},
    Case{"odd-progress", Played::newest, "reports progress of what it was not asked, and backwards", odd_progress},
    Case{"late-progress", Played::newest, "reports progress after its answer", late_progress},
    Case{"odd-cancellations", Played::newest, "cancels what it did not ask", odd_cancellations},
};

}  // namespace

std::span<const Case> request_cases() { return all_request_cases; }

}  // namespace toolwire::conformance
