package dev.stowage.cli.option;

import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.plan.AssignmentKind;
import dev.stowage.cli.plan.PlanSelection;
import java.io.InputStream;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/** The options of {@code stowage diff} for plans. */
public final class ComparedPlanOptions {

  @Mixin private ModelOptions model = new ModelOptions();

  @Mixin private RuntimeOption runtime = new RuntimeOption();

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

  /** {@return the plans of a model or problem: offsets of all strategies} */
  public PlanSelection selection() {
    return new PlanSelection(
        Set.of(),
        true,
        EnumSet.of(AssignmentKind.OFFSETS),
        runtime.alignment(Optional.empty()),
        LimitOptions.shortSearch(),
        false);
  }
}
