# Programs that need nothing of a system, for the archive of all of them: `toolwire_static` links them into bin/static from
# the same libraries as the others. Nobody else's target needs it, since it builds libcurl first (curl.sh).
set(toolwire_static_curl "${CMAKE_BINARY_DIR}/static_curl")
find_library(TOOLWIRE_STATIC_CARES NAMES libcares.a)
find_library(TOOLWIRE_STATIC_SSL NAMES libssl.a)
find_library(TOOLWIRE_STATIC_CRYPTO NAMES libcrypto.a)
mark_as_advanced(TOOLWIRE_STATIC_CARES TOOLWIRE_STATIC_SSL TOOLWIRE_STATIC_CRYPTO)
if(NOT TOOLWIRE_STATIC_LIBC OR NOT TOOLWIRE_STATIC_CARES OR NOT TOOLWIRE_STATIC_SSL OR NOT TOOLWIRE_STATIC_CRYPTO)
  message(STATUS "The archive of static programs is left out: it needs the archives of the C library, c-ares and OpenSSL "
    "(Debian: libc6-dev, libc-ares-dev, libssl-dev)")
  return()
endif()

foreach(program IN ITEMS toolwire-program toolwire-schema toolwire-bridge toolwire-attach toolwire-conformance workspace everything)
  if(NOT TARGET ${program})
    message(STATUS "The archive of static programs is left out: ${program}, which is one of them, is not built")
    return()
  endif()
endforeach()

add_custom_command(OUTPUT "${toolwire_static_curl}/libcurl.a"
  COMMAND bash "${CMAKE_CURRENT_LIST_DIR}/curl.sh" "${toolwire_static_curl}"
  DEPENDS "${CMAKE_CURRENT_LIST_DIR}/curl.sh" COMMENT "Building libcurl for static programs" USES_TERMINAL VERBATIM)
add_custom_target(toolwire_static_curl DEPENDS "${toolwire_static_curl}/libcurl.a")
add_custom_target(toolwire_static)

# toolwire_static_program(<target of the usual program> <name> [source of linked libraries...])
# Once more, of the usual program's own files and libraries.
function(toolwire_static_program program name)
  set(target static-${name})
  get_target_property(sources ${program} SOURCES)
  get_target_property(folder ${program} SOURCE_DIR)
  list(TRANSFORM sources PREPEND "${folder}/" REGEX "^[^/]")
  add_executable(${target} EXCLUDE_FROM_ALL ${sources} "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/plain_lookups.cpp" ${ARGN})
  foreach(property IN ITEMS LINK_LIBRARIES INCLUDE_DIRECTORIES COMPILE_DEFINITIONS)
    get_target_property(values ${program} ${property})
    if(values)
      set_property(TARGET ${target} PROPERTY ${property} "${values}")
    endif()
  endforeach()
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/framework/src")
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin/static")
  target_link_options(${target} PRIVATE -static "LINKER:-Map=$<TARGET_FILE:${target}>.map")
  toolwire_share_precompiled_headers(toolwire_program_headers ${target})
  if(ARGN)
    add_dependencies(${target} toolwire_static_curl)
    target_link_libraries(${target} PRIVATE "${toolwire_static_curl}/libcurl.a" "${TOOLWIRE_STATIC_CARES}"
      "${TOOLWIRE_STATIC_SSL}" "${TOOLWIRE_STATIC_CRYPTO}" ZLIB::ZLIB)
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${toolwire_static_curl}/libcurl.a")
  endif()
  add_dependencies(toolwire_static ${target})
endfunction()

find_package(ZLIB REQUIRED)
toolwire_static_program(toolwire-program toolwire)
toolwire_static_program(toolwire-schema toolwire-schema)
toolwire_static_program(toolwire-bridge toolwire-bridge "${CMAKE_CURRENT_LIST_DIR}/linked_curl.cpp" "${CMAKE_CURRENT_LIST_DIR}/linked_crypto.cpp")
toolwire_static_program(everything everything)
# These are static anyway.
add_dependencies(toolwire_static toolwire-attach toolwire-conformance workspace)
