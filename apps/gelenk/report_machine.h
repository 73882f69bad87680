#pragma once

#include "gelenk/export/report_page.h"
#include "gelenk/results/reader.h"

namespace gelenk::app {

// Builds the machine of a run again, for its parameters and its pictures. What cannot be had is said in the notes: a
// report without a picture is better than none.
exporting::ReportMachine report_machine(const results::Reader& reader, const exporting::RunDigest& digest,
                                        bool si_units);

}  // namespace gelenk::app
