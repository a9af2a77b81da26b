#include "workspace/text/boundary_matcher.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "workspace/text/re2_text.hpp"
#include "workspace/text/words.hpp"

namespace workspace {
namespace {

using Kind = BoundaryStep::Kind;

constexpr std::size_t nowhere = std::string_view::npos;

/// The ways that are followed at one place, the preferred first: each a step and its slots.
class Ways {
 public:
  Ways(std::size_t steps, std::size_t slots) : places_(steps), slots_(slots) {}

  bool has(std::uint32_t step) const {
    const std::uint32_t place = places_[step];
    return place < steps_.size() && steps_[place] == step;
  }

  void add(std::uint32_t step) {
    places_[step] = static_cast<std::uint32_t>(steps_.size());
    steps_.push_back(step);
    saved_.resize(steps_.size() * slots_);
  }

  std::span<std::size_t> slots_of_last() { return {saved_.data() + (steps_.size() - 1) * slots_, slots_}; }
  std::span<const std::size_t> slots(std::size_t way) const { return {saved_.data() + way * slots_, slots_}; }
  std::uint32_t step(std::size_t way) const { return steps_[way]; }
  std::size_t size() const { return steps_.size(); }

  void clear() {
    steps_.clear();
    saved_.clear();
  }

 private:
  std::vector<std::uint32_t> steps_;
  std::vector<std::uint32_t> places_;  // of each step among them, or anything
  std::vector<std::size_t> saved_;
  std::size_t slots_;
};

}  // namespace

class BoundaryMatcher::Run {
 public:
  Run(const BoundaryMatcher& what, std::string_view text, std::size_t groups)
      : what_(what),
        text_(text),
        slots_(2 * groups),
        now_(what.program_.steps.size(), slots_),
        next_(what.program_.steps.size(), slots_),
        working_(slots_, nowhere) {}

  bool find(std::size_t from) {
    for (std::size_t at = from; at <= text_.size();) {
      if (now_.size() == 0) {
        if (is_found_) break;
        if (at == from) at = next_begin(at);  // once: each time it may read to the end
        if (at == nowhere) break;
      }
      if (!is_found_) {
        std::fill(working_.begin(), working_.end(), nowhere);
        working_[0] = at;
        follow(now_, 0, at);
      }
      const std::size_t size = at < text_.size() ? character_size(text_, at) : 0;
      step(at, size);
      std::swap(now_, next_);
      next_.clear();
      at += std::max<std::size_t>(size, 1);
    }
    return is_found_;
  }

  const std::vector<std::size_t>& best() const { return best_; }

 private:
  std::size_t next_begin(std::size_t at) const {
    re2::StringPiece found;
    if (!what_.loose_.Match(re2_text(text_), at, text_.size(), re2::RE2::UNANCHORED, &found, 1)) return nowhere;
    return static_cast<std::size_t>(found.data() - text_.data());
  }

  // Every way at `at` takes the character there, of `size` bytes (0: none), or ends.
  void step(std::size_t at, std::size_t size) {
    for (std::size_t way = 0; way < now_.size(); ++way) {
      const BoundaryStep& now = what_.program_.steps[now_.step(way)];
      const std::span<const std::size_t> slots = now_.slots(way);
      if (now.kind == Kind::match) {
        best_.assign(slots.begin(), slots.end());
        best_[1] = at;
        is_found_ = true;
        return;  // those behind it are less preferred
      }
      if (size == 0 || now.kind != Kind::take || !what_.program_.tests[now.first].takes(text_.substr(at, size)))
        continue;
      std::copy(slots.begin(), slots.end(), working_.begin());
      follow(next_, now_.step(way) + 1, at + size);
    }
  }

  // Adds all that is reached from `step` without a character. `working_` has the slots.
  void follow(Ways& ways, std::uint32_t step, std::size_t at) {
    pending_.push_back({step, 0, false});
    while (!pending_.empty()) {
      const Pending now = pending_.back();
      pending_.pop_back();
      if (now.restores) {
        working_[now.step] = now.value;
      } else if (!ways.has(now.step)) {
        ways.add(now.step);
        const std::span<std::size_t> slots = ways.slots_of_last();
        std::copy(working_.begin(), working_.end(), slots.begin());
        go_on(now.step, at);
      }
    }
  }

  void go_on(std::uint32_t number, std::size_t at) {
    const BoundaryStep& step = what_.program_.steps[number];
    switch (step.kind) {
      case Kind::take:
      case Kind::match:
        return;
      case Kind::jump:
        pending_.push_back({step.first, 0, false});
        return;
      case Kind::fork:
        pending_.push_back({step.second, 0, false});
        pending_.push_back({step.first, 0, false});
        return;
      case Kind::save:
        if (step.first < slots_) {
          pending_.push_back({step.first, working_[step.first], true});
          working_[step.first] = at;
        }
        pending_.push_back({number + 1, 0, false});
        return;
      default:
        if (holds(step.kind, at)) pending_.push_back({number + 1, 0, false});
    }
  }

  bool holds(Kind kind, std::size_t at) const {
    switch (kind) {
      case Kind::text_begin:
        return at == 0;
      case Kind::text_end:
        return at == text_.size();
      case Kind::line_begin:
        return at == 0 || text_[at - 1] == '\n';
      case Kind::line_end:
        return at == text_.size() || text_[at] == '\n';
      default:
        return (is_word_before(text_, at) != is_word_at(text_, at)) == (kind == Kind::bound);
    }
  }

  struct Pending {
    std::uint32_t step = 0;  // or the slot to restore
    std::size_t value = 0;
    bool restores = false;
  };

  const BoundaryMatcher& what_;
  std::string_view text_;
  std::size_t slots_;
  Ways now_, next_;
  std::vector<std::size_t> working_, best_;
  std::vector<Pending> pending_;
  bool is_found_ = false;
};

BoundaryMatcher::BoundaryMatcher(std::string_view expression, bool ignore_case, const re2::RE2& loose)
    : program_(boundary_program(expression, ignore_case)), loose_(loose) {}

bool BoundaryMatcher::match(std::string_view text, std::size_t from, std::span<re2::StringPiece> groups) const {
  Run run{*this, text, std::max<std::size_t>(groups.size(), 1)};
  if (!run.find(from)) return false;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::size_t begin = run.best()[2 * i];
    const std::size_t end = run.best()[2 * i + 1];
    const bool is_set = begin != nowhere && end != nowhere;
    groups[i] = is_set ? re2::StringPiece(text.data() + begin, end - begin) : re2::StringPiece();
  }
  return true;
}

}  // namespace workspace
