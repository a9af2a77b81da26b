# The server the wire, process and fuzz tests speak to, as a library and as a program; see fixture_server.hpp.
add_library(fixture_server STATIC EXCLUDE_FROM_ALL
  "${CMAKE_CURRENT_LIST_DIR}/conversation.cpp"
  "${CMAKE_CURRENT_LIST_DIR}/fixture_question_tools.cpp"
  "${CMAKE_CURRENT_LIST_DIR}/fixture_client_tools.cpp"
  "${CMAKE_CURRENT_LIST_DIR}/fixture_failing_tools.cpp"
  "${CMAKE_CURRENT_LIST_DIR}/fixture_flow_tools.cpp"
  "${CMAKE_CURRENT_LIST_DIR}/fixture_options.cpp"
  "${CMAKE_CURRENT_LIST_DIR}/fixture_plain_tools.cpp"
  "${CMAKE_CURRENT_LIST_DIR}/fixture_process_tools.cpp"
  "${CMAKE_CURRENT_LIST_DIR}/fixture_prompts.cpp"
  "${CMAKE_CURRENT_LIST_DIR}/fixture_resources.cpp"
  "${CMAKE_CURRENT_LIST_DIR}/fixture_server.cpp"
  "${CMAKE_CURRENT_LIST_DIR}/fixture_tasks.cpp"
  "${CMAKE_CURRENT_LIST_DIR}/json_match.cpp")
target_link_libraries(fixture_server PUBLIC toolwire_test_settings)
if(TARGET toolwire_sqlite_tasks)
  target_link_libraries(fixture_server PUBLIC toolwire_sqlite_tasks)
  target_compile_definitions(fixture_server PRIVATE TOOLWIRE_HAS_SQLITE_TASKS)
endif()
toolwire_share_precompiled_headers(toolwire_program_headers fixture_server)

if(TOOLWIRE_BUILD_TESTS)
  add_executable(fixture_server_program "${CMAKE_CURRENT_LIST_DIR}/fixture_server_main.cpp")
  target_link_libraries(fixture_server_program PRIVATE fixture_server)
  toolwire_share_precompiled_headers(toolwire_program_headers fixture_server_program)

  add_library(task_store_cases STATIC EXCLUDE_FROM_ALL "${CMAKE_CURRENT_LIST_DIR}/task_store_cases.cpp")
  target_link_libraries(task_store_cases PUBLIC toolwire_test_settings toolwire_boost_test_library)
  add_library(store_cases STATIC EXCLUDE_FROM_ALL "${CMAKE_CURRENT_LIST_DIR}/store_cases.cpp")
  target_link_libraries(store_cases PUBLIC toolwire_test_settings toolwire_boost_test_library)
  add_library(event_bus_cases STATIC EXCLUDE_FROM_ALL "${CMAKE_CURRENT_LIST_DIR}/event_bus_cases.cpp")
  target_link_libraries(event_bus_cases PUBLIC toolwire_test_settings toolwire_boost_test_library)

  add_library(wire_transcripts STATIC EXCLUDE_FROM_ALL
    "${CMAKE_CURRENT_LIST_DIR}/../wire/judged_dialogue.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/../wire/message_schema.cpp" "${CMAKE_CURRENT_LIST_DIR}/../wire/transcript.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/../wire/transcript_files.cpp")
  target_link_libraries(wire_transcripts PUBLIC fixture_server toolwire_boost_test_library)

  if(TARGET toolwire_bridge)
    add_library(bridge_fixture STATIC EXCLUDE_FROM_ALL "${CMAKE_CURRENT_LIST_DIR}/bridge_fixture.cpp")
    target_link_libraries(bridge_fixture PUBLIC fixture_server toolwire_bridge toolwire_boost_test_library)
  endif()
endif()
