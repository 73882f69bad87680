#include "gelenk/cad/opencascade_guard.h"

#include <fmt/format.h>

#include <Message.hxx>
#include <Message_PrinterOStream.hxx>
#include <Standard_Failure.hxx>
#include <Standard_OutOfMemory.hxx>
#include <new>

#include "gelenk/base/text.h"

namespace gelenk::cad {

void guarded(const std::string& path, std::string& error, const std::function<void()>& work, std::string_view verb) {
  Message::DefaultMessenger()->RemovePrinters(STANDARD_TYPE(Message_PrinterOStream));
  const auto say_no_memory = [&] { error = fmt::format("{} needs more memory than is allowed", shown(path)); };
  try {
    work();
  } catch (const Standard_OutOfMemory&) {
    say_no_memory();
  } catch (const Standard_Failure& failure) {
    error = fmt::format("OpenCASCADE cannot {} {}: {}", verb, shown(path), failure.DynamicType()->Name());
  } catch (const std::bad_alloc&) {
    say_no_memory();
  }
}

}  // namespace gelenk::cad
