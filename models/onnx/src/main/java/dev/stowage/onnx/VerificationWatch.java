package dev.stowage.onnx;

import dev.stowage.onnx.engine.RunWatch;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/** An observer of a verification that can end it early. */
public final class VerificationWatch {

  private final RunWatch runs;

  private VerificationWatch(RunWatch runs) {
    this.runs = runs;
  }

  /** {@return a watch that ends nothing and reports nothing} */
  public static VerificationWatch none() {
    return new VerificationWatch(new RunWatch(() -> false, _ -> {}));
  }

  /**
   * {@return this watch, with a condition that ends the verification}
   *
   * <p>The verification evaluates the condition between operators, and every few milliseconds
   * during ONNX Runtime's own runs. It does not interrupt an operator or the loading of a model. It
   * ends with a {@link java.util.concurrent.CancellationException}.
   *
   * @param stop returns true if the verification must end, and from then on; several threads call
   *     it, one at a time
   */
  public VerificationWatch withStop(BooleanSupplier stop) {
    return new VerificationWatch(new RunWatch(stop, runs.operatorsDone()));
  }

  /**
   * {@return this watch, with a listener for the progress of the run in planned memory}
   *
   * <p>ONNX Runtime runs the whole model before the first operator runs in planned memory, and
   * again after the last one.
   *
   * @param operatorsDone receives the number of operators that have run, first 0 and at last {@link
   *     ModelVerification#operatorCount()}, in the thread of the verification
   */
  public VerificationWatch withProgress(IntConsumer operatorsDone) {
    return new VerificationWatch(new RunWatch(runs.stop(), operatorsDone));
  }

  RunWatch runs() {
    return runs;
  }
}
