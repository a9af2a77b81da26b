// The group client-requests: what belongs to a host's requests: cancellation, progress, pages, lists that change.
#include <algorithm>
#include <array>
#include <chrono>
#include <set>

#include "client/looking.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::string_view requests_no_request = "the host made no such request";
constexpr std::string_view no_cancellation = "the host cancelled nothing";
constexpr std::string_view no_list = "the host asked for no list of tools";
constexpr std::size_t many_pages = 100;

bool is_cancellation(const Message& it) { return is_notification(it, "notifications/cancelled"); }

/// Whether a request with this id, of the same type, was sent before.
bool was_sent(const Lines& lines, const PlayedLine* until, const Json& id) {
  for (const PlayedLine* line : lines) {
    if (line == until) return false;
    if (is_request(line->message) && line->message.id() == std::optional<Json>(id)) return true;
  }
  return false;
}

void cancels_own(const Play& play, const HostTraits&, Verdicts& verdicts) {
  for (const PlayedSession& session : play.sessions) {
    const Lines lines = sent_by_host(session);
    for (const PlayedLine* line : lines) {
      if (!is_cancellation(line->message)) continue;
      ++verdicts.looked_at;
      if (!was_sent(lines, line, get(line->message.member("params"), "requestId")))
        verdicts.fault(play, "the id of a request that the host has sent, of the same type", line->text);
    }
  }
}

/// What the host asks for while a request is not answered, later than all that it asks for beside that one; null if it
/// asks for nothing more.
const PlayedLine* goes_on_with(const Play& play) {
  constexpr std::chrono::seconds beside{1};
  const PlayedSession& session = *stimulated(play);
  const auto begun = session.lines[session.place_of(note::stimulus)].at;
  for (const PlayedLine* line : sent_after_stimulus(play)) {
    if (is_request(line->message) && line->message.method() != "ping" && line->at >= begun + beside) return line;
  }
  return nullptr;
}

/// A host that stops to wait says so, which leaves what waits for longer than it is watched, and what ends its server
/// instead: with that the request has ended, too.
void cancels_at_timeout(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const PlayedSession* session = stimulated(play);
  if (session == nullptr || !play.ended_by_itself) return;
  const bool has_cancelled = first_of(sent_after_stimulus(play), is_cancellation) != nullptr;
  const PlayedLine* const next = has_cancelled ? nullptr : goes_on_with(play);
  if (!has_cancelled && next == nullptr && !crashed(play)) return;
  ++verdicts.looked_at;
  if (has_cancelled) return;
  verdicts.fault(play, "notifications/cancelled when the host waits no longer",
                 next != nullptr ? "it went on without: " + next->text : fate(play));
}

void late_answer(const Play& play, const HostTraits& traits, Verdicts& verdicts) {
  const PlayedSession* session = stimulated(play);
  if (session == nullptr || !session->has("late")) return;
  ++verdicts.looked_at;
  if (traits.shows_answers && shows_answer(play, traits))
    verdicts.fault(play, "an answer that comes after the cancellation is ignored", "the host showed it");
  if (play.ending.crashed()) verdicts.fault(play, "the host ignores it", fate(play));
}

Json token_of(const Message& it) { return get(it.member("params"), "_meta", "progressToken"); }

void token_types(const Play& play, const HostTraits&, Verdicts& verdicts) {
  for_each_message(play, [&](const Message& it, const PlayedSession&) {
    const Json token = token_of(it);
    const JsonObject* meta = get(it.member("params"), "_meta").if_object();
    if (!is_request(it) || meta == nullptr || !meta->contains("progressToken")) return;
    ++verdicts.looked_at;
    if (!token.is_string() && !token.is_int64() && !token.is_uint64())
      verdicts.fault(play, "a string or an integer as progressToken", it.text);
  });
}

/// While two requests are open their tokens differ; those that are never used again are no fault.
void tokens_unique(const Play& play, const HostTraits&, Verdicts& verdicts) {
  for (const PlayedSession& session : play.sessions) {
    std::set<std::string> seen;
    for (const PlayedLine* line : sent_by_host(session)) {
      const Json token = token_of(line->message);
      const Json& params = line->message.member("params");
      const bool is_retry = !get(params, "requestState").is_null() || !get(params, "inputResponses").is_null();
      if (!is_request(line->message) || token.is_null() || is_retry) continue;
      ++verdicts.looked_at;
      if (!seen.insert(to_json_text(token)).second)
        verdicts.fault(play, "a progressToken that no other request has", line->text);
    }
  }
}

Lines lists_of(const Play& play) {
  Lines lists;
  const PlayedSession* session = stimulated(play);
  if (session == nullptr) return lists;
  for (const PlayedLine* line : sent_by_host(*session)) {
    if (is_request(line->message, "tools/list")) lists.push_back(line);
  }
  return lists;
}

