package dev.stowage.cli.verify;

import dev.stowage.cli.input.ExistingFile;
import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.OrderedModel;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.plan.OrderComparison;
import dev.stowage.cli.plan.OrderRunner;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanProgress;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.onnx.ModelVerification;
import dev.stowage.onnx.VerificationReport;
import dev.stowage.pages.label.RecordLabel;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.incremental.OperatorGraph;
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
     * Called before ONNX Runtime runs the whole model.
     *
     * @param operatorCount the number of operators that then run in planned memory
     */
    void runningWhole(int operatorCount);

    /**
     * Called during the run in planned memory. After it, ONNX Runtime runs the whole model again.
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
   * {@return the result for a model}
   *
   * @throws dev.stowage.plan.MalformedFileException if the file is not a model, or if ONNX Runtime
   *     rejects it
   * @throws dev.stowage.onnx.OpenDimensionsException if the model leaves dimensions open
   * @throws InputRefusedException if the strategy does not plan the model
   * @throws dev.stowage.onnx.engine.MissingEngineException if ONNX Runtime is missing
   * @throws java.util.concurrent.CancellationException if {@code stop} ended the verification
   */
  public VerifyResult run(String path) throws IOException, InputRefusedException {
    progress.phase("the model");
    ModelVerification verification =
        ModelVerification.load(
            ExistingFile.regular(path),
            request.options(),
            request.inputs().seed(),
            stop,
            progress::running);
    verification.notes().forEach(notes);
    PlanProblem problem = verification.problem();
    if (problem.records().isEmpty()) {
      notes.accept(NOTHING_PLANNED);
    }
    PlanReport planned = request.planner().run(input(path, verification), progress);
    Plan.Offsets plan = planned.bestOffsets().orElseThrow();
    Optional<OrderComparison> order = Optional.empty();
    if (request.isReordered()) {
      OrderRunner orders =
          new OrderRunner(ModelVerification.ALIGNMENT_BYTES, request.orderSearch(), interruption);
      order = Optional.of(orders.run(new VerifiedOrders(verification), problem, plan.assignment()));
      notes.accept(order.get().sentence());
    }
    boolean isReordered = order.filter(OrderComparison::isReordered).isPresent();
    ModelVerification verified =
        isReordered ? verification.inOrder(order.get().after().operators()) : verification;
    progress.runningWhole(verification.operatorCount());
    VerificationReport report =
        verified.run(order.map(it -> it.after().assignment()).orElse(plan.assignment()));
    report.notes().forEach(notes);
    return new VerifyResult(
        path,
        verification.operatorCount(),
        new VerifyResult.Arena(
            problem.records().size(),
            problem.naiveBytes(),
            order.map(OrderComparison::lowerBoundBytes).orElse(planned.offsetsBoundBytes()),
            isReordered ? MemoryStrategy.OPTIMAL.name() : plan.strategy().name()),
        Optional.empty(),
        order,
        report);
  }

  /** A model to verify whose operators can run in other orders. */
  private record VerifiedOrders(ModelVerification verification) implements OrderedModel {

    @Override
    public PlanProblem problem() {
      return verification.problem().withInPlace(List.of());
    }

    @Override
    public OperatorGraph operators() {
      return verification.operators();
    }

    @Override
    public Optional<PlanProblem> inOrder(List<Integer> operators) throws IOException {
      return Optional.of(verification.inOrder(operators).problem());
    }
  }

  private static PlanInput.Tensors input(String path, ModelVerification verification) {
    List<RecordLabel> labels =
        IntStream.range(0, verification.problem().records().size())
            .mapToObj(Integer::toString)
            .map(id -> new RecordLabel(id, id))
            .toList();
    return new PlanInput.Tensors(
        new InputFile(path, "onnx", verification.operatorCount(), OptionalLong.empty(), List.of()),
        labels,
        verification.problem());
  }
}
