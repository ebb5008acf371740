package dev.stowage.cli.diff;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A model in one or both of two releases.
 *
 * @param command the command that wrote its figures, such as {@code plan}
 * @param name the path relative to the folder of the baseline
 * @param figure the name of the figure that is compared, such as {@code offsets_bytes}
 * @param bytesInA the figure in the first release; empty if the model is new
 * @param bytesInB the figure in the second release; empty if the model is gone
 * @param otherOptions the options that differ, with both values
 * @param planOptions the options of the second release as words of a command line; empty unless
 *     {@code stowage plan} has all of them
 * @param cause the tensor or part that grew or shrank most, with its growth; empty if none did
 */
public record ModelDiff(
    String command,
    String name,
    String figure,
    OptionalLong bytesInA,
    OptionalLong bytesInB,
    List<String> otherOptions,
    Optional<List<String>> planOptions,
    String cause) {

  /** The models that grew most first. */
  static final Comparator<ModelDiff> GROWN_FIRST =
      Comparator.comparingLong(ModelDiff::growthBytes)
          .thenComparingLong(ModelDiff::bytesB)
          .reversed()
          .thenComparing(ModelDiff::name)
          .thenComparing(ModelDiff::command);

  public ModelDiff {
    otherOptions = List.copyOf(otherOptions);
  }

  public long bytesA() {
    return bytesInA.orElse(0);
  }

  public long bytesB() {
    return bytesInB.orElse(0);
  }

  /** {@return the bytes that the model needs more in the second release} */
  public long growthBytes() {
    return bytesB() - bytesA();
  }

  public Change change() {
    if (bytesInA.isEmpty()) {
      return Change.NEW;
    }
    if (bytesInB.isEmpty()) {
      return Change.GONE;
    }
    return growthBytes() == 0 ? Change.SAME : growthBytes() > 0 ? Change.GROWN : Change.SHRUNK;
  }
}
