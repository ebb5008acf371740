package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcAllocatorTwoEndsTest.End;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests from both ends, compared with a model that knows only the allocations of each end. */
class BfcAllocatorTwoEndsRandomTest {

  private static final long BASE = 1L << 40;

  static LongStream seeds() {
    return BfcAllocatorRandomTest.seeds(300);
  }

  /** A range of addresses. */
  private record Range(long start, long end) {
    long bytes() {
      return end - start;
    }
  }

  /** The region as two sets of allocations; free ranges are computed from them each time. */
  private static final class Model {

    private final long bytes;
    private final long splitBytes;

    /** The ends of allocations by their starts. */
    private final TreeMap<Long, Long> low = new TreeMap<>();

    private final TreeMap<Long, Long> high = new TreeMap<>();

    Model(long bytes, long splitBytes) {
      this.bytes = bytes;
      this.splitBytes = splitBytes;
    }

    private Range gap() {
      return new Range(
          low.isEmpty() ? 0 : low.lastEntry().getValue(), high.isEmpty() ? bytes : high.firstKey());
    }

    /** The free ranges of an end that do not touch the gap. */
    private List<Range> holes(End end) {
      List<Range> holes = new ArrayList<>();
      long at = end == End.LOW ? 0 : high.isEmpty() ? bytes : high.firstKey();
      for (Map.Entry<Long, Long> used : (end == End.LOW ? low : high).entrySet()) {
        holes.add(new Range(at, used.getKey()));
        at = used.getValue();
      }
      if (end == End.HIGH) {
        holes.add(new Range(at, bytes));
      }
      holes.removeIf(hole -> hole.bytes() == 0);
      return holes;
    }

    OptionalLong allocate(long requested, long alignment, End end) {
      long rounded = (requested + 255) / 256 * 256;
      Range best = null;
      for (Range hole : holes(end)) {
        long aligned = up(hole.start(), alignment);
        boolean fits = aligned + rounded <= hole.end();
        if (fits && (best == null || hole.bytes() < best.bytes())) {
          best = hole;
        }
      }
      Range taken;
      if (best != null) {
        taken =
            end == End.LOW ? fitLow(best, rounded, alignment) : fitHigh(best, rounded, alignment);
      } else {
        long start =
            end == End.LOW ? up(gap().start(), alignment) : down(gap().end() - rounded, alignment);
        if (start < gap().start() || start + rounded > gap().end()) {
          return OptionalLong.empty();
        }
        taken = new Range(start, start + rounded);
      }
      (end == End.LOW ? low : high).put(taken.start(), taken.end());
      return OptionalLong.of(taken.start());
    }

    private Range fitLow(Range hole, long rounded, long alignment) {
      long start = up(hole.start(), alignment);
      return new Range(
          start, keepsRest(hole.end() - start, rounded) ? hole.end() : start + rounded);
    }

    private Range fitHigh(Range hole, long rounded, long alignment) {
      long lowest = up(hole.start(), alignment);
      long start =
          keepsRest(hole.end() - lowest, rounded) ? lowest : down(hole.end() - rounded, alignment);
      return new Range(
          start, keepsRest(hole.end() - start, rounded) ? hole.end() : start + rounded);
    }

    private boolean keepsRest(long bytesThere, long rounded) {
      return bytesThere < 2 * rounded && bytesThere - rounded < splitBytes;
    }

    private static long up(long address, long alignment) {
      return (address + alignment - 1) / alignment * alignment;
    }

    private static long down(long address, long alignment) {
      return Math.floorDiv(address, alignment) * alignment;
    }

    void free(long address) {
      if (low.remove(address) == null) {
        assertThat(high.remove(address)).isNotNull();
      }
    }
  }

