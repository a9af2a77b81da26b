#include <toolwire/system/landlock.hpp>

#define BOOST_TEST_MODULE bridge_confined_files
#include <boost/test/unit_test.hpp>

#include "confined_script.hpp"
#include "confinement_attacks.hpp"

using namespace toolwire_test;

BOOST_AUTO_TEST_CASE(files_are_changed_in_the_workspace_only, *unit_test::precondition(has_landlock)) {
  const ScratchFolder inside;
  const ScratchFolder outside;
  const Confinement confined = strict(inside.text());
  outside.file("kept", "content");
  outside.folder("folder");
  inside.link(outside.path() / "kept", "way_out");
  const std::vector<std::string> folders{inside.text(), outside.text()};
  for (const std::string& change : changes_outside()) {
    std::string error = attempt(change, confined, folders);
    if (error == "EXDEV") error = "EACCES";  // what Landlock says of moves to another folder
    BOOST_TEST_CONTEXT(change) BOOST_TEST(error == "EACCES");
  }
  BOOST_TEST(content_of(outside.path() / "kept") == "content");
  for (const char* const change :
       {"open(F + '/new', 'w').write('x')", "os.rename(F + '/new', F + '/other')", "os.mkdir(F + '/made')",
        "os.truncate(F + '/other', 0)", "os.unlink(F + '/other')"}) {
    const std::string error = attempt(std::string("F = sys.argv[1]; ") + change, confined, folders);
    BOOST_TEST_CONTEXT(change) BOOST_TEST((error == "done" || (kernel_support().landlock < 3 && error == "EPERM")));
  }
}

BOOST_AUTO_TEST_CASE(unconfined_the_same_changes_are_made) {
  const ScratchFolder outside;
  outside.file("kept", "content");
  BOOST_TEST(attempt("open(sys.argv[1] + '/kept', 'w')", {}, {outside.text()}) == "done");
  BOOST_TEST(content_of(outside.path() / "kept") == "");
}

BOOST_AUTO_TEST_CASE(files_outside_the_workspace_are_read_only_where_it_is_said,
                     *unit_test::precondition(has_landlock)) {
  const ScratchFolder inside;
  const ScratchFolder outside;
  outside.file("secret", "content");
  const std::string read = "open(sys.argv[1] + '/secret').read()";
  Confinement confined = strict(inside.text());
  BOOST_TEST(attempt(read, confined, {outside.text()}) == "EACCES");
  BOOST_TEST(attempt("os.listdir(sys.argv[1])", confined, {outside.text()}) == "EACCES");
  BOOST_TEST(attempt("os.listdir(os.path.expanduser('~root'))", confined) == "EACCES");
  confined.readable = {outside.text()};
  BOOST_TEST(attempt(read, confined, {outside.text()}) == "done");
  BOOST_TEST(attempt("open(sys.argv[1] + '/secret', 'a')", confined, {outside.text()}) == "EACCES");
  const Confinement reading{.files = FileAccess::read_only};
  BOOST_TEST(attempt(read, reading, {outside.text()}) == "done");
  BOOST_TEST(attempt("open(sys.argv[1] + '/secret', 'a')", reading, {outside.text()}) == "EACCES");
  BOOST_TEST(attempt("open('/dev/null', 'w').write('x')", reading) == "done");
}

BOOST_AUTO_TEST_CASE(no_file_is_emptied_on_kernels_whose_landlock_cannot_refuse_it,
                     *unit_test::precondition(has_landlock)) {
  const ScratchFolder inside;
  const ScratchFolder outside;
  outside.file("kept", "content");
  KernelSupport old = kernel_support();
  old.landlock = std::min(old.landlock, 2);
  for (const FileAccess files : {FileAccess::read_only, FileAccess::workspace}) {
    Confinement confined = strict(inside.text());
    confined.files = files;
    confined.readable = {outside.text()};
    for (const char* const change : {"os.truncate(F + '/kept', 0)", "os.open(F + '/kept', os.O_RDONLY | os.O_TRUNC)",
                                     "os.open(F + '/kept', 3 | os.O_TRUNC)"}) {
      const std::string error = attempt(std::string("F = sys.argv[1]; ") + change, confined, {outside.text()}, old);
      BOOST_TEST_CONTEXT(change) BOOST_TEST(error == "EPERM");
      BOOST_TEST((attempt(std::string("F = sys.argv[1]; ") + change, confined, {outside.text()}) != "done"));
    }
    BOOST_TEST(content_of(outside.path() / "kept") == "content");
  }
  BOOST_TEST(attempt("open(sys.argv[1] + '/new', 'w').write('x')", strict(inside.text()), {inside.text()}, old) ==
             "done");
}

BOOST_AUTO_TEST_CASE(modes_owners_times_and_attributes_stay, *unit_test::precondition(has_landlock)) {
  const ScratchFolder folder;
  folder.file("file");
  for (const char* const change :
       {"os.chmod(F, 0o777)", "os.chown(F, 1, 1)", "os.utime(F)", "os.setxattr(F, 'user.a', b'')"}) {
    const std::string action = std::string("F = sys.argv[1] + '/file'; ") + change;
    BOOST_TEST_CONTEXT(change) BOOST_TEST(attempt(action, strict(folder.text()), {folder.text()}) == "EPERM");
  }
  BOOST_TEST(attempt("os.chmod(sys.argv[1] + '/file', 0o777)", {}, {folder.text()}) == "done");
}

BOOST_AUTO_TEST_CASE(a_temporary_folder_of_its_own_goes_with_the_program, *unit_test::precondition(has_landlock)) {
  const ScratchFolder folder;
  const char* const fill =
      "import tempfile, os\nprint(tempfile.gettempdir())\nos.chdir(tempfile.mkdtemp())\n"
      "for _ in range(2000): os.mkdir('d'); os.chdir('d')\n"
      "open('f', 'w'); os.mkdir('locked', 0); os.symlink('/', 'root')";
  const ProcessEnd end = run({.text = fill, .confinement = strict(folder.text())});
  BOOST_TEST(end.errors == "");
  const std::filesystem::path own = end.output.substr(0, end.output.find('\n'));
  BOOST_TEST(own.parent_path() == std::filesystem::temp_directory_path());
  BOOST_TEST(!std::filesystem::exists(own));
  const Script look{.text = "import os; print(os.path.isdir(os.environ['TMPDIR']))",
                    .confinement = {.private_temporary = true}};
  BOOST_TEST(run(look).output == "True\n");
}
