# What `cpack` makes of the components that are installed: toolwire-tools (programs) and libtoolwire-dev (library). See
# README.md here. The packages of Debian 12 are built on Debian 12, with the preset release.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME toolwire)
set(CPACK_PACKAGE_VENDOR "the toolwire authors")
set(CPACK_PACKAGE_CONTACT "the toolwire authors <maintainers@toolwire.dev>")
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_DIRECTORY "${CMAKE_BINARY_DIR}/packages")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL tools toolwire)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_STRIP_FILES ON)

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME toolwire-tools)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "python3")
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "A bridge that makes programs, services, manifests of tools and other servers
one supervised server (toolwire bridge), which all agents of a user can share;
a suite that judges servers (toolwire conformance); a server that reads,
searches and edits the files of a project (workspace); and what enters a
server into the configuration of an agent (toolwire install).")

set(CPACK_DEBIAN_TOOLWIRE_PACKAGE_NAME libtoolwire-dev)
set(CPACK_DEBIAN_TOOLWIRE_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_TOOLWIRE_PACKAGE_DEPENDS
  "libboost-json1.81-dev, libre2-dev, libsodium-dev, libsqlite3-dev, cmake (>= 3.25)")
set(CPACK_DEBIAN_TOOLWIRE_DESCRIPTION "Registered C++ functions become the tools of a server that AI agents call over
standard streams, Unix sockets or HTTP, in every revision of the protocol.

This package has the static libraries, their headers, and the files for
find_package(toolwire) of CMake.")

# All that is packed.
add_custom_target(toolwire_packed)
foreach(target IN ITEMS toolwire toolwire_http toolwire_http_server toolwire_sqlite_tasks toolwire-program toolwire-schema
                        toolwire-bridge toolwire-attach toolwire-conformance workspace)
  if(TARGET ${target})
    add_dependencies(toolwire_packed ${target})
  endif()
endforeach()

# What Debian's policy asks of each package.
file(MAKE_DIRECTORY "${CPACK_PACKAGE_DIRECTORY}")
execute_process(COMMAND gzip -9nc "${CMAKE_CURRENT_LIST_DIR}/changelog" OUTPUT_FILE "${CPACK_PACKAGE_DIRECTORY}/changelog.gz"
                COMMAND_ERROR_IS_FATAL ANY)
foreach(pair IN ITEMS "tools toolwire-tools" "toolwire libtoolwire-dev")
  separate_arguments(pair)
  list(POP_FRONT pair component package)
  install(FILES "${CMAKE_CURRENT_LIST_DIR}/copyright" DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package}
          COMPONENT ${component})
  install(FILES "${CPACK_PACKAGE_DIRECTORY}/changelog.gz" DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package}
          COMPONENT ${component})
endforeach()
install(FILES "${CMAKE_CURRENT_LIST_DIR}/toolwire-tools.overrides" DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/lintian/overrides
        RENAME toolwire-tools COMPONENT tools)


# Manual pages are what the programs say of themselves.
find_program(TOOLWIRE_HELP2MAN help2man)
mark_as_advanced(TOOLWIRE_HELP2MAN)
set(toolwire_man_pages
  "toolwire:servers and hosts of the Model Context Protocol"
  "toolwire-attach:a host's way to a bridge that many share"
  "toolwire-bridge:tools, programs and servers as one MCP server"
  "toolwire-conformance:judges servers of the Model Context Protocol"
  "toolwire-schema:JSON Schema as models are given it"
  "workspace:an MCP server for the files of a project")
if(TOOLWIRE_HELP2MAN)
  foreach(page IN LISTS toolwire_man_pages)
    string(REPLACE ":" ";" page "${page}")
    list(POP_FRONT page program)
    install(CODE "
      set(root \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
      if(EXISTS \"\${root}/bin/${program}\")
        file(MAKE_DIRECTORY \"\${root}/share/man/man1\")
        execute_process(
          COMMAND \"${CMAKE_COMMAND}\" -E env LC_ALL=C.UTF-8 \"${TOOLWIRE_HELP2MAN}\" --locale C.UTF-8
                  --version-string ${PROJECT_VERSION} --no-info --no-discard-stderr --name \"${page}\" \"\${root}/bin/${program}\"
          COMMAND gzip -9n
          OUTPUT_FILE \"\${root}/share/man/man1/${program}.1.gz\" COMMAND_ERROR_IS_FATAL ANY)
      endif()" COMPONENT tools)
  endforeach()
endif()

include(CPack)
