package dev.stowage.cli.option;

import dev.stowage.budget.SampleAxis;
import dev.stowage.cli.budget.BudgetFigures;
import dev.stowage.cli.budget.BudgetRequest;
import dev.stowage.cli.budget.Calibration;
import dev.stowage.cli.budget.CalibrationReader;
import dev.stowage.cli.budget.CpuChoice;
import dev.stowage.cli.budget.ServiceSize;
import dev.stowage.cli.run.Usage;
import dev.stowage.console.ByteCountConverter;
import dev.stowage.console.ShortHelp;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of {@code stowage budget} on which the memory of a service depends. */
public final class ServiceOptions {

  private static final int MAX_SHAPES = 100;
  private static final int MAX_COUNT = 10_000;

  @Option(
      names = "--dim",
      paramLabel = "NAME=N",
      converter = BudgetDimension.Converter.class,
      description = {
        "The size of a dimension that an .onnx model leaves open: one size",
        "(batch=1), a range (batch=1..64) or a list (seq=16,128,512);",
        "repeatable. input[0]=1 sets the first dimension of an input."
      })
  private List<BudgetDimension> dimensions = List.of();

  @Option(
      names = "--sessions",
      paramLabel = "N",
      converter = WholeNumberConverter.class,
      description = "The number of sessions of the process (default: 1).")
  private long sessions = 1;

  @Option(
      names = "--threads",
      paramLabel = "N",
      converter = WholeNumberConverter.class,
      description = "The number of threads of each session (default: 1).")
  private long threads = 1;

  @Option(
      names = "--jvm-heap",
      paramLabel = "BYTES",
      converter = ByteCountConverter.class,
      description = {
        "Include the Java process: this heap, metaspace, code cache, stacks",
        "and collector."
      })
  private Optional<Long> heap = Optional.empty();

  @Option(
      names = "--cpu",
      paramLabel = "CLASS",
      converter = CpuConverter.class,
      description = {
        "The processor that will run the service: baseline, avx2, avx512,",
        "avx512-vnni, amx, arm64, or any for the largest figures of all",
        "classes for x86-64 (default: that of the entry in --baseline, or of",
        "this machine)."
      })
  private Optional<CpuChoice> cpu = Optional.empty();

  @Option(
      names = "--constants",
      order = ShortHelp.RARE,
      paramLabel = "FILE",
      description = {
        "Use the constants of a machine in a FILE of --calibrate (default:",
        "constants that are part of Stowage)."
      })
  private Optional<String> constants = Optional.empty();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** {@return the processor, if it is given} */
  public Optional<CpuChoice> cpu() {
    return cpu;
  }

  /** {@return the file of constants; empty if they are part of Stowage} */
  public Optional<String> constants() {
    return constants;
  }

  /**
   * {@return the constants of the file, or those that are part of Stowage}
   *
   * @throws IOException if the file cannot be read
   */
  public Calibration calibration() throws IOException {
    return constants.isPresent() ? CalibrationReader.read(constants.get()) : Calibration.shipped();
  }

  /**
   * Checks the options.
   *
   * @throws ParameterException if a number is out of range, or there are too many shapes
   */
  public void check() {
    checkCount("--sessions", sessions);
    checkCount("--threads", threads);
    Set<String> names = new HashSet<>();
    long shapes = 1;
    for (BudgetDimension dimension : dimensions) {
      if (!names.add(dimension.name())) {
        throw Usage.error(spec, "--dim sets '%s' twice, expected once", dimension.name());
      }
      shapes *= dimension.points().size();
      if (shapes > MAX_SHAPES) {
        throw Usage.error(
            spec,
            "--dim sets more than %d shapes, expected fewer sizes or narrower ranges",
            MAX_SHAPES);
      }
    }
  }

  private void checkCount(String option, long count) {
    if (count < 1 || count > MAX_COUNT) {
      throw Usage.error(spec, "%s is %d, expected 1 to %d", option, count, MAX_COUNT);
    }
  }

  /** {@return the names of the dimensions with sizes} */
  public List<String> dimensionNames() {
    return dimensions.stream().map(BudgetDimension::name).toList();
  }

  /** {@return true if a dimension has several sizes} */
  public boolean hasRange(String name) {
    return dimensions.stream()
        .anyMatch(dimension -> dimension.isOpen() && dimension.name().equals(name));
  }

  /**
   * {@return the service}
   *
   * @param calibration the constants of the machine
   * @param limit the limit, if there is one
   * @param fit the name of the size to search, if requested
   * @param isMeasured true to measure each shape
   */
  public BudgetRequest request(
      Calibration calibration, Optional<Long> limit, Optional<String> fit, boolean isMeasured) {
    Map<String, Long> fixed = new LinkedHashMap<>();
    List<SampleAxis> axes = new ArrayList<>();
    Set<String> ranges = new HashSet<>();
    for (BudgetDimension dimension : dimensions) {
      if (dimension.isRange()) {
        ranges.add(dimension.name());
      }
      if (dimension.isOpen()) {
        axes.add(dimension.toAxis());
      } else {
        fixed.put(dimension.name(), dimension.points().getFirst());
      }
    }
    return new BudgetRequest(
        new BudgetRequest.Sizes(fixed, axes, ranges),
        new ServiceSize((int) sessions, (int) threads, optional(heap), optional(limit)),
        fit,
        isMeasured,
        new BudgetRequest.Machine(
            cpu.orElseGet(CpuChoice::ofThisMachine),
            calibration.constants(),
            calibration.workspaces()));
  }

  private static OptionalLong optional(Optional<Long> value) {
    return value.map(OptionalLong::of).orElse(OptionalLong.empty());
  }

  /**
   * Adds the options.
   *
   * @param calibration the constants in use
   */
  public void addTo(RecordedOptions recorded, Calibration calibration) {
    recorded.addAll("--dim", dimensions.stream().map(BudgetDimension::toString).sorted().toList());
    recorded.add("--sessions", sessions);
    recorded.add("--threads", threads);
    heap.ifPresent(bytes -> recorded.add("--jvm-heap", bytes));
    cpu.ifPresent(choice -> recorded.add(BudgetFigures.CPU, choice.name()));
    recorded.add("--constants", calibration.identity());
  }
}
