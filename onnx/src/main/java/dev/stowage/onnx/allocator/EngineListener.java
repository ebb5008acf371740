package dev.stowage.onnx.allocator;

import dev.stowage.core.bfc.Allocation;
import dev.stowage.core.bfc.AllocationListener;
import org.jspecify.annotations.Nullable;

/** Passes on what an allocator does; what the listener throws is kept, and the engine goes on. */
final class EngineListener implements AllocationListener {

  private final AllocationListener listener;
  private final RecordedFailures failures;

  /** Who is inside the listener; there is one at a time. */
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
      failures.thrown(thrown);
    } finally {
      caller = null;
    }
  }

  /** {@return whether it is the listener that calls this} */
  boolean isCalling() {
    return Thread.currentThread().equals(caller);
  }
}
