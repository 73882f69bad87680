#include "gelenk/cad/trouble.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

namespace gelenk::cad::trouble_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

SandboxedEnd ended_by(int signal) {
  SandboxedEnd end;
  end.end.signal = signal;
  return end;
}

CadTask importing(const std::string& file) { return {file, "imported", 4'000'000'000}; }

TEST(CadTrouble, ACrashNamesFileSignalAndPlace) {
  SandboxedEnd end = ended_by(SIGSEGV);
  end.place = "#843 = ADVANCED_FACE";
  const CadTrouble trouble = trouble_of(end, importing("a.step"));
  EXPECT_EQ(trouble.message, "'a.step' cannot be imported: its reader crashed (SIGSEGV), near #843 = ADVANCED_FACE");
  EXPECT_THAT(trouble.hint, HasSubstr("AP242"));
}

TEST(CadTrouble, TheHintFitsTheFile) {
  EXPECT_THAT(trouble_of(ended_by(SIGABRT), importing("a.FCStd")).hint, HasSubstr("FreeCAD"));
  EXPECT_THAT(trouble_of(ended_by(SIGABRT), importing("a.urdf")).hint, HasSubstr("meshes"));
  EXPECT_THAT(trouble_of(ended_by(SIGABRT), {"a.step", "written"}).hint, HasSubstr("import the drawings"));
}

TEST(CadTrouble, OtherEnds) {
  EXPECT_THAT(trouble_of(ended_by(SIGSYS), importing("a.step")).message, HasSubstr("is not allowed"));
  EXPECT_THAT(trouble_of(ended_by(SIGKILL), importing("a.step")).message, HasSubstr("ran out of memory"));
  SandboxedEnd end = ended_by(SIGSEGV);
  end.lacked_memory = true;
  EXPECT_THAT(trouble_of(end, importing("a.step")).message, HasSubstr("more memory than is allowed, 4000 MB"));
  EXPECT_THAT(trouble_of(end, importing("a.step")).hint, HasSubstr("--memory-limit"));
  SandboxedEnd code;
  code.end.exit_code = 1;
  EXPECT_THAT(trouble_of(code, importing("a.step")).message, HasSubstr("exited with code 1 and gave no reason"));
  SandboxedEnd none;
  none.reason = "Resource temporarily unavailable";
  EXPECT_THAT(trouble_of(none, importing("a.step")).message, HasSubstr("no process can be started for it: Resource"));
  EXPECT_THAT(nonsense_from(importing("a.step")).message, StartsWith("'a.step' cannot be imported: "));
}

}  // namespace
}  // namespace gelenk::cad::trouble_test
