# Finds what the library is built on. Read twice: by framework/CMakeLists.txt and, installed, by find_package(toolwire).
# Defines toolwire::re2 and toolwire::sodium, and toolwire::sqlite3 where there is one, for none of them ships a CMake
# package on Debian 12. Static libraries where TOOLWIRE_STATIC_DEPENDENCIES is ON.

# With OPTIONAL the target is left out where the library is missing. PACKAGES are pairs: a CMake package, and the target in
# it. Package managers bring such ones (vcpkg, Conan), which know what is linked beside them and whether they are static.
function(toolwire_find_library target library header)
  cmake_parse_arguments(PARSE_ARGV 3 given "OPTIONAL" "" "PACKAGES")
  if(TARGET ${target})
    return()
  endif()
  while(given_PACKAGES)
    list(POP_FRONT given_PACKAGES package packaged)
    find_package(${package} CONFIG QUIET GLOBAL)
    if(TARGET ${packaged})
      add_library(${target} INTERFACE IMPORTED GLOBAL)
      target_link_libraries(${target} INTERFACE ${packaged})
      return()
    endif()
  endwhile()
  set(names ${library})
  set(found TOOLWIRE_${library}_LIBRARY)
  if(TOOLWIRE_STATIC_DEPENDENCIES)
    set(names lib${library}.a)
    set(found TOOLWIRE_${library}_STATIC_LIBRARY)  # another one, as a cache may have both choices after each other
  endif()
  find_library(${found} NAMES ${names})
  find_path(TOOLWIRE_${library}_INCLUDE_DIR NAMES ${header})
  mark_as_advanced(${found} TOOLWIRE_${library}_INCLUDE_DIR)
  if(NOT ${found} OR NOT TOOLWIRE_${library}_INCLUDE_DIR)
    if(NOT given_OPTIONAL)
      message(FATAL_ERROR "toolwire needs ${names} and <${header}> (Debian: lib${library}-dev)")
    endif()
    return()
  endif()
  find_package(Threads REQUIRED GLOBAL)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} INTERFACE "${TOOLWIRE_${library}_INCLUDE_DIR}")
  target_link_libraries(${target} INTERFACE "${${found}}" Threads::Threads ${CMAKE_DL_LIBS})
endfunction()

function(toolwire_find_dependencies)
  set(Boost_USE_STATIC_LIBS ${TOOLWIRE_STATIC_DEPENDENCIES})
  find_package(Boost 1.81 REQUIRED CONFIG GLOBAL COMPONENTS headers json)
  find_package(Threads REQUIRED GLOBAL)
  toolwire_find_library(toolwire::re2 re2 re2/re2.h PACKAGES re2 re2::re2)
  toolwire_find_library(toolwire::sodium sodium sodium.h
    PACKAGES unofficial-sodium unofficial-sodium::sodium libsodium libsodium::libsodium)
  toolwire_find_library(toolwire::sqlite3 sqlite3 sqlite3.h OPTIONAL
    PACKAGES unofficial-sqlite3 unofficial::sqlite3::sqlite3 SQLite3 SQLite::SQLite3)
endfunction()
toolwire_find_dependencies()
