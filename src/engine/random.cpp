// The generator behind RandomStream; the only file that needs Random123, whose headers pull in all vector intrinsics.
#include "engine/random.hpp"

#include <algorithm>

#include <Random123/philox.h>

namespace vecusim {

void RandomStream::next_block() {
  const r123::Philox4x32::ctr_type counter = {
      {static_cast<std::uint32_t>(index_ >> 1), replication_, name_low_, name_high_}};
  const r123::Philox4x32::ctr_type block = r123::Philox4x32()(counter, {{key_[0], key_[1]}});
  std::copy(block.begin(), block.end(), block_.begin());
}

}  // namespace vecusim
