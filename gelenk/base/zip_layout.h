#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gelenk {

// What an archive of ordinary files is made of, byte by byte.
struct ZipLayout {
  std::size_t files = 0;
  std::string problem;  // empty: there is none
};

// Looks whether everybody finds the same files in an archive: who reads the directory at its end, who reads from the
// beginning, and who looks for signatures. So its bytes are the files one after the other from the first byte on, in
// the order of the directory, then the directory, then its end; both headers of a file say the same; nothing overlaps,
// nothing lies between, before or after, and nothing gives a second name or size. What is in the files is not looked
// at. A comment at the end is the only thing that some programs, FreeCAD for one, cannot leave out.
ZipLayout zip_layout(std::string_view bytes, bool allows_comment);

}  // namespace gelenk
