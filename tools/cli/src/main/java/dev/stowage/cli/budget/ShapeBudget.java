package dev.stowage.cli.budget;

import dev.stowage.budget.MemoryBudget;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The budget of a model for one shape.
 *
 * @param input the file as on the command line
 * @param dimensions the sizes of dimensions
 * @param service the size of the service
 * @param budget the predicted memory
 * @param comparisons the other figures
 */
public record ShapeBudget(
    String input,
    Map<String, Long> dimensions,
    ServiceSize service,
    MemoryBudget budget,
    Comparisons comparisons) {

  /**
   * The figures with which a budget can be compared.
   *
   * @param measured the measured memory, if requested
   * @param rules the estimates of services; none for microcontrollers
   */
  public record Comparisons(Optional<ServiceMeasurement> measured, List<ServiceRule> rules) {}

  /** The part of the heap of the Java process. */
  static final String HEAP_PART = "JVM heap";

  /** The part of the Java process without its heap. */
  static final String JAVA_PART = "JVM";

  private static final Set<String> JAVA_PARTS = Set.of(HEAP_PART, JAVA_PART);

  /** {@return the measured bytes that correspond to the budget, if requested} */
  public OptionalLong measuredBytes() {
    return comparisons
        .measured()
        .map(it -> OptionalLong.of(hasProcess() ? it.end().highestBytes() : it.nativeBytes()))
        .orElse(OptionalLong.empty());
  }

  /** {@return true if the budget has the heap and the other parts of the Java process} */
  public boolean hasProcess() {
    return service.heapBytes().isPresent();
  }

  /** {@return true if the budget is within the limit, or if there is none} */
  public boolean fits() {
    return budget.highestBytes() <= service.limitBytes().orElse(Long.MAX_VALUE);
  }

  /** {@return the sizes of the dimensions: {@code batch=16, seq=128}; empty if there are none} */
  public String shapeText() {
    return dimensions.entrySet().stream()
        .map(dimension -> dimension.getKey() + "=" + dimension.getValue())
        .collect(Collectors.joining(", "));
  }

  /** {@return the highest bytes without the parts of the Java process} */
  public long nativeBytes() {
    return budget.highestBytes()
        - budget.parts().stream()
            .filter(part -> JAVA_PARTS.contains(part.name()))
            .mapToLong(budget::highestBytes)
            .sum();
  }
}
