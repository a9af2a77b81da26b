#include "job_records.hpp"

#include <utility>

namespace toolwire::nats {

/// The stream decides how long it keeps them.
WallTime end_of_records() { return WallTime(std::chrono::milliseconds(253'402'300'799'000)); }

std::optional<std::string> JobRecords::opened(const std::string& subject, const std::string& payload) const {
  auto opened = client_.sealing().open(subject, payload, wall_time());
  return opened.refusal ? std::nullopt : std::optional(std::move(opened.value));
}

void JobRecords::create(const Piece& piece, PutDone done) {
  stream_->create(piece.subject, sealed(piece.subject, piece.text, end_of_records()),
                  [done = std::move(done)](Put how, const std::string& why, std::uint64_t) { done(how, why); });
}

void JobRecords::create_all(std::vector<Piece> pieces, PutDone done) {
  create_from(std::make_shared<std::vector<Piece>>(std::move(pieces)), 0, std::move(done));
}

void JobRecords::create_from(const std::shared_ptr<std::vector<Piece>>& pieces, std::size_t index, PutDone done) {
  if (index == pieces->size()) return done(Put::kept, {});
  const Piece& piece = (*pieces)[index];
  create(piece, [self = shared_from_this(), pieces, index, done = std::move(done)](Put how, const std::string& why) {
    if (how != Put::kept && how != Put::exists) return done(how, why);
    self->create_from(pieces, index + 1, done);
  });
}

void JobRecords::read(const std::string& subject, TextDone done) {
  stream_->read_first(streams_.results, subject,
                      [self = shared_from_this(), subject, done = std::move(done)](Read how, std::string&& payload,
                                                                                   const std::string&) {
                        if (how != Read::found) return done(how, {});
                        done(how, self->opened(subject, payload).value_or(std::string()));
                      });
}

void JobRecords::read_on(std::string text, std::vector<std::string> subjects, TextDone done) {
  if (subjects.empty()) return done(Read::found, std::move(text));
  const std::string next = subjects.front();
  subjects.erase(subjects.begin());
  read(next, [self = shared_from_this(), text = std::move(text), subjects = std::move(subjects),
              done = std::move(done)](Read how, std::string&& more) {
    if (how != Read::found) return done(how, {});
    self->read_on(text + more, subjects, done);
  });
}

void JobRecords::read_end(const JobName& job, EndDone done) {
  read(subjects_of(job).end(), [self = shared_from_this(), job, done = std::move(done)](Read how, std::string&& text) {
    if (how == Read::failed) return done({});
    if (how == Read::none) return done({.how = End::How::none});
    self->take_ending(job, std::move(text), done);
  });
}

void JobRecords::take_ending(const JobName& job, std::string&& text, EndDone done) {
  const JobSubjects subjects = subjects_of(job);
  const Ending ending = ending_in(text).value_or(Ending{.text = "what stands of its end cannot be read"});
  if (!ending.is_answer) {
    return read(subjects.begun(1), [why = ending.text, done = std::move(done)](Read how, std::string&&) {
      if (how == Read::failed) return done({});
      done({.how = End::How::given_up, .text = why, .has_begun = how == Read::found});
    });
  }
  std::vector<std::string> more;
  for (std::size_t part = 1; part <= ending.parts; ++part) more.push_back(subjects.out(ending.time, part));
  read_on(ending.text, std::move(more), [done = std::move(done)](Read how, std::string&& whole) {
    if (how == Read::failed) return done({});
    if (how == Read::found) return done({.how = End::How::answered, .text = std::move(whole)});
    done({.how = End::How::given_up, .text = "a part of its answer is missing", .has_begun = true});
  });
}

void JobRecords::give_up(const JobName& job, const std::string& why, EndDone done) {
  create({subjects_of(job).end(), text_of(Ending{.text = why})},
         [self = shared_from_this(), job, done = std::move(done)](Put how, const std::string&) {
           if (how != Put::kept && how != Put::exists) return done({});
           self->read_end(job, done);
         });
}

}  // namespace toolwire::nats
