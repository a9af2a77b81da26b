# Tests that a suite with sanitizers has nothing to learn from: they are not built there, and run in the suites without.

# They read the sources, and look at no memory but their own.
set(toolwire_tests_of_sources
  http_requirements_test layering_test portability_layer_test project_version_test public_headers_test readme_test)

# No thread but the first runs in them, and no program (strace -f: not one clone), so that there is nothing to race with.
# One that starts a thread fails in the suites without sanitizers (one_thread.cpp), and is to be taken out of this list.
set(toolwire_tests_of_one_thread
  appended_file_test arena_test ask_test bridge_approval_test bridge_back_end_settings_test bridge_bindings_test
  bridge_check_test bridge_commented_json_test bridge_composition_test bridge_configuration_test
  bridge_current_manifest_test bridge_delegation_test bridge_error_tails_test http_addresses_test
  http_bench_judgement_test
  bridge_input_required_test bridge_login_texts_test bridge_manifest_problems_test bridge_manifest_test bridge_mcp_parts_test
  bridge_messages_test bridge_model_formats_test bridge_openapi_test bridge_pinned_tools_test bridge_polling_test
  bridge_preferences_test http_redirect_test bridge_references_test bridge_resolution_test bridge_retrying_test
  bridge_runtime_activity_test bridge_runtime_schedule_test bridge_scenario_cache_test bridge_shown_text_test
  bridge_stricter_confinement_test bridge_supervision_test bridge_templates_test bridge_tool_ranking_test
  bridge_tool_registry_test bridge_types_test client_incoming_test command_line_test completion_test
  conformance_arguments_test conformance_baseline_test conformance_catalogue_test conformance_causes_test
  conformance_comparison_test conformance_fixtures_test conformance_github_report_test conformance_options_test
  conformance_origin_test conformance_probe_test conformance_progress_test conformance_reports_test
  conformance_http_test conformance_safe_text_test conformance_sarif_report_test conformance_security_test conformance_shapes_test
  context_test convert_test describe_test described_outside_test dev_conversation_test
  echo_test folder_events_test
  host_entry_test host_files_test in_seconds_test json_edit_test json_members_test json_test kept_outputs_test
  line_splitter_test lower_test memory_nonces_test memory_test message_test middleware_test named_arguments_test
  names_test nearest_name_test new_file_test number_test outgoing_test pack_arguments_test pack_details_test
  pack_program_file_test pack_rules_test pack_tar_test pack_zip_test pages_test parse_envelope_test parse_test
  plain_message_test plain_reader_test poller_test private_file_test prompt_test question_params_test rate_window_test
  redact_test relocatable_json_test reply_test resource_registry_test revision_test salvage_id_test
  schema_equality_test schema_formats_test schema_hostile_test schema_key_table_test schema_numbers_test schema_of_test
  schema_pattern_test schema_portability_test schema_suite_test schema_test schema_text_length_test schema_uri_test
  standard_codecs_test state_test status_line_test subscriptions_test task_text_test task_values_test text_test texts_test
  timers_test toml_edit_test tool_registry_test tool_text_test trace_context_test trace_lines_test typescript_sdk_test
  uri_template_test value_stack_test workspace_bounded_text_test workspace_credentials_test workspace_edits_test workspace_encoding_test
  workspace_file_parts_test workspace_file_text_test workspace_glob_test workspace_ignore_rules_test
  workspace_listing_test workspace_mover_test workspace_required_text_test workspace_root_test workspace_secrets_test
  workspace_shown_path_test workspace_text_search_test workspace_unified_diff_test workspace_utf8_test
  workspace_walk_test workspace_write_attacks_test write_string_test writer_test)

# They start a program hundreds of times for the first lines it says, which other tests have it say beside its threads.
set(toolwire_tests_of_first_lines bridge_configuration_mistakes_test bridge_host_forms_test bridge_readmes_test)

# Sets <variable> to whether <name> is left out of this build.
function(toolwire_not_sanitized name variable)
  set(${variable} FALSE PARENT_SCOPE)
  if((CMAKE_CXX_FLAGS MATCHES "-fsanitize=" AND name IN_LIST toolwire_tests_of_sources)
     OR (CMAKE_CXX_FLAGS MATCHES "-fsanitize=thread"
         AND (name IN_LIST toolwire_tests_of_one_thread OR name IN_LIST toolwire_tests_of_first_lines)))
    set(${variable} TRUE PARENT_SCOPE)
  endif()
endfunction()
