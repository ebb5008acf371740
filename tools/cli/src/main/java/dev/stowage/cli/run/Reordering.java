package dev.stowage.cli.run;

import dev.stowage.cli.input.MicroOptions;
import dev.stowage.cli.input.OrderedModel;
import dev.stowage.cli.input.OrderedModels;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.OrderRunner;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.WorkInterruptedException;
import dev.stowage.onnx.OnnxOptions;
import java.io.IOException;
import java.util.Optional;

/** The part of {@code stowage plan} that compares orders of operators. */
public final class Reordering {

  /** The reason for which a model has no order to compare. */
  static final String FIXED_ORDER =
      "the operators keep their order, because some of them call subgraphs; stowage rewrite"
          + " --reorder can permute them";

  private final OnnxOptions options;
  private final Optional<MicroOptions> micro;
  private final OrderRunner runner;

  /**
   * Creates the part.
   *
   * @param micro the scratch buffers, if the arena of TensorFlow Lite Micro is planned
   */
  public Reordering(OnnxOptions options, Optional<MicroOptions> micro, OrderRunner runner) {
    this.options = options;
    this.micro = micro;
    this.runner = runner;
  }

  /** {@return the operators of a file, which must be a model; empty if they keep their order} */
  public Optional<OrderedModel> read(String file) throws IOException {
    return OrderedModels.read(file, options, micro);
  }

  /** {@return a report with the best order of the operators, unless planning was interrupted} */
  public PlanReport compared(PlanReport report, Optional<OrderedModel> model)
      throws IOException, InputRefusedException {
    if (model.isEmpty()) {
      return report.withNote(FIXED_ORDER);
    }
    Optional<Plan.Offsets> best = report.bestOffsets();
    if (report.isInterrupted()
        || best.isEmpty()
        || !(report.input() instanceof PlanInput.Tensors tensors)) {
      return report;
    }
    try {
      return report.withOrder(runner.run(model.get(), tensors.problem(), best.get().assignment()));
    } catch (WorkInterruptedException e) {
      return report.withNote("interrupted before the orders of the operators were compared");
    }
  }
}
