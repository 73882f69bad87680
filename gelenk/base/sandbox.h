#pragma once

#include <cstddef>
#include <span>
#include <string>

// What this process gives up for ever, before it runs code that nobody trusts. What is not on the list below kills the
// process; the list has no way to files, to the network, or to other processes.
namespace gelenk {

// First: limits on memory (bytes beyond what is in use now), files and processes, and a filter of system calls that
// lets the loader map these libraries, open files, and no other; two at most. What their constructors can do is in the
// sandbox already. Returns what the system does not offer, or nothing; the limits hold in any case.
std::string enter_loading_sandbox(std::span<const int> libraries, std::size_t memory);

// Second: not even that. To be called when the libraries are loaded. Returns what went wrong, or nothing.
std::string enter_sandbox();

// For a process that reads untrusted files, with code that we trust but that may be led astray: it may open files
// to read, those in these files and folders where the system has Landlock, and write to what is open already; memory
// (bytes beyond what is in use now; 0: any) and the size of what is written are limited. No network, no other program,
// no process. Returns what the system does not offer, or nothing; the rest holds in any case.
std::string enter_reading_sandbox(std::span<const std::string> readable, std::size_t memory);

}  // namespace gelenk
