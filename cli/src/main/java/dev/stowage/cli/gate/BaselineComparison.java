package dev.stowage.cli.gate;

import dev.stowage.cli.text.Numbers;
import dev.stowage.cli.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/** The comparison of a result with its entry in a baseline. */
public final class BaselineComparison {

  /** The number of records that messages name. */
  private static final int MAX_NAMED = 10;

  private final String file;
  private final BaselineEntry before;
  private final GatedResult now;
  private final Tolerance tolerance;

  /**
   * Creates a comparison.
   *
   * @param file the baseline file, for messages
   * @param before the entry of the input
   * @param now the result
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
    SortedMap<String, String> old = before.options();
    SortedMap<String, String> given = now.entry().options();
    TreeSet<String> names = new TreeSet<>(old.keySet());
    names.addAll(given.keySet());
    for (String name : names) {
      String was = old.getOrDefault(name, "");
      String is = given.getOrDefault(name, "");
      if (!was.equals(is)) {
        differences.add(
            String.format(
                Locale.ROOT, "%s is %s now and was %s", name, orNotGiven(is), orNotGiven(was)));
      }
    }
    if (!differences.isEmpty()) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "not comparable with the baseline %s: %s; use the same options, or record these with --update-baseline",
              file,
              String.join(", ", differences)));
    }
    return otherFigures();
  }

  private static String orNotGiven(String value) {
    return value.isEmpty() ? "not given" : value;
  }

  private Optional<String> otherFigures() {
    Set<String> was = before.figures().keySet();
    Set<String> is = now.entry().figures().keySet();
    return was.equals(is)
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "not comparable with the baseline %s: the input has the figures %s now and had %s; record these with --update-baseline",
                file,
                orNone(is),
                orNone(was)));
  }

  private static String orNone(Set<String> names) {
    return names.isEmpty() ? "none" : String.join(", ", names);
  }

  /** {@return a sentence on each figure that grew by more than the tolerance} */
  public List<String> regressions() {
    List<String> sentences = new ArrayList<>();
    for (Map.Entry<String, Long> figure : before.figures().entrySet()) {
      String name = figure.getKey();
      long was = figure.getValue();
      long is = now.entry().figures().getOrDefault(name, was);
      long largest = tolerance.largest(name, was);
      if (is > largest) {
        String expected =
            tolerance.isPositive()
                ? String.format(
                    Locale.ROOT,
                    "%s: %s and a tolerance of %s",
                    Numbers.grouped(largest),
                    Numbers.grouped(was),
                    tolerance.text())
                : Numbers.grouped(was);
        sentences.add(
            String.format(
                Locale.ROOT,
                "worse than the baseline %s: %s is %s, %s more (%s), expected at most %s",
                file,
                name,
                Numbers.grouped(is),
                Numbers.grouped(is - was),
                share(is - was, was),
                expected));
      }
    }
    return sentences;
  }

  private static String share(long growth, long before) {
    if (before == 0) {
      return "from 0";
    }
    String share = Numbers.excess((double) growth / before);
    return share.startsWith("<") ? share : "+" + share;
  }

  /**
   * {@return a sentence on each of the records that are responsible for a regression, the heaviest
   * first, at most ten}
   */
  public List<String> responsible() {
    List<TensorChange> changes =
        new TensorChanges(before.records(), now.entry().records()).at(now.peaks());
    if (changes.isEmpty()) {
      return List.of("no tensor is new, larger or live longer than in the baseline");
    }
    List<String> sentences = new ArrayList<>();
    changes.stream().limit(MAX_NAMED).map(this::sentence).forEach(sentences::add);
    if (changes.size() > MAX_NAMED) {
      sentences.add(
          "and "
              + Numbers.count(changes.size() - MAX_NAMED, "more tensor")
              + ", new, larger or live longer");
    }
    return sentences;
  }

  private String sentence(TensorChange change) {
    BaselineRecord record = change.record();
    String name = "'" + Printable.of(record.name()) + "'";
    String size = Numbers.grouped(record.size());
    String life =
        String.format(
            Locale.ROOT,
            "live from %s to %s%s",
            now.taskNames().apply(record.firstTask()),
            now.taskNames().apply(record.lastTask()),
            change.moreTasks() == 0
                ? ""
                : ", " + Numbers.count(change.moreTasks(), "task") + " longer than before");
    return switch (change.kind()) {
      case NEW -> String.format(Locale.ROOT, "new: %s, size %s, %s", name, size, life);
      case LARGER ->
          String.format(
              Locale.ROOT,
              "larger: %s, size %s instead of %s, %s",
              name,
              size,
              Numbers.grouped(change.sizeBefore()),
              life);
      case LONGER -> String.format(Locale.ROOT, "live longer: %s, size %s, %s", name, size, life);
      case TOGETHER ->
          String.format(
              Locale.ROOT,
              "live together with other tensors than before: %s, size %s, %s",
              name,
              size,
              life);
    };
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
                String.format(
                    Locale.ROOT,
                    "%s is %s instead of %s",
                    name,
                    Numbers.grouped(is),
                    Numbers.grouped(was)));
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
