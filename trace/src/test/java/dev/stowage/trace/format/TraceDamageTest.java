package dev.stowage.trace.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.testing.Seeds;
import dev.stowage.trace.pytorch.PickleWriter;
import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.PlacementConsumer;
import dev.stowage.trace.replay.TraceReplay;
import dev.stowage.trace.replay.XlaRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Damaged traces are rejected with a place, or are still traces. */
final class TraceDamageTest {

  private static final int DAMAGES_PER_SEED = 200;

  private static final String CSV =
      """
      op,id,bytes,stream,t
      a,0,1000,0,0
      a,1,9223372036854775807,0,5
      f,0,,0,7
      a,0,256,0,9
      """;

  private static final String RMM =
      """
      Thread,Time,Action,Pointer,Size,Stream
      1,10:15:30.000001,allocate,0x7f00,256,0x0
      1,10:15:30.000002,free,0x7f00,256,0x0
      """;

  private static final String XLA =
      """
      I1126 09:00:00.000001       7 bfc_allocator.cc:223] Extending allocation by 2.00MiB bytes for GPU_0_bfc.
      I1126 09:00:00.000002       7 bfc_allocator.cc:233] Allocated memory at 0x302000000 to 0x302200000
      I1126 09:00:00.000003       7 bfc_allocator.cc:387] AllocateRaw GPU_0_bfc  4 0x302000000
      I1126 09:00:00.000004       8 bfc_allocator.cc:387] AllocateRaw GPU_0_bfc  300 0x302000100
      I1126 09:00:00.000005       7 bfc_allocator.cc:965] [mem-debug] DeallocateRaw,GPU_0_bfc,4,0x302000000,***
      I1126 09:00:00.000006       8 bfc_allocator.cc:387] AllocateRaw GPU_0_bfc  2097152 0
      """;

  @TempDir private Path folder;

  static LongStream seeds() {
    return Seeds.of(10);
  }

  private static byte[] snapshot() {
    List<Map<String, ?>> history =
        List.of(
            Map.of("action", "alloc", "addr", 512L, "size", 100L, "time_us", 1L),
            Map.of("action", "free_completed", "addr", 512L, "size", 100L, "time_us", 2L),
            Map.of("action", "free_completed", "addr", 999L, "size", 7L, "frames", List.of()));
    Map<String, ?> block =
        Map.of("size", 512L, "requested_size", 400L, "state", "active_allocated");
    Map<String, ?> segment = Map.of("address", 4096L, "total_size", 512L, "blocks", List.of(block));
    return PickleWriter.pickle(
        Map.of("device_traces", List.of(history), "segments", List.of(segment)));
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void damagedTraces_areReadOrRefused(long seed) throws IOException {
    Random random = new Random(seed);
    List<byte[]> traces =
        List.of(
            TraceFiles.bytes(CSV),
            TraceFiles.bytes(RMM),
            TraceFiles.gzip(TraceFiles.bytes(CSV)),
            TraceFiles.bytes(XLA),
            TraceFiles.bytes(XlaReportTest.REPORT),
            TraceFiles.bytes(XlaReportTest.REPORT + XLA),
            TraceFiles.zip("a.txt", RMM),
            snapshot());
    for (int i = 0; i < DAMAGES_PER_SEED; i++) {
      for (byte[] trace : traces) {
        check(folder, damaged(trace, random));
      }
    }
  }

  static byte[] damaged(byte[] trace, Random random) {
    byte[] damaged = trace.clone();
    if (random.nextInt(3) == 0) {
      return Arrays.copyOf(damaged, random.nextInt(damaged.length));
    }
    for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
      int index = random.nextInt(damaged.length);
      damaged[index] =
          random.nextBoolean()
              ? (byte) random.nextInt(256)
              : (byte) (damaged[index] ^ (1 << random.nextInt(8)));
    }
    return damaged;
  }

  static void check(Path folder, byte[] bytes) throws IOException {
    check(folder, bytes, AllocatorRules.bfc(BfcOptions.growing()));
    check(folder, bytes, new XlaRules(OptionalLong.empty()));
  }

  private static void check(Path folder, byte[] bytes, AllocatorRules rules) throws IOException {
    Path file = Files.write(folder.resolve("t"), bytes);
    TraceReplay replay = new TraceReplay(rules, PlacementConsumer.none());
    try {
      TraceSummary summary = TraceReader.read("t", file, TraceOptions.strict(), replay);
      assertThat(replay.result().events()).isEqualTo(summary.eventCount());
    } catch (MalformedFileException e) {
      assertThat(e).hasMessageStartingWith("t: ");
    }
  }
}
