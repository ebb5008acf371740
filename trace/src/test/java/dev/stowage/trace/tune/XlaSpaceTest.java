package dev.stowage.trace.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.SampleModels;
import dev.stowage.testing.Seeds;
import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceReader;
import dev.stowage.trace.replay.ReplayResult;
import dev.stowage.trace.replay.XlaSettings;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The settings of XLA's allocator that a search tries, and those of recorded logs. */
class XlaSpaceTest {

  private static final long MIB = 1 << 20;
  private static final OptionalLong DEVICE = OptionalLong.of(1000 * MIB);
  private static final String GROWTH = "XLA_PYTHON_CLIENT_PREALLOCATE=false";

  static LongStream seeds() {
    return Seeds.of(60);
  }

  private static TunedTrace requesting(long... requests) {
    TunedTrace trace = new TunedTrace();
    addRequests(trace, requests);
    return trace;
  }

  private static void addRequests(TunedTrace trace, long... requests) {
    for (long bytes : requests) {
      trace.accept(new AllocationEvent.Allocate("r" + trace.eventCount(), bytes, 0, 0));
    }
  }

  private static TunedTrace recorded(long regionBytes, long... requests) {
    TunedTrace trace = new TunedTrace();
    trace.region(1L << 40, regionBytes);
    addRequests(trace, requests);
    return trace;
  }

  private static Candidate baseline(SettingsSpace space, TunedTrace trace) {
    return space.baseline(space.candidates(trace), trace);
  }

  @Test
  void candidates_withTheMemoryOfTheDevice_haveAllFractionsThatHoldThePeak() {
    List<Candidate> all = SettingsSpaces.xla(DEVICE).candidates(requesting(900 * MIB, 71 * MIB));

    assertThat(all)
        .extracting(Candidate::settings)
        .containsExactly(
            "",
            GROWTH,
            "XLA_CLIENT_MEM_FRACTION=.98",
            "XLA_CLIENT_MEM_FRACTION=.98 " + GROWTH,
            "XLA_CLIENT_MEM_FRACTION=.99",
            "XLA_CLIENT_MEM_FRACTION=.99 " + GROWTH,
            "XLA_CLIENT_MEM_FRACTION=1",
            "XLA_CLIENT_MEM_FRACTION=1 " + GROWTH);
    assertThat(all).extracting(Candidate::changes).containsExactly(0, 1, 1, 2, 1, 2, 1, 2);
    assertThat(all.get(3).paste()).isEqualTo("export XLA_PYTHON_CLIENT_MEM_FRACTION=.98 " + GROWTH);
    assertThat(all.get(1).paste()).isEqualTo("export " + GROWTH);
    assertThat(all.getFirst().paste())
        .isEqualTo(
            "unset XLA_CLIENT_MEM_FRACTION XLA_PYTHON_CLIENT_MEM_FRACTION"
                + " XLA_PYTHON_CLIENT_PREALLOCATE");
  }

  @Test
  void candidates_ofARequestAboveTheDevice_areTheDefaultsAndGrowth() {
    assertThat(SettingsSpaces.xla(DEVICE).candidates(requesting(1001 * MIB)))
        .extracting(Candidate::settings)
        .containsExactly("", GROWTH);
  }

  @Test
  void candidates_withoutTheMemoryOfTheDevice_areTheRecordedRegionAndGrowth() {
    SettingsSpace space = SettingsSpaces.xla(OptionalLong.empty());

    assertThat(space.candidates(requesting(1000)))
        .extracting(Candidate::settings)
        .containsExactly(GROWTH);
    TunedTrace preallocated = recorded(64 * MIB, 1000);
    assertThat(space.candidates(preallocated))
        .extracting(Candidate::settings)
        .containsExactly("", GROWTH);
    assertThat(preallocated.replayed(baseline(space, preallocated).rules()).regionBytes())
        .containsExactly(64 * MIB);
    assertThat(baseline(space, recorded(2 * MIB, 1000)).settings()).isEqualTo(GROWTH);
  }

  @Test
  void candidates_withTheLimitOfTheLog_arePreallocationAndGrowthWithThisLimit() {
    SettingsSpace space = SettingsSpaces.xla(OptionalLong.empty());
    TunedTrace trace = recorded(2 * MIB, 2 * MIB, 3 * MIB);
    trace.limit(6 * MIB);
    List<Candidate> all = space.candidates(trace);

    assertThat(all).extracting(Candidate::settings).containsExactly("", GROWTH);
    assertThat(all)
        .extracting(Candidate::paste)
        .containsExactly("unset XLA_PYTHON_CLIENT_PREALLOCATE", "export " + GROWTH);
    assertThat(trace.replayed(all.getFirst().rules()).regionBytes()).containsExactly(6 * MIB);
    assertThat(trace.replayed(all.getLast().rules()).regionBytes())
        .containsExactlyInAnyOrder(2 * MIB, 4 * MIB);
    assertThat(baseline(space, trace).settings()).isEqualTo(GROWTH);
  }

