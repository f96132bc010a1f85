// Bytes that report/page.S has put into the program, or into Python's module.
#include "analysis/report_page.hpp"

extern "C" {
extern const char vecusim_report_page[];
extern const char vecusim_report_page_end[];
}

namespace vecusim {

std::string_view report_page() { return {vecusim_report_page, vecusim_report_page_end}; }

}  // namespace vecusim
