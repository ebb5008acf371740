package dev.stowage.cli.gate;

import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The comparison of a result with its entry in a baseline.
 *
 * @param file the file of the baseline
 * @param tolerance the growth that is no regression
 */
public record BaselineComparison(
    String file, BaselineEntry before, BaselineEntry now, Tolerance tolerance) {

  /** {@return a sentence on the reason that the two are not comparable; empty if they are} */
  public Optional<String> refusal() {
    List<String> differences = new ArrayList<>();
    Set<String> names = new TreeSet<>(before.options().keySet());
    names.addAll(now.options().keySet());
    for (String name : names) {
      String was = before.options().getOrDefault(name, "not given");
      String is = now.options().getOrDefault(name, "not given");
      if (!was.equals(is)) {
        differences.add(Text.of("%s is %s now and was %s", name, is, was));
      }
    }
    Set<String> figures = now.figures().keySet();
    if (differences.isEmpty() && !before.figures().keySet().equals(figures)) {
      differences.add(
          Text.of(
              "the figures are %s now and were %s",
              String.join(", ", figures), String.join(", ", before.figures().keySet())));
    }
    return differences.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Text.of(
                "not comparable with the baseline %s: %s; use the same options, or record these with --update-baseline",
                file, String.join(", ", differences)));
  }

  /** {@return a sentence on each figure that grew by more than the tolerance} */
  public List<String> regressions() {
    List<String> sentences = new ArrayList<>();
    now.figures()
        .forEach((name, is) -> {
          long was = before.figures().getOrDefault(name, 0L);
          long largest = tolerance.largest(name, was);
          if (is > largest) {
            sentences.add(
                Text.of(
                    "worse than the baseline %s: %s, expected at most %s%s",
                    file,
                    growth(name, was, is),
                    Numbers.grouped(largest),
                    largest == was
                        ? ""
                        : Text.of(
                            ": %s and a tolerance of %s", Numbers.grouped(was), tolerance.text())));
          }
        });
    return sentences;
  }

  private static String growth(String name, long was, long is) {
    String share = was == 0 ? "from 0" : Numbers.excess((double) (is - was) / was);
    return Text.of(
        "%s is %s, %s more (%s%s)",
        name,
        Numbers.grouped(is),
        Numbers.grouped(is - was),
        share.startsWith("<") || was == 0 ? "" : "+",
        share);
  }

  /** {@return sentences on the parts that explain a regression} */
  public List<String> causes() {
    List<String> sentences = new ArrayList<>();
    now.parts()
        .forEach((name, is) -> {
          long was = before.parts().getOrDefault(name, 0L);
          if (is > was) {
            sentences.add("part " + growth(name, was, is));
          }
        });
    return sentences;
  }

  /** {@return a sentence on the figures that shrank; empty if none did} */
  public Optional<String> improvement() {
    List<String> smaller = new ArrayList<>();
    before
        .figures()
        .forEach((name, was) -> {
          long is = now.figures().getOrDefault(name, was);
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
