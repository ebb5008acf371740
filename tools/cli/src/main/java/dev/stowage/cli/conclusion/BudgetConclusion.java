package dev.stowage.cli.conclusion;

import dev.stowage.budget.MemoryBudget;
import dev.stowage.budget.MemoryPart;
import dev.stowage.cli.budget.BudgetFit;
import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.budget.BudgetRequest;
import dev.stowage.cli.budget.PartConfidence;
import dev.stowage.cli.budget.ShapeBudget;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.plan.shapes.DimensionRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** The conclusion of {@code stowage budget}. */
public final class BudgetConclusion {

  /** The options that change the budget. */
  public static final Set<String> OPTIONS =
      Set.of(
          "--dim",
          "--sessions",
          "--threads",
          "--jvm-heap",
          "--limit",
          "--cpu",
          "--constants",
          "--profile-in");

  private static final String DIMENSION = "--dim";

  private final BudgetReport report;
  private final ShapeBudget largest;
  private final List<String> options;

  private BudgetConclusion(BudgetReport report, List<String> options) {
    this.report = report;
    this.options = options;
    largest = report.largest();
  }

  /**
   * {@return the conclusion}
   *
   * @param options the options that change the budget, as words of a command line
   */
  public static Conclusion of(BudgetReport report, List<String> options) {
    return new BudgetConclusion(report, options).conclusion();
  }

  private Conclusion conclusion() {
    Optional<BudgetFit> fit = report.fit().filter(found -> found.largest().isPresent());
    return new Conclusion(
        fit.map(found -> found.name() + "=" + found.largest().orElseThrow())
            .orElseGet(() -> ByteUnit.human(largest.budget().highestBytes())),
        fit.map(this::fitting)
            .or(() -> report.shortage().map(BudgetConclusion::asSentence))
            .orElseGet(this::needed),
        confidence(),
        command(fit));
  }

  private String fitting(BudgetFit fit) {
    boolean isCount = isCount(fit);
    String name = isCount ? "number of " + fit.name() : Printable.of(fit.name());
    String others =
        report.model().ranges().ranges().stream()
            .filter(range -> range.first() < range.last() && !range.name().equals(fit.name()))
            .map(range -> Printable.of(range.name()) + "=" + range.last())
            .collect(Collectors.joining(", "));
    String limit = ByteUnit.sentence(fit.limitBytes()) + (others.isEmpty() ? "" : " at " + others);
    long size = fit.largest().orElseThrow();
    long most =
        isCount
            ? BudgetFit.MAX_COUNT
            : report
                .model()
                .ranges()
                .range(fit.name())
                .map(DimensionRange::last)
                .orElse(Long.MAX_VALUE);
    return String.format(
        Locale.ROOT,
        "The largest %s within %s is %s%s%s.",
        name,
        limit,
        Numbers.grouped(size),
        size == most ? ", the largest that was tried" : "",
        fit.hasGap() ? gap(fit) : "");
  }

  private static String gap(BudgetFit fit) {
    return fit.allUpTo().isPresent()
        ? String.format(
            Locale.ROOT,
            "; not all smaller ones fit, those up to %s do",
            Numbers.grouped(fit.allUpTo().getAsLong()))
        : "; the smallest does not fit";
  }

  private static boolean isCount(BudgetFit fit) {
    return fit.name().equals(BudgetFit.SESSIONS) || fit.name().equals(BudgetFit.THREADS);
  }

  private String needed() {
    OptionalLong limit = largest.service().limitBytes();
    return String.format(
        Locale.ROOT,
        "%s needs %s%s%s.",
        BudgetRequest.isMicro(largest.input()) ? "An interpreter" : "A service",
        ByteUnit.sentence(largest.budget().highestBytes()),
        largest.dimensions().isEmpty() ? "" : " at " + Printable.of(largest.shapeText()),
        limit.isEmpty()
            ? ""
            : largest.fits()
                ? ", which is within the limit of " + ByteUnit.human(limit.getAsLong())
                : ", which exceeds the limit of "
                    + ByteUnit.human(limit.getAsLong())
                    + "; smaller shapes fit");
  }

  private static String asSentence(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1) + ".";
  }

  private String confidence() {
    OptionalLong measured = largest.measuredBytes();
    MemoryBudget budget = largest.budget();
    long bytes = budget.highestBytes();
    if (measured.isPresent()) {
      return "Measured at the largest shape: " + ByteUnit.human(measured.getAsLong()) + ".";
    }
    long exact =
        budget.parts().stream()
            .filter(part -> report.confidence(part) == PartConfidence.EXACT)
            .mapToLong((MemoryPart part) -> budget.highestBytes(part))
            .sum();
    return String.format(
        Locale.ROOT,
        "Confidence: estimate; %s of the bytes follow exactly from the model.",
        Numbers.percent(exact, bytes));
  }

  private Optional<String> command(Optional<BudgetFit> fit) {
    if (BudgetRequest.isMicro(largest.input())) {
      return Optional.of(ShellLine.of("plan", largest.input(), List.of(), "--runtime", "tflm"));
    }
    if (fit.isPresent()) {
      return command(optionsOf(fit.get()), "--format", "k8s");
    }
    if (!report.fits()) {
      return Optional.empty();
    }
    List<DimensionRange> ranges = report.openRanges();
    return largest.fits() || ranges.isEmpty()
        ? command(options, "--format", "k8s")
        : command(options, "--fit", ranges.getFirst().name());
  }

  private Optional<String> command(List<String> words, String... more) {
    return Optional.of(ShellLine.of("budget", largest.input(), words, more));
  }

  /** {@return the options with the largest size that fits} */
  private List<String> optionsOf(BudgetFit fit) {
    String size = Long.toString(fit.largest().orElseThrow());
    List<String> words = new ArrayList<>();
    for (int i = 0; i < options.size(); i++) {
      boolean isReplaced =
          isCount(fit)
              ? options.get(i).equals("--" + fit.name())
              : options.get(i).equals(DIMENSION) && options.get(i + 1).startsWith(fit.name() + "=");
      if (isReplaced) {
        i++;
      } else {
        words.add(options.get(i));
      }
    }
    words.addAll(
        isCount(fit)
            ? List.of("--" + fit.name(), size)
            : List.of(DIMENSION, fit.name() + "=" + size));
    return words;
  }
}
