package dev.stowage.cli.option;

import dev.stowage.cli.budget.BudgetRequest;
import dev.stowage.cli.budget.BudgetRequest.MeasuredDimension;
import dev.stowage.cli.budget.EngineJar;
import dev.stowage.cli.budget.JvmParts;
import dev.stowage.cli.budget.ServiceSize;
import dev.stowage.cli.console.ByteCountConverter;
import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.gate.BaselineKeys;
import dev.stowage.cli.input.RequestsFile;
import dev.stowage.cli.run.Usage;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of {@code stowage budget} on which the memory of a service depends. */
public final class ServiceOptions {

  private static final int MAX_COUNT = 1_000;

  /** The options of sessions and runs that are no entries of the configuration. */
  private static final Set<String> SHORT_OPTIONS =
      Set.of(
          "arena=on",
          "arena=off",
          "memory_pattern=on",
          "memory_pattern=off",
          "prepacking=on",
          "prepacking=off",
          "shrink=on",
          "shrink=off",
          "arena_extend_strategy=same",
          "arena_extend_strategy=double");

  private static final int MAX_SHAPES = 100;

  /** The options that change the figures on a machine with an engine. */
  public static final Set<String> RECORDED =
      Set.of(
          "--dim",
          "--sessions",
          "--threads",
          "--concurrent",
          "--option",
          "--input",
          "--jvm-heap",
          "--jvm");

  @Option(
      names = "--dim",
      paramLabel = "NAME=N",
      converter = MeasuredDimensionConverter.class,
      description = {
        "The size of a dimension that the model leaves open: one size",
        "(batch=1), a range (batch=1..64) or a list (seq=16,128,512);",
        "repeatable. input[0]=1 sets the first dimension of an input."
      })
  private List<MeasuredDimension> dimensions = List.of();

  @Option(
      names = "--engine",
      paramLabel = "VERSION|JAR",
      description = {
        "The ONNX Runtime of the service: a version in the local Maven",
        "repository, or a jar (default: the one that Stowage has)."
      })
  private Optional<String> engine = Optional.empty();

  @Option(
      names = "--sessions",
      order = ShortHelp.RARE,
      paramLabel = "N",
      converter = WholeNumberConverter.class,
      description = "The number of sessions of the process (default: 1).")
  private long sessions = 1;

  @Option(
      names = "--threads",
      order = ShortHelp.RARE,
      paramLabel = "N",
      converter = WholeNumberConverter.class,
      description = "The number of threads of each session (default: 1).")
  private long threads = 1;

  @Option(
      names = "--concurrent",
      paramLabel = "N",
      converter = WholeNumberConverter.class,
      description = "The number of requests at a time in each session (default: 1).")
  private long concurrent = 1;

  @Option(
      names = "--requests",
      order = ShortHelp.RARE,
      paramLabel = "FILE",
      description = {
        "Also measure requests in the order of a CSV file with a column for",
        "each dimension; that figure is no bound."
      })
  private Optional<String> requests = Optional.empty();

  @Option(
      names = "--option",
      paramLabel = "KEY=VALUE",
      description = {
        "An option of the sessions, by its name in ONNX Runtime or arena=off,",
        "memory_pattern=off, prepacking=off, shrink=on (of runs) or",
        "arena_extend_strategy=same; repeatable."
      })
  private Map<String, String> options = new LinkedHashMap<>();

  @Option(
      names = "--input",
      order = ShortHelp.RARE,
      paramLabel = "NAME=FILE",
      description = "An input from a .npy file instead of a random one; repeatable.")
  private Map<String, String> inputs = new LinkedHashMap<>();

  @Option(
      names = "--jvm-heap",
      paramLabel = "BYTES",
      converter = ByteCountConverter.class,
      description = "Include the Java process, with this heap.")
  private Optional<Long> heap = Optional.empty();

  @Option(
      names = "--jvm",
      paramLabel = "FILE",
      description = {
        "Include the Java process as in FILE, a dump of the running service",
        "that stowage who --output wrote."
      })
  private Optional<String> jvm = Optional.empty();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * Checks the options.
   *
   * @throws ParameterException if a number is out of range, there are too many shapes, or an option
   *     of the engine has no such name or value
   */
  public void check() {
    checkCount("--sessions", sessions);
    checkCount("--threads", threads);
    checkCount("--concurrent", concurrent);
    if (heap.filter(bytes -> bytes < 1).isPresent()) {
      throw Usage.error(spec, "--jvm-heap is 0, expected the bytes of a heap, such as 512MiB");
    }
    checkDimensions();
    options.forEach((name, value) -> {
      if (!name.contains(".") && !SHORT_OPTIONS.contains(name + "=" + value)) {
        throw Usage.error(
            spec,
            "--option is '%s=%s', expected an entry of the configuration with a dot in its name, arena=off, memory_pattern=off, prepacking=off, shrink=on or arena_extend_strategy=same",
            name,
            value);
      }
    });
  }

  private void checkCount(String option, long count) {
    if (count < 1 || count > MAX_COUNT) {
      throw Usage.error(spec, "%s is %d, expected 1 to %d", option, count, MAX_COUNT);
    }
  }

  private void checkDimensions() {
    DimensionOption.checkDifferent(dimensions.stream().map(MeasuredDimension::name).toList(), spec);
    long shapes = 1;
    for (MeasuredDimension dimension : dimensions) {
      shapes *= dimension.sizes().size();
      if (shapes > MAX_SHAPES) {
        throw Usage.error(
            spec,
            "--dim sets more than %d shapes, expected fewer sizes or narrower ranges",
            MAX_SHAPES);
      }
    }
  }

  /** {@return true if a dimension has a range of sizes} */
  public boolean hasRange(String name) {
    return dimensions.stream()
        .anyMatch(dimension -> dimension.isRange() && dimension.name().equals(name));
  }

  /**
   * {@return the service with questions about it}
   *
   * @param limit the limit, if there is one
   * @throws IOException if the engine is missing, or a file cannot be read
   */
  public BudgetRequest request(Optional<Long> limit, BudgetRequest.Tasks tasks) throws IOException {
    return new BudgetRequest(
        dimensions,
        new ServiceSize(
            (int) sessions, (int) threads, (int) concurrent, optional(heap), optional(limit)),
        EngineJar.of(engine),
        options,
        inputs,
        jvm.isEmpty() ? List.of() : JvmParts.read(jvm.get(), optional(heap)),
        requests.isEmpty() ? List.of() : RequestsFile.read(requests.get(), largest()),
        tasks);
  }

  /** {@return the largest size of each dimension} */
  private Map<String, Long> largest() {
    Map<String, Long> largest = new LinkedHashMap<>();
    dimensions.forEach(dimension -> largest.put(dimension.name(), dimension.sizes().getLast()));
    return largest;
  }

  private static OptionalLong optional(Optional<Long> value) {
    return value.map(OptionalLong::of).orElse(OptionalLong.empty());
  }

  /** {@return the options that change the figures, by their names} */
  public SortedMap<String, String> recorded(BaselineKeys keys) {
    return RecordedOptions.of(spec, List.copyOf(RECORDED), keys);
  }
}
