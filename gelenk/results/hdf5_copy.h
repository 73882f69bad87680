#pragma once

namespace gelenk::results::hdf5 {

// To be called in a copy of this process, made by a thread that held a Lock. It has one thread, and the mutex still
// belongs to the one that made it, which is not there: from now on a Lock locks nothing.
void be_alone();

}  // namespace gelenk::results::hdf5
