package dev.stowage.onnx;

import dev.stowage.onnx.engine.RunWatch;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/** How a program follows a verification, and ends it early. */
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
   * <p>The verification asks between operators, of ONNX Runtime's own runs every few milliseconds;
   * it ends no operator that is running, and no loading of a model. It then throws a {@link
   * java.util.concurrent.CancellationException}.
   *
   * @param stop returns true from the moment on at which the verification should end; called by
   *     several threads, one at a time
   */
  public VerificationWatch withStop(BooleanSupplier stop) {
    return new VerificationWatch(new RunWatch(stop, runs.operatorsDone()));
  }

  /**
   * {@return this watch, with a listener that is told how far the run in planned memory is}
   *
   * <p>ONNX Runtime runs the whole model before the first operator runs in planned memory, and once
   * more after the last.
   *
   * @param operatorsDone takes the number of operators done, 0 first, by the thread that verifies;
   *     of {@link ModelVerification#operatorCount()}
   */
  public VerificationWatch withProgress(IntConsumer operatorsDone) {
    return new VerificationWatch(new RunWatch(runs.stop(), operatorsDone));
  }

  RunWatch runs() {
    return runs;
  }
}
