#include "gelenk/cad/trouble.h"

#include <csignal>

#include "gelenk/base/memory_guard.h"
#include "gelenk/base/text.h"
#include "gelenk/cad/file_ending.h"

namespace gelenk::cad {
namespace {

constexpr std::size_t kMegabyte = 1'000'000;

std::string advice_for(const CadTask& task) {
  if (task.verb == "written") return "import the drawings of its parts again, and read the messages about them";
  if (is_urdf_file(task.file)) return "look at this place in the description, or try without its meshes";
  if (is_freecad_file(task.file)) return "recompute and save it in FreeCAD again, or export it from there as STEP";
  return "save it again as AP214 or AP242, or import its sub-assemblies one by one";
}

CadTrouble crash_of(const SandboxedEnd& end, const CadTask& task) {
  const std::string name = signal_name(end.end.signal);
  if (end.end.signal == SIGSYS) {
    return {"its reader made a system call that is not allowed, and was stopped (" + name + ")",
            "do not trust this file"};
  }
  if (end.end.signal == SIGKILL) {
    return {"the system killed its reader (" + name + "), most likely because this computer ran out of memory",
            "close other programs, or import its sub-assemblies one by one"};
  }
  return {"its reader crashed (" + name + ")", advice_for(task)};
}

CadTrouble kind_of_trouble(const SandboxedEnd& end, const CadTask& task) {
  if (!end.reason.empty()) return {"no process can be started for it: " + end.reason, ""};
  if (end.lacked_memory) {
    const std::string limit = memory_limit_hint();
    return {"it needs more memory than is allowed, " + std::to_string(task.memory / kMegabyte) + " MB",
            "give it more: --memory-limit MB" + (limit.empty() ? limit : "; " + limit)};
  }
  if (end.end.signal != 0) return crash_of(end, task);
  if (end.end.exit_code != 0) {
    return {"its reader exited with code " + std::to_string(end.end.exit_code) + " and gave no reason",
            advice_for(task)};
  }
  return {"the answer of its reader was lost", "try again"};
}

std::string cannot(const CadTask& task) { return shown(task.file) + " cannot be " + std::string(task.verb) + ": "; }

}  // namespace

CadTrouble trouble_of(const SandboxedEnd& end, const CadTask& task) {
  CadTrouble trouble = kind_of_trouble(end, task);
  trouble.message = cannot(task) + trouble.message;
  if (!end.place.empty()) trouble.message += ", near " + end.place;
  return trouble;
}

CadTrouble nonsense_from(const CadTask& task) {
  return {cannot(task) + "its reader returned invalid data", "do not trust this file"};
}

}  // namespace gelenk::cad
