// Destination: where a verb's text goes: a file that is there complete or not at all, or standard output.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "analysis/text_stream.hpp"
#include "app/console.hpp"
#include "system/output_file.hpp"

namespace vecusim {

class Destination {
 public:
  /// `file` "-" is standard output. Throws OutputError if there can be no such file; nothing is written then.
  Destination(const std::string& file, Console& console);

  /// Once. Throws OutputError.
  void write(const std::function<void(TextStream&)>& produce);

 private:
  Console& console_;
  std::optional<OutputFile> file_;
};

}  // namespace vecusim
