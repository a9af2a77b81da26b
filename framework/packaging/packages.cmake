# What `cpack` makes of the components that are installed: toolwire-tools (programs), libtoolwire-dev (library) and, where
# there are Redis' and NATS' libraries, toolwire-cluster. See README.md here. The packages of Debian 12 are built on Debian 12, with the preset release.
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
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "libcurl4 (>= 7.88), libssl3 (>= 3.0)")  # which the bridge loads when it needs them
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
set(CPACK_DEBIAN_TOOLWIRE_PACKAGE_SUGGESTS "libssl3 (>= 3.0), libcurl4 (>= 7.88)")  # which programs that check tokens, or reach servers over HTTP, load
set(CPACK_DEBIAN_TOOLWIRE_DESCRIPTION "Registered C++ functions become the tools of a server that AI agents call over
standard streams, Unix sockets or HTTP, in every revision of the protocol.

This package has the static libraries, their headers, and the files for
find_package(toolwire) of CMake.")

if(TARGET toolwire-cluster)
  list(APPEND CPACK_COMPONENTS_ALL cluster)
endif()
set(CPACK_DEBIAN_CLUSTER_PACKAGE_NAME toolwire-cluster)
set(CPACK_DEBIAN_CLUSTER_PACKAGE_SECTION net)
set(CPACK_DEBIAN_CLUSTER_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_CLUSTER_PACKAGE_DEPENDS "libcurl4 (>= 7.88), libssl3 (>= 3.0)")
set(CPACK_DEBIAN_CLUSTER_PACKAGE_RECOMMENDS "toolwire-tools")  # runtimes of tools in Python, logins
set(CPACK_DEBIAN_CLUSTER_PACKAGE_SUGGESTS "redis-server, nats-server, nginx | haproxy")
set(CPACK_DEBIAN_CLUSTER_DESCRIPTION "A bridge that makes programs, services, manifests of tools and other servers
one server, as several replicas behind any balancer, which share what they
have to in Redis, and as workers elsewhere, which they reach over NATS.")

# All that is packed.
add_custom_target(toolwire_packed)
foreach(target IN ITEMS toolwire toolwire_http toolwire_http_server toolwire_http_jwt toolwire_http_client toolwire_sqlite_tasks
                        toolwire-program toolwire-schema toolwire-bridge toolwire-attach toolwire-cluster toolwire-conformance workspace)
  if(TARGET ${target})
    add_dependencies(toolwire_packed ${target})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")  # the map says what is linked
      target_link_options(${target} PRIVATE "LINKER:-Map=$<TARGET_FILE:${target}>.map")
    endif()
  endif()
endforeach()

include("${CMAKE_CURRENT_LIST_DIR}/static/static.cmake")

# How the programs are used (manual pages, and what shells offer), and what they are made of. The latter only where dpkg
# knows it: elsewhere the programs can be installed all the same, but no packages of them are made.
find_program(TOOLWIRE_SYSTEM_PYTHON python3 HINTS /usr/bin)
find_program(TOOLWIRE_HELP2MAN help2man)
mark_as_advanced(TOOLWIRE_SYSTEM_PYTHON TOOLWIRE_HELP2MAN)
foreach(pair IN ITEMS "tools toolwire-tools" "cluster toolwire-cluster")
  separate_arguments(pair)
  list(POP_FRONT pair component package)
  set(toolwire_describe_use describe_use.py --share "\${root}/share")
  if(TOOLWIRE_HELP2MAN)
    list(APPEND toolwire_describe_use --help2man "${TOOLWIRE_HELP2MAN}")
  endif()
  set(toolwire_describe_parts describe_parts.py --build "${CMAKE_BINARY_DIR}" --out "\${root}/share/doc/${package}")
  foreach(command IN ITEMS toolwire_describe_use toolwire_describe_parts)
    if(component IN_LIST CPACK_COMPONENTS_ALL AND TOOLWIRE_SYSTEM_PYTHON AND
       (command STREQUAL "toolwire_describe_use" OR EXISTS /var/lib/dpkg/info))
      list(POP_FRONT ${command} script)
      list(JOIN ${command} "\" \"" arguments)
      install(CODE "
        set(root \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
        execute_process(COMMAND \"${TOOLWIRE_SYSTEM_PYTHON}\" \"${CMAKE_CURRENT_LIST_DIR}/${script}\" --package ${package}
                                --version ${PROJECT_VERSION} --programs \"\${root}/bin\" \"${arguments}\"
                        COMMAND_ERROR_IS_FATAL ANY)" COMPONENT ${component})
    endif()
  endforeach()
endforeach()

# What Debian's policy asks of each package.
file(MAKE_DIRECTORY "${CPACK_PACKAGE_DIRECTORY}")
execute_process(COMMAND gzip -9nc "${CMAKE_CURRENT_LIST_DIR}/changelog" OUTPUT_FILE "${CPACK_PACKAGE_DIRECTORY}/changelog.gz"
                COMMAND_ERROR_IS_FATAL ANY)
foreach(pair IN ITEMS "tools toolwire-tools" "toolwire libtoolwire-dev" "cluster toolwire-cluster")
  separate_arguments(pair)
  list(POP_FRONT pair component package)
  if(NOT component IN_LIST CPACK_COMPONENTS_ALL)
    continue()
  endif()
  install(FILES "${CMAKE_CURRENT_LIST_DIR}/copyright" DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package}
          COMPONENT ${component})
  install(FILES "${CPACK_PACKAGE_DIRECTORY}/changelog.gz" DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package}
          COMPONENT ${component})
endforeach()
install(FILES "${CMAKE_CURRENT_LIST_DIR}/toolwire-tools.overrides" DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/lintian/overrides
        RENAME toolwire-tools COMPONENT tools)

include(CPack)
