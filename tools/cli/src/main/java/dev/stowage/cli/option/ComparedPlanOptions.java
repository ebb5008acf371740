package dev.stowage.cli.option;

import dev.stowage.cli.console.ByteCountConverter;
import dev.stowage.cli.console.SecondsConverter;
import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.plan.AssignmentKind;
import dev.stowage.cli.plan.PlanSelection;
import java.io.InputStream;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of {@code stowage diff} for plans. */
public final class ComparedPlanOptions {

  @Mixin private ModelOptions model = new ModelOptions();

  @Option(
      names = "--alignment",
      order = ShortHelp.RARE,
      paramLabel = "N",
      converter = ByteCountConverter.class,
      description = {
        "Every offset of a plan is a multiple of N bytes; N is at least 1",
        "(default: 1; 16 with --runtime tflm)."
      })
  private Optional<Long> alignment = Optional.empty();

  @Mixin private RuntimeOption runtime = new RuntimeOption();

  @Option(
      names = "--time-limit",
      order = ShortHelp.RARE,
      paramLabel = "SECONDS",
      converter = SecondsConverter.class,
      description = {
        "Limit of the search of OPTIMAL for each plan (default: a number of",
        "nodes that takes about a second, so that each run has the same plans)."
      })
  private Optional<Duration> timeLimit = Optional.empty();

  /**
   * {@return the reader of models and problems}
   *
   * @throws ParameterException if options contradict each other
   */
  public InputReader reader(List<String> files) {
    return runtime.reader(
        new InputReader(
            model.toOptions(), Optional.empty(), InputStream.nullInputStream(), model.given()),
        files);
  }

  /**
   * {@return the plans of a model or problem: offsets of all strategies}
   *
   * @throws ParameterException if {@code --alignment} is not positive
   */
  public PlanSelection selection() {
    return new PlanSelection(
        Set.of(),
        true,
        EnumSet.of(AssignmentKind.OFFSETS),
        runtime.alignment(alignment),
        LimitOptions.shortSearch(timeLimit),
        false);
  }
}
