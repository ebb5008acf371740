package dev.stowage.onnxruntime;

import java.util.Locale;

/**
 * The permit of one run: a range of bytes that no other run can use until the permit is closed.
 *
 * <p>The run allocates from the range first. A run that makes the same requests as an earlier run
 * needs no bytes beyond the peak of the earlier run, even if other runs are open. Close results
 * before their permit. If a result in the range is still open when the permit is closed, the range
 * stays charged until the result is closed. Safe for use by many threads.
 */
public final class RunPermit implements AutoCloseable {

  private final EngineMemory memory;
  private final RunAccount run;

  RunPermit(EngineMemory memory, RunAccount run) {
    this.memory = memory;
    this.run = run;
  }

  /**
   * Runs code.
   *
   * <p>Allocations of the session in this thread belong to this run. Allocations of other threads
   * of ONNX Runtime belong to this run if it is the only open run of the session.
   *
   * @param code the call of the session; it must not close this permit
   * @param <T> the type of the result
   * @param <X> the type of the exception
   * @return its result
   * @throws IllegalStateException if the permit is closed; the code is not run
   * @throws X if the code throws it; the permit stays open
   */
  public <T, X extends Throwable> T call(ScopedValue.CallableOp<? extends T, X> code) throws X {
    if (!memory.admission().read(run::isOpen)) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "a permit of session '%s' is closed: get a new one for each run",
              run.session().name()));
    }
    return memory.admission().call(run, code);
  }

  /** {@return the bytes with which the run was admitted} */
  public long admittedBytes() {
    return run.boundBytes();
  }

  /**
   * {@return the bytes that the run has needed until now, with its results: the size of the
   * smallest range in which the run fits, or an upper bound of that size if the run exceeded its
   * bytes}
   *
   * <p>Sizes are rounded up to multiples of 256 bytes. Bytes of other threads of ONNX Runtime are
   * missing if several runs of the session were open; {@link SessionUsage.Runs} counts them.
   */
  public long peakBytes() {
    return memory.admission().read(run::peakBytes);
  }

  /**
   * Ends the run and admits waiting requests; has no effect if it has ended.
   *
   * <p>Any thread can close a permit. A permit that is never closed keeps its bytes. If the system
   * does not take back memory in a trim, {@link OnnxRuntimeAllocator#check} throws the failure.
   */
  @Override
  public void close() {
    memory.closeRun(run);
  }
}
