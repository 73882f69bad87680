# Two components. 'runtime' is what ./dev package ships: the program and what it shows its users. 'development' adds
# the libraries, headers and the package that find_package(gelenk) reads.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/gelenk")
set(share_dir "${CMAKE_INSTALL_DATADIR}/gelenk")

get_property(layers GLOBAL PROPERTY GELENK_LAYERS)
list(TRANSFORM layers PREPEND gelenk_ OUTPUT_VARIABLE layer_targets)
install(TARGETS ${layer_targets} EXPORT gelenkTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development
  FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development)
install(EXPORT gelenkTargets NAMESPACE gelenk:: DESTINATION "${package_dir}" COMPONENT development)
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/gelenkConfig.cmake.in" "${PROJECT_BINARY_DIR}/gelenkConfig.cmake"
  INSTALL_DESTINATION "${package_dir}")
# Before 1.0 any minor version may break the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/gelenkConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/gelenkConfig.cmake" "${PROJECT_BINARY_DIR}/gelenkConfigVersion.cmake"
  DESTINATION "${package_dir}" COMPONENT development)

install(TARGETS gelenk RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT runtime)
# People do not call these, so they are not on their path; the program looks for them there.
install(TARGETS gelenk-worker gelenk-cad RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}" COMPONENT runtime)
# What `gelenk seal` packs into components
if(TARGET gelenk-runtime)
  install(TARGETS gelenk-runtime LIBRARY DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}" COMPONENT runtime)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/apps/gelenk-runtime/licenses" DESTINATION "${share_dir}" COMPONENT runtime)
endif()
foreach(folder examples docs)
  if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}")
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}" DESTINATION "${share_dir}" COMPONENT runtime)
  endif()
endforeach()
foreach(file README.md CHANGELOG.md LICENSE)
  if(EXISTS "${PROJECT_SOURCE_DIR}/${file}")
    install(FILES "${PROJECT_SOURCE_DIR}/${file}" DESTINATION "${share_dir}" COMPONENT runtime)
  endif()
endforeach()

# The schema comes from the program itself, so that an installed tree cannot disagree with its reader.
set(schema "${PROJECT_BINARY_DIR}/share/schema/gelenk-model.schema.json")
add_custom_command(OUTPUT "${schema}"
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/share/schema"
  COMMAND gelenk schema > "${schema}"
  DEPENDS gelenk COMMENT "Writing the JSON Schema of the model file" VERBATIM)
add_custom_target(gelenk_schema ALL DEPENDS "${schema}")
install(FILES "${schema}" DESTINATION "${share_dir}/schema" COMPONENT runtime)

# Completions and manual pages come from the program, too, straight into the installation: they cost nothing until
# somebody installs it.
install(CODE "set(program \"$<TARGET_FILE:gelenk>\")
set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}\")" COMPONENT runtime)
install(SCRIPT "${PROJECT_SOURCE_DIR}/cmake/GelenkAnswers.cmake" COMPONENT runtime)
