#pragma once

#include <string>
#include <string_view>
#include <vector>

// Files that belong to the program but are not for people to call. installed_file() of platform.h finds them.
namespace gelenk {

struct HelperFile {
  std::string_view name;
  std::string_view purpose;  // "which ..."
  std::string_view loss;     // what does not work without it
};

inline constexpr HelperFile kCadProgram{"gelenk-cad", "reads and writes CAD files",
                                        "no `gelenk import`, no `gelenk export` to .step"};
inline constexpr HelperFile kWorkerProgram{
    "gelenk-worker", "runs sealed components from makers you do not trust",
    "sealed components (.gkc) run only when you trust their maker's key; no `gelenk seal --code`"};
inline constexpr HelperFile kRuntimeLibrary{"gelenk-runtime.so", "is part of every sealed component",
                                            "no `gelenk seal`"};

// Where installed_file() looks, in this order: beside the program, then where the installation puts such files.
std::vector<std::string> installed_places(std::string_view name);

// What to say when a helper is at none of these places.
struct MissingHelper {
  std::string message;  // "gelenk-cad, which reads and writes CAD files, is missing: ..."
  std::string hint;
};
MissingHelper missing_helper(const HelperFile& helper);
// "neither '...' nor '...' is there"
std::string looked_for(std::string_view name);
// What cures it, whichever way this program came here.
inline constexpr std::string_view kMissingHelperCure =
    "built from source: run ./dev build; installed: install Gelenk again, with all its files";

}  // namespace gelenk
