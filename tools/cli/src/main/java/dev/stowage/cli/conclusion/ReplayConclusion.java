package dev.stowage.cli.conclusion;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.report.ReplayAnswer;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.trace.replay.ReplayResult;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The conclusion of {@code stowage replay}. */
public final class ReplayConclusion {

  /** The share of the requested bytes above which other settings are worth a search. */
  private static final double WORTH_TUNING = 0.01;

  private final ReplayReport report;
  private final ReplayResult result;
  private final List<String> options;
  private final List<String> tuneOptions;

  private ReplayConclusion(ReplayReport report, List<String> options, List<String> tuneOptions) {
    this.report = report;
    this.options = options;
    this.tuneOptions = tuneOptions;
    result = report.result();
  }

  /**
   * {@return the conclusion}
   *
   * @param options the options that change the replay, as words of a command line
   * @param tuneOptions those that {@code stowage tune} has, too
   */
  public static Conclusion of(ReplayReport report, List<String> options, List<String> tuneOptions) {
    return new ReplayConclusion(report, options, tuneOptions).conclusion();
  }

  private Conclusion conclusion() {
    return new Conclusion(
        result.failures() > 0
            ? Numbers.count(result.failures(), "failed request")
            : ByteUnit.human(result.peakReservedBytes()),
        result.failures() > 0 ? failure(result.firstFailure().orElseThrow()) : reserved(),
        "Confidence: " + ReplayAnswer.text(report.allocator().confidence()) + ".",
        command());
  }

  private String failure(ReplayResult.Failure failure) {
    String reason =
        switch (failure.verdict()) {
          case BUDGET_REACHED -> "it exceeds the limit of a budget";
          case REFUSED_BY_DEVICE -> "the device refuses more memory";
          case INTERNAL_FRAGMENTATION ->
              "the requested bytes are within the limit, but rounding takes the rest";
          case TRUE_SHORTAGE -> "the bytes in use and the request are more than the limit";
          case EXTERNAL_FRAGMENTATION -> "enough bytes are free, but no free chunk is large enough";
          case LIMIT_REACHED -> "too few bytes are free, and the limit permits no more";
        };
    return String.format(
        Locale.ROOT,
        "A request fails at %s: %s.%s",
        ReplayAnswer.event(report.firstFailureEvent().orElse(0)),
        reason,
        ReplayAnswer.remedies(report)
            .map(remedies -> " All requests pass with " + remedies + ".")
            .orElse(""));
  }

  private String reserved() {
    long requested = result.peakRequestedBytes();
    long over = result.peakReservedBytes() - requested;
    return String.format(
        Locale.ROOT,
        "%s reserves %s at the peak for %s that the program requests%s.",
        capitalized(report.allocator().title()),
        ByteUnit.sentence(result.peakReservedBytes()),
        ByteUnit.sentence(requested),
        over == 0 || requested == 0
            ? ""
            : over < 0
                ? ", because the peaks are those of different moments"
                : ", " + Numbers.percent(over, requested) + " more");
  }

  private static String capitalized(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  private Optional<String> command() {
    long over = result.peakReservedBytes() - result.peakRequestedBytes();
    // A report on a failure has no requests before it, which a search for settings needs.
    if (!report.summary().isReport()
        && (result.failures() > 0 || over > WORTH_TUNING * result.peakRequestedBytes())) {
      return Optional.of(ShellLine.of("tune", report.input(), tuneOptions));
    }
    return report.details().explanation().isPresent()
        ? Optional.empty()
        : Optional.of(ShellLine.of("replay", report.input(), options, "--explain"));
  }
}
