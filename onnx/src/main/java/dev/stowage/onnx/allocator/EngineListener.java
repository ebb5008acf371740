package dev.stowage.onnx.allocator;

import dev.stowage.core.bfc.Allocation;
import dev.stowage.core.bfc.AllocationListener;

/** Passes on what an allocator does; what a listener throws is kept, and the engine goes on. */
record EngineListener(TagUsages usages, AllocationListener listener, RecordedFailures failures)
    implements AllocationListener {

  @Override
  public void allocated(Allocation allocation) {
    attempt(() -> usages.allocated(allocation));
    attempt(() -> listener.allocated(allocation));
  }

  @Override
  public void freed(long id) {
    attempt(() -> usages.freed(id));
    attempt(() -> listener.freed(id));
  }

  @Override
  public void failed(long bytes) {
    attempt(() -> listener.failed(bytes));
  }

  private void attempt(Runnable call) {
    try {
      call.run();
    } catch (Throwable thrown) {
      failures.thrown(thrown);
    }
  }
}
