#include "jetstream.hpp"

#include <sodium.h>

#include <charconv>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include <toolwire/json_members.hpp>

namespace toolwire::nats {
namespace {

using namespace std::chrono_literals;

constexpr auto patience = 5'000ms;  // with an answer
constexpr std::int64_t other_sequence = 10'071;
constexpr int no_responders = 503;

std::uint64_t number_behind(const std::string& subject, std::size_t start) {
  std::uint64_t number = 0;
  if (start < subject.size()) std::from_chars(subject.data() + start, subject.data() + subject.size(), number);
  return number;
}

JetStream::Answer answer_in(const Message& message) {
  JetStream::Answer answer{.came = true};
  if (message.nobody_there || message.status == no_responders) {
    answer.nobody_there = true;
    answer.error = "nothing there keeps messages of this subject";
    return answer;
  }
  try {
    answer.json = parse_json(message.payload);
  } catch (const std::exception& error) {
    answer.error = std::string("the server answers with what is no JSON: ") + error.what();
    return answer;
  }
  const Json& error = member_or_null(answer.json, "error");
  if (!error.is_object()) return answer;
  answer.error = text_or(error, "description", "the server gives no reason");
  const Json& code = member_or_null(error, "err_code");
  if (code.is_int64()) answer.code = code.get_int64();
  return answer;
}

std::string text_in_base64(std::string_view text) {
  std::string bytes(text.size(), '\0');
  std::size_t size = 0;
  if (!text.empty() && sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), text.data(),
                                         text.size(), nullptr, &size, nullptr, sodium_base64_VARIANT_ORIGINAL) != 0)
    throw std::runtime_error("the server answers with what is no base64");
  bytes.resize(size);
  return bytes;
}

}  // namespace

void JetStream::begin() {
  subscription_ = client_.subscribe(inbox_ + ".*", {}, [weak = weak_from_this()](Message&& message) {
    if (const auto self = weak.lock()) self->came(std::move(message));
  });
  watcher_ = client_.watch({.lost =
                                [weak = weak_from_this()](const std::string& why) {
                                  if (const auto self = weak.lock()) self->lost(why);
                                },
                            .refused =
                                [weak = weak_from_this()](const std::string& what) {
                                  if (const auto self = weak.lock()) self->forbidden(what);
                                }});
}

void JetStream::end() {
  client_.unsubscribe(subscription_);
  client_.forget(watcher_);
  for (const auto& [number, one] : std::exchange(waiting_, {})) client_.loop().cancel(one.timer);
}

void JetStream::send(const std::string& subject, const std::string& payload, Headers headers, Answered answered) {
  const std::uint64_t number = ++last_number_;
  const auto settle_with = [weak = weak_from_this(), number](const Answer& answer) {
    if (const auto self = weak.lock()) self->settle(number, answer);
  };
  const EventLoop::Timer timer = client_.loop().at(EventLoop::Clock::now() + patience, [settle_with] {
    settle_with({.error = "the server has not answered in time; is its user allowed to ask this?"});
  });
  waiting_.emplace(number, Waiting{subject, std::move(answered), timer});
  client_.publish(
      subject, payload, inbox_ + "." + std::to_string(number),
      [settle_with](const std::string& why) { settle_with({.was_sent = false, .error = why}); }, std::move(headers));
}

void JetStream::came(Message&& message) {
  settle(number_behind(message.subject, inbox_.size() + 1), answer_in(message));
}

void JetStream::settle(std::uint64_t number, const Answer& answer) {
  const auto found = waiting_.find(number);
  if (found == waiting_.end()) return;
  const Waiting one = std::move(found->second);
  waiting_.erase(found);
  client_.loop().cancel(one.timer);
  one.answered(answer);
}

/// The server says so of each message, with its subject, and answers nothing.
void JetStream::forbidden(const std::string& what) {
  std::map<std::uint64_t, Answer> settled;
  is_deaf_ = is_deaf_ || what.find("Subscription to \"" + inbox_ + ".*\"") != std::string::npos;
  for (const auto& [number, one] : waiting_) {
    if (what.find("Publish to \"" + one.subject + '"') != std::string::npos)
      settled[number] = {.is_forbidden = true, .error = "its user may not publish to " + one.subject};
  }
  for (const auto& [number, answer] : settled) settle(number, answer);
}

void JetStream::lost(const std::string& why) {
  is_deaf_ = false;
  for (const auto& [number, one] : std::exchange(waiting_, {})) {
    client_.loop().cancel(one.timer);
    one.answered({.error = why});
  }
}

void JetStream::ask(const std::string& call, const Json& question, Answered answered) {
  if (is_deaf_) {
    client_.post(
        [answered = std::move(answered)] { answered({.error = "its user may not subscribe to where answers come"}); });
    return;
  }
  send("$JS.API." + call, question.is_null() ? std::string() : to_json_text(question), {}, std::move(answered));
}

void JetStream::put(const std::string& subject, const std::string& payload, const std::string& id, PutDone done) {
  const bool is_new = id.empty();
  Headers headers = is_new ? Headers{{"Nats-Expected-Last-Subject-Sequence", "0"}} : Headers{{"Nats-Msg-Id", id}};
  send(subject, payload, std::move(headers), [done = std::move(done)](const Answer& answer) {
    if (answer.is_forbidden) return done(Put::refused, answer.error, 0);
    if (!answer.came) return done(answer.was_sent ? Put::unknown : Put::not_sent, answer.error, 0);
    if (answer.code == other_sequence) return done(Put::exists, answer.error, 0);
    if (!answer.error.empty()) return done(Put::refused, answer.error, 0);
    const Json& sequence = member_or_null(answer.json, "seq");
    done(Put::kept, {}, sequence.is_int64() ? static_cast<std::uint64_t>(sequence.get_int64()) : 0);
  });
}

void JetStream::create(const std::string& subject, const std::string& payload, PutDone done) {
  put(subject, payload, {}, std::move(done));
}

void JetStream::read_first(const std::string& stream, const std::string& subject, ReadDone done) {
  constexpr std::int64_t not_found = 10'037;
  ask("STREAM.MSG.GET." + stream, JsonObject{{"seq", 1}, {"next_by_subj", subject}},
      [done = std::move(done)](const Answer& answer) {
        if (answer.code == not_found) return done(Read::none, {}, {});
        if (!answer.error.empty()) return done(Read::failed, {}, answer.error);
        try {
          done(Read::found, text_in_base64(text_member(member_or_null(answer.json, "message"), "data")), {});
        } catch (const std::exception& error) {
          done(Read::failed, {}, error.what());
        }
      });
}

}  // namespace toolwire::nats
