# gelenk_precompiled(TARGET KIND): the target reads the headers that nearly every unit reads (Eigen, fmt, the usual part of
# the standard library) as the compiler left them when it had read them once. KIND is `library`, `light_library`,
# `program` or `test`: what is precompiled is shared by targets with the same flags, and these are not (-fPIC, -fPIE, -O1).
# All but `library` are optimized lightly: nobody waits for the last percent of a message, a drawing or a test. No digit
# depends on it.
#
# What is precompiled is seen by every file of the target, whatever it includes. That a file has all its own includes is
# checked by tools/check_includes.py and by the preset 'lint', which precompiles nothing.
option(GELENK_PRECOMPILED "compile common headers once for all units" ON)

set(GELENK_COMMON_HEADERS <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <optional> <span>
  <string> <string_view> <utility> <vector> <fmt/format.h> <Eigen/Core> <Eigen/Geometry>)

function(gelenk_precompiled target kind)
  set(options "")
  if(NOT kind STREQUAL "library")
    set(options $<$<CONFIG:Release>:-O1>)
  endif()
  if(kind STREQUAL "test")
    list(APPEND options ${GELENK_TEST_OPTIONS})
  endif()
  target_compile_options(${target} PRIVATE ${options})
  if(NOT GELENK_PRECOMPILED)
    return()
  endif()
  set(shared gelenk_${kind}_headers)
  if(NOT TARGET ${shared})
    set(source "${PROJECT_BINARY_DIR}/${shared}.cc")
    file(WRITE "${source}" "// Only the precompiled headers of its target count.\n")
    add_library(${shared} OBJECT EXCLUDE_FROM_ALL "${source}")
    target_compile_options(${shared} PRIVATE ${options})
    if(NOT kind MATCHES "library$")
      set_target_properties(${shared} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_compile_options(${shared} PRIVATE -fPIE)
    endif()
    target_compile_features(${shared} PRIVATE cxx_std_20)
    target_link_libraries(${shared} PRIVATE gelenk_flags Eigen3::Eigen fmt::fmt)
    target_precompile_headers(${shared} PRIVATE ${GELENK_COMMON_HEADERS})
    if(kind STREQUAL "test")
      target_link_libraries(${shared} PRIVATE GTest::gtest GTest::gmock)
      target_precompile_headers(${shared} PRIVATE <gtest/gtest.h> <gmock/gmock.h>)
    endif()
  endif()
  # As fmt's own target says it, also in targets that do not use fmt.
  target_compile_definitions(${target} PRIVATE FMT_SHARED)
  target_precompile_headers(${target} REUSE_FROM ${shared})
endfunction()
