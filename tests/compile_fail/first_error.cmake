# Compiles FILE with COMMAND (a list), and fails unless its first error holds the regular expression SENTENCE.
execute_process(COMMAND ${COMMAND} "${FILE}" RESULT_VARIABLE status ERROR_VARIABLE messages OUTPUT_QUIET)
if(status EQUAL 0)
  message(FATAL_ERROR "It compiles: ${FILE}")
endif()
string(REGEX MATCH "error: [^\n]*" first "${messages}")
if(NOT first MATCHES "${SENTENCE}")
  message(FATAL_ERROR "The first error is not \"${SENTENCE}\":\n${messages}")
endif()
