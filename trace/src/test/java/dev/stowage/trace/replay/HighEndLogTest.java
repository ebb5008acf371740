package dev.stowage.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Seeds;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Logs of XLA's pools with two ends, whose requests come from the high end. */
class HighEndLogTest {

  private static final long UNIT = 256;
  private static final long START = 0x302000000L;

  @TempDir private Path folder;

  static LongStream seeds() {
    return Seeds.of(40);
  }

  private record Chunk(long address, long bytes, boolean isFree) {}

  /** Best fit from the high end with lists and linear searches. */
  private static final class NaivePool {

    final List<Chunk> chunks = new ArrayList<>();

    NaivePool(long bytes) {
      chunks.add(new Chunk(START, bytes, true));
    }

    /** {@return the address of a chunk; 0 if none is large enough} */
    long allocate(long bytes) {
      long rounded = (bytes + UNIT - 1) / UNIT * UNIT;
      int best = -1;
      for (int i = 0; i < chunks.size(); i++) {
        // Of equal chunks, a later one is at a higher address.
        if (chunks.get(i).isFree()
            && chunks.get(i).bytes() >= rounded
            && (best < 0 || chunks.get(i).bytes() <= chunks.get(best).bytes())) {
          best = i;
        }
      }
      if (best < 0) {
        return 0;
      }
      Chunk chunk = chunks.remove(best);
      long rest = chunk.bytes() - rounded;
      boolean isSplit = rest >= rounded || rest >= 128 << 20;
      long kept = isSplit ? rest : 0;
      chunks.add(best, new Chunk(chunk.address() + kept, chunk.bytes() - kept, false));
      if (kept > 0) {
        chunks.add(best, new Chunk(chunk.address(), kept, true));
      }
      return chunk.address() + kept;
    }

    void free(long address) {
      for (int i = 0; i < chunks.size(); i++) {
        if (chunks.get(i).address() == address) {
          chunks.set(i, new Chunk(address, chunks.get(i).bytes(), true));
        }
      }
      for (int i = chunks.size() - 1; i > 0; i--) {
        Chunk below = chunks.get(i - 1);
        if (below.isFree() && chunks.get(i).isFree()) {
          chunks.set(
              i - 1, new Chunk(below.address(), below.bytes() + chunks.get(i).bytes(), true));
          chunks.remove(i);
        }
      }
    }
  }

  private static String line(String message) {
    return "I1126 09:00:00.000001       7 bfc_allocator.cc:1] " + message + "\n";
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void replay_requestsFromTheHighEnd_haveTheirAddressesAndMap(long seed) throws IOException {
    Random random = new Random(seed);
    long bytes = (1 + random.nextInt(4000)) * 1024L + (2 << 20);
    NaivePool pool = new NaivePool(bytes);
    StringBuilder log = new StringBuilder(line("Extending allocation by 1B bytes for GPU_0_bfc."));
    log.append(
        line(String.format(Locale.ROOT, "Allocated memory at 0x%x to 0x%x", START, START + bytes)));
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
      long requested = 1 + (long) Math.pow(2, random.nextDouble() * 18);
      long address = pool.allocate(requested);
      if (address != 0) {
        live.add(address);
        log.append(
            line(String.format(Locale.ROOT, "AllocateRaw GPU_0_bfc  %d 0x%x", requested, address)));
      }
    }
    TraceReplay replay =
        new TraceReplay(new XlaRules(OptionalLong.empty()), PlacementConsumer.none());
    TraceReader.read(
        "job.log",
        Files.writeString(folder.resolve("job.log"), log),
        TraceOptions.strict(),
        replay);
    assertThat(replay.recordedAddresses()).hasValue(replay.addressCount());
    assertThat(replay.result().failures()).isZero();
    assertThat(replay.ranges())
        .extracting(range -> new Chunk(range.address(), range.bytes(), !range.isInUse()))
        .isEqualTo(pool.chunks);
  }
}
