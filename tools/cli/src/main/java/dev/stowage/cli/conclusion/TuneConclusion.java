package dev.stowage.cli.conclusion;

import dev.stowage.cli.tune.TuningReport;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.tune.Trial;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The conclusion of {@code stowage tune}. Its command is the line that sets the settings. */
public final class TuneConclusion {

  private final TuningReport report;
  private final Trial recommended;
  private final long peakBytes;
  private final long failures;

  private TuneConclusion(TuningReport report) {
    this.report = report;
    recommended = report.recommended();
    peakBytes = recommended.result().peakReservedBytes();
    failures = recommended.result().failures();
  }

  /** {@return the conclusion on a trace} */
  public static Conclusion of(TuningReport report) {
    return new TuneConclusion(report).conclusion();
  }

  private Conclusion conclusion() {
    return new Conclusion(
        failures > 0 ? Numbers.count(failures, "failed request") : ByteUnit.human(peakBytes),
        failures > 0 ? failure() : sentence(),
        confidence(),
        report.requestsExceedLimit()
            ? Optional.empty()
            : Optional.of(recommended.candidate().paste()));
  }

  private String failure() {
    return report.requestsExceedLimit()
        ? Text.of(
            "No setting helps: the program requests %s at its peak, and the limit is %s.",
            ByteUnit.sentence(report.input().trace().peakRequestedBytes()),
            ByteUnit.sentence(report.limitBytes().orElseThrow()))
        : Text.of(
            "Requests fail with all compared settings; fewest, %s, with %s.",
            Numbers.grouped(failures), TuningReport.name(recommended.candidate()));
  }

  private String sentence() {
    return Text.of(
        "With %s, %s reserves %s at the peak%s%s.",
        report.isRecorded(recommended)
            ? "the recorded settings"
            : TuningReport.name(recommended.candidate()),
        report.allocator().title(),
        ByteUnit.sentence(peakBytes),
        report.limitBytes().isPresent() ? ", within the limit" : "",
        report.isBaseline(recommended)
            ? "; no compared settings need over 1 % less"
            : difference());
  }

  /** {@return the bytes that the settings save against the recording, or against the defaults} */
  private String difference() {
    Optional<Trial> baseline =
        report.results().stream()
            .map(TuningReport.Row::trial)
            .filter(report::isBaseline)
            .findFirst();
    long failed = baseline.map(trial -> trial.result().failures()).orElse(0L);
    if (failed > 0) {
      return Text.of(
          "; with %s, %s",
          report.isRecorded(baseline.orElseThrow()) ? "the recorded settings" : "the defaults",
          failed == 1 ? "1 request fails" : Numbers.grouped(failed) + " requests fail");
    }
    OptionalLong recorded = report.recordedReservedBytes();
    long before =
        recorded.orElse(baseline.map(trial -> trial.result().peakReservedBytes()).orElse(0L));
    return before <= peakBytes
        ? ""
        : Text.of(
            ", %s less than %s",
            Numbers.percent(before - peakBytes, before),
            recorded.isPresent() ? "recorded" : "with the defaults");
  }

  private String confidence() {
    List<String> doubts = report.doubts();
    long low = recommended.result().lowBytes();
    String confidence =
        !doubts.isEmpty()
            ? "estimate. " + String.join(" ", doubts)
            : low < peakBytes
                ? Text.of(
                    "range, from %s to %s in several plausible runs.",
                    ByteUnit.human(low), ByteUnit.human(peakBytes))
                : "exact.";
    return "Confidence: "
        + confidence
        + (report.isCut() ? " The search was cut; better settings may exist." : "");
  }
}
