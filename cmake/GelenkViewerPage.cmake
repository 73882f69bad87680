# gelenk_viewer_page(TARGET): builds the page of the folder viewer/ and compiles it into TARGET
# (apps/gelenk/viewer_page.h). The packages that this needs are installed by ./dev setup.
function(gelenk_viewer_page target)
  find_program(GELENK_NODE NAMES node nodejs REQUIRED DOC "Node.js, which builds the page of the viewer")
  mark_as_advanced(GELENK_NODE)
  set(folder "${PROJECT_SOURCE_DIR}/viewer")
  set(vite "${folder}/node_modules/vite/bin/vite.js")
  if(NOT EXISTS "${vite}")
    message(FATAL_ERROR "The packages of the viewer are missing: run ./dev setup, or npm ci in the folder viewer.")
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${folder}/src/*.ts" "${folder}/src/*.css")
  list(FILTER sources EXCLUDE REGEX "\\.test\\.ts$")
  set(page "${CMAKE_CURRENT_BINARY_DIR}/viewer/viewer.html")
  add_custom_command(OUTPUT "${page}"
    COMMAND "${GELENK_NODE}" "${vite}" build --logLevel warn --emptyOutDir --outDir "${CMAKE_CURRENT_BINARY_DIR}/viewer"
    WORKING_DIRECTORY "${folder}"
    DEPENDS ${sources} "${folder}/index.html" "${folder}/package-lock.json" "${folder}/vite.config.ts"
      "${folder}/tsconfig.json"
    COMMENT "Building the page of the viewer" VERBATIM)
  # As bytes, without the way through a literal of a million letters.
  set(source "${CMAKE_CURRENT_BINARY_DIR}/viewer_page.cc")
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT [=[
#include "apps/gelenk/viewer_page.h"

__asm__(
    ".section .rodata\n"
    ".balign 16\n"
    "gelenk_viewer_page_begin:\n"
    ".incbin \"@page@\"\n"
    "gelenk_viewer_page_end:\n"
    ".byte 0\n"
    ".previous\n");

extern "C" const char gelenk_viewer_page_begin[];
extern "C" const char gelenk_viewer_page_end[];

namespace gelenk::app {

std::string_view viewer_page() {
  return {gelenk_viewer_page_begin, static_cast<std::size_t>(gelenk_viewer_page_end - gelenk_viewer_page_begin)};
}

}  // namespace gelenk::app
]=])
  set_source_files_properties("${source}" PROPERTIES OBJECT_DEPENDS "${page}")
  target_sources(${target} PRIVATE "${source}")
endfunction()
