# An overlay port: the sources are the repository that it stands in.
vcpkg_check_linkage(ONLY_STATIC_LIBRARY)
cmake_path(ABSOLUTE_PATH CMAKE_CURRENT_LIST_DIR NORMALIZE OUTPUT_VARIABLE SOURCE_PATH)
foreach(level RANGE 1 5)
  cmake_path(GET SOURCE_PATH PARENT_PATH SOURCE_PATH)
endforeach()

vcpkg_check_features(OUT_FEATURE_OPTIONS feature_options
  FEATURES
    http-server TOOLWIRE_HTTP_SERVER
    http-jwt TOOLWIRE_HTTP_JWT
    http-client TOOLWIRE_HTTP_CLIENT
    sqlite-tasks TOOLWIRE_SQLITE_TASKS)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}/framework/packaging/library"
  OPTIONS ${feature_options})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME toolwire CONFIG_PATH lib/cmake/toolwire)
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