  /** A request, or the free of an earlier one. */
  private record Step(long bytes, long alignment, End end, int freed) {}

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyOperations_agreeWithTheModel(long seed) {
    Random random = new Random(seed);
    long limit = 256L * (4 + random.nextInt(random.nextBoolean() ? 20 : 2000));
    long split = random.nextBoolean() ? 128 << 20 : 256L * (1 + random.nextInt(8));
    int alignments = random.nextBoolean() ? 1 : 5;
    long largest = 1 + limit / (2 + random.nextInt(12));
    int lowShare = 1 + random.nextInt(9);
    BfcAllocator allocator = allocator(limit, split);
    Model model = new Model(limit, split);
    List<Step> steps = new ArrayList<>();
    List<Long> offsets = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      List<Integer> live =
          IntStream.range(0, offsets.size()).filter(k -> offsets.get(k) >= 0).boxed().toList();
      if (random.nextInt(5) < 2 && !live.isEmpty()) {
        int freed = live.get(random.nextInt(live.size()));
        steps.add(new Step(0, 0, End.LOW, freed));
        allocator.free(BASE + offsets.get(freed));
        model.free(offsets.get(freed));
        offsets.set(freed, -1L);
      } else {
        Step step =
            new Step(
                1 + random.nextLong(largest),
                256L << random.nextInt(alignments),
                random.nextInt(10) < lowShare ? End.LOW : End.HIGH,
                -1);
        OptionalLong expected = model.allocate(step.bytes(), step.alignment(), step.end());
        OptionalLong address = step.end().of(allocator).tryAllocate(step.bytes(), step.alignment());
        assertThat(address.stream().map(a -> a - BASE))
            .containsExactlyElementsOf(expected.stream().boxed().toList());
        if (expected.isEmpty() && random.nextInt(4) == 0) {
          checkHigherLimit(allocator, steps, step, limit, split);
        }
        if (expected.isPresent()) {
          steps.add(step);
          offsets.add(expected.getAsLong());
        }
      }
      allocator.internals().checkInvariants();
    }
    offsets.stream().filter(offset -> offset >= 0).forEach(offset -> allocator.free(BASE + offset));
    allocator.internals().checkInvariants();
    assertThat(allocator.statistics().largestFreeChunkBytes()).isEqualTo(limit);
  }

  private static BfcAllocator allocator(long limit, long split) {
    return new BfcAllocator(
        "gpu",
        ScriptedRegions.ascending(),
        BfcOptions.oneRegion(limit).withSplitThreshold(split).withTwoEnds());
  }

  /** The remedy in a message is sufficient, and the smallest for the alignment of all chunks. */
  private static void checkHigherLimit(
      BfcAllocator allocator, List<Step> steps, Step step, long limit, long split) {
    try {
      step.end().of(allocator).allocate(step.bytes(), step.alignment());
      throw new AssertionError("the request was refused before");
    } catch (BfcOutOfMemoryException e) {
      Matcher remedy = ShortageRandomTest.HIGHER_LIMIT.matcher(e.getMessage());
      assertThat(remedy.find()).as(e.getMessage()).isTrue();
      boolean isAligned =
          step.alignment() > 256 || steps.stream().anyMatch(each -> each.alignment() > 256);
      long higher = ShortageRandomTest.exactBytes(remedy);
      if (!isAligned) { // the addresses of the high end move, so that earlier paddings differ
        assertThat(passes(steps, step, limit + higher, split)).isTrue();
        assertThat(passes(steps, step, limit + higher - 256, split)).isFalse();
      }
    }
  }

  private static boolean passes(List<Step> steps, Step last, long limit, long split) {
    BfcAllocator allocator = allocator(limit, split);
    List<Long> addresses = new ArrayList<>();
    for (Step step : steps) {
      if (step.freed() >= 0) {
        allocator.free(addresses.get(step.freed()));
      } else {
        addresses.add(step.end().of(allocator).allocate(step.bytes(), step.alignment()));
      }
    }
    return last.end().of(allocator).tryAllocate(last.bytes(), last.alignment()).isPresent();
  }
}
