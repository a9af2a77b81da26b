#include "protocol/input_requests/used_nonces.hpp"

#include <charconv>
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <toolwire/system/new_file.hpp>
#include <toolwire/system/private_file.hpp>

#include "features/forgetting_clock.hpp"
#include "features/memory_nonces.hpp"
#include "protocol/input_requests/state_key.hpp"

namespace toolwire::protocol {
namespace {

using system::PrivateFile;
using Clock = UsedNonces::Clock;

constexpr std::size_t max_bytes = std::size_t{16} << 20;  // a file beyond is no longer one of ours

std::int64_t in_ms(Clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

/// The first line says how long the file is at least, so that one that was cut is noticed. It is of one length, and
/// written last when the file grows and first when it shrinks: a crash in between leaves more than it says. Files of
/// earlier versions begin with an entry.
constexpr std::string_view mark = "toolwire-used-nonces 1 ";
constexpr std::size_t size_digits = 10;
constexpr std::size_t head_size = mark.size() + size_digits + 1;

std::string head(std::size_t size) {
  std::string digits = std::to_string(size);
  return std::string(mark) + std::string(size_digits - digits.size(), '0') + digits + '\n';
}

bool was_cut(std::string_view text) {
  if (!text.starts_with(mark)) return text.empty() || std::string_view(mark).starts_with(text);
  std::size_t size = 0;
  const std::string_view digits = text.substr(mark.size(), size_digits);
  const bool whole =
      text.size() >= head_size && text[head_size - 1] == '\n' &&
      std::from_chars(digits.data(), digits.data() + digits.size(), size).ptr == digits.data() + digits.size();
  return !whole || text.size() < size;
}

/// The entries that still count, one "NONCE EXPIRY\n" each. A line that breaks the form (the rest of a write that a
/// crash cut off) stands for no nonce that was let through, as the write comes first.
struct Entries {
  std::string text;
  bool has_nonce = false;
  bool shrank = false;
};

Entries entries_of(std::string_view text, std::string_view nonce, std::int64_t now) {
  Entries entries;
  if (text.starts_with(mark)) {
    text.remove_prefix(head_size);
  } else {
    entries.shrank = true;
  }
  while (!text.empty()) {
    std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    std::size_t space = line.find(' ');
    std::int64_t expires = 0;
    bool whole = end != std::string_view::npos && space != std::string_view::npos &&
                 std::from_chars(line.data() + space + 1, line.data() + line.size(), expires).ec == std::errc();
    if (!whole || expires <= now) {
      entries.shrank = true;
      continue;
    }
    entries.has_nonce = entries.has_nonce || line.substr(0, space) == nonce;
    entries.text.append(line).push_back('\n');
  }
  return entries;
}

/// A text with entries that have expired is replaced in place; a file of another name that takes its place would not be
/// under the lock. What still counts is written before the file is cut, so that a crash in between leaves too much.
bool store(const PrivateFile& file, const Entries& entries, std::string_view line, std::size_t old_size) {
  if (!entries.shrank) return file.write(line, old_size) && file.write(head(old_size + line.size()), 0) && file.keep();
  const std::size_t size = head_size + entries.text.size() + line.size();
  std::string fresh = head(size);
  fresh.append(entries.text).append(line);
  return file.write(fresh, 0) && file.cut(size) && file.keep();
}

NonceUse use_of(Spending spending) {
  switch (spending) {
    case Spending::spent_now:
      return NonceUse::first;
    case Spending::spent_before:
      return NonceUse::again;
    case Spending::impossible:
      throw std::runtime_error(
          "the file of used ones (spent-states, in the user's state folder) cannot be read or written");
    case Spending::lost:
      break;
  }
  throw std::runtime_error(
      "the file of used ones (spent-states, in the user's state folder) is missing or was cut, so that an answer might "
      "count twice; remove the file state-key beside it too, which makes all earlier answers invalid, and start again");
}

Spending spend_in_file(std::string_view nonce, Clock::time_point expires, Clock::time_point now) {
  std::string path = state_file(used_nonces_name);
  if (path.empty()) return Spending::impossible;
  const UsedNonces used(std::move(path));
  // A configured key says nothing about whether there ever was a file.
  if (key_origin() == KeyOrigin::configuration) used.make();
  return used.spend(nonce, expires, now);
}

class SharedNonces final : public NonceStore {
 public:
  void use(std::string_view nonce, Clock::time_point expires, Done<NonceUse> done) override {
    const Clock::time_point now = clock_.now();
    try {
      const bool is_shared = key_origin() != KeyOrigin::this_process;
      if (is_shared && use_of(spend_in_file(nonce, expires, now)) == NonceUse::again) return done(NonceUse::again);
    } catch (const std::runtime_error&) {
      return done.fail(std::current_exception());
    }
    done(of_this_process_.use(nonce, expires, now) ? NonceUse::first : NonceUse::again);
  }

 private:
  const features::ForgettingClock clock_;
  features::MemoryNonces of_this_process_{std::string::npos};
};

}  // namespace

void UsedNonces::make() const {
  constexpr unsigned for_its_user = 0600;
  if (PrivateFile(path_, PrivateFile::Access::read).is_open()) return;
  try {
    system::NewFile file(path_, for_its_user);
    file.write(head(head_size));
    file.close();
    file.put_at_free_name();
  } catch (const std::system_error&) {
    return;  // another process was first, or spending will tell
  }
}

Spending UsedNonces::spend(std::string_view nonce, Clock::time_point expires, Clock::time_point now) const {
  // Others hold the lock for a moment only; one that does not let go (a stopped process) must not hold us, too.
  const PrivateFile file(path_, PrivateFile::Access::existing);
  if (file.is_missing()) return Spending::lost;
  if (!file.is_open() || !file.lock(patience)) return Spending::impossible;
  const std::optional<std::string> text = file.read_all(max_bytes);
  if (!text) return Spending::impossible;
  if (was_cut(*text)) return Spending::lost;
  Entries entries = entries_of(*text, nonce, in_ms(now));
  if (entries.has_nonce) return Spending::spent_before;
  std::string line(nonce);
  line.append(" ").append(std::to_string(in_ms(expires))).push_back('\n');
  return store(file, entries, line, text->size()) ? Spending::spent_now : Spending::impossible;
}

std::shared_ptr<NonceStore> shared_nonce_store() {
  static const auto shared = std::make_shared<SharedNonces>();
  return shared;
}

}  // namespace toolwire::protocol
