package dev.stowage.trace.explain;

import dev.stowage.trace.explain.ReservedExplanation.HolePinner;
import dev.stowage.trace.replay.ReservedMemory.PinnedRange;
import dev.stowage.trace.replay.SimulatedAllocator.Range;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The lines of code whose blocks keep free memory from being released. */
final class HolePinners {

  private static final Comparator<HolePinner> MOST_FIRST =
      Comparator.comparingLong(HolePinner::holeBytes)
          .reversed()
          .thenComparingLong(HolePinner::blockBytes)
          .thenComparing(HolePinner::line);

  /** The blocks of a line beside holes. */
  private static final class Sum {

    final Set<Long> addresses = new HashSet<>();
    long blockBytes;
    long holeBytes;

    void add(Range block) {
      if (addresses.add(block.address())) {
        blockBytes += block.bytes();
      }
    }
  }

  private final List<Range> used;
  private final Function<Range, String> line;
  private final Map<String, Sum> sums = new HashMap<>();

  /**
   * @param used the blocks in use, by ascending address
   * @param line returns the line of code of a block
   */
  HolePinners(List<Range> used, Function<Range, String> line) {
    this.used = used;
    this.line = line;
  }

  /**
   * {@return the line that keeps the most free bytes in some ranges; of several, the line with the
   * smallest blocks}
   */
  Optional<HolePinner> most(List<PinnedRange> ranges) {
    ranges.forEach(this::add);
    return sums.entrySet().stream()
        .map(entry -> {
          Sum sum = entry.getValue();
          return new HolePinner(
              entry.getKey(), sum.addresses.size(), sum.blockBytes, sum.holeBytes);
        })
        .min(MOST_FIRST);
  }

  private void add(PinnedRange range) {
    Set<Sum> lines = new HashSet<>();
    long end = range.address() + range.bytes();
    for (int i = firstAbove(range.address());
        i < used.size() && Long.compareUnsigned(used.get(i).address(), end) < 0;
        i++) {
      Sum sum = sums.computeIfAbsent(line.apply(used.get(i)), none -> new Sum());
      sum.add(used.get(i));
      lines.add(sum);
    }
    lines.forEach(sum -> sum.holeBytes += range.holeBytes());
  }

  /** {@return the index of the first block that ends above an address} */
  private int firstAbove(long address) {
    int low = 0;
    int high = used.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      Range block = used.get(middle);
      if (Long.compareUnsigned(block.address() + block.bytes(), address) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
