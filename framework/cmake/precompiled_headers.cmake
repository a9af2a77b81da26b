# Precompiled headers: those of the standard library and of Boost.JSON, which nearly every file includes and which never
# change between two builds. None of this repository's own: changing one would compile everything again.
#
# They save a third to a half of the compiler's time. Every file still includes what it uses; the test
# public_headers_alone compiles without them.
option(TOOLWIRE_PRECOMPILED_HEADERS "Compile large headers of other libraries once for many files" ${PROJECT_IS_TOP_LEVEL})

# A property, for folders beside this one do not see its variables.
set_property(GLOBAL PROPERTY toolwire_precompiled_headers
  <algorithm> <array> <atomic> <charconv> <chrono> <condition_variable> <deque> <exception> <filesystem> <fstream> <functional>
  <future> <iterator> <limits> <map> <memory> <mutex> <optional> <set> <span> <stdexcept> <stop_token> <string> <string_view>
  <system_error> <thread> <unordered_map> <utility> <variant> <vector> <boost/json.hpp>)

# ccache sees through a precompiled header of GCC only when the preprocessor leaves it a line that names it, and gives a
# stored one of clang only when that has no time in it. GCC collects garbage from 128 MB on, which these headers fill alone.
if(TOOLWIRE_PRECOMPILED_HEADERS)
  add_compile_options(
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess;--param=ggc-min-heapsize=600000>"
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endif()

# Makes <target> the owner of a precompiled header of its own; more arguments are headers that it has besides.
function(toolwire_own_precompiled_headers target)
  if(TOOLWIRE_PRECOMPILED_HEADERS)
    get_property(headers GLOBAL PROPERTY toolwire_precompiled_headers)
    target_precompile_headers(${target} PRIVATE ${headers} ${ARGN})
  endif()
endfunction()

# The targets after <owner>, compiled with the same options as it, take those of <owner>.
function(toolwire_share_precompiled_headers owner)
  if(TOOLWIRE_PRECOMPILED_HEADERS)
    foreach(target IN LISTS ARGN)
      target_precompile_headers(${target} REUSE_FROM ${owner})
    endforeach()
  endif()
endfunction()
