#pragma once

namespace gelenk {

// Before the first use of libsodium's random numbers or keys: opens their source and makes them safe in several
// threads. Later calls do nothing.
void prepare_sodium();

}  // namespace gelenk
