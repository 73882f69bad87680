#pragma once

#include <string>

// What must still be there after the machine lost its power.
namespace gelenk {

// Puts the bytes in the place of the file: into a new file of the same folder, onto the disk, and renamed only then, so
// that the old or the new content is there at any time, and the new one for good when this returns. Returns what went
// wrong, as a sentence that names the file, or nothing; then nothing is left behind and the old file is as it was.
std::string write_durably(const std::string& path, const std::string& bytes);

// Waits until everything that any program has written into the file is on the disk. Returns as write_durably() does.
std::string sync_file(const std::string& path);

}  // namespace gelenk
