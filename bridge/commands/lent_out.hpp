// Owns something with a thread of its own that calls under way share. Knows nothing of it.
#pragma once

#include <future>
#include <memory>
#include <utility>

namespace toolwire::bridge {

/// The last share of an HTTP client may go on that client's own thread, at the end of a callback; there it must not be
/// destroyed. So shares only say that they are gone, and destruction here waits for all of them.
template <class T>
class LentOut {
 public:
  template <class... A>
  explicit LentOut(A&&... arguments) : owned_(std::make_unique<T>(std::forward<A>(arguments)...)) {
    auto gone = std::make_shared<std::promise<void>>();
    all_gone_ = gone->get_future();
    share_ = std::shared_ptr<T>(owned_.get(), [gone = std::move(gone)](T*) { gone->set_value(); });
  }
  LentOut(const LentOut&) = delete;
  LentOut& operator=(const LentOut&) = delete;
  ~LentOut() {
    share_.reset();
    all_gone_.wait();
  }

  const std::shared_ptr<T>& share() const { return share_; }

 private:
  const std::unique_ptr<T> owned_;
  std::future<void> all_gone_;
  std::shared_ptr<T> share_;
};

}  // namespace toolwire::bridge
