package dev.stowage.cli.diff;

import dev.stowage.cli.gate.Baseline;
import dev.stowage.cli.text.DifferenceText;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.plan.MalformedFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;

/**
 * The difference between two releases, each of which is a baseline.
 *
 * @param inputA the first file as on the command line
 * @param inputB the second file as on the command line
 * @param models the models of both, those that grew most first
 * @param incomparable sentences on models whose figures are not comparable, which are left out
 */
public record ReleaseDiff(
    String inputA, String inputB, List<ModelDiff> models, List<String> incomparable) {

  /** The sentence on two that do not differ. */
  public static final String NONE =
      "No difference: both have the same models with the same figures.";

  public ReleaseDiff {
    models = List.copyOf(models);
    incomparable = List.copyOf(incomparable);
  }

  /**
   * {@return the difference}
   *
   * @throws MalformedFileException if the sum of the figures of a release is 2^63 or more
   */
  public static ReleaseDiff of(String inputA, Baseline a, String inputB, Baseline b)
      throws MalformedFileException {
    List<ModelDiff> models = new ArrayList<>();
    List<String> incomparable = new ArrayList<>();
    SortedSet<String> commands = new TreeSet<>(a.commands().keySet());
    commands.addAll(b.commands().keySet());
    for (String command : commands) {
      SortedSet<String> names = a.keys(command);
      names.addAll(b.keys(command));
      for (String name : names) {
        ComparedEntries entries = new ComparedEntries(a.find(command, name), b.find(command, name));
        Optional<ModelDiff> model = entries.difference(command, name);
        model.ifPresent(models::add);
        if (model.isEmpty()) {
          incomparable.add(name + ": " + entries.incomparable());
        }
      }
    }
    checkSum(inputA, models, ModelDiff::bytesA);
    checkSum(inputB, models, ModelDiff::bytesB);
    models.sort(ModelDiff.GROWN_FIRST);
    return new ReleaseDiff(inputA, inputB, models, incomparable);
  }

  private static void checkSum(
      String input, List<ModelDiff> models, ToLongFunction<ModelDiff> bytes)
      throws MalformedFileException {
    long sum = 0;
    try {
      for (ModelDiff model : models) {
        sum = Math.addExact(sum, bytes.applyAsLong(model));
      }
    } catch (ArithmeticException e) {
      throw new MalformedFileException(
          input, "has figures whose sum is 2^63 bytes or more, expected fewer");
    }
  }

  /** {@return the sum of the first release} */
  public long bytesA() {
    return models.stream().mapToLong(ModelDiff::bytesA).sum();
  }

  /** {@return the sum of the second release} */
  public long bytesB() {
    return models.stream().mapToLong(ModelDiff::bytesB).sum();
  }

  /** {@return the bytes that the second release needs more; negative if it needs fewer} */
  public long growthBytes() {
    return bytesB() - bytesA();
  }

  /** {@return the models with a change} */
  public List<ModelDiff> with(Change change) {
    return models.stream().filter(model -> model.change() == change).toList();
  }

  /**
   * {@return the number of models of a release}
   *
   * @param bytes returns the bytes of a model in the release
   */
  public long modelCount(Function<ModelDiff, OptionalLong> bytes) {
    return models.stream().filter(model -> bytes.apply(model).isPresent()).count();
  }

  /** {@return true if both have the same models with the same figures} */
  public boolean isNone() {
    return incomparable.isEmpty()
        && models.stream()
            .allMatch(model -> model.change() == Change.SAME && model.otherOptions().isEmpty());
  }

  /** {@return true if the models are of more than one command} */
  public boolean hasSeveralCommands() {
    return models.stream().map(ModelDiff::command).distinct().count() > 1;
  }

  /** {@return the difference, such as {@code b.json needs 1.500 KiB more than a.json (+12.5 %)}} */
  public String title() {
    return title(ByteUnit::human);
  }

  private String title(LongFunction<String> text) {
    return isNone()
        ? DifferenceText.none(inputA, inputB)
        : DifferenceText.sentence(inputA, inputB, "needs", "", bytesA(), bytesB(), text);
  }

  /** {@return the difference and its largest cause, with a full stop} */
  public String sentence() {
    if (isNone()) {
      return NONE;
    }
    List<ModelDiff> order = growthBytes() < 0 ? models.reversed() : models;
    String cause =
        order.isEmpty() || models.size() == 1
            ? ""
            : DifferenceText.cause(
                order.getFirst().name(), growthBytes(), order.getFirst().growthBytes());
    return title(ByteUnit::sentence) + cause + ".";
  }
}
