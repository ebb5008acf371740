package dev.stowage.cli.budget;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * The service to measure.
 *
 * @param dimensions the sizes of dimensions
 * @param service the size of the service
 * @param engine the engine of the service
 * @param options the options of sessions and runs
 * @param inputs the {@code .npy} files of inputs
 * @param jvm the memory of the Java virtual machine of the running service; empty if not given
 * @param arrivals the shapes of requests in the order of their arrival; empty if not given
 * @param tasks the other questions
 */
public record BudgetRequest(
    List<MeasuredDimension> dimensions,
    ServiceSize service,
    EngineJar engine,
    Map<String, String> options,
    Map<String, String> inputs,
    List<BudgetPart> jvm,
    List<Map<String, Long>> arrivals,
    Tasks tasks) {

  /** The number of random shapes of a mixed load. */
  private static final int MIXED = 1000;

  /**
   * The questions beyond the memory of the service.
   *
   * @param hasRemedies true to measure settings that may need less
   * @param fit the dimension to search for its largest size, if requested
   * @param hasProfile true to measure the samples of a profile
   */
  public record Tasks(boolean hasRemedies, Optional<String> fit, boolean hasProfile) {}

  /**
   * A dimension.
   *
   * @param name the name
   * @param sizes the sizes to measure, ascending
   * @param isRange true if the sizes between them are possible, too
   */
  public record MeasuredDimension(String name, List<Long> sizes, boolean isRange) {

    /** {@return the dimension and its sizes as on the command line: {@code seq=16,128,512}} */
    @Override
    public String toString() {
      return name + "=" + sizes.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
  }

  /** {@return the time that the measurement takes, in words} */
  public String duration() {
    return service.concurrent() == 1 && !tasks.hasRemedies() && tasks.fit().isEmpty()
        ? "about 20 s in all"
        : "two to thirty minutes in all";
  }

  /**
   * {@return the parts of the Java process in the budget: of the running service, or of the process
   * that measures with the heap of the service; otherwise none}
   */
  List<BudgetPart> processParts(MeasuredSteps steps) {
    OptionalLong heap = service.heapBytes();
    return !jvm.isEmpty() || heap.isEmpty()
        ? jvm
        : List.of(
            BudgetPart.heap(heap.getAsLong()),
            BudgetPart.of("JVM without its heap", steps.startBytes() - heap.getAsLong()));
  }

  /** {@return the dimensions with several sizes} */
  public List<MeasuredDimension> open() {
    return dimensions.stream().filter(dimension -> dimension.sizes().size() > 1).toList();
  }

  /** {@return all shapes, ascending by the product of their sizes} */
  public List<Map<String, Long>> shapes() {
    List<Map<String, Long>> shapes = List.of(Map.of());
    for (MeasuredDimension dimension : dimensions) {
      List<Map<String, Long>> more = new ArrayList<>();
      for (Map<String, Long> shape : shapes) {
        for (long size : dimension.sizes()) {
          more.add(with(shape, dimension.name(), size));
        }
      }
      shapes = more;
    }
    return shapes.stream().sorted(Comparator.comparingDouble(BudgetRequest::product)).toList();
  }

  static Map<String, Long> with(Map<String, Long> shape, String name, long size) {
    Map<String, Long> sizes = new LinkedHashMap<>(shape);
    sizes.put(name, size);
    return sizes;
  }

  private static double product(Map<String, Long> shape) {
    return shape.values().stream().mapToDouble(Long::doubleValue).reduce(1, (a, b) -> a * b);
  }

  /**
   * {@return shapes up to the largest for a mixed load; empty if there is one shape only, and one
   * request at a time}
   */
  List<Map<String, Long>> mixed(Map<String, Long> largest) {
    if (open().isEmpty()) {
      return service.concurrent() == 1 ? List.of() : List.of(largest);
    }
    Random random = new Random(1);
    List<Map<String, Long>> mixed = new ArrayList<>();
    mixed.add(largest);
    for (int i = 1; i < MIXED; i++) {
      Map<String, Long> shape = new LinkedHashMap<>();
      for (MeasuredDimension dimension : dimensions) {
        long most = largest.getOrDefault(dimension.name(), dimension.sizes().getLast());
        List<Long> sizes = dimension.sizes().stream().filter(size -> size <= most).toList();
        long size =
            dimension.isRange()
                ? random.nextLong(Math.min(most, dimension.sizes().getFirst()), most + 1)
                : sizes.get(random.nextInt(sizes.size()));
        shape.put(dimension.name(), size);
      }
      mixed.add(shape);
    }
    return mixed;
  }
}