  @Test
  void baseline_ofALogWithALimit_hasTheFractionOfTheLimit() {
    SettingsSpace space = SettingsSpaces.xla(DEVICE);
    TunedTrace trace = recorded(2 * MIB, 1000);
    trace.limit(750 * MIB);
    assertThat(baseline(space, trace).settings()).isEqualTo(GROWTH);
    trace.limit(500 * MIB);
    assertThat(baseline(space, trace).settings()).isEqualTo("XLA_CLIENT_MEM_FRACTION=.5 " + GROWTH);
  }

  @Test
  void baseline_ofALogWithOneRegion_isTheShortestFractionWithItsSize() {
    SettingsSpace space = SettingsSpaces.xla(DEVICE);

    assertThat(baseline(space, recorded(300 * MIB, 1000)).settings())
        .isEqualTo("XLA_CLIENT_MEM_FRACTION=.3");
    assertThat(baseline(space, recorded(124 * MIB, 1000)).settings())
        .isEqualTo("XLA_CLIENT_MEM_FRACTION=.124");
    assertThat(baseline(space, recorded(750 * MIB, 1000)).settings()).isEmpty();
    // Not a multiple of 2 MiB, and larger than the device: not known.
    assertThat(baseline(space, recorded(301 * MIB, 1000)).settings()).isEmpty();
    assertThat(baseline(space, recorded(1002 * MIB, 1000)).settings()).isEmpty();
    assertThat(baseline(space, requesting(1000)).settings()).isEmpty();
  }

  @Test
  void baseline_ofALogWithGrowth_isGrowthWithTheRecordedLimit() {
    SettingsSpace space = SettingsSpaces.xla(DEVICE);

    assertThat(baseline(space, recorded(2 * MIB, 1000)).settings()).isEqualTo(GROWTH);
    TunedTrace limited = recorded(2 * MIB, 2 * MIB);
    limited.region(1L << 41, 48 * MIB);
    addRequests(limited, 40 * MIB);
    assertThat(baseline(space, limited).settings())
        .isEqualTo("XLA_CLIENT_MEM_FRACTION=.05 " + GROWTH);
    assertThat(limited.replayed(baseline(space, limited).rules()).regionBytes())
        .containsExactlyInAnyOrder(2 * MIB, 48 * MIB);
  }

  /** The first 35 s of a job on an H100 that grows. */
  @Test
  void baseline_ofARealLog_hasItsRegions() throws IOException {
    TunedTrace trace = new TunedTrace();
    TraceReader.read(
        "jax_growth.log.gz",
        SampleModels.folder("gpu/xla").resolve("jax_growth.log.gz"),
        TraceOptions.strict(),
        trace);
    for (OptionalLong device : List.of(OptionalLong.empty(), OptionalLong.of(85_015_000_000L))) {
      Candidate baseline = baseline(SettingsSpaces.xla(device), trace);
      assertThat(baseline.settings()).isEqualTo(GROWTH);
      assertThat(trace.replayed(baseline.rules()).regionBytes())
          .containsExactlyInAnyOrderElementsOf(trace.regionBytes());
    }
    assertThat(trace.regionBytes().stream().map(bytes -> bytes / MIB))
        .containsExactly(2L, 4L, 8L, 32L, 32L, 64L, 128L, 256L);
  }

  @Test
  void effect_ofGrowthBelowTheLimit_isThatWithoutAFraction() {
    TunedTrace trace = requesting(490 * MIB);
    SettingsSpace space = SettingsSpaces.xla(DEVICE);
    List<Candidate> all = space.candidates(trace);
    Object growth = space.effect(all.get(1), trace);

    assertThat(all)
        .filteredOn(candidate -> space.effect(candidate, trace).equals(growth))
        .hasSize(49) // no fraction, and 48 from .52 to 1 other than .75
        .extracting(Candidate::settings)
        .contains("XLA_CLIENT_MEM_FRACTION=.52 " + GROWTH)
        .doesNotContain("XLA_CLIENT_MEM_FRACTION=.51 " + GROWTH);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void effect_ofEqualValue_isAnEqualResult(long seed) {
    Random random = new Random(seed);
    TunedTrace trace = RandomTrace.of(seed).tuned();
    long deviceBytes = (long) (trace.peakRequestedBytes() * (1 + 3 * random.nextDouble()));
    SettingsSpace space = SettingsSpaces.xla(OptionalLong.of(deviceBytes));
    Map<Object, ReplayResult> results = new HashMap<>();
    for (Candidate candidate : space.candidates(trace)) {
      assertThat(XlaSettings.parse(candidate.settings())).hasToString(candidate.settings());
      ReplayResult result = trace.replayed(candidate.rules());
      ReplayResult known = results.putIfAbsent(space.effect(candidate, trace), result);
      if (known != null) {
        assertThat(result).as(candidate.settings()).isEqualTo(known);
      }
    }
  }
}
