package dev.stowage.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.stowage.testing.Seeds;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Logs of XLA's pools with two ends: one for collective memory, and one for all other. */
class HighEndLogTest {

  private static final long UNIT = 256;
  private static final long COLLECTIVE = 4096;
  private static final long START = 0x302000000L;

  @TempDir private Path folder;

  static List<Arguments> pools() {
    return Seeds.of(40)
        .boxed()
        .flatMap(seed -> Stream.of(arguments(seed, false), arguments(seed, true)))
        .toList();
  }

  private record Chunk(long start, long end) {

    long bytes() {
      return end - start;
    }
  }

  /** The chunks in use of both ends; free ranges are computed each time. */
  private static final class NaivePool {

    final boolean isCollectiveHigh;
    final TreeMap<Long, Long> low = new TreeMap<>();
    final TreeMap<Long, Long> high = new TreeMap<>();
    long end;

    NaivePool(long bytes, boolean isCollectiveHigh) {
      this.isCollectiveHigh = isCollectiveHigh;
      end = START + bytes;
    }

    Chunk gap() {
      return new Chunk(
          low.isEmpty() ? START : low.lastEntry().getValue(),
          high.isEmpty() ? end : high.firstKey());
    }

    List<Chunk> holes(boolean isHigh) {
      List<Chunk> holes = new ArrayList<>();
      long at = isHigh ? gap().end() : START;
      for (Map.Entry<Long, Long> used : (isHigh ? high : low).entrySet()) {
        holes.add(new Chunk(at, used.getKey()));
        at = used.getValue();
      }
      if (isHigh) {
        holes.add(new Chunk(at, end));
      }
      holes.removeIf(hole -> hole.bytes() == 0);
      return holes;
    }

    /** {@return the address of a chunk; 0 if none is large enough} */
    long allocate(long bytes, boolean isCollective) {
      boolean isHigh = isCollective == isCollectiveHigh;
      long alignment = isCollective ? COLLECTIVE : UNIT;
      long rounded = (bytes + UNIT - 1) / UNIT * UNIT;
      Chunk best = null;
      List<Chunk> holes = holes(isHigh);
      for (Chunk hole : isHigh && !isCollective ? holes.reversed() : holes) {
        boolean fits = (hole.start() + alignment - 1 & -alignment) + rounded <= hole.end();
        if (fits && (best == null || hole.bytes() < best.bytes())) {
          best = hole;
        }
      }
      Chunk from = best == null ? gap() : best;
      long lowest = from.start() + alignment - 1 & -alignment;
      if (lowest + rounded > from.end()) {
        return 0;
      }
      long rest = from.end() - lowest - rounded;
      boolean isSplit = isCollective || rest >= rounded || rest >= 128 << 20;
      long start = isHigh && isSplit ? from.end() - rounded & -alignment : lowest;
      (isHigh ? high : low).put(start, isSplit ? start + rounded : from.end());
      return start;
    }

    void free(long address) {
      low.remove(address);
      high.remove(address);
    }

    List<Chunk> used() {
      return Stream.concat(low.entrySet().stream(), high.entrySet().stream())
          .map(used -> new Chunk(used.getKey(), used.getValue()))
          .toList();
    }
  }

  private static String line(String message) {
    return "I1126 09:00:00.000001       7 bfc_allocator.cc:1] " + message + "\n";
  }

  private static String region(long start, long end) {
    return line("Extending allocation by 1B bytes for GPU_0_bfc.")
        + line(String.format(Locale.ROOT, "Allocated memory at 0x%x to 0x%x", start, end));
  }

  private TraceReplay replay(String log) throws IOException {
    TraceReplay replay =
        new TraceReplay(new XlaRules(OptionalLong.empty()), PlacementConsumer.none());
    TraceReader.read(
        "job.log",
        Files.writeString(folder.resolve("job.log"), log),
        TraceOptions.strict(),
        replay);
    return replay;
  }

  private static String allocated(long bytes, long alignment, long address) {
    return line("AllocateRaw GPU_0_bfc " + bytes + " alignment=" + alignment)
        + line(String.format(Locale.ROOT, "AllocateRaw GPU_0_bfc  %d 0x%x", bytes, address));
  }

  @ParameterizedTest(name = "-Dtests.seed={0}, collective memory at the high end: {1}")
  @MethodSource("pools")
  void replay_requestsFromBothEnds_haveTheirAddressesAndMap(long seed, boolean isCollectiveHigh)
      throws IOException {
    Random random = new Random(seed);
    NaivePool pool =
        new NaivePool((1 + random.nextInt(1000)) * 4096L + (2 << 20), isCollectiveHigh);
    StringBuilder log = new StringBuilder(region(START, pool.end));
    List<Long> live = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      if (!live.isEmpty() && random.nextInt(100) < 45) {
        long address = live.remove(random.nextInt(live.size()));
        pool.free(address);
        log.append(
            line(
                String.format(
                    Locale.ROOT, "[mem-debug] DeallocateRaw,GPU_0_bfc,1,0x%x,*", address)));
        continue;
      }
      if (i == 200 && !isCollectiveHigh) {
        log.append(region(pool.end, pool.end + (1 << 20)));
        pool.end += 1 << 20;
      }
      long requested = 1 + (long) Math.pow(2, random.nextDouble() * 18);
      boolean isCollective = i > 0 && random.nextInt(4) == 0;
      long address = pool.allocate(requested, isCollective);
      if (address != 0) {
        live.add(address);
        log.append(allocated(requested, isCollective ? COLLECTIVE : 64, address));
      }
    }
    TraceReplay replay = replay(log.toString());
    assertThat(replay.recordedAddresses()).hasValue(replay.addressCount());
    assertThat(replay.result().failures()).isZero();
    assertThat(replay.ranges())
        .filteredOn(range -> range.isInUse())
        .extracting(range -> new Chunk(range.address(), range.address() + range.bytes()))
        .isEqualTo(pool.used());
    assertThat(replay.allocator().rules())
        .isEqualTo(
            isCollectiveHigh
                ? "XLA before September 2026, with collective memory at the high end"
                : "XLA since September 2026, with collective memory at the low end");
  }

  @Test
  void replay_collectiveMemoryInTheMiddle_saysThatTheEndsAreNotKnown() throws IOException {
    String log = region(START, START + (4 << 20)) + allocated(256, 64, START);
    assertThat(replay(log).allocator().rules())
        .isEqualTo("XLA with one space: the log has no collective memory");

    TraceReplay unknown = replay(log + allocated(256, 4096, START + 4096));

    assertThat(unknown.allocator().rules())
        .isEqualTo("XLA with one space, because the log does not show the ends of its two");
    assertThat(unknown.allocator().doubts())
        .containsExactly(
            "The pool has collective memory, and the log does not show at which end it lies.");
  }
}
