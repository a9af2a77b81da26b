// A repository in a folder, with what is outside it beside it: for tests of tools that call git. What a shell does here
// is not confined.
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "scratch_folder.hpp"
#include "workspace/system/programs.hpp"
#include "workspace/system/roots.hpp"

namespace toolwire_test {

/// top/ is the root, and outside/ is not. To be made before the first thread. One thread.
struct GitRepository {
  GitRepository() {
    folder.folder("outside");
    folder.file("evil.sh", "#!/bin/sh\ntouch '" + marker() + "'\ncat\n");
    folder.file("once.sh", "#!/bin/sh\ntouch '" + marker() + "'\n");
    shell(
        "chmod +x ../evil.sh ../once.sh; git init -q -b main .; printf 'one\\ntwo\\n' >a.txt; echo same >b.txt; git "
        "add .; "
        "git commit -q -m First; printf 'one\\nTWO\\nthree\\n' >a.txt");
  }

  /// What a shell says, started in top/: standard output and errors.
  std::string shell(const std::string& script) const {
    const std::string file =
        folder
            .file("script.sh", "cd '" + top + "'; OUT='" + (folder / "outside").string() + "'; EVIL='" +
                                   (folder / "evil.sh").string() + "'; ONCE='" + (folder / "once.sh").string() +
                                   "'\nunset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE\nexport GIT_CONFIG_NOSYSTEM=1 "
                                   "GIT_CONFIG_GLOBAL=/dev/null HOME=/nonexistent LC_ALL=C TZ=UTC "
                                   "GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.com GIT_COMMITTER_NAME=Ada "
                                   "GIT_COMMITTER_EMAIL=ada@example.com GIT_AUTHOR_DATE='2026-01-02T03:04:05Z' "
                                   "GIT_COMMITTER_DATE='2026-01-02T03:04:05Z'\n" +
                                   script + "\n")
            .string();
    std::string text;
    FILE* const said = ::popen(("sh '" + file + "' 2>&1 </dev/null").c_str(), "r");
    std::array<char, 4096> part{};
    for (std::size_t got = 0; (got = std::fread(part.data(), 1, part.size(), said)) > 0;) text.append(part.data(), got);
    ::pclose(said);
    return text;
  }

  std::string marker() const { return (folder / "marker").string(); }
  bool is_marked() const { return std::filesystem::exists(marker()); }

  ScratchFolder folder;
  std::string top = folder.folder("top").string();
  workspace::Programs programs =
      workspace::Programs::start({{"git", {top}}, {"ctags", {}}}, "/usr/local/bin:/usr/bin:/bin");
  workspace::Roots roots{workspace::Root::at(top, workspace::Secrets::left_out)};
};

}  // namespace toolwire_test
