package dev.stowage.cli.conclusion;

import dev.stowage.cli.tune.CommonReport;
import dev.stowage.cli.tune.TuningReport;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.tune.CommonSettings;
import dev.stowage.trace.tune.Trial;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The conclusion of {@code stowage tune}, whose command is the line that sets the settings. */
public final class TuneConclusion {

  private final TuningReport report;
  private final Trial recommended;

  private TuneConclusion(TuningReport report) {
    this.report = report;
    recommended = report.recommended();
  }

  /** {@return the conclusion on one trace} */
  public static Conclusion of(TuningReport report) {
    return new TuneConclusion(report).conclusion();
  }

  /** {@return the conclusion on settings for several traces} */
  public static Conclusion of(CommonReport report) {
    CommonSettings best = report.settings().getFirst();
    String name = TuningReport.name(best.candidate());
    String traces = Numbers.count(report.reports().size(), "trace");
    return new Conclusion(
        best.failures() > 0
            ? Numbers.count(best.failures(), "failed request")
            : Numbers.excess(best.maxRegret()) + " more",
        best.failures() > 0
            ? "Requests fail with all settings for the " + traces + "; fewest with " + name + "."
            : Text.of(
                "With %s, each of the %s needs %s its own best settings.",
                name,
                traces,
                best.maxRegret() == 0
                    ? "as little as with"
                    : "at most " + Numbers.excess(best.maxRegret()) + " more than with"),
        report.isCut()
            ? "The search was cut; better settings may exist."
            : "All traces were replayed with the same settings.",
        Optional.of(best.candidate().paste()));
  }

  private Conclusion conclusion() {
    return new Conclusion(
        failures(recommended) > 0
            ? Numbers.count(failures(recommended), "failed request")
            : ByteUnit.human(peak(recommended)),
        sentence() + withoutCache(),
        confidence(),
        report.isHelpless() ? Optional.empty() : Optional.of(recommended.candidate().paste()));
  }

  private String sentence() {
    if (failures(recommended) > 0) {
      return report.requestsExceedLimit()
          ? Text.of(
              "No setting helps: the program requests %s at its peak, and the limit is %s%s.",
              ByteUnit.sentence(report.input().trace().peakRequestedBytes()),
              report.guessesLimit() ? "at most " : "",
              ByteUnit.sentence(report.conditions().limitBytes().orElseThrow()))
          : report.isHelpless()
              ? "No compared setting helps: "
                  + Numbers.count(failures(recommended), "request")
                  + (failures(recommended) == 1 ? " fails" : " fail")
                  + " with each of them."
              : "Requests fail with all compared settings; fewest with "
                  + TuningReport.name(recommended.candidate())
                  + ".";
    }
    String limit = report.conditions().limitBytes().isPresent() ? ", within the limit" : "";
    if (report.isBaseline(recommended)) {
      return Text.of(
          "With %s, %s reserves %s at the peak%s. No compared settings need over 1 %% less.",
          baseline(),
          report.conditions().allocator().title(),
          ByteUnit.sentence(peak(recommended)),
          limit);
    }
    return Text.of(
        "With %s, %s reserves %s at the peak%s%s.",
        TuningReport.name(recommended.candidate()),
        report.conditions().allocator().title(),
        ByteUnit.sentence(peak(recommended)),
        limit,
        difference());
  }

  private String baseline() {
    return report.isRecorded(recommended) ? "the recorded settings" : "the defaults";
  }

  /** {@return the bytes that the settings save against the recording, or against the defaults} */
  private String difference() {
    OptionalLong recorded = report.recordedReservedBytes();
    Optional<Trial> baseline =
        report.results().stream()
            .map(TuningReport.Row::trial)
            .filter(report::isBaseline)
            .findFirst();
    if (baseline.filter(trial -> failures(trial) > 0).isPresent()) {
      return Text.of(
          "; with %s, %s",
          report.isRecorded(baseline.get()) ? "the recorded settings" : "the defaults",
          failures(baseline.get()) == 1
              ? "1 request fails"
              : Numbers.grouped(failures(baseline.get())) + " requests fail");
    }
    if (recorded.isEmpty() && baseline.isEmpty()) {
      return "";
    }
    long before = recorded.orElseGet(() -> peak(baseline.orElseThrow()));
    long saved = before - peak(recommended);
    return saved <= 0
        ? ""
        : Text.of(
            ", %s less than %s",
            Numbers.percent(saved, before),
            recorded.isPresent() ? "recorded" : "with the defaults");
  }

  /** {@return a sentence on settings that reserve less without the recorded cache, if they do} */
  private String withoutCache() {
    Trial best = report.best();
    return failures(recommended) > 0 || recommended.cold().isNear(best.cold())
        ? ""
        : Text.of(
            " Without the recorded cache, %s needs %s instead of %s.",
            TuningReport.name(best.candidate()),
            ByteUnit.human(best.cold().peakReservedBytes()),
            ByteUnit.human(recommended.cold().peakReservedBytes()));
  }

  private String confidence() {
    List<String> doubts = report.doubts();
    long low = recommended.result().lowBytes();
    String confidence =
        !doubts.isEmpty()
            ? "Confidence: estimate. " + String.join(" ", doubts)
            : low < peak(recommended)
                ? "Confidence: range, from "
                    + ByteUnit.human(low)
                    + " to "
                    + ByteUnit.human(peak(recommended))
                    + " in several plausible runs."
                : "Confidence: exact.";
    return report.isCut()
        ? confidence + " The search was cut; better settings may exist."
        : confidence;
  }

  private static long peak(Trial trial) {
    return trial.result().peakReservedBytes();
  }

  private static long failures(Trial trial) {
    return trial.result().failures();
  }
}
