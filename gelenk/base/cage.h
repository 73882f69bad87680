#pragma once

#include <cstddef>
#include <span>
#include <string>

// What this process gives up for ever, before it runs code that nobody trusts. What is not on the list below kills the
// process; the list has no way to files, to the network, or to other processes.
namespace gelenk {

// First: limits on memory (bytes beyond what is in use now), files and processes, and a filter of system calls that
// lets the loader map these libraries, open files, and no other; two at most. What their constructors can do is in the
// cage already. Returns what the system does not offer, or nothing; the limits hold in any case.
std::string enter_loading_cage(std::span<const int> libraries, std::size_t memory);

// Second: not even that. To be called when the libraries are loaded. Returns what went wrong, or nothing.
std::string enter_cage();

}  // namespace gelenk
