package dev.stowage.cli.verify;

import dev.stowage.cli.input.ExistingFile;
import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.plan.OrderComparison;
import dev.stowage.cli.plan.OrderRunner;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanProgress;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.onnx.ModelVerification;
import dev.stowage.pages.label.RecordLabel;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Plans models and runs them in planned memory. */
public final class VerifyRunner {

  static final String NOTHING_PLANNED =
      "nothing is planned: no tensor between two operators has any bytes; --io also plans inputs and outputs";

  private final VerifyRequest request;
  private final Interruption interruption;
  private final Progress progress;
  private final BooleanSupplier stop;
  private final Consumer<String> notes;

  /** The listener for the progress of a verification. */
  public interface Progress extends PlanProgress {

    /**
     * Called before the engine runs the whole model.
     *
     * @param operatorCount the number of operators that then run in planned memory
     */
    void runningWhole(int operatorCount);

    /**
     * Called during the run in planned memory. After it, the engine runs the whole model again.
     *
     * @param doneCount the number of operators that have run, first 0
     */
    void running(int doneCount);
  }

  /**
   * Creates a runner.
   *
   * @param interruption ends the search for an order of the operators
   * @param stop returns true to end the verification; any thread calls it between operators
   * @param notes receives sentences for the user
   */
  public VerifyRunner(
      VerifyRequest request,
      Interruption interruption,
      Progress progress,
      BooleanSupplier stop,
      Consumer<String> notes) {
    this.request = request;
    this.interruption = interruption;
    this.progress = progress;
    this.stop = stop;
    this.notes = notes;
  }

  /**
   * {@return the result for a model at one shape}
   *
   * @throws dev.stowage.plan.MalformedFileException if the file is not a model, or if the engine
   *     rejects it
   * @throws dev.stowage.onnx.OpenDimensionsException if the model leaves dimensions open
   * @throws InputRefusedException if the strategy does not plan the model
   * @throws dev.stowage.onnx.engine.MissingEngineException if ONNX Runtime is missing
   * @throws java.util.concurrent.CancellationException if {@code stop} ended the verification
   */
  public VerifyResult run(String path) throws IOException, InputRefusedException {
    progress.phase("the model");
    ModelVerification model =
        ModelVerification.load(
            ExistingFile.regular(path),
            request.options(),
            request.inputs().seed(),
            stop,
            progress::running);
    model.notes().forEach(notes);
    PlanProblem problem = model.problem();
    if (problem.records().isEmpty()) {
      notes.accept(NOTHING_PLANNED);
    }
    PlanReport planned =
        request.planner().run(input(path, model.operatorCount(), problem), progress);
    Plan.Offsets plan = planned.bestOffsets().orElseThrow();
    if (!request.isReordered()) {
      return run(
          path,
          model,
          plan.assignment(),
          plan.name(),
          planned.offsetsBoundBytes(),
          Optional.empty());
    }
    OrderRunner orders =
        new OrderRunner(ModelVerification.ALIGNMENT_BYTES, request.orderSearch(), interruption);
    OrderComparison order = orders.run(new VerifiedOrders(model), problem, plan.assignment());
    return run(
        path,
        order.isReordered() ? model.inOrder(order.after().operators()) : model,
        order.after().assignment(),
        order.isReordered() ? MemoryStrategy.OPTIMAL.name() : plan.name(),
        order.lowerBoundBytes(),
        Optional.of(order));
  }

  private VerifyResult run(
      String path,
      ModelVerification model,
      OffsetsAssignment plan,
      String strategy,
      long lowerBoundBytes,
      Optional<OrderComparison> order)
      throws IOException {
    progress.runningWhole(model.operatorCount());
    VerifiedRun run = VerifiedRun.of(model.run(plan));
    run.notes().forEach(notes);
    PlanProblem problem = model.problem();
    return new VerifyResult(
        path,
        model.operatorCount(),
        new VerifyResult.Arena(
            problem.records().size(), problem.naiveBytes(), lowerBoundBytes, strategy),
        Optional.empty(),
        order,
        run);
  }

  /** {@return the records of a model without their labels} */
  static PlanInput.Tensors input(String path, int operatorCount, PlanProblem problem) {
    List<RecordLabel> labels =
        IntStream.range(0, problem.records().size())
            .mapToObj(Integer::toString)
            .map(id -> new RecordLabel(id, id))
            .toList();
    return new PlanInput.Tensors(
        new InputFile(path, "onnx", operatorCount, OptionalLong.empty(), List.of()),
        labels,
        problem);
  }
}
