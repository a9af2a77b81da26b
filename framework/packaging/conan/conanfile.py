"""A recipe for Conan 2: `conan create framework/packaging/conan`. The sources are the repository that it stands in."""

import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

required_conan_version = ">=2.0"
LIBRARY = os.path.join("framework", "packaging", "library")
PARTS = ("http_server", "http_jwt", "http_client", "sqlite_tasks")


class ToolwireConan(ConanFile):
    name = "toolwire"
    description = "Offer tools of C++ programs to AI agents over the Model Context Protocol"
    license = "MIT"
    topics = ("mcp", "model-context-protocol", "ai", "agents", "json-schema")
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"fPIC": [True, False], **{part: [True, False] for part in PARTS}}
    default_options = {"fPIC": True, "http_server": True, "http_jwt": False, "http_client": False, "sqlite_tasks": True}

    def _repository(self):
        return os.path.normpath(os.path.join(self.recipe_folder, "..", "..", ".."))

    def set_version(self):
        text = load(self, os.path.join(self._repository(), "CMakeLists.txt"))
        self.version = re.search(r"project\(toolwire VERSION ([0-9.]+)", text)[1]

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "framework/*"):
            copy(self, pattern, self._repository(), self.export_sources_folder)

    def layout(self):
        cmake_layout(self, src_folder=".")

    def requirements(self):
        self.requires("boost/[>=1.81 <2]", transitive_headers=True, transitive_libs=True)
        self.requires("re2/[>=20220601]", transitive_libs=True)
        self.requires("libsodium/[>=1.0.18 <2]", transitive_libs=True)
        self.requires("fmt/[>=9 <13]", visible=False)
        self.requires("cli11/[>=2.1.2 <3]", visible=False)
        # Of these two only headers are used: what is loaded is the system's.
        if self.options.http_jwt:
            self.requires("openssl/[>=3 <4]", visible=False)
        if self.options.http_client:
            self.requires("libcurl/[>=7.88 <9]", visible=False)
        if self.options.sqlite_tasks:
            self.requires("sqlite3/[>=3.40 <4]", transitive_libs=True)

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("toolwire is for Linux")
        if self.options.http_jwt and not self.options.http_server:
            raise ConanInvalidConfiguration("http_jwt needs http_server")
        check_min_cppstd(self, 20)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in PARTS:
            toolchain.cache_variables[f"TOOLWIRE_{part.upper()}"] = bool(self.options.get_safe(part))
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure(build_script_folder=LIBRARY)
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        """find_package(toolwire) finds the package's own files, which say what is linked."""
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "toolwire")]
