# The HTTP server on bare sockets that tests of the bridge link.
if(TOOLWIRE_BUILD_TESTS AND TARGET toolwire_bridge)
  add_library(http_test_server STATIC "${CMAKE_CURRENT_LIST_DIR}/http_test_server.cpp")
  target_link_libraries(http_test_server PRIVATE toolwire_warnings PUBLIC Threads::Threads)
endif()
