// Where a request stands that must not run beside certain others. Independent of requests.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include "features/serial_line.hpp"
#include "runtime/call.hpp"

namespace toolwire::protocol {

/// The turn of a round, which the next in line has when this is destroyed. Empty for all that run side by side.
class HeldTurn {
 public:
  HeldTurn() = default;
  HeldTurn(std::shared_ptr<features::SerialLine> line, features::SerialLine::Number number)
      : line_(std::move(line)), number_(number) {}
  HeldTurn(HeldTurn&&) noexcept = default;
  HeldTurn& operator=(HeldTurn&&) = delete;
  ~HeldTurn() {
    if (line_) line_->leave(number_);
  }

 private:
  std::shared_ptr<features::SerialLine> line_;
  features::SerialLine::Number number_ = 0;
};

/// The place of one request: taken when it is made, and again for every further round. `give_up` may be called from any
/// thread, the rest by whoever works on the request.
class SerialPlace {
 public:
  using Number = features::SerialLine::Number;

  explicit SerialPlace(std::shared_ptr<features::SerialLine> line) : line_(std::move(line)), number_(line_->join()) {}
  SerialPlace(const SerialPlace&) = delete;
  SerialPlace& operator=(const SerialPlace&) = delete;
  ~SerialPlace() { give_up(); }

  void join_again() { number_ = line_->join(); }

  /// Calls `done` when it is its turn. When the call is told to stop before, the place is given up, and `done` dropped.
  void wait(const runtime::Call& call, Done<features::SerialTurn> done) {
    if (!line_->is_first(number_)) {
      when_stopped_.emplace(call.stop_token(), [line = line_, number = number_.load()] {
        const auto kept = line;  // this function may be gone before `give_up` returns
        kept->give_up(number);
      });
    }
    line_->wait(number_, std::move(done));
  }

  /// Takes the turn for the round that begins now. False if the place has been given up.
  bool begin() {
    when_stopped_.reset();
    if (!line_->begin(number_)) return false;
    held_.emplace(line_, number_);
    return true;
  }
  HeldTurn take_turn() { return *std::exchange(held_, std::nullopt); }

  /// Leaves the line, unless a round has begun. Returns whether it stood there.
  bool give_up() { return line_->give_up(number_); }

 private:
  const std::shared_ptr<features::SerialLine> line_;
  std::atomic<Number> number_;
  std::optional<HeldTurn> held_;
  std::optional<std::stop_callback<std::function<void()>>> when_stopped_;
};

}  // namespace toolwire::protocol
