package dev.stowage.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.SampleModels;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceReader;
import java.io.IOException;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Jobs that ran with PyTorch 2.11 on an H100: one recording of each, and the peaks that were
 * measured when the same jobs ran with other settings and limits.
 */
class RecordedRunsTest {

  private static final long TWO_SEGMENTS = 40 << 20;

  private static TraceReplay replay(String name, PytorchRules rules) throws IOException {
    TraceReplay replay = new TraceReplay(rules, PlacementConsumer.none());
    TraceReader.read(
        name,
        SampleModels.folder("gpu/pytorch").resolve(name + ".pickle.gz"),
        TraceOptions.strict(),
        replay);
    return replay;
  }

  @ParameterizedTest
  @CsvSource({
    "graphs_down-d, 2357",
    "mempools-d, 400",
    "pending-d, 120",
    "streams, 600",
  })
  void replay_withTheRecordedSettings_hasTheRecordedAddresses(String name, long allocations)
      throws IOException {
    PytorchRules rules = PytorchRules.asRecorded();
    TraceReplay replay = replay(name, rules);

    assertThat(replay.contradictions()).isZero();
    assertThat(replay.recordedAddresses()).hasValue(allocations);
    Confidence confidence = Confidence.of(replay, rules);
    assertThat(confidence.level()).isEqualTo(Confidence.Level.EXACT);
    assertThat(confidence.reasons()).isEmpty();
  }

  /** The job set {@code max_split_size_mb:20} first, and the defaults later. */
  @Test
  void replay_withThePhasesOfTheJob_hasTheRecordedAddresses() throws IOException {
    PytorchRules rules =
        PytorchRules.asRecorded()
            .withSettings(PytorchSettings.parse("max_split_size_mb:20"))
            .withPhase(400, PytorchSettings.defaults());
    TraceReplay replay = replay("phases-d", rules);

    assertThat(replay.isOriginal()).isTrue();
    assertThat(replay.recordedAddresses()).hasValue(610);
    assertThat(replay.peakReservedBytes()).isEqualTo(3_898_605_568L);
    assertThat(Confidence.of(replay, rules).level()).isEqualTo(Confidence.Level.EXACT);
  }

  /** A snapshot has only the last settings. */
  @Test
  void confidence_withoutThePhasesOfTheJob_isAnEstimate() throws IOException {
    PytorchRules rules = PytorchRules.asRecorded();

    Confidence confidence = Confidence.of(replay("phases-d", rules), rules);

    assertThat(confidence.level()).isEqualTo(Confidence.Level.ESTIMATE);
    assertThat(confidence.reasons())
        .last()
        .asString()
        .startsWith("With the recorded settings, ")
        .endsWith(" of 610 allocations lie at the recorded address.");
  }

  @ParameterizedTest
  @CsvSource({
    "graphs_down-d, '', 1084227584, 1084227584",
    "graphs_down-d, expandable_segments:True, 975175680, 975175680",
    "graphs_down-d, roundup_power2_divisions:4, 977272832, 977272832",
    "mempools-d, '', 245366784, 245366784",
    "mempools-d, expandable_segments:True, 266338304, 266338304",
    "mempools-d, max_split_size_mb:64, 245366784, 245366784",
    "pending-d, '', 434110464, 434110464",
    "pending-d, expandable_segments:True, 335544320, 335544320",
    "streams, '', 406847488, 406847488",
    "streams, expandable_segments:True, 310378496, 331350016", // two runs
    "streams, 'expandable_segments:True,roundup_power2_divisions:8', 331350016, 331350016",
    "streams, large_segment_size_mb:64, 350224384, 350224384",
    "streams, max_split_size_mb:256, 406847488, 406847488",
    "streams, max_split_size_mb:64, 406847488, 406847488",
    "streams, roundup_power2_divisions:4, 379584512, 379584512",
  })
  void confidence_ofOtherSettings_containsTheMeasuredPeaks(
      String name, String settings, long lowestPeak, long highestPeak) throws IOException {
    PytorchRules rules =
        PytorchRules.asRecorded().withSettings(PytorchSettings.parse(settings)).withoutCache();
    TraceReplay replay = replay(name, rules);

    Confidence confidence = Confidence.of(replay, rules);

    assertThat(replay.result().failures()).isZero();
    assertThat(confidence.lowBytes()).isLessThanOrEqualTo(lowestPeak);
    assertThat(confidence.highBytes()).isGreaterThanOrEqualTo(highestPeak);
    assertThat(confidence.highBytes() - confidence.lowBytes())
        .isLessThanOrEqualTo(Math.max(confidence.lowBytes() * 6 / 100, TWO_SEGMENTS));
    assertThat(confidence.level())
        .isEqualTo(
            confidence.lowBytes() == confidence.highBytes()
                ? Confidence.Level.EXACT
                : Confidence.Level.RANGE);
  }

  @Test
  void replay_limitThatTheJobExceeded_fails() throws IOException {
    PytorchRules rules = PytorchRules.asRecorded().withLimit(OptionalLong.of(120_000_000));
    TraceReplay replay = replay("pending-d", rules);

    assertThat(replay.result().failures()).isPositive();
    assertThat(replay.result().retries()).isPositive();
  }
}
