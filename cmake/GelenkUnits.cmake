# gelenk_joint_units(TARGET file...): several files are compiled as one unit, so that headers are read and templates
# made once for all of them: a quarter of the time. A file's place depends on its name alone, so a new file moves no
# other one. A file with flags of its own stays alone (CMake sees to it).
#
# In a joint unit a file also sees what the files before it include. That a file has all its own includes is checked by
# tools/check_includes.py and by clang-tidy, which reads each file alone (preset 'lint').
option(GELENK_JOINT_UNITS "compile several files of a target as one unit" ON)
set(GELENK_FILES_IN_A_UNIT 8 CACHE STRING "files in a joint unit, on average")
mark_as_advanced(GELENK_FILES_IN_A_UNIT)

function(gelenk_joint_units target)
  list(LENGTH ARGN count)
  if(NOT GELENK_JOINT_UNITS OR count LESS 2)
    return()
  endif()
  math(EXPR groups "(${count} + ${GELENK_FILES_IN_A_UNIT} - 1) / ${GELENK_FILES_IN_A_UNIT}")
  foreach(file IN LISTS ARGN)
    get_filename_component(name "${file}" NAME_WE)
    string(MD5 hash "${name}")
    string(SUBSTRING "${hash}" 0 6 digits)
    math(EXPR group "0x${digits} % ${groups}")
    set_source_files_properties("${file}" PROPERTIES UNITY_GROUP "${target}_${group}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
