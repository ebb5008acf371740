package dev.stowage.cli.option;

import dev.stowage.budget.SampleAxis;
import dev.stowage.cli.budget.BudgetRequest;
import dev.stowage.cli.run.Usage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option for the shapes of the requests to a service. */
final class ServiceDimensions {

  private static final int MAX_SHAPES = 100;

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

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * Checks the dimensions.
   *
   * @throws ParameterException if there are too many shapes, or a dimension is set twice
   */
  void check() {
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

  /** {@return true if a dimension has several sizes} */
  boolean hasRange(String name) {
    return dimensions.stream()
        .anyMatch(dimension -> dimension.isOpen() && dimension.name().equals(name));
  }

  /** {@return the sizes of the dimensions} */
  BudgetRequest.Sizes sizes() {
    Map<String, Long> fixed = new LinkedHashMap<>();
    List<SampleAxis> axes = new ArrayList<>();
    for (BudgetDimension dimension : dimensions) {
      if (dimension.isOpen()) {
        axes.add(dimension.toAxis());
      } else {
        fixed.put(dimension.name(), dimension.points().getFirst());
      }
    }
    Set<String> ranges =
        dimensions.stream()
            .filter(BudgetDimension::isRange)
            .map(BudgetDimension::name)
            .collect(Collectors.toSet());
    List<String> names = dimensions.stream().map(BudgetDimension::name).toList();
    return new BudgetRequest.Sizes(names, fixed, axes, ranges);
  }

  /** Adds the dimensions. */
  void addTo(RecordedOptions recorded) {
    recorded.addAll("--dim", dimensions.stream().map(BudgetDimension::toString).sorted().toList());
  }
}
