# Files compiled together: those of one folder of a target, twelve at a time, are one file to the compiler, which then makes
# what they share once. It takes a third of its time with sanitizers or optimisation. While one works (preset dev) every file
# is compiled alone, which shows what it forgets to include.
#
# Names in unnamed namespaces of one folder must differ then, and a class of a header cannot have a member of such a type; a file
# that keeps to neither, or of which GCC complains then, is listed as apart.
option(TOOLWIRE_JOIN_SOURCES "Compile the files of a folder together: much quicker from nothing, slower after a change" OFF)

# toolwire_join_sources(<target>... [APART <file or folder>...] [TOGETHER <file>...])
# Those that are listed as together are one, whatever their folder: they share something large.
function(toolwire_join_sources)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "APART;TOGETHER")
  if(NOT TOOLWIRE_JOIN_SOURCES)
    return()
  endif()
  foreach(target IN LISTS arg_UNPARSED_ARGUMENTS)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    set(folders "")
    foreach(source IN LISTS sources)
      get_filename_component(folder "${source}" DIRECTORY)
      if(source IN_LIST arg_APART OR folder IN_LIST arg_APART)
        continue()
      endif()
      if(source IN_LIST arg_TOGETHER)
        set_source_files_properties("${source}" PROPERTIES UNITY_GROUP together)
        continue()
      endif()
      set(before ${folders})
      list(FILTER before INCLUDE REGEX "^/${folder}$")
      list(LENGTH before count)
      list(APPEND folders "/${folder}")
      math(EXPR part "${count} / 12")
      set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${folder}/${part}")
    endforeach()
    set_target_properties(${target} PROPERTIES TOOLWIRE_JOINED ON UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endforeach()
endfunction()
