package dev.stowage.onnxruntime;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcAllocator;
import java.util.Optional;
import java.util.OptionalLong;

/** Ranges of runs in an allocator. */
record AllocatorRanges(BfcAllocator allocator) implements RunRange.Source {

  @Override
  public Optional<RunRange> take(AllocationTag tag, RecordedFailures failures, long bytes) {
    long rounded = Admission.rounded(bytes);
    if (rounded < 0 || rounded > allocator.statistics().limitBytes()) {
      return Optional.empty();
    }
    try {
      OptionalLong address = tag.call(() -> allocate(rounded));
      return address.isPresent()
          ? Optional.of(new RunRange(address.getAsLong(), rounded))
          : Optional.empty();
    } catch (RuntimeException failure) {
      // This thread may be one that ends another run, or one of ONNX Runtime.
      failures.record(failure);
      return Optional.empty();
    }
  }

  private OptionalLong allocate(long bytes) {
    OptionalLong address = allocator.tryAllocate(bytes, 1);
    // Free regions that are too small may take up the limit.
    return address.isPresent() || allocator.trim().bytes() == 0
        ? address
        : allocator.tryAllocate(bytes, 1);
  }

  @Override
  public void release(RunRange range) {
    allocator.free(range.address());
  }
}
