# The server that tests put behind the bridge, a program; and one that starts another as on an older kernel.
if(TOOLWIRE_BUILD_TESTS AND TARGET toolwire_bridge)
  add_executable(mcp_back_end "${CMAKE_CURRENT_LIST_DIR}/mcp_back_end.cpp")
  target_link_libraries(mcp_back_end PRIVATE toolwire::toolwire toolwire_warnings)
  toolwire_share_precompiled_headers(toolwire_program_headers mcp_back_end)
  add_executable(older_kernel "${CMAKE_CURRENT_LIST_DIR}/older_kernel.cpp")
  target_link_libraries(older_kernel PRIVATE toolwire_warnings)
endif()

# process/<name>.cpp of the bridge that starts it.
function(toolwire_mcp_bridge_test name)
  toolwire_bridge_process_test(${name} ${ARGN})
  toolwire_starts(${name} mcp_back_end)
endfunction()
