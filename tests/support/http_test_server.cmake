# The HTTP server on bare sockets that tests and fuzz targets of HTTP clients link.
if((TOOLWIRE_BUILD_TESTS OR TOOLWIRE_FUZZ) AND TARGET toolwire_http_client)
  add_library(http_test_server STATIC EXCLUDE_FROM_ALL "${CMAKE_CURRENT_LIST_DIR}/http_test_server.cpp")
  target_link_libraries(http_test_server PRIVATE toolwire_warnings PUBLIC Threads::Threads)
endif()
