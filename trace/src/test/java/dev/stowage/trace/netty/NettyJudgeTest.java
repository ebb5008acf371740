package dev.stowage.trace.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceReader;
import dev.stowage.trace.replay.PlacementConsumer;
import dev.stowage.trace.replay.ReplayResult;
import dev.stowage.trace.replay.TraceReplay;
import dev.stowage.trace.tune.Candidate;
import dev.stowage.trace.tune.SettingsSpace;
import dev.stowage.trace.tune.SettingsSpaces;
import dev.stowage.trace.tune.TraceTuning;
import dev.stowage.trace.tune.Trial;
import dev.stowage.trace.tune.TunedTrace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Predictions from one recording of the adaptive allocator, compared with Netty's metric in runs
 * with other settings.
 */
final class NettyJudgeTest {

  /** The share by which predictions may differ if one thread runs at a time. */
  private static final double CLOSE = 0.05;

  /** The share for threads that compete; the figures of docs/netty.md are below. */
  private static final double WIDE = 0.12;

  private static final String PREFIX = "-Dio.netty.allocator.";
  private static final String POOLED = PREFIX + "type=pooled ";

  /** Settings for each part of the rules; the first ones are those of the recording. */
  private static final List<String> SETTINGS =
      List.of(
          "",
          POOLED.strip(),
          POOLED + PREFIX + "maxOrder=6 " + PREFIX + "numDirectArenas=1",
          POOLED + PREFIX + "smallCacheSize=0 " + PREFIX + "normalCacheSize=0",
          PREFIX + "lowMemory=true",
          PREFIX + "threadLocalChunkCacheMaxBytes=1048576 " + PREFIX + "chunkReuseQueueCapacity=2");

  @TempDir private Path folder;

  @Test
  void replay_smallBuffers_predictsTheMemoryOfNetty() throws IOException {
    checkAll("small", 1, 1, CLOSE, SETTINGS.subList(0, 2));
  }

  @ParameterizedTest(name = "{0}, seed {1}")
  @CsvSource({
    "small, 1",
    "mixed, 2",
    "large, 3",
    "odd, 4",
    "growing, 5",
    "handed, 6",
    "longAndShort, 7",
    "bursts, 8",
    "plain, 9"
  })
  @Tag("full")
  void replay_otherSettings_predictsTheMemoryOfNetty(String workload, long seed)
      throws IOException {
    checkAll(workload, seed, 1, CLOSE, isWhole() ? SETTINGS : some(seed));
  }

  /** {@return true if all settings are judged, which takes two minutes} */
  static boolean isWhole() {
    return Double.parseDouble(System.getProperty("tests.scale", "0")) >= 1;
  }

  /** {@return the recorded settings and others, which the seeds have in turn} */
  private static List<String> some(long seed) {
    int others = SETTINGS.size() - 1;
    return List.of(SETTINGS.getFirst(), SETTINGS.get(1 + (int) (seed % others)));
  }

  /**
   * Runs differ, because threads compete: the prediction is near the range of three runs. On a busy
   * machine, they differ more.
   */
  @ParameterizedTest(name = "{0}, seed {1}")
  @CsvSource({"concurrent, 10", "plainConcurrent, 11"})
  @EnabledIf("isWhole")
  @Tag("full")
  void replay_concurrentThreads_predictsTheRangeOfNetty(String workload, long seed)
      throws IOException {
    checkAll(workload, seed, 3, WIDE, SETTINGS);
  }

  /** Users reported that one workload needed many times the memory with other settings. */
  @Test
  @Tag("full")
  void tune_burstsOfManyThreads_findsSettingsWithASmallPartOfTheMemory() throws Exception {
    Path recording = folder.resolve("netty.jfr");
    NettyRun before = NettyRun.of("", List.of("bursts", "8", recording.toString()));
    TunedTrace trace = new TunedTrace();
    TraceReader.read("netty.jfr", recording, TraceOptions.strict(), trace);
    SettingsSpace space = SettingsSpaces.netty(OptionalLong.empty());
    List<Candidate> candidates = space.candidates(List.of(trace));
    TraceTuning tuning = new TraceTuning(trace, space, candidates, 3);
    for (Optional<TraceTuning.Replay> next = tuning.next();
        next.isPresent();
        next = tuning.next()) {
      next.get().run(() -> false);
    }

    Trial best = tuning.results().getFirst();
    NettyRun after = NettyRun.of(best.candidate().paste(), List.of("bursts", "8"));
    System.out.printf(
        Locale.ROOT,
        "bursts: %,d bytes with the defaults, %,d with %s, predicted %,d%n",
        before.peakBytes(),
        after.peakBytes(),
        best.candidate().paste(),
        best.result().peakReservedBytes());
    checkNear(best.result().peakReservedBytes(), List.of(after), NettyRun::peakBytes, CLOSE);
    assertThat(before.peakBytes()).isGreaterThan(5 * after.peakBytes());
  }

  private void checkAll(
      String workload, long seed, int runCount, double tolerance, List<String> allSettings)
      throws IOException {
    Path recording = folder.resolve("netty.jfr");
    List<String> arguments = List.of(workload, Long.toString(seed));
    for (String settings : allSettings) {
      List<NettyRun> runs = new ArrayList<>();
      for (int i = 0; i < runCount; i++) {
        runs.add(
            NettyRun.of(
                settings,
                settings.isEmpty() && i == 0
                    ? List.of(arguments.get(0), arguments.get(1), recording.toString())
                    : arguments));
      }
      ReplayResult predicted = replayed(recording, settings);
      System.out.printf(
          Locale.ROOT,
          "%s, seed %d, %s: predicted peak %,d, end %,d; %s%n",
          workload,
          seed,
          settings.isEmpty() ? "as recorded" : settings.replace(PREFIX, ""),
          predicted.peakReservedBytes(),
          predicted.reservedBytes(),
          runs);
      checkNear(predicted.peakReservedBytes(), runs, NettyRun::peakBytes, tolerance);
      checkNear(predicted.reservedBytes(), runs, NettyRun::endBytes, tolerance);
    }
  }

  private static void checkNear(
      long predicted, List<NettyRun> runs, ToLongFunction<NettyRun> figure, double tolerance) {
    long least = runs.stream().mapToLong(figure).min().orElseThrow();
    long most = runs.stream().mapToLong(figure).max().orElseThrow();
    assertThat((double) predicted).isBetween((1 - tolerance) * least, (1 + tolerance) * most);
  }

  private static ReplayResult replayed(Path recording, String settings) throws IOException {
    TraceReplay replay =
        new TraceReplay(
            new NettyRules(
                settings.isEmpty() ? Optional.empty() : Optional.of(NettySettings.parse(settings)),
                OptionalLong.empty()),
            PlacementConsumer.none());
    TraceReader.read("netty.jfr", recording, TraceOptions.strict(), replay);
    return replay.result();
  }
}
