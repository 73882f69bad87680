# Run by `cmake --install`: shell completions and manual pages as the program itself gives them, so that what is
# installed cannot disagree with it. Takes ${program} and writes below ${folder}, the share/ of the installation.
macro(ask file)
  get_filename_component(place "${folder}/${file}" DIRECTORY)
  file(MAKE_DIRECTORY "${place}")
  execute_process(COMMAND "${program}" ${ARGN} OUTPUT_FILE "${folder}/${file}" COMMAND_ERROR_IS_FATAL ANY)
  file(CHMOD "${folder}/${file}" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  list(APPEND CMAKE_INSTALL_MANIFEST_FILES "${folder}/${file}")
endmacro()

ask(bash-completion/completions/gelenk completion bash)
ask(zsh/site-functions/_gelenk completion zsh)
ask(fish/vendor_completions.d/gelenk.fish completion fish)

ask(man/man1/gelenk.1 help --man)
execute_process(COMMAND "${program}" help --json OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
string(JSON count LENGTH "${help}" verbs)
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
  string(JSON verb GET "${help}" verbs ${i} name)
  ask(man/man1/gelenk-${verb}.1 help --man ${verb})
endforeach()
