// Repositories made to run programs or to show files outside the roots when somebody looks at them. Each is first
// looked at by git itself, unprotected, to see that the attack works; then by every tool.
#include "workspace/git/answers.hpp"

#define BOOST_TEST_MODULE workspace_git_attacks_test
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <ostream>
#include <string>
#include <toolwire/error.hpp>

#include "git_repository.hpp"

using toolwire_test::GitRepository;
using workspace::Git;

namespace {

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

struct Attack {
  const char* what;
  std::string prepare;   // made in the root: $EVIL and $ONCE leave a mark, $OUT is outside
  std::string victim;    // the command of git that falls for it
  const char* expected;  // what the tools answer nevertheless
};

std::ostream& operator<<(std::ostream& out, const Attack& attack) { return out << attack.what; }

// A repository outside whose commit says SECRET.
const std::string outer =
    "git init -q -b main $OUT/repo; echo SECRET >$OUT/repo/a.txt; git -C $OUT/repo add .; git -C $OUT/repo commit -q "
    "-m "
    "SECRET; ";
// A blob is missing that is to come from a remote.
const std::string lazy =
    "rm .git/objects/$(git rev-parse HEAD:a.txt | sed 's,..,&/,'); git config core.repositoryFormatVersion 1; git "
    "config "
    "extensions.partialClone origin; git config remote.origin.promisor true; ";
const std::string attribute = "echo '*.txt filter=evil diff=evil' >.gitattributes; ";
const char* const changed = " M a.txt";

const Attack attacks[] = {
    {"core.fsmonitor", "git config core.fsmonitor $EVIL", "git status", changed},
    {"core.fsmonitor of config.worktree",
     "git config extensions.worktreeConfig true; git config --worktree core.fsmonitor $EVIL", "git status", changed},
    {"a hook", "cp $EVIL .git/hooks/post-index-change; touch -d 2001-01-01 b.txt", "git status", changed},
    {"core.hooksPath",
     "mkdir $OUT/hooks; cp $EVIL $OUT/hooks/post-index-change; git config core.hooksPath $OUT/hooks; touch -d "
     "2001-01-01 "
     "b.txt",
     "git status", changed},
    {"diff.external", "git config diff.external $EVIL", "git diff HEAD", "+TWO"},
    {"a diff driver", attribute + "git config diff.evil.command $EVIL", "git diff HEAD", "+TWO"},
    {"textconv of a diff", attribute + "git config diff.evil.textconv $EVIL", "git diff HEAD", "+TWO"},
    {"textconv of a blame", attribute + "git config diff.evil.textconv $EVIL", "git blame a.txt", "2: TWO"},
    {"a clean filter", attribute + "git config filter.evil.clean $EVIL", "git diff HEAD", "+TWO"},
    {"a clean filter of info/attributes",
     "mkdir -p .git/info; echo '* filter=e=v.i' >.git/info/attributes; git config filter.e=v.i.clean $EVIL; git config "
     "filter.e=v.i.required true",
     "git diff HEAD", "+TWO"},
    {"a process filter", attribute + "git config filter.evil.process $EVIL", "git diff HEAD", "+TWO"},
    {"a smudge filter", attribute + "git config filter.evil.smudge $EVIL; git config diff.external true",
     "git diff HEAD", "+TWO"},
    {"an include", "printf '[core]\\nfsmonitor = %s\\n' $EVIL >$OUT/more; git config include.path $OUT/more",
     "git status", "include further files"},
    {"an include by condition",
     "printf '[core]\\nfsmonitor = %s\\n' $EVIL >$OUT/more; git config 'includeIf.gitdir:/**.path' $OUT/more",
     "git status", "include further files"},
    {"a config elsewhere",
     "cp .git/config $OUT/config; git config -f $OUT/config core.fsmonitor $EVIL; rm .git/config; ln -s $OUT/config "
     ".git/config",
     "git status", "is a symbolic link"},
    {"core.attributesFile",
     "echo '*.txt filter=evil' >$OUT/attributes; git config core.attributesFile $OUT/attributes; git config "
     "filter.evil.clean $EVIL",
     "git diff HEAD", "+TWO"},
    {"core.excludesFile", "echo 'b.new' >$OUT/SECRET; git config core.excludesFile $OUT/SECRET; echo x >b.new",
     "git check-ignore -v b.new", "?? b.new"},
    {"diff.orderFile", "echo b.txt >$OUT/order; git config diff.orderFile $OUT/order; echo other >b.txt",
     "git diff --name-only HEAD | head -1 | sed s/b.txt/SECRET/", "+++ b/a.txt"},
    {"core.askPass", "git config core.askPass $ONCE", "echo url=https://host/x | git credential fill", changed},
    {"a credential helper", "git config credential.helper $ONCE", "echo url=https://host/x | git credential fill",
     changed},
    {"a credential helper by shell", "git config credential.https://host.helper '!'$ONCE",
     "echo url=https://host/x | git credential fill", changed},
    {"a credential helper of a lazy fetch",
     lazy + "git config remote.origin.url http://x@127.0.0.1:1/x; git config credential.helper $ONCE",
     "echo url=http://x@127.0.0.1:1/x | git credential fill", changed},
    {"core.editor", "git config core.editor $ONCE", "git commit --allow-empty", "Ada: First"},
    {"an alias", "git config alias.status '!'$ONCE; git config alias.x '!'$ONCE", "git x", changed},
    {"a difference tool",
     "git config diff.tool evil; git config difftool.evil.cmd $ONCE; git config difftool.prompt "
     "false",
     "git difftool HEAD", "+TWO"},
    {"include in config.worktree",
     "git config extensions.worktreeConfig true; printf '[core]\\nfsmonitor = %s\\n' $EVIL >$OUT/more; git config "
     "--worktree include.path $OUT/more",
     "git status", "include further files"},
    {"alternates that are relative",
     outer + "echo ../../../outside/repo/.git/objects >.git/objects/info/alternates; git update-ref refs/heads/main "
             "$(git -C $OUT/repo rev-parse HEAD)",
     "git log", "git says"},
    {"alternates of alternates",
     outer + "mkdir -p more/info; echo $OUT/repo/.git/objects >more/info/alternates; echo ../../more "
             ">.git/objects/info/alternates; git update-ref refs/heads/main $(git -C $OUT/repo rev-parse HEAD)",
     "git log", "git says"},
    {"core.pager", "git config core.pager $EVIL", "script -qec 'git log' /dev/null", "Ada: First"},
    {"pager of a command", "git config pager.log $EVIL", "script -qec 'git log' /dev/null", "Ada: First"},
    {"gpg.program",
     "git cat-file commit HEAD | sed 's/^committer.*/&\\ngpgsig -----BEGIN PGP SIGNATURE-----\\n \\n -----END PGP "
     "SIGNATURE-----/' >$OUT/commit; git update-ref refs/heads/main $(git hash-object -t commit -w $OUT/commit); git "
     "config gpg.program $EVIL; git config log.showSignature true",
     "git log", "Ada: First"},
    {"core.sshCommand", lazy + "git config remote.origin.url ssh://host/x; git config core.sshCommand $ONCE",
     "git diff HEAD", changed},
    {"core.gitProxy", lazy + "git config remote.origin.url git://host/x; git config core.gitProxy $ONCE",
     "git diff HEAD", changed},
    {"a lazy fetch", lazy + "git config remote.origin.url $OUT; git config remote.origin.uploadpack $ONCE",
     "git diff HEAD", changed},
    {"a lazy fetch by ext", lazy + "git config remote.origin.url ext::$ONCE; git config protocol.ext.allow always",
     "git diff HEAD", changed},
    {"a submodule",
     "git init -q -b main sub; cd sub; echo x >s.txt; git add .; git commit -q -m S; cd ..; git add sub 2>/dev/null; "
     "git "
     "commit -q -m Sub; git -C sub config core.fsmonitor $EVIL; echo y >sub/s.txt",
     "git status", changed},
    {"core.worktree", "mkdir $OUT/tree; echo SECRET >$OUT/tree/a.txt; git config core.worktree $OUT/tree",
     "git diff HEAD", "+TWO"},
    {"alternates",
     outer + "echo $OUT/repo/.git/objects >.git/objects/info/alternates; git update-ref refs/heads/main $(git -C "
             "$OUT/repo rev-parse HEAD)",
     "git log", "git says"},
    {"objects elsewhere",
     outer + "rm -r .git/objects; ln -s $OUT/repo/.git/objects .git/objects; git -C $OUT/repo rev-parse HEAD "
             ">.git/refs/heads/main",
     "git log", "is a symbolic link"},
    {"a .git elsewhere", outer + "rm -r .git; echo gitdir: $OUT/repo/.git >.git", "git log", "outside the workspace"},
    {"a link .git", outer + "rm -r .git; ln -s $OUT/repo/.git .git", "git log", "outside the workspace"},
    {"commondir", outer + "echo $OUT/repo/.git >.git/commondir", "git log", "outside the workspace"},
    {"a replaced commit",
     "git replace HEAD $(git cat-file commit HEAD | sed s/First/SECRET/ | git hash-object -t commit -w --stdin)",
     "git log", "Ada: First"},
    {"mailmap.file", "echo 'SECRET <ada@example.com>' >$OUT/map; git config mailmap.file $OUT/map", "git log",
     "Ada: First"},
    {"blame.ignoreRevsFile", "echo SECRET >$OUT/revisions; git config blame.ignoreRevsFile $OUT/revisions",
     "git blame a.txt", "git blame fails"},
    {"blame.ignoreRevsFile of the root", "echo SECRET >.env; git config blame.ignoreRevsFile .env", "git blame a.txt",
     "git blame fails"},
    {"packed-refs as a link", "echo SECRET >.env; ln -s ../.env .git/packed-refs", "git log", "is a symbolic link"},
    {"alternates as a link", "echo SECRET >.env; ln -s ../../../.env .git/objects/info/alternates", "git log",
     "is a symbolic link"},
    {"a link to a file", "rm a.txt; echo SECRET >$OUT/a.txt; ln -s $OUT/a.txt a.txt", "cat a.txt", "+++ b/a.txt"},
};

template <class Act>
std::string said(Act act) {
  try {
    return act().text + '\n';
  } catch (const toolwire::ToolError& error) {
    return std::string(error.what()) + '\n';
  }
}

std::string all_tools(const GitRepository& there) {
  const auto git = [&](const char* path) { return Git{there.programs, find_repository(there.roots, path), {}}; };
  return said([&] { return status_answer(git(".")); }) + said([&] { return diff_answer(git("."), {}); }) +
         said([&] { return blame_answer(git("a.txt"), {}); }) +
         said([&] { return log_answer(git("."), {.whole_messages = true}); });
}

}  // namespace

BOOST_DATA_TEST_CASE(a_hostile_repository_runs_nothing_and_shows_nothing_outside, attacks, attack) {
  const GitRepository there;
  BOOST_TEST_REQUIRE(there.programs.problem("git") == "");
  const std::string prepared = there.shell(attack.prepare);
  std::filesystem::remove(there.marker());
  // On a copy, as the victim may change the repository.
  const std::string shown = there.shell("cp -a . ../copy; cd ../copy; timeout 10 " + attack.victim);
  BOOST_TEST_REQUIRE((there.is_marked() || says(shown, "SECRET")), "the attack does not work: " << prepared << shown);
  std::filesystem::remove(there.marker());
  const std::string answers = all_tools(there);
  BOOST_TEST(!there.is_marked(), answers);
  BOOST_TEST(!says(answers, "SECRET"), answers);
  BOOST_TEST(says(answers, attack.expected), answers);
}
