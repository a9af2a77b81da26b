// The file that says who may call over HTTP, as it is now: an edit counts from the next request on. Does not know who
// watches it.
#pragma once

#include <memory>
#include <string>

#include <toolwire/http/listen.hpp>

#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {

/// Lines "NAME TOKEN SCOPE…" in a file that nobody else can read or write. Thread-safe.
class TokenFile : public std::enable_shared_from_this<TokenFile> {
 public:
  /// With `needs_scopes` scopes may stand behind the tokens. Throws std::invalid_argument that says what was expected.
  TokenFile(std::string path, bool needs_scopes);

  const std::string& path() const { return path_; }
  /// Lets in whoever has a token of the file. Keeps this alive, which std::shared_ptr must own.
  http::Authenticate authenticate();
  /// Uses the file as it is by now. One that cannot be used changes nothing, so that no mistake keeps everybody out;
  /// the log says which of the two it was, and nothing if the file is the same.
  void read_again();

 private:
  struct Tokens {
    std::string text = {};  // of the file
    http::Authenticate authenticate = {};
  };
  std::shared_ptr<const Tokens> read() const;
  std::shared_ptr<const Tokens> tokens() const;

  const std::string path_;
  const bool needs_scopes_;
  mutable Mutex mutex_;
  std::shared_ptr<const Tokens> tokens_ TOOLWIRE_GUARDED_BY(mutex_);  // never null
};

}  // namespace toolwire::bridge
