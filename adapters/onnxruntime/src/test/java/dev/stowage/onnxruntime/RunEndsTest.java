package dev.stowage.onnxruntime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.onnxruntime.process.ProcessSample;
import dev.stowage.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Percentiles of runs, trims, and the growth of memory outside the allocator. */
class RunEndsTest {

  private static final long MIB = 1 << 20;
  private static final OnnxRuntimeOptions OPTIONS = OnnxRuntimeOptions.of(BfcOptions.expandable());

  private final AtomicLong residentBytes = new AtomicLong(100 * MIB);
  private final AtomicLong allocatorBytes = new AtomicLong(10 * MIB);

  private RunEnds ends(OnnxRuntimeOptions options) {
    return new RunEnds(
        "engine",
        options,
        () -> Optional.of(new ProcessSample(residentBytes.get(), 30 * MIB)),
        allocatorBytes::get);
  }

  static LongStream seeds() {
    return Seeds.of(50);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void percentile_anyPeaks_isTheSmallestThat99PercentDoNotExceed(long seed) {
    Random random = new Random(seed);
    int capacity = 100 + random.nextInt(200);
    RecentPeaks peaks = new RecentPeaks(capacity);
    List<Long> all = new ArrayList<>();
    int range = 1 + random.nextInt(1000);
    for (int run = 0; run < 600; run++) {
      long peak = random.nextInt(range);
      peaks.add(peak);
      all.add(peak);
      List<Long> recent = all.subList(Math.max(0, all.size() - capacity), all.size());
      if (recent.size() < 100) {
        assertThat(peaks.percentile()).isEmpty();
      } else {
        long percentile = peaks.percentile().orElseThrow();
        assertThat(recent).contains(percentile);
        assertThat(100 * recent.stream().filter(each -> each <= percentile).count())
            .isGreaterThanOrEqualTo(99L * recent.size());
        assertThat(100 * recent.stream().filter(each -> each < percentile).count())
            .isLessThan(99L * recent.size());
      }
    }
  }

  @Test
  void ended_memoryAboveThePercentile_isTrimmedNotTooOften() {
    RunEnds ends = ends(OPTIONS.withTrims());
    allocatorBytes.set(20 * MIB);
    for (int run = 1; run < 100; run++) {
      assertThat(ends.countRun(8 * MIB)).isFalse(); // the percentile is not known
    }
    assertThat(ends.countRun(8 * MIB)).isTrue();
    allocatorBytes.set(10 * MIB); // the percentile and its eighth, and less than 2 MiB more
    for (int run = 0; run < 200; run++) {
      assertThat(ends.countRun(8 * MIB)).isFalse();
    }
    allocatorBytes.set(11 * MIB);
    assertThat(ends.countRun(8 * MIB)).isTrue();
    for (int run = 0; run < 50; run++) {
      assertThat(ends.countRun(8 * MIB)).isFalse(); // the last trim has not returned the memory
    }
    assertThat(ends.countRun(8 * MIB)).isTrue();
  }

  @Test
  void ended_largerRunsMoreThanOnePercent_keepTheirMemory() {
    RunEnds ends = ends(OPTIONS.withTrims());
    allocatorBytes.set(20 * MIB);
    for (int run = 0; run < 2000; run++) {
      assertThat(ends.countRun(run % 50 == 0 ? 20 * MIB : 8 * MIB)).isFalse();
    }
  }

  @Test
  void ended_withoutTrims_isNeverDue() {
    RunEnds ends = ends(OPTIONS);
    for (int run = 0; run < 500; run++) {
      assertThat(ends.countRun(1)).isFalse();
    }
    assertThat(ends.processMemory()).isEmpty();
  }

  @Test
  void processMemory_residentGrows_isReportedOverRuns() {
    RunEnds ends = ends(OPTIONS.withGrowthAlarm(5 * MIB));
    for (int run = 0; run < 1000; run++) {
      residentBytes.addAndGet(run == 60 ? 8 * MIB : run == 120 ? -8 * MIB : 0); // for a while
      ends.countRun(1);
    }
    assertThat(ends.processMemory().orElseThrow())
        .isEqualTo(new ProcessMemory(100 * MIB, 30 * MIB, 10 * MIB, 0, 750, 5 * MIB));
    for (int run = 0; run < 500; run++) {
      residentBytes.addAndGet(MIB / 10);
      ends.countRun(1);
    }
    ProcessMemory leaking = ends.processMemory().orElseThrow();
    // The smallest of the latest five samples, 200 runs before the last one.
    assertThat(leaking.growthBytes()).isEqualTo(300 * (MIB / 10) - 8 * MIB);
    assertThat(leaking.runs()).isEqualTo(1250);
    assertThat(leaking.isAlarming()).isTrue();
    assertThat(leaking.outsideBytes()).isEqualTo(60 * MIB + 500 * (MIB / 10));
  }

  @Test
  void processMemory_asText_hasAllParts() {
    assertThat(new ProcessMemory(100, 30, 10, 5, 750, 6))
        .hasToString(
            "outside the allocator: 60 bytes = resident 100 - JVM 30 - allocator 10; grew by 5 bytes"
                + " over 750 runs");
    assertThat(new ProcessMemory(100, 30, 10, 6, 750, 6).toString())
        .endsWith("over 750 runs: a kernel, a thread or other native code may leak");
  }

  @Test
  void processMemory_otherSystem_isEmpty() {
    RunEnds ends =
        new RunEnds("engine", OPTIONS.withGrowthAlarm(1), Optional::empty, allocatorBytes::get);
    for (int run = 0; run < 100; run++) {
      ends.countRun(1);
    }
    assertThat(ends.processMemory()).isEmpty();
  }

  @Test
  void sample_ofThisProcess_isPositive() {
    ProcessSample.read()
        .ifPresent(sample -> {
          assertThat(sample.residentBytes()).isGreaterThan(MIB);
          assertThat(sample.jvmBytes()).isGreaterThan(MIB);
        });
  }

  @Test
  void options_outOfBounds_areRejected() {
    assertThatThrownBy(() -> OPTIONS.withRecentRuns(99))
        .hasMessage("a 99th percentile needs at least 100 runs: recentRuns=99");
    assertThatThrownBy(() -> OPTIONS.withGrowthAlarm(0))
        .hasMessage("alarmBytes must be positive: alarmBytes=0");
    assertThatThrownBy(
            () -> OnnxRuntimeOptions.of(BfcOptions.expandable().withLimit(1024)).withReserve(1025))
        .hasMessage(
            "an allocator needs 0 <= reserveBytes <= limitBytes: reserveBytes=1025,"
                + " limitBytes=1024");
    assertThatThrownBy(() -> SessionLimits.none().withLimit(10).withReservation(11))
        .hasMessage(
            "a session needs 0 <= reservedBytes <= limitBytes: reservedBytes=11, limitBytes=10");
    assertThatThrownBy(() -> SessionLimits.none().withEstimate(0))
        .hasMessage("firstEstimateBytes must be positive: firstEstimateBytes=0");
  }

  @Test
  void options_default_keepAnEighthOfTheLimit() {
    assertThat(OPTIONS.capacityBytes()).isEqualTo(Long.MAX_VALUE);
    OnnxRuntimeOptions limited = OnnxRuntimeOptions.of(BfcOptions.expandable().withLimit(8 * MIB));
    assertThat(limited.reserveBytes()).isEqualTo(MIB);
    assertThat(limited.capacityBytes()).isEqualTo(7 * MIB);
    assertThat(limited.withReserve(0).capacityBytes()).isEqualTo(8 * MIB);
  }
}
