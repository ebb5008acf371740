package dev.stowage.cli.gate;

import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** The comparison of a result with its entry in a baseline. */
public final class BaselineComparison {

  /** The number of figures, records and parts that messages name. */
  private static final int MAX_NAMED = 10;

  private final String file;
  private final BaselineEntry before;
  private final GatedResult now;
  private final Tolerance tolerance;

  /**
   * Creates a comparison.
   *
   * @param tolerance the growth that is no regression
   */
  public BaselineComparison(
      String file, BaselineEntry before, GatedResult now, Tolerance tolerance) {
    this.file = file;
    this.before = before;
    this.now = now;
    this.tolerance = tolerance;
  }

  /** {@return a sentence on the reason that the two are not comparable; empty if they are} */
  public Optional<String> refusal() {
    List<String> differences = new ArrayList<>();
    Set<String> names = new TreeSet<>(before.options().keySet());
    names.addAll(now.entry().options().keySet());
    for (String name : names) {
      String was = before.option(name).orElse("not given");
      String is = now.entry().option(name).orElse("not given");
      if (!was.equals(is)) {
        differences.add(Text.of("%s is %s now and was %s", name, is, was));
      }
    }
    if (differences.isEmpty() && !before.figures().keySet().equals(figureNames())) {
      differences.add(
          Text.of(
              "the figures are %s now and were %s",
              String.join(", ", figureNames()), String.join(", ", before.figures().keySet())));
    }
    return differences.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Text.of(
                "not comparable with the baseline %s: %s; use the same options, or record these with --update-baseline",
                file, String.join(", ", differences)));
  }

  private Set<String> figureNames() {
    return now.entry().figures().keySet();
  }

  /** {@return a sentence on each figure that grew by more than the tolerance, at most ten} */
  public List<String> regressions() {
    return sentences(
        SizeGrowth.between(before.figures(), now.entry().figures()).stream()
            .filter(growth -> growth.now() > tolerance.largest(growth.name(), growth.before()))
            .toList(),
        this::regression);
  }

  private String regression(SizeGrowth growth) {
    String was = Numbers.grouped(growth.before());
    String expected =
        tolerance.isPositive()
            ? Text.of(
                "%s: %s and a tolerance of %s",
                Numbers.grouped(tolerance.largest(growth.name(), growth.before())),
                was,
                tolerance.text())
            : was;
    return Text.of(
        "worse than the baseline %s: %s, expected at most %s", file, sentence(growth), expected);
  }

  private static String sentence(SizeGrowth growth) {
    return Text.of(
        "%s is %s, %s more (%s)",
        growth.name(),
        Numbers.grouped(growth.now()),
        Numbers.grouped(growth.bytes()),
        share(growth.bytes(), growth.before()));
  }

  private static String share(long growth, long before) {
    if (before == 0) {
      return "from 0";
    }
    String share = Numbers.excess((double) growth / before);
    return share.startsWith("<") ? share : "+" + share;
  }

  /** {@return sentences on the parts and records that explain a regression, at most ten of each} */
  public List<String> causes() {
    List<String> causes = new ArrayList<>();
    causes.addAll(
        sentences(
            SizeGrowth.between(before.parts(), now.entry().parts()),
            growth -> "part " + sentence(growth)));
    causes.addAll(
        sentences(
            TensorChange.between(before.records(), now.entry().records(), now.peak()),
            this::sentence));
    return causes.isEmpty()
        ? List.of("no tensor is new, larger or live longer than in the baseline")
        : causes;
  }

  private static <T> List<String> sentences(List<T> changes, Function<T, String> sentence) {
    List<String> sentences =
        new ArrayList<>(changes.stream().limit(MAX_NAMED).map(sentence).toList());
    if (changes.size() > MAX_NAMED) {
      sentences.add("and " + Numbers.grouped(changes.size() - MAX_NAMED) + " more");
    }
    return sentences;
  }

  private String sentence(TensorChange change) {
    BaselineRecord record = change.record();
    boolean isLarger = record.size() > change.sizeBefore();
    String kind = change.before().isEmpty() ? "new" : isLarger ? "larger" : "live longer";
    return Text.of(
        "%s: '%s', size %s%s, live from %s to %s%s",
        kind,
        Printable.of(record.name()),
        Numbers.grouped(record.size()),
        kind.equals("larger") ? " instead of " + Numbers.grouped(change.sizeBefore()) : "",
        now.taskNames().apply(record.firstTask()),
        now.taskNames().apply(record.lastTask()),
        change.moreTasks() == 0
            ? ""
            : ", " + Numbers.count(change.moreTasks(), "task") + " longer than before");
  }

  /** {@return a sentence on the figures that shrank; empty if none did} */
  public Optional<String> improvement() {
    List<String> smaller = new ArrayList<>();
    before
        .figures()
        .forEach((name, was) -> {
          long is = now.entry().figures().getOrDefault(name, was);
          if (is < was) {
            smaller.add(
                Text.of("%s is %s instead of %s", name, Numbers.grouped(is), Numbers.grouped(was)));
          }
        });
    return smaller.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "better than the baseline: "
                + String.join(", ", smaller)
                + "; --update-baseline records it");
  }
}
