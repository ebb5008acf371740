package dev.stowage.cli.conclusion;

import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.report.ReplayAnswer;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.explain.Grouping;
import dev.stowage.trace.explain.HolderGroup;
import dev.stowage.trace.replay.ReplayResult;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

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
   * @param tuneOptions the options that {@code stowage tune} has, too
   */
  public static Conclusion of(ReplayReport report, List<String> options, List<String> tuneOptions) {
    ReplayConclusion made = new ReplayConclusion(report, options, tuneOptions);
    return report.isState() ? made.state() : made.conclusion();
  }

  private Conclusion conclusion() {
    return new Conclusion(
        result.failures() > 0
            ? Numbers.count(result.failures(), "failed request")
            : ByteUnit.human(result.peakReservedBytes()),
        result.firstFailure().isPresent()
            ? failure()
            : reserved() + otherFailures() + passedFailures(),
        "Confidence: " + ReplayAnswer.text(report.allocator().confidence()) + ".",
        command());
  }

  /** {@return the memory at the only moment of a snapshot, and the line that holds the most} */
  private Conclusion state() {
    long inUse = result.peakInUseBytes();
    Optional<HolderGroup> largest =
        report.details().explanation().stream()
            .flatMap(explanation -> Stream.ofNullable(explanation.holders().get(Grouping.LINE)))
            .flatMap(lines -> lines.groups().stream())
            .filter(group -> !group.key().equals(Grouping.NO_STACK))
            .findFirst();
    return new Conclusion(
        ByteUnit.human(result.reservedBytes()),
        Text.of(
            "PyTorch holds %s: %s in use, %s cached%s.",
            ByteUnit.sentence(result.reservedBytes()),
            ByteUnit.human(inUse),
            ByteUnit.human(result.reservedBytes() - inUse),
            largest
                .map(line -> Text.of("; %s holds %s", line.key(), ByteUnit.human(line.bytes())))
                .orElse("")),
        "The snapshot has no history, so that it shows one moment only.",
        Optional.empty());
  }

  private String failure() {
    return FailureSentence.of(report)
        + report
            .details()
            .advice()
            .map(it -> " All requests pass with PYTORCH_CUDA_ALLOC_CONF=" + it + ".")
            .orElse("");
  }

  private String reserved() {
    long requested = result.peakRequestedBytes();
    long over = result.peakReservedBytes() - requested;
    return Text.of(
        "%s reserves %s at the peak for %s that the program requests%s.",
        capitalized(report.allocator().kind().title()),
        ByteUnit.sentence(result.peakReservedBytes()),
        ByteUnit.sentence(requested),
        over == 0 || requested == 0
            ? ""
            : over < 0
                ? ", because the peaks are those of different moments"
                : ", " + Numbers.percent(over, requested) + " more");
  }

  /** {@return a sentence on failures in other runs than the most probable one, if there are any} */
  private String otherFailures() {
    return result.failures() == 0
        ? ""
        : Text.of(
            " Other plausible runs have up to %s.",
            Numbers.count(result.failures(), "failed request"));
  }

  /** {@return a sentence on requests that failed in the recording only, if there are any} */
  private String passedFailures() {
    long passed = result.recordedFailures().passed();
    return passed == 0
        ? ""
        : " Recorded failures that pass with these settings: " + Numbers.grouped(passed) + ".";
  }

  private static String capitalized(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  private Optional<String> command() {
    long over = result.peakReservedBytes() - result.peakRequestedBytes();
    // A report or a state has no requests before it, which a search for settings needs.
    boolean mayTuningHelp =
        result
            .firstFailure()
            .map(first -> first.verdict() == OutOfMemoryVerdict.FRAGMENTED)
            .orElse(over > WORTH_TUNING * result.peakRequestedBytes());
    if (!report.summary().isReport()
        && !report.summary().isState()
        && !report.allocator().agreement().isMissed()
        && mayTuningHelp) {
      return Optional.of(ShellLine.of("tune", report.input(), tuneOptions));
    }
    return report.details().explanation().isPresent()
        ? Optional.empty()
        : Optional.of(ShellLine.of("replay", report.input(), options, "--explain"));
  }
}
