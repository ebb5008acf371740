package dev.stowage.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.testing.Seeds;
import dev.stowage.trace.format.TraceReader;
import dev.stowage.trace.format.TraceSummary;
import dev.stowage.trace.replay.PlacementConsumer;
import dev.stowage.trace.replay.TraceReplay;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Damaged traces are rejected with a place, or are still traces. */
final class JsonTraceDamageTest {

  private static final int DAMAGES_PER_SEED = 200;

  private static final String SNAPSHOT =
      """
      {"segments": [], "device_traces": [[
        {"action": "alloc", "addr": 1024, "size": 512, "stream": 0, "time_us": 2,
         "frames": [{"name": "f", "filename": "a.py", "line": 3}]},
        {"action": "free_completed", "addr": 1024, "size": 512, "stream": 0, "time_us": 3}]]}
      """;

  @TempDir private Path folder;

  static LongStream seeds() {
    return Seeds.of(5);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void damagedTraces_areReadOrRefused(long seed) throws IOException {
    Random random = new Random(seed);
    byte[] snapshot = SNAPSHOT.getBytes(StandardCharsets.UTF_8);
    List<byte[]> traces = List.of(snapshot, gzip(snapshot));
    for (int i = 0; i < DAMAGES_PER_SEED; i++) {
      for (byte[] trace : traces) {
        check(damaged(trace, random));
      }
    }
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  private static byte[] damaged(byte[] trace, Random random) {
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

  private void check(byte[] bytes) throws IOException {
    Path file = Files.write(folder.resolve("t"), bytes);
    TraceReplay replay = new TraceReplay(BfcOptions.growing(), PlacementConsumer.none());
    try {
      TraceSummary summary = TraceReader.read("t", file, TraceFormats.options(), replay);
      assertThat(replay.result().events()).isEqualTo(summary.eventCount());
    } catch (MalformedFileException e) {
      assertThat(e).hasMessageStartingWith("t: ");
    }
  }
}