Json cursor_of(const PlayedLine& line) { return get(line.message.member("params"), "cursor"); }

void follows_pages(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const Lines lists = lists_of(play);
  if (lists.empty()) return;
  ++verdicts.looked_at;
  if (lists.size() < 2) verdicts.fault(play, "a request for the second page", "the host asked for the first alone");
}

void keeps_cursor(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const Lines lists = lists_of(play);
  if (lists.size() < 2) return;
  ++verdicts.looked_at;
  if (cursor_of(*lists[1]) != Json(" page/2?a=1&b=\"é\" =="))
    verdicts.fault(play, "the cursor as the server has sent it", lists[1]->text);
}

void goes_on_after_empty_page(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const Lines lists = lists_of(play);
  if (lists.size() < 2) return;
  ++verdicts.looked_at;
  if (lists.size() < 3)
    verdicts.fault(play, "a request for the third page: only a missing nextCursor ends a list",
                   "the host stopped at an empty page");
}

void ends_at_last_page(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const Lines lists = lists_of(play);
  if (lists.size() < 3) return;
  ++verdicts.looked_at;
  for (std::size_t i = 3; i < lists.size(); ++i) {
    if (!cursor_of(*lists[i]).is_null()) verdicts.fault(play, "no page after the last", lists[i]->text);
  }
}

void first_without_cursor(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const Lines lists = lists_of(play);
  if (lists.empty()) return;
  ++verdicts.looked_at;
  const JsonObject* params = lists.front()->message.member("params").if_object();
  if (params != nullptr && params->contains("cursor"))
    verdicts.fault(play, "no cursor in the first request", lists.front()->text);
}

void endless_pages_end(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const Lines lists = lists_of(play);
  if (lists.size() < 2) return;
  ++verdicts.looked_at;
  if (lists.size() > many_pages)
    verdicts.fault(play, "an end, as the cursor is the same each time",
                   std::to_string(lists.size()) + " requests for the same page");
}

void lists_again(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const PlayedSession* session = stimulated(play);
  if (session == nullptr) return;
  ++verdicts.looked_at;
  const auto is_list = [](const Message& it) { return is_request(it, "tools/list"); };
  if (first_of(sent_after_stimulus(play), is_list) == nullptr)
    verdicts.fault(play, "tools/list again", "the host keeps the list it has");
}

void lists_calmly(const Play& play, const HostTraits&, Verdicts& verdicts) {
  if (stimulated(play) == nullptr) return;
  ++verdicts.looked_at;
  const auto is_list = [](const Message& it) { return is_request(it, "tools/list"); };
  const std::size_t count = count_of(sent_after_stimulus(play), is_list);
  if (count > 20)
    verdicts.fault(play, "a few requests for 200 notifications", std::to_string(count) + " requests tools/list");
}

constexpr std::array all_request_checks{
    HostCheck{"client-cancels-own-requests", "* no-answer", cancels_own, no_cancellation},
    HostCheck{"client-timeout-cancels", "no-answer", cancels_at_timeout,
              "the host waited for longer than it was watched (see --watch), or ended its server, and the request with "
              "it, without a word"},
    HostCheck{"client-late-answer-ignored", "no-answer", late_answer, no_cancellation},
    HostCheck{"client-progress-token-type", "*", token_types, "the host asked for no progress"},
    HostCheck{"client-progress-tokens-unique", "*", tokens_unique, "the host asked for no progress"},
    HostCheck{"client-progress-taken", "progress", survives, requests_no_request},
    HostCheck{"client-odd-progress", "odd-progress", survives, requests_no_request},
    HostCheck{"client-late-progress", "late-progress", survives_later, requests_no_request},
    HostCheck{"client-pages-followed", "pages", follows_pages, no_list},
    HostCheck{"client-cursor-unchanged", "pages", keeps_cursor, "the host asked for no second page"},
    HostCheck{"client-empty-page-followed", "pages", goes_on_after_empty_page, "the host asked for no second page"},
    HostCheck{"client-last-page-ends", "pages", ends_at_last_page, "the host did not reach the last page"},
    HostCheck{"client-first-page-without-cursor", "pages", first_without_cursor, no_list},
    HostCheck{"client-endless-pages-end", "endless-pages", endless_pages_end, "the host asked for no second page"},
    HostCheck{"client-list-changes-taken-up", "list-changes", lists_again, no_list},
    HostCheck{"client-many-list-changes", "many-list-changes", survives, requests_no_request},
    HostCheck{"client-list-changes-calm", "many-list-changes", lists_calmly, requests_no_request},
    HostCheck{"client-odd-cancellations", "odd-cancellations", survives, requests_no_request},
};

}  // namespace

std::span<const HostCheck> request_host_checks() { return all_request_checks; }

}  // namespace toolwire::conformance
