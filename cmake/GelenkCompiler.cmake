# One set of flags for every target: results are reproducible bit for bit (no contraction to fused operations, no
# fast-math), warnings are errors in our own code.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Units with precompiled headers are known to the cache by the headers themselves, files of the checkout relative to its
  # folder: another checkout of the same version finds them, too.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
    "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=true "${CCACHE_PROGRAM}")
endif()
# No program holds the path of the folder it was built in: the same version gives the same bytes in every folder.
add_compile_options("-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=")

add_library(gelenk_flags INTERFACE)
target_compile_options(gelenk_flags INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual -Werror
  -ffp-contract=off
  # What nobody calls is left out of programs, also where it shares a unit with what is called.
  -ffunction-sections -fdata-sections
  # For ccache, which must see what a precompiled header holds.
  $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
  # g++ 12 sees overlapping copies in "text" + std::string (its bug 105651), and strings without end in precompiled ones.
  "$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds>")

# address, undefined, thread: comma-separated, as the compiler takes them
set(GELENK_SANITIZE "" CACHE STRING "sanitizers, for example address,undefined")
if(GELENK_SANITIZE)
  add_compile_options(-fsanitize=${GELENK_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  # A third of the time of the compiler: checks before every access, which the address sanitizer sees when it goes wrong.
  # The fuzzers, which clang compiles, keep them.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND GELENK_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize=null,alignment,object-size)
  endif()
  # g++ 12 moves what std::max and its like read through a reference to before the variable's scope begins, and then
  # reports the access that it made itself ("stack-use-after-scope").
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND GELENK_SANITIZE MATCHES "address")
    add_compile_options(-fno-tree-phiprop)
  endif()
  # Behind the instrumentation g++ no longer sees what is set where.
  target_compile_options(gelenk_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  add_link_options(-fsanitize=${GELENK_SANITIZE})
endif()
if(GELENK_FUZZERS)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "GELENK_FUZZERS needs clang, this is ${CMAKE_CXX_COMPILER_ID}; use the preset 'fuzz'")
  endif()
  # Every library reports its coverage to the fuzzer; only the fuzz programs get its main().
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# An installed program finds bundled libraries beside itself, wherever the tree was moved. DT_RPATH, not DT_RUNPATH:
# it also holds for the libraries that the bundled libraries need.
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib")
add_link_options(-Wl,--disable-new-dtags)
if(NOT GELENK_SANITIZE)
  add_link_options(-Wl,--gc-sections)
endif()

# The Python of the tests: the checkout's own environment (./dev setup) before whatever is on the path.
# The one that ./dev setup made counts, even for a build folder that is older.
if(EXISTS "${PROJECT_SOURCE_DIR}/.venv/bin/python3")
  set(GELENK_PYTHON "${PROJECT_SOURCE_DIR}/.venv/bin/python3" CACHE FILEPATH "Python 3 that runs the tests" FORCE)
else()
  find_program(GELENK_PYTHON NAMES python3 DOC "Python 3 that runs the tests")
endif()
