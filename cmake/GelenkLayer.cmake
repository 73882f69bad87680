# gelenk_layer(NAME [INTERNAL] [LIGHT] USES target... [PRIVATE_USES target...]): one static library per folder of gelenk/, one test
# program of its *_test.cc files, one fuzz program for each *_fuzz.cc. The headers are a file set: they are installed,
# and the target all_verify_interface_header_sets compiles each of them alone. An internal layer is not installed. A light
# one computes nothing that takes time: it is compiled with -O1.
function(gelenk_layer name)
  cmake_parse_arguments(ARG "INTERNAL;LIGHT" "" "USES;PRIVATE_USES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" "*.cc")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "*.h")
  set(tests ${sources})
  set(fuzzers ${sources})
  list(FILTER sources EXCLUDE REGEX "(_test|_fuzz|_bench)\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER fuzzers INCLUDE REGEX "_fuzz\\.cc$")

  if(sources)
    add_library(gelenk_${name} STATIC ${sources})
    gelenk_joint_units(gelenk_${name} ${sources})
    if(ARG_LIGHT)
      gelenk_precompiled(gelenk_${name} light_library)
    else()
      gelenk_precompiled(gelenk_${name} library)
    endif()
    set(scope PUBLIC)
    target_link_libraries(gelenk_${name} PRIVATE ${ARG_PRIVATE_USES} $<BUILD_INTERFACE:gelenk_flags>)
  else()
    add_library(gelenk_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(gelenk::${name} ALIAS gelenk_${name})
  set_target_properties(gelenk_${name} PROPERTIES EXPORT_NAME ${name} VERIFY_INTERFACE_HEADER_SETS ON)
  target_sources(gelenk_${name} ${scope} FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${headers})
  target_compile_features(gelenk_${name} ${scope} cxx_std_20)
  target_link_libraries(gelenk_${name} ${scope} ${ARG_USES})
  if(NOT ARG_INTERNAL)
    set_property(GLOBAL APPEND PROPERTY GELENK_LAYERS ${name})
  endif()

  if(GELENK_TESTS AND tests)
    gelenk_test_program(${name} SOURCES ${tests} USES gelenk::${name})
  endif()
  if(GELENK_FUZZERS)
    gelenk_fuzz_programs(${name} ${fuzzers})
  elseif(GELENK_TESTS AND GELENK_SANITIZE)
    gelenk_replay_programs(${name} ${fuzzers})
  endif()
endfunction()

set(GELENK_TEST_OPTIONS "")
# Scopes of variables are watched in the product, not in the tests: that alone is a quarter of their build time.
if(GELENK_SANITIZE MATCHES "address")
  list(APPEND GELENK_TEST_OPTIONS -fno-sanitize-address-use-after-scope)
endif()

# gelenk_test_program(NAME SOURCES file... USES target...): a GoogleTest program NAME_test; its cases are known to
# ctest as NAME.Suite.Case. A sanitized program takes longer to start and to look for leaks than most of its cases: there
# ctest knows parts of it, NAME.part_0 and so on, of about GELENK_CASES_IN_A_PART cases, each in one process.
set(GELENK_CASES_IN_A_PART 40 CACHE STRING "cases of a sanitized test program that run in one process")
mark_as_advanced(GELENK_CASES_IN_A_PART)

function(gelenk_test_program name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES" ${ARGN})
  add_executable(${name}_test ${ARG_SOURCES})
  gelenk_joint_units(${name}_test ${ARG_SOURCES})
  gelenk_precompiled(${name}_test test)
  target_link_libraries(${name}_test PRIVATE
    ${ARG_USES} gelenk_flags GTest::gtest GTest::gmock GTest::gtest_main)
  set(environment "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/leaks_of_others.txt:print_suppressions=0")
  if(GELENK_SANITIZE)
    gelenk_test_parts(${name} "${environment}" ${ARG_SOURCES})
  else()
    gtest_discover_tests(${name}_test TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300
      ENVIRONMENT "${environment}")
  endif()
endfunction()

# gelenk_test_parts(NAME ENVIRONMENT file...): as many parts as the sources have cases for.
function(gelenk_test_parts name environment)
  set(cases 0)
  foreach(source IN LISTS ARGN)
    file(STRINGS "${source}" lines REGEX "^(TYPED_)?TEST(_[FP])?\\(")
    list(LENGTH lines count)
    math(EXPR cases "${cases} + ${count}")
  endforeach()
  math(EXPR parts "(${cases} + ${GELENK_CASES_IN_A_PART} - 1) / ${GELENK_CASES_IN_A_PART}")
  if(parts LESS 1)
    set(parts 1)
  endif()
  math(EXPR last "${parts} - 1")
  foreach(part RANGE ${last})
    add_test(NAME ${name}.part_${part} COMMAND ${name}_test)
    set_tests_properties(${name}.part_${part} PROPERTIES TIMEOUT 900
      ENVIRONMENT "${environment};GTEST_TOTAL_SHARDS=${parts};GTEST_SHARD_INDEX=${part};GTEST_BRIEF=1")
  endforeach()
endfunction()

# gelenk_source_folder(TARGET): test::source_folder() in the target.
function(gelenk_source_folder target)
  set(source "${PROJECT_SOURCE_DIR}/tests/support/source_folder.cc")
  target_sources(${target} PRIVATE "${source}")
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
  set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
    COMPILE_DEFINITIONS "GELENK_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\"")
endfunction()

# gelenk_fuzz_programs(LAYER file...): every file becomes a libFuzzer program in fuzz/, built by the target 'fuzzers'.
function(gelenk_fuzz_programs layer)
  if(NOT TARGET fuzzers)
    add_custom_target(fuzzers)
  endif()
  foreach(source IN LISTS ARGN)
    get_filename_component(program "${source}" NAME_WE)
    add_executable(${program} EXCLUDE_FROM_ALL ${source})
    target_link_libraries(${program} PRIVATE gelenk::${layer} gelenk_flags)
    target_link_options(${program} PRIVATE -fsanitize=fuzzer)
    set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
    add_dependencies(fuzzers ${program})
  endforeach()
endfunction()

# gelenk_replay_programs(LAYER file...): every fuzz target once more, without libFuzzer, as the test fuzz.NAME: the seeds of
# tests/fuzz/NAME and altered copies of them. Costs a unit each where the fuzzers want a build of everything by clang.
function(gelenk_replay_programs layer)
  foreach(source IN LISTS ARGN)
    get_filename_component(target "${source}" NAME_WE)
    string(REGEX REPLACE "_fuzz$" "" name "${target}")
    add_executable(${name}_replay ${source} "${PROJECT_SOURCE_DIR}/tests/fuzz/replay_main.cc")
    target_link_libraries(${name}_replay PRIVATE gelenk::${layer} gelenk_flags)
    add_test(NAME fuzz.${name} COMMAND ${name}_replay "${PROJECT_SOURCE_DIR}/tests/fuzz/${name}")
    set_tests_properties(fuzz.${name} PROPERTIES TIMEOUT 300)
  endforeach()
endfunction()
