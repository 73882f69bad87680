# gelenk_embed(TARGET FUNCTION FOLDER SUFFIX): compiles every FOLDER/*SUFFIX into TARGET as a text, in the order of the
# names; gelenk::app::FUNCTION() gives them (apps/gelenk/embedded_text.h). The names stand in the command, so that a file
# that is added, taken away or older than the last build makes a new one.
#
# The same file is the script that writes the source: cmake -D FOLDER= -D SUFFIX= -D NAMES=a,b -D FUNCTION= -D OUTPUT= -P
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(GELENK_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")
  function(gelenk_embed target function folder suffix)
    file(GLOB files CONFIGURE_DEPENDS "${folder}/*${suffix}")
    list(SORT files)
    set(names ${files})
    list(TRANSFORM names REPLACE "^.*/" "")
    list(TRANSFORM names REPLACE "\\${suffix}$" "")
    list(JOIN names "," joined_names)
    set(output "${CMAKE_CURRENT_BINARY_DIR}/embedded_${function}.cc")
    add_custom_command(OUTPUT "${output}"
      COMMAND "${CMAKE_COMMAND}" -D "FOLDER=${folder}" -D "SUFFIX=${suffix}" -D "NAMES=${joined_names}"
        -D "FUNCTION=${function}" -D "OUTPUT=${output}" -P "${GELENK_EMBED_SCRIPT}"
      DEPENDS ${files} "${GELENK_EMBED_SCRIPT}" COMMENT "Embedding ${function}" VERBATIM)
    target_sources(${target} PRIVATE "${output}")
  endfunction()
  return()
endif()

string(REPLACE "," ";" names "${NAMES}")
set(rows "")
foreach(name IN LISTS names)
  file(READ "${FOLDER}/${name}${SUFFIX}" content)
  string(APPEND rows "    {\"${name}\", R\"EMBEDDED(${content})EMBEDDED\"},\n")
endforeach()
list(LENGTH names count)
# The last row keeps the array from being empty.
file(WRITE "${OUTPUT}" "#include \"apps/gelenk/embedded_text.h\"

namespace gelenk::app {
namespace {

constexpr EmbeddedText kTexts[] = {
${rows}    {},
};

}  // namespace

std::span<const EmbeddedText> ${FUNCTION}() { return std::span(kTexts).first(${count}); }

}  // namespace gelenk::app
")
