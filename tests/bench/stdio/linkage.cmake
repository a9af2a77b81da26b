# The release preset links our server without any shared library. The same server with a shared C library, and with every
# library shared, to see what each costs at its start.
if(NOT TOOLWIRE_STATIC_DEPENDENCIES)
  return()
endif()
toolwire_fully_static(toolwire-echo)

add_executable(toolwire-echo-shared-libc toolwire_echo.cpp)
target_link_libraries(toolwire-echo-shared-libc PRIVATE toolwire::toolwire toolwire_warnings)

# By name, and so as shared libraries where the machine has these.
add_executable(toolwire-echo-shared toolwire_echo.cpp)
target_include_directories(toolwire-echo-shared
  PRIVATE $<TARGET_PROPERTY:toolwire::toolwire,INTERFACE_INCLUDE_DIRECTORIES>)
target_link_libraries(toolwire-echo-shared
  PRIVATE $<TARGET_FILE:toolwire::toolwire> boost_json re2 sodium Threads::Threads toolwire_warnings)
get_target_property(options toolwire-echo-shared LINK_OPTIONS)
list(REMOVE_ITEM options -static-libstdc++ -static-libgcc)
set_target_properties(toolwire-echo-shared PROPERTIES LINK_OPTIONS "${options}")
add_dependencies(toolwire-bench-lines toolwire-echo-shared-libc toolwire-echo-shared)
