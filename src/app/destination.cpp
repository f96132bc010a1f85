// Text to a file or to standard output.
#include "app/destination.hpp"

namespace vecusim {

Destination::Destination(const std::string& file, Console& console) : console_(console) {
  if (file != "-") file_.emplace(file);
}

void Destination::write(const std::function<void(TextStream&)>& produce) {
  TextStream out([this](std::string_view text) {
    if (file_) {
      file_->write(text);
    } else {
      console_.data(text);
    }
  });
  produce(out);
  out.flush();
  if (file_) file_->commit();
}

}  // namespace vecusim
