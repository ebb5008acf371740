package dev.stowage.cli.diff;

import dev.stowage.cli.gate.BaselineEntry;
import dev.stowage.cli.gate.BaselineRecord;
import dev.stowage.cli.gate.SizeGrowth;
import dev.stowage.cli.gate.TensorPairs;
import dev.stowage.cli.text.DifferenceText;
import dev.stowage.pages.text.Text;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The entries of a model in two baselines, one of which may have none. */
record ComparedEntries(Optional<BaselineEntry> a, Optional<BaselineEntry> b) {

  /**
   * The figures that stand for a model, the first one that it has. Those of budgets may have a
   * shape before the name; then the largest shape counts.
   */
  private static final List<String> FIGURES =
      List.of(
          "arena_bytes",
          "head_bytes",
          "offsets_bytes",
          "banks_bytes",
          "objects_bytes",
          "highest_bytes");

  /** The options of {@code stowage plan} with at most one value that {@code --explain} allows. */
  private static final Set<String> PLAN_OPTIONS =
      Set.of("--alias", "--alignment", "--dim", "--io", "--kind", "--runtime", "--strategy");

  private record Cause(String name, long growthBytes) {}

  /** {@return the difference; empty if the entries have no figure in common} */
  Optional<ModelDiff> difference(String command, String name) {
    return FIGURES.stream()
        .filter(figure ->
            Stream.of(a, b)
                .flatMap(Optional::stream)
                .allMatch(entry -> bytes(entry, figure).isPresent()))
        .findFirst()
        .map(figure ->
            new ModelDiff(
                command,
                name,
                figure,
                bytes(a, figure),
                bytes(b, figure),
                otherOptions(),
                command.equals("plan") ? planOptions() : Optional.empty(),
                cause()));
  }

  /** {@return the reason that there is no difference} */
  String incomparable() {
    return Text.of("has no figure in bytes that is comparable: %s and %s", names(a), names(b));
  }

  private static String names(Optional<BaselineEntry> entry) {
    return entry
        .map(known -> String.join(", ", known.figures().keySet()))
        .filter(names -> !names.isEmpty())
        .orElse("none");
  }

  private static OptionalLong bytes(Optional<BaselineEntry> entry, String figure) {
    return entry.map(known -> bytes(known, figure)).orElseGet(OptionalLong::empty);
  }

  private static OptionalLong bytes(BaselineEntry entry, String figure) {
    return entry.figures().entrySet().stream()
        .filter(known -> known.getKey().equals(figure) || known.getKey().endsWith(" " + figure))
        .mapToLong(known -> known.getValue())
        .max();
  }

  /** {@return the options that differ: {@code --alignment 16 instead of 1}} */
  private List<String> otherOptions() {
    if (a.isEmpty() || b.isEmpty()) {
      return List.of();
    }
    SortedSet<String> names = new TreeSet<>(a.get().options().keySet());
    names.addAll(b.get().options().keySet());
    List<String> differences = new ArrayList<>();
    for (String name : names) {
      String was = a.get().option(name).orElse("not given");
      String is = b.get().option(name).orElse("not given");
      if (!was.equals(is)) {
        differences.add(Text.of("%s %s instead of %s", name, is, was));
      }
    }
    return differences;
  }

  /** {@return the options of the second entry as words, if each is one with a single value} */
  private Optional<List<String>> planOptions() {
    List<String> words = new ArrayList<>();
    if (b.isEmpty() || !PLAN_OPTIONS.containsAll(b.get().options().keySet())) {
      return Optional.empty();
    }
    b.get()
        .options()
        .forEach((name, value) -> {
          boolean isDefault = name.equals("--alignment") && value.equals("1");
          if (value.equals("given")) {
            words.add(name);
          } else if (!isDefault) {
            words.addAll(List.of(name, value));
          }
        });
    return words.stream().anyMatch(word -> word.contains(" "))
        ? Optional.empty()
        : Optional.of(words);
  }

  /** {@return the part that grew most, or else the tensor that changed most} */
  private String cause() {
    if (a.isEmpty() || b.isEmpty()) {
      return "";
    }
    Stream<Cause> parts =
        SizeGrowth.between(a.get().parts(), b.get().parts()).stream()
            .map(growth -> new Cause(growth.name(), growth.bytes()));
    Stream<Cause> tensors =
        new TensorPairs(a.get().records(), b.get().records())
            .all().stream()
                .map(ComparedEntries::cause)
                .filter(cause -> cause.growthBytes != 0)
                .sorted(
                    Comparator.comparingLong((Cause cause) -> Math.abs(cause.growthBytes))
                        .reversed()
                        .thenComparing(Cause::name));
    return Stream.concat(parts, tensors)
        .findFirst()
        .map(cause -> cause.name + " " + DifferenceText.signed(cause.growthBytes))
        .orElse("");
  }

  private static Cause cause(TensorPairs.Pair pair) {
    String name = pair.now().or(pair::before).map(BaselineRecord::name).orElseThrow();
    long now = pair.now().map(BaselineRecord::size).orElse(0L);
    return new Cause(name, now - pair.before().map(BaselineRecord::size).orElse(0L));
  }
}
