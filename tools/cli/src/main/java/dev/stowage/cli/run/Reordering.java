package dev.stowage.cli.run;

import dev.stowage.cli.input.MicroOptions;
import dev.stowage.cli.input.OrderedMicro;
import dev.stowage.cli.input.OrderedModel;
import dev.stowage.cli.input.OrderedModels;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.MicroReport;
import dev.stowage.cli.plan.OrderComparison;
import dev.stowage.cli.plan.OrderRunner;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.WorkInterruptedException;
import dev.stowage.onnx.OnnxOptions;
import java.io.IOException;
import java.util.Optional;

/** The part of {@code stowage plan} that compares orders of operators. */
public final class Reordering {

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
      return report.withNote(OrderedMicro.FIXED_ORDER);
    }
    Optional<Plan.Offsets> best = report.bestOffsets();
    if (report.isInterrupted()
        || best.isEmpty()
        || !(report.input() instanceof PlanInput.Tensors tensors)) {
      return report;
    }
    try {
      OrderComparison orders = runner.run(model.get(), tensors.problem(), best.get().assignment());
      PlanReport compared = report.withOrder(orders);
      // The head can be smaller although the plan, which also places scratch buffers, is not.
      return !orders.found().operators().isEmpty()
              && model.get() instanceof OrderedMicro micro
              && report.micro().isPresent()
          ? compared.withMicro(ordered(micro, report.micro().get(), orders))
          : compared;
    } catch (WorkInterruptedException e) {
      return report.withNote("interrupted before the orders of the operators were compared");
    }
  }

  private static MicroReport ordered(OrderedMicro model, MicroReport micro, OrderComparison orders)
      throws IOException {
    return micro.withOrder(
        micro.memory().inOrder(model, orders.found().operators()), orders.found().assignment());
  }
}
