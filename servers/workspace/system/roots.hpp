// One directory or several that a server gives access to. With one, paths are relative to it; with several, each has a
// name and a path begins with that name. Independent of what is done with paths.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "workspace/system/root.hpp"

namespace workspace {

/// A path in one of the roots, and what stands before it in answers ("" or "name/"). The root lives as long as its
/// Roots.
struct Located {
  const Root* root = nullptr;
  std::string path;
  std::string prefix;

  /// `relative` (to the root) as answers show it.
  std::string shown(std::string_view relative) const { return prefix + std::string(relative); }
};

/// The roots of a server, by name. Immutable once made, so any number of threads may use one.
class Roots {
 public:
  /// One root without a name.
  explicit Roots(Root only);

  /// Each as "DIR" or "NAME=DIR"; a name that is not given is the directory's own. Nothing is changed in those of
  /// `read_only`. Throws std::invalid_argument if two have one name, a name has a slash, or one for reading only lies
  /// in one that is not. None: the working directory; one without a name: as above.
  static Roots from(const std::vector<std::string>& given, Secrets secrets,
                    const std::vector<std::string>& read_only = {});

  bool has_names() const { return !entries_.front().name.empty(); }

  /// Why roots cannot be used, one sentence each; empty if all can.
  std::string problem() const;

  /// True if nothing can be changed in any.
  bool are_read_only() const;

  /// For people: the path, or the names and their paths, and which of several are for reading only.
  std::string text() const;

  /// The root a path is in. Throws ToolError naming the roots there are.
  Located locate(std::string_view path) const;

  /// Where to look for everything below `path`: one place, or, for "." of several roots, all of them in the order of
  /// their names.
  std::vector<Located> below(std::string_view path) const;

  /// All roots, for opening them to the process's confinement.
  std::vector<const Root*> all() const;

 private:
  struct Named {
    std::string name;
    Root root;
  };

  Roots() = default;
  void check() const;
  [[noreturn]] void refuse(std::string_view path) const;

  std::vector<Named> entries_;
};

}  // namespace workspace
