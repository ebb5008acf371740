package dev.stowage.cli.gate;

import dev.stowage.cli.gate.SizeChanges.Growth;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Function;

/** The comparison of a result with its entry in a baseline. */
public final class BaselineComparison {

  /** The number of records, weights, and parts that messages name. */
  private static final int MAX_NAMED = 10;

  /** The number of figures that messages name: those of a plan, or of a budget's largest shapes. */
  private static final int MAX_FIGURES = 6;

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
    SortedMap<String, String> old = before.options();
    SortedMap<String, String> given = now.entry().options();
    TreeSet<String> names = new TreeSet<>(old.keySet());
    names.addAll(given.keySet());
    for (String name : names) {
      String was = old.getOrDefault(name, "");
      String is = given.getOrDefault(name, "");
      if (!was.equals(is)) {
        differences.add(Text.of("%s is %s now and was %s", name, orNotGiven(is), orNotGiven(was)));
      }
    }
    if (!differences.isEmpty()) {
      return Optional.of(
          Text.of(
              "not comparable with the baseline %s: %s; use the same options, or record these with --update-baseline",
              file, String.join(", ", differences)));
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
            Text.of(
                "not comparable with the baseline %s: the input has the figures %s now and had %s; record these with --update-baseline",
                file, orNone(is), orNone(was)));
  }

  private static String orNone(Set<String> names) {
    return names.isEmpty() ? "none" : String.join(", ", names);
  }

  /**
   * {@return a sentence on each figure that grew by more than the tolerance, the largest growth
   * first, at most six}
   */
  public List<String> regressions() {
    List<Growth> growths = grownFigures();
    List<String> sentences = new ArrayList<>();
    for (Growth growth : growths.stream().limit(MAX_FIGURES).toList()) {
      String was = Numbers.grouped(growth.before());
      String expected =
          tolerance.isPositive()
              ? Text.of(
                  "%s: %s and a tolerance of %s",
                  Numbers.grouped(tolerance.largest(growth.name(), growth.before())),
                  was,
                  tolerance.text())
              : was;
      sentences.add(
          Text.of(
              "worse than the baseline %s: %s, expected at most %s",
              file, sentence(growth), expected));
    }
    if (growths.size() > MAX_FIGURES) {
      sentences.add(
          Text.of(
              "worse than the baseline %s: %s grew by fewer bytes",
              file, Numbers.count(growths.size() - MAX_FIGURES, "more figure")));
    }
    return sentences;
  }

  private List<Growth> grownFigures() {
    return SizeChanges.of(before.figures(), now.entry().figures()).stream()
        .filter(growth -> growth.now() > tolerance.largest(growth.name(), growth.before()))
        .toList();
  }

  private static String sentence(Growth growth) {
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

  /**
   * {@return sentences on the parts, weights and records that are responsible for a regression, the
   * heaviest of each first, at most ten of each}
   */
  public List<String> causes() {
    List<Growth> parts = grownParts();
    List<Growth> weights = SizeChanges.of(before.weights(), now.entry().weights());
    List<TensorChange> changes =
        new TensorChanges(before.records(), now.entry().records()).at(now.peaks());
    List<String> sentences = new ArrayList<>();
    addFirst(parts, growth -> "part " + sentence(growth), "more part", "larger", sentences);
    addFirst(weights, BaselineComparison::weight, "more weight", "new or larger", sentences);
    addFirst(changes, this::sentence, "more tensor", "new, larger or live longer", sentences);
    return parts.isEmpty() && weights.isEmpty() && changes.isEmpty()
        ? List.of("no tensor is new, larger or live longer than in the baseline")
        : sentences;
  }

  /** {@return the parts that grew at the shape of the largest regression} */
  private List<Growth> grownParts() {
    List<Growth> figures = grownFigures();
    String shape = figures.isEmpty() ? "" : shape(figures.getFirst().name());
    return SizeChanges.of(before.parts(), now.entry().parts()).stream()
        .filter(growth -> {
          String ofPart = shape(growth.name());
          return ofPart.isEmpty() || ofPart.equals(shape);
        })
        .toList();
  }

  /** {@return the shape with which a name starts; empty if there is none} */
  private static String shape(String name) {
    return name.substring(0, name.lastIndexOf(' ') + 1);
  }

  private static String weight(Growth growth) {
    String name = "'" + Printable.of(growth.name()) + "'";
    String size = Numbers.grouped(growth.now());
    return growth.isNew()
        ? Text.of("new: weight %s, size %s", name, size)
        : Text.of(
            "larger: weight %s, size %s instead of %s",
            name, size, Numbers.grouped(growth.before()));
  }

  private static <T> void addFirst(
      List<T> changes,
      Function<T, String> sentence,
      String more,
      String kind,
      List<String> sentences) {
    changes.stream().limit(MAX_NAMED).map(sentence).forEach(sentences::add);
    if (changes.size() > MAX_NAMED) {
      sentences.add("and " + Numbers.count(changes.size() - MAX_NAMED, more) + ", " + kind);
    }
  }

  private String sentence(TensorChange change) {
    BaselineRecord record = change.record();
    String name = "'" + Printable.of(record.name()) + "'";
    String size = Numbers.grouped(record.size());
    String life =
        Text.of(
            "live from %s to %s%s",
            now.taskNames().apply(record.firstTask()),
            now.taskNames().apply(record.lastTask()),
            change.moreTasks() == 0
                ? ""
                : ", " + Numbers.count(change.moreTasks(), "task") + " longer than before");
    return switch (change.kind()) {
      case NEW -> Text.of("new: %s, size %s, %s", name, size, life);
      case LARGER ->
          Text.of(
              "larger: %s, size %s instead of %s, %s",
              name, size, Numbers.grouped(change.sizeBefore()), life);
      case LONGER -> Text.of("live longer: %s, size %s, %s", name, size, life);
      case TOGETHER ->
          Text.of(
              "live together with other tensors than before: %s, size %s, %s", name, size, life);
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
