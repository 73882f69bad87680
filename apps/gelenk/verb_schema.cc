#include "apps/gelenk/verb.h"
#include "gelenk/formats/schema.h"

namespace gelenk::app {

Action describe_schema(Options& options) {
  options.details =
      "Editors that know JSON Schema complete and check model files with it. For the YAML extension of VS Code:\n"
      "  gelenk schema > gelenk.schema.json\n"
      "and as the first line of a model:\n"
      "  # yaml-language-server: $schema=gelenk.schema.json\n";
  return [](Console& console) {
    console.out(formats::json_schema());
    return ExitCode::ok;
  };
}

}  // namespace gelenk::app
