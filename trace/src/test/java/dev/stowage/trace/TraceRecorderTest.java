package dev.stowage.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.testing.Seeds;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceReader;
import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.Confidence;
import dev.stowage.trace.replay.Placement;
import dev.stowage.trace.replay.ReplayResult;
import dev.stowage.trace.replay.SimulatedRegions;
import dev.stowage.trace.replay.TraceReplay;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TraceRecorderTest {

  @TempDir private Path folder;

  static LongStream seeds() {
    return Seeds.of(60);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void record_anyRun_replaysToTheSamePlacements(long seed) throws IOException {
    Random random = new Random(seed);
    BfcOptions options = options(random);
    Path file = folder.resolve(random.nextBoolean() ? "run.csv" : "run.csv.gz");
    SimulatedRegions device = new SimulatedRegions(true);
    List<Placement.Spot> recorded = new ArrayList<>();
    try (TraceRecorder recorder = TraceRecorder.create(file);
        BfcAllocator allocator = new BfcAllocator("recorded", device, options, recorder)) {
      List<Long> live = new ArrayList<>();
      for (int step = 0; step < 500; step++) {
        if (!live.isEmpty() && random.nextInt(5) < 2) {
          allocator.free(live.remove(random.nextInt(live.size())));
          continue;
        }
        OptionalLong address = allocator.tryAllocate(1 + random.nextInt(1 << 18), 256);
        if (address.isPresent()) {
          live.add(address.getAsLong());
          int region = device.regionIndex(address.getAsLong());
          recorded.add(new Placement.Spot(region, address.getAsLong() - device.start(region)));
        }
      }
      live.forEach(allocator::free);
    }
    List<Placement.Spot> replayed = new ArrayList<>();
    TraceReplay replay =
        new TraceReplay(options, placement -> placement.spot().ifPresent(replayed::add));
    TraceReader.read("run", file, TraceOptions.strict(), replay);
    assertThat(replayed).isEqualTo(recorded);
    ReplayResult result = replay.result();
    assertThat(result.frees()).isEqualTo(result.allocations() - result.failures());
    assertThat(result.recordedFailures().reproduced())
        .isEqualTo(result.failures())
        .isEqualTo(result.recordedFailures().count());
  }

  private static BfcOptions options(Random random) {
    BfcOptions options =
        switch (random.nextInt(3)) {
          case 0 -> BfcOptions.growing().withLimit(8 << 20);
          case 1 -> BfcOptions.oneRegion(4 << 20);
          default -> BfcOptions.expandable().withTrimThreshold(1 << 16);
        };
    return random.nextBoolean()
        ? options.withSplitThreshold(4096)
        : options.withLimit(6 << 20).withGarbageCollection();
  }

  @Test
  void record_eachKindOfEvent_isALine() throws IOException {
    StringWriter text = new StringWriter();
    long[] clock = new long[1];
    try (TraceRecorder recorder = new TraceRecorder(text, () -> clock[0] += 10);
        BfcAllocator allocator =
            new BfcAllocator(
                "recorded", new SimulatedRegions(true), BfcOptions.oneRegion(1024), recorder)) {
      long address = allocator.allocate(100);
      assertThat(allocator.tryAllocate(2000, 1)).isEmpty();
      allocator.free(address);
    }
    assertThat(text)
        .hasToString(
            """
            op,id,bytes,stream,t
            a,1,100,0,10
            x,failed-1,2000,0,20
            f,1,,0,30
            """);
  }

  // If the file cannot be written, the allocator continues, and close() throws.
  @Test
  void close_writerBroken_throwsAndTheAllocatorWentOn() {
    Writer full =
        new Writer() {
          @Override
          public void write(char[] text, int start, int count) throws IOException {
            throw new IOException("No space left on device");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    TraceRecorder recorder = new TraceRecorder(full, () -> 0);
    try (BfcAllocator allocator =
        new BfcAllocator(
            "recorded", new SimulatedRegions(true), BfcOptions.oneRegion(1024), recorder)) {
      allocator.free(allocator.allocate(100));
    }
    assertThatIOException()
        .isThrownBy(recorder::close)
        .withMessage("the trace ends early: No space left on device");
  }

  private Confidence confidence(BfcOptions options, Consumer<BfcAllocator> run) throws IOException {
    Path file = folder.resolve("run.csv");
    SimulatedRegions device = new SimulatedRegions(true);
    try (TraceRecorder recorder = TraceRecorder.create(file);
        BfcAllocator allocator = new BfcAllocator("recorded", device, options, recorder)) {
      run.accept(allocator);
    }
    TraceReplay replay = new TraceReplay(options, _ -> {});
    TraceReader.read("run", file, TraceOptions.strict(), replay);
    return Confidence.of(replay, AllocatorRules.bfc(options));
  }

  @Test
  void record_requestsFromTheHighEnd_replayIsAnEstimate() throws IOException {
    BfcOptions options = BfcOptions.oneRegion(1 << 20).withTwoEnds();
    Confidence low = confidence(options, allocator -> allocator.free(allocator.allocate(1000)));
    assertThat(low.level()).isEqualTo(Confidence.Level.EXACT);
    Confidence high =
        confidence(
            options,
            allocator -> {
              for (int i = 0; i < 2; i++) {
                allocator.free(allocator.highEnd().allocate(1000, 256));
              }
            });
    assertThat(high.level()).isEqualTo(Confidence.Level.ESTIMATE);
    assertThat(high.reasons())
        .containsExactly(
            "The recording has requests for the high end of a region: the replay places them at the low end.");
  }

  @Test
  void record_allocatorWithAFrontCache_replayIsAnEstimate() throws IOException {
    Confidence cached =
        confidence(
            BfcOptions.growing().withFrontCache(1 << 20),
            allocator -> allocator.free(allocator.allocate(1000)));
    assertThat(cached.level()).isEqualTo(Confidence.Level.ESTIMATE);
    assertThat(cached.reasons())
        .containsExactly(
            "The recorder turned the front cache off: other runs have other addresses.");
  }
}
