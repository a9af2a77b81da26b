"""The recipes for vcpkg and Conan, as far as they can be judged without either: what they call is recorded by stand-ins, and
CMake configures the libraries as they would have it. Nothing is compiled.

usage: recipes_test.py WORK
"""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import types
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
LIBRARY = TOP / "framework/packaging/library"
PORT = TOP / "framework/packaging/vcpkg/ports/toolwire"
RECIPE = TOP / "framework/packaging/conan/conanfile.py"
WORK = Path(sys.argv[1]).absolute()
PARTS = {"http-server": "toolwire_http_server", "http-jwt": "toolwire_http_jwt", "http-client": "toolwire_http_client",
         "sqlite-tasks": "toolwire_sqlite_tasks"}

# What vcpkg's functions are given, a line each.
STAND_INS = """
cmake_minimum_required(VERSION 3.25)
set(PORT toolwire)
set(CURRENT_PACKAGES_DIR "@PACKAGES@")
function(record name)
  string(JOIN "|" line ${name} ${ARGN})
  file(APPEND "@RECORD@" "${line}\\n")
endfunction()
foreach(name IN ITEMS vcpkg_check_linkage vcpkg_cmake_configure vcpkg_cmake_install vcpkg_cmake_config_fixup vcpkg_install_copyright)
  cmake_language(EVAL CODE "function(${name})\\n record(${name} \\${ARGN})\\nendfunction()")
endforeach()
function(vcpkg_check_features)
  cmake_parse_arguments(given "" "OUT_FEATURE_OPTIONS" "FEATURES" ${ARGN})
  record(vcpkg_check_features ${given_FEATURES})
  set(${given_OUT_FEATURE_OPTIONS} -DTOOLWIRE_HTTP_SERVER=ON PARENT_SCOPE)
endfunction()
include("@PORT@/portfile.cmake")
"""


def run(*command: object, expected: int = 0) -> str:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300)
    if done.returncode != expected:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def configured(name: str, *options: str, expected: int = 0) -> tuple[str, str]:
    """What CMake says, and the targets there are."""
    build = WORK / name
    said = run("cmake", "-S", LIBRARY, "-B", build, "-G", "Ninja", *options, expected=expected)
    return said, run("cmake", "--build", build, "--target", "help") if expected == 0 else ""


def version() -> str:
    return re.search(r"project\(toolwire VERSION ([0-9.]+)", (TOP / "CMakeLists.txt").read_text())[1]


