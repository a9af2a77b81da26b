# Files compiled together: those of one folder of a target, twelve at a time, are one file to the compiler, which then makes
# what they share once. It takes a third of its time with sanitizers or optimisation. While one works (preset dev) every file
# is compiled alone, which shows what it forgets to include. A project that has the library as a part of it compiles it once.
#
# Names in unnamed namespaces of one folder must differ then, and a class of a header cannot have a member of such a type; a file
# that keeps to neither, or of which GCC complains then, is listed as apart.
if(PROJECT_IS_TOP_LEVEL)
  set(toolwire_join_sources OFF)
else()
  set(toolwire_join_sources ON)
endif()
option(TOOLWIRE_JOIN_SOURCES "Compile the files of a folder together: much quicker from nothing, slower after a change"
  ${toolwire_join_sources})

# Gives <target> one file that includes the sources after <group>, in place of them. It names them relative to itself, so that a
# compiler's cache finds in one clone what was made in another; CMake's own unity builds name them from the root.
function(toolwire_write_joined_source target group)
  set(joined "${CMAKE_CURRENT_BINARY_DIR}/${target}_${group}.cpp")
  set(includes "")
  foreach(source IN LISTS ARGN)
    file(RELATIVE_PATH path "${CMAKE_CURRENT_BINARY_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}/${source}")
    string(APPEND includes "#include \"${path}\"\n")
    set_source_files_properties("${source}" PROPERTIES HEADER_FILE_ONLY ON)
  endforeach()
  file(CONFIGURE OUTPUT "${joined}" @ONLY CONTENT "@includes@")
  target_sources(${target} PRIVATE "${joined}")
endfunction()

# toolwire_join_sources(<target>... [APART <file or folder>...] [TOGETHER <file>...])
# Those that are listed as together are one, whatever their folder: they share something large.
function(toolwire_join_sources)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "APART;TOGETHER")
  if(NOT TOOLWIRE_JOIN_SOURCES)
    return()
  endif()
  foreach(target IN LISTS arg_UNPARSED_ARGUMENTS)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "^[^/].*\\.cpp$")  # what the build has made is named from the root
    set(folders "")
    set(groups "")
    foreach(source IN LISTS sources)
      get_filename_component(folder "${source}" DIRECTORY)
      if(source IN_LIST arg_APART OR folder IN_LIST arg_APART)
        continue()
      endif()
      if(source IN_LIST arg_TOGETHER)
        set(group together)
      else()
        set(before ${folders})
        list(FILTER before INCLUDE REGEX "^/${folder}$")
        list(LENGTH before count)
        list(APPEND folders "/${folder}")
        math(EXPR part "${count} / 12")
        string(MAKE_C_IDENTIFIER "${folder}_${part}" group)
      endif()
      list(APPEND groups ${group})
      list(APPEND sources_of_${group} "${source}")
    endforeach()
    list(REMOVE_DUPLICATES groups)
    foreach(group IN LISTS groups)
      toolwire_write_joined_source(${target} ${group} ${sources_of_${group}})
      unset(sources_of_${group})
    endforeach()
    set_target_properties(${target} PROPERTIES TOOLWIRE_JOINED ON)
  endforeach()
endfunction()
