package dev.stowage.onnxruntime;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationListener;
import org.jspecify.annotations.Nullable;

/**
 * A listener that forwards events to the listener of the caller. It records exceptions of that
 * listener instead of throwing them into ONNX Runtime.
 */
final class EngineListener implements AllocationListener {

  private final AllocationListener listener;
  private final RecordedFailures failures;

  /** The thread that runs the listener; the allocator calls it from one thread at a time. */
  private volatile @Nullable Thread caller;

  EngineListener(AllocationListener listener, RecordedFailures failures) {
    this.listener = listener;
    this.failures = failures;
  }

  @Override
  public void allocated(Allocation allocation) {
    attempt(() -> listener.allocated(allocation));
  }

  @Override
  public void freed(long id) {
    attempt(() -> listener.freed(id));
  }

  @Override
  public void failed(long bytes) {
    attempt(() -> listener.failed(bytes));
  }

  private void attempt(Runnable call) {
    caller = Thread.currentThread();
    try {
      call.run();
    } catch (Throwable thrown) {
      failures.record(thrown);
    } finally {
      caller = null;
    }
  }

  /** {@return true if the current thread runs the listener} */
  boolean isCalling() {
    return Thread.currentThread().equals(caller);
  }
}