class Library(unittest.TestCase):
    def test_it_is_the_libraries_alone(self):
        said, targets = configured("all")
        self.assertNotIn("Manually-specified variables were not used", said)
        for target in ("toolwire", "toolwire_http", *PARTS.values()):
            self.assertRegex(targets, rf"(?m)^{target}: ", target)
        self.assertNotRegex(targets, r"(?m)^(toolwire-\w+|workspace|hello|example_\w+|\w+_test): ")

    def test_what_is_not_asked_for_is_left_out(self):
        options = [f"-DTOOLWIRE_{part.upper().replace('-', '_')}=OFF" for part in PARTS]
        said, targets = configured("none", *options)
        self.assertNotIn("Manually-specified variables were not used", said)
        self.assertRegex(targets, r"(?m)^toolwire: ")
        for target in PARTS.values():
            self.assertNotRegex(targets, rf"(?m)^{target}: ", target)

    def test_what_is_asked_for_and_cannot_be_is_an_error(self):
        said, _ = configured("jwt-alone", "-DTOOLWIRE_HTTP_SERVER=OFF", expected=1)
        self.assertIn("TOOLWIRE_HTTP_JWT is ON, and what it needs was not found", said)

    def test_packages_of_a_package_manager_are_taken_before_the_systems_libraries(self):
        packages, project = WORK / "packages", WORK / "taken"
        for package, target in (("re2", "re2::re2"), ("unofficial-sodium", "unofficial-sodium::sodium"), ("SQLite3", "SQLite::SQLite3")):
            folder = packages / "share" / package
            folder.mkdir(parents=True)
            (folder / f"{package}Config.cmake").write_text(f"add_library({target} INTERFACE IMPORTED)\n")
        project.mkdir()
        (project / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(taken LANGUAGES C CXX)\n"
            f"include({TOP}/framework/cmake/toolwire_dependencies.cmake)\n"
            "foreach(one re2 sodium sqlite3)\n  get_target_property(linked toolwire::${one} INTERFACE_LINK_LIBRARIES)\n"
            '  message(STATUS "${one} is ${linked}")\nendforeach()\n')
        said = run("cmake", "-S", project, "-B", project / "with", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={packages}")
        for words in ("re2 is re2::re2", "sodium is unofficial-sodium::sodium", "sqlite3 is SQLite::SQLite3"):
            self.assertIn(words, said)
        self.assertRegex(run("cmake", "-S", project, "-B", project / "without", "-G", "Ninja"), r"re2 is /\S+libre2\.(so|a)")


class Vcpkg(unittest.TestCase):
    def setUp(self):
        self.about = json.loads((PORT / "vcpkg.json").read_text())

    def test_the_manifest_says_what_vcpkg_asks_for(self):
        self.assertRegex(self.about["name"], r"^[a-z0-9]+(-[a-z0-9]+)*$")
        self.assertEqual(self.about["version"], version())
        self.assertEqual(set(self.about["features"]), set(PARTS))
        self.assertLessEqual(set(self.about["default-features"]), set(self.about["features"]))
        known = {"name", "version", "description", "license", "supports", "dependencies", "default-features", "features"}
        self.assertLessEqual(set(self.about), known)
        for feature in self.about["features"].values():
            self.assertEqual(set(feature), {"description", "dependencies"})

    def test_the_portfile_builds_the_library_and_installs_what_it_says(self):
        folder = WORK / "port"
        folder.mkdir()
        script = STAND_INS
        for name, value in (("PACKAGES", folder / "packages"), ("RECORD", folder / "record"), ("PORT", PORT)):
            script = script.replace(f"@{name}@", str(value))
        (folder / "run.cmake").write_text(script)
        run("cmake", "-P", folder / "run.cmake")
        calls = [line.split("|") for line in (folder / "record").read_text().splitlines()]
        self.assertEqual(calls[1][1:], [word for part in PARTS for word in (part, f"TOOLWIRE_{part.upper().replace('-', '_')}")])
        self.assertEqual(calls[2], ["vcpkg_cmake_configure", "SOURCE_PATH", str(LIBRARY), "OPTIONS", "-DTOOLWIRE_HTTP_SERVER=ON"])
        self.assertEqual([call[0] for call in calls[3:]], ["vcpkg_cmake_install", "vcpkg_cmake_config_fixup", "vcpkg_install_copyright"])
        self.assertTrue(Path(calls[-1][-1]).is_file())
        self.assertTrue((folder / "packages/share/toolwire/usage").is_file())


class Options(dict):
    """As a recipe reads its options: by attribute and by name."""
    __getattr__ = dict.__getitem__

    def get_safe(self, name):
        return self.get(name)


def stand_in_for_conan(calls: list) -> None:
    """Modules with the names that recipes import; what is called is recorded."""
    class CMake:
        def __init__(self, recipe):
            pass

        def configure(self, **given):
            calls.append(("configure", given))

        def build(self):
            calls.append(("build", {}))

        def install(self):
            calls.append(("install", {}))

    class CMakeToolchain:
        def __init__(self, recipe):
            self.cache_variables = {}

        def generate(self):
            calls.append(("toolchain", dict(self.cache_variables)))

    class CMakeDeps(CMakeToolchain):
        def generate(self):
            calls.append(("dependencies", {}))

    def copied(recipe, pattern, source, target):
        calls.append(("copy", {"pattern": pattern, "source": source, "found": sorted(Path(source).glob(pattern))}))

    contents = {
        "conan": {"ConanFile": type("ConanFile", (), {})},
        "conan.errors": {"ConanInvalidConfiguration": type("ConanInvalidConfiguration", (Exception,), {})},
        "conan.tools": {}, "conan.tools.build": {"check_min_cppstd": lambda recipe, standard: calls.append(("standard", {"is": standard}))},
        "conan.tools.cmake": {"CMake": CMake, "CMakeToolchain": CMakeToolchain, "CMakeDeps": CMakeDeps,
                              "cmake_layout": lambda recipe, **given: calls.append(("layout", given))},
        "conan.tools.files": {"copy": copied, "load": lambda recipe, path: Path(path).read_text()},
    }
    for name, members in contents.items():
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(members)


class Conan(unittest.TestCase):
    def setUp(self):
        self.calls: list = []
        stand_in_for_conan(self.calls)
        spec = importlib.util.spec_from_file_location("conanfile", RECIPE)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        self.recipe = module.ToolwireConan()
        self.recipe.recipe_folder = str(RECIPE.parent)
        for folder in ("source_folder", "package_folder", "export_sources_folder"):
            setattr(self.recipe, folder, str(TOP if folder == "source_folder" else WORK))
        self.recipe.options = Options(self.recipe.default_options)
        self.recipe.settings = Options(os="Linux")
        self.required: list[str] = []
        self.recipe.requires = lambda reference, **given: self.required.append(reference.split("/")[0])

    def test_its_version_is_the_projects(self):
        self.recipe.set_version()
        self.assertEqual(self.recipe.version, version())

    def test_it_takes_the_sources_and_the_licence_along(self):
        self.recipe.export_sources()
        for _, given in self.calls:
            self.assertTrue(given["found"], given)
        self.assertEqual(os.path.realpath(self.calls[0][1]["source"]), str(TOP))

    def test_it_builds_the_library_with_the_parts_that_are_asked_for(self):
        self.recipe.generate()
        self.recipe.build()
        self.recipe.package()
        self.assertEqual(self.calls[0], ("toolchain", {"TOOLWIRE_HTTP_SERVER": True, "TOOLWIRE_HTTP_JWT": False,
                                                       "TOOLWIRE_HTTP_CLIENT": False, "TOOLWIRE_SQLITE_TASKS": True}))
        self.assertIn(("configure", {"build_script_folder": str(LIBRARY.relative_to(TOP))}), self.calls)
        self.assertEqual(self.calls[-1][0], "install")

    def test_it_requires_what_vcpkgs_port_does(self):
        self.recipe.options = Options({name: True for name in self.recipe.options})
        self.recipe.requirements()
        self.assertEqual(sorted(self.required), ["boost", "cli11", "fmt", "libcurl", "libsodium", "openssl", "re2", "sqlite3"])
        of_vcpkg = [*self.about_vcpkg()["dependencies"], *(one for feature in self.about_vcpkg()["features"].values()
                                                           for one in feature["dependencies"])]
        names = {one if isinstance(one, str) else one["name"] for one in of_vcpkg} - {"toolwire", "vcpkg-cmake", "vcpkg-cmake-config"}
        self.assertEqual({re.sub("^boost-.*", "boost", name).replace("curl", "libcurl") for name in names}, set(self.required))

    @staticmethod
    def about_vcpkg() -> dict:
        return json.loads((PORT / "vcpkg.json").read_text())

    def test_another_system_and_tokens_without_a_server_are_refused(self):
        refused = sys.modules["conan.errors"].ConanInvalidConfiguration
        self.recipe.settings = Options(os="Windows")
        self.assertRaisesRegex(refused, "for Linux", self.recipe.validate)
        self.recipe.settings = Options(os="Linux")
        self.recipe.options.update(http_jwt=True, http_server=False)
        self.assertRaisesRegex(refused, "http_jwt needs http_server", self.recipe.validate)


if __name__ == "__main__":
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    unittest.main(argv=sys.argv[:1])
