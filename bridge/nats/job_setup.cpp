#include "job_setup.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <toolwire/json_members.hpp>

namespace toolwire::nats {
namespace {

using std::chrono::nanoseconds;
using namespace std::chrono_literals;

/// A task is kept so long at most once it is over (TaskOptions::max_ttl), and what it came to as long.
constexpr std::chrono::hours results_kept_longer{24};
constexpr nanoseconds longest_memory = 300s;      // of ids that have come
constexpr std::int64_t max_messages_of_one = 16;  // subject: the first counts, so others are a stranger's
constexpr std::int64_t max_in_hands = 10'000;     // of workers of one name

JsonObject stream(const std::string& name, JsonArray subjects, const JetStreamOptions& options, nanoseconds age) {
  return {{"name", name},
          {"subjects", std::move(subjects)},
          {"storage", "file"},
          {"discard", "new"},  // what does not fit any more is refused: nothing that was promised is dropped
          {"num_replicas", options.replicas},
          {"max_age", age.count()},
          {"max_bytes", options.max_bytes},
          {"max_consumers", -1},
          {"max_msgs", -1},
          {"max_msg_size", -1},
          {"duplicate_window", std::min(age, longest_memory).count()}};
}

}  // namespace

std::string no_jetstream_text() {
  return "the nats-server has no JetStream: start it with -js, or with \"jetstream\" in its configuration";
}

JobSetup::JobSetup(std::shared_ptr<JobRecords> records, const std::string& prefix, const JetStreamOptions& options,
                   const std::vector<std::string>& workers)
    : records_(std::move(records)) {
  const JobStreams& names = records_->streams();
  JsonObject waiting = stream(names.waiting, {prefix + ".jobs.>"}, options, options.max_age);
  waiting["retention"] = "workqueue";
  waiting["max_msgs_per_subject"] = -1;
  JsonObject results =
      stream(names.results, {prefix + ".made.>", prefix + ".job.>"}, options, options.max_age + results_kept_longer);
  results["retention"] = "limits";
  results["max_msgs_per_subject"] = max_messages_of_one;
  results["deny_delete"] = true;
  results["deny_purge"] = true;
  steps_.push_back({"STREAM.CREATE." + names.waiting, std::move(waiting), names.waiting});
  steps_.push_back({"STREAM.CREATE." + names.results, std::move(results), names.results});
  for (const std::string& worker : workers) {
    JsonObject consumer{{"durable_name", worker},
                        {"ack_policy", "explicit"},
                        {"ack_wait", nanoseconds(options.lease).count()},
                        {"max_deliver", max_deliveries},
                        {"max_ack_pending", max_in_hands},
                        {"filter_subject", prefix + ".jobs." + worker + ".>"},
                        {"deliver_policy", "all"},
                        {"replay_policy", "instant"}};
    steps_.push_back({"CONSUMER.DURABLE.CREATE." + names.waiting + "." + worker,
                      {{"stream_name", names.waiting}, {"config", std::move(consumer)}}});
  }
}

void JobSetup::run(const Done& done) { go_on(0, done); }

void JobSetup::go_on(std::size_t step, const Done& done) {
  if (step == steps_.size()) return done(true, {});
  const Step& now = steps_[step];
  records_->stream().ask(now.call, now.question,
                         [self = shared_from_this(), step, done](const JetStream::Answer& answer) {
                           const Step& asked = self->steps_[step];
                           if (answer.error.empty()) return self->go_on(step + 1, done);
                           if (answer.code == stream_is_another && !asked.stream.empty())
                             return self->compare(asked, done);
                           done(false, self->problem_in(answer, asked));
                         });
}

std::string JobSetup::problem_in(const JetStream::Answer& answer, const Step& step) const {
  if (answer.nobody_there) return no_jetstream_text();
  if (!answer.came && !answer.was_sent) return {};
  return "the nats-server refuses $JS.API." + step.call + ": " + answer.error;
}

/// There is a stream of this name that is another one: which settings differ.
void JobSetup::compare(const Step& step, const Done& done) {
  records_->stream().ask("STREAM.INFO." + step.stream, nullptr, [step, done](const JetStream::Answer& answer) {
    std::string differences;
    const Json& there = member_or_null(answer.json, "config");
    for (const auto& [name, wanted] : step.question) {
      const Json& found = member_or_null(there, name);
      if (found == wanted) continue;
      differences += (differences.empty() ? "" : ", ") + std::string(name) + " " + to_json_text(found) +
                     " in the place of " + to_json_text(wanted);
    }
    done(false, "the nats-server has another stream \"" + step.stream + "\"" +
                    (differences.empty() ? "" : " (" + differences + ")") +
                    "; change the settings, name another \"stream\", or remove that one");
  });
}

}  // namespace toolwire::nats
