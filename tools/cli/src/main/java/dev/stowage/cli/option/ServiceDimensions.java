package dev.stowage.cli.option;

import dev.stowage.cli.budget.BudgetRequest.MeasuredDimension;
import dev.stowage.cli.run.Usage;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
        "The size of a dimension that the model leaves open: one size",
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

  /** {@return true if a dimension has a range of sizes} */
  boolean hasRange(String name) {
    return dimensions.stream()
        .anyMatch(dimension -> dimension.isRange() && dimension.name().equals(name));
  }

  /** {@return the dimensions} */
  List<MeasuredDimension> dimensions() {
    return dimensions.stream()
        .map(each -> new MeasuredDimension(each.name(), each.points(), each.isRange()))
        .toList();
  }

  /** Adds the dimensions. */
  void addTo(RecordedOptions recorded) {
    recorded.addAll("--dim", dimensions.stream().map(BudgetDimension::toString).sorted().toList());
  }
}
