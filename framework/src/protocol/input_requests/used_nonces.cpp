#include "protocol/input_requests/used_nonces.hpp"

#include <charconv>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>

#include <toolwire/system/private_file.hpp>

#include "protocol/input_requests/state_key.hpp"

namespace toolwire::protocol {
namespace {

using system::PrivateFile;
using Clock = UsedNonces::Clock;

constexpr std::size_t max_bytes = std::size_t{16} << 20;  // a file beyond is no longer one of ours

std::int64_t in_ms(Clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
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
  if (!entries.shrank) return file.write(line, old_size) && file.keep();
  std::string fresh = entries.text;
  fresh.append(line);
  return file.write(fresh, 0) && file.cut(fresh.size()) && file.keep();
}

class SharedNonces final : public NonceStore {
 public:
  void use(std::string_view nonce, Clock::time_point expires, Done<NonceUse> done) override {
    if (key_is_of_this_process()) return of_this_process_->use(nonce, expires, std::move(done));
    // The name stays, so that states used before an update count as used after it.
    std::string path = state_file("spent-states");
    const Spending spending =
        path.empty() ? Spending::impossible : UsedNonces(std::move(path)).spend(nonce, expires, Clock::now());
    if (spending != Spending::impossible)
      return done(spending == Spending::spent_now ? NonceUse::first : NonceUse::again);
    done.fail(std::make_exception_ptr(std::runtime_error(
        "the file of used ones (spent-states, in the user's state folder) cannot be read or written")));
  }

 private:
  const std::shared_ptr<NonceStore> of_this_process_ = memory_nonce_store(std::string::npos);
};

}  // namespace

Spending UsedNonces::spend(std::string_view nonce, Clock::time_point expires, Clock::time_point now) const {
  // Others hold the lock for a moment only; one that does not let go (a stopped process) must not hold us, too.
  const PrivateFile file(path_, PrivateFile::Access::read_and_write);
  if (!file.is_open() || !file.lock(patience)) return Spending::impossible;
  const std::optional<std::string> text = file.read_all(max_bytes);
  if (!text) return Spending::impossible;
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
