package dev.stowage.budget;

import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The measured memory of a service that runs a model, as a function of dimensions, sessions and
 * requests at a time.
 *
 * <p>Evaluation needs neither the model nor an engine. A shape between two samples gets the value
 * of the larger sample, because the arena of the engine grows in steps. Immutable.
 *
 * {@snippet :
 * ModelBudget budget = ModelBudget.parse(Files.readString(Path.of("model.profile")));
 * long bytes = budget.at(DimensionValues.of("batch", 12), 1, 8).highestBytes();
 * }
 *
 * @param model the name of the model
 * @param engine the engine that ran it
 * @param machine the machine on which it ran
 * @param services the samples of services
 * @param runs the samples of single runs in Stowage's allocator
 */
public record ModelBudget(
    String model,
    String engine,
    String machine,
    List<ServiceSample> services,
    List<RunSample> runs) {

  /** Copies the lists. */
  public ModelBudget {
    services = List.copyOf(services);
    runs = List.copyOf(runs);
  }

  /**
   * {@return the budget in a text, the content of a file from {@code stowage budget --profile}}
   *
   * @param text the text
   * @throws IllegalArgumentException if the text is no budget, or is cut short; the message names
   *     the line
   */
  public static ModelBudget parse(String text) {
    return new BudgetText(text).parse();
  }

  /** {@return the text of this budget, for {@link #parse}} */
  public String toText() {
    return BudgetText.of(this);
  }

  /** {@return the sizes of each dimension of the samples, from the smallest to the largest} */
  public DimensionRanges ranges() {
    List<DimensionRange> ranges = new ArrayList<>();
    if (!services.isEmpty()) {
      for (String name : services.getFirst().shape().names()) {
        List<Long> sizes =
            services.stream().map(sample -> sample.shape().get(name)).sorted().toList();
        ranges.add(new DimensionRange(name, sizes.getFirst(), sizes.getLast()));
      }
    }
    return new DimensionRanges(ranges);
  }

  /**
   * {@return the memory of a service: the smallest sample that covers the shape and the load}
   *
   * @param shape the largest shape of the requests. Dimensions without samples have no effect
   * @param sessions the number of sessions
   * @param concurrent the number of requests at a time in each session
   * @throws IllegalArgumentException if no sample is as large, a dimension is missing, {@code
   *     sessions < 1} or {@code concurrent < 1}
   */
  public ServiceSample at(DimensionValues shape, int sessions, int concurrent) {
    checkCounts(sessions, concurrent);
    return services.stream()
        .filter(sample -> sample.sessions() >= sessions && sample.concurrent() >= concurrent)
        .filter(sample -> isWithin(shape, sample.shape()))
        .min(Comparator.comparingLong(ServiceSample::highestBytes))
        .orElseThrow(() ->
            new IllegalArgumentException(
                String.format(
                    Locale.ROOT,
                    "no sample is as large: %ssessions=%d, concurrent=%d; the largest has %ssessions=%d, concurrent=%d. Measure it with stowage budget --profile",
                    prefix(shape),
                    sessions,
                    concurrent,
                    prefix(ranges().last()),
                    services.stream().mapToInt(ServiceSample::sessions).max().orElse(0),
                    services.stream().mapToInt(ServiceSample::concurrent).max().orElse(0))));
  }

  /**
   * {@return the bytes of one run in Stowage's allocator, to admit it with: the least bytes of all
   * samples of this shape or a larger one}
   *
   * @param shape the shape. Dimensions without samples have no effect
   * @throws IllegalArgumentException if no sample is as large, or a dimension is missing
   */
  public long runBytes(DimensionValues shape) {
    return runs.stream()
        .filter(sample -> isWithin(shape, sample.shape()))
        .mapToLong(RunSample::allocatorBytes)
        .min()
        .orElseThrow(() ->
            new IllegalArgumentException(
                String.format(
                    Locale.ROOT,
                    "no sample of a run is as large as %s. Measure it with stowage budget --profile",
                    shape)));
  }

  static void checkCounts(int sessions, int concurrent) {
    if (sessions < 1 || concurrent < 1) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "sessions and concurrent must be positive: sessions=%d, concurrent=%d",
              sessions,
              concurrent));
    }
  }

  private static boolean isWithin(DimensionValues shape, DimensionValues sample) {
    for (Map.Entry<String, Long> dimension : sample.toMap().entrySet()) {
      if (shape.get(dimension.getKey()) > dimension.getValue()) {
        return false;
      }
    }
    return true;
  }

  private static String prefix(DimensionValues shape) {
    return shape.names().isEmpty() ? "" : shape + ", ";
  }
}
