package dev.stowage.onnxruntime;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.SubAllocator;
import java.util.Optional;
import java.util.OptionalLong;

/** The range of addresses from which one run allocates. */
final class RunRange {

  /*
   * A range has no memory of other runs. So a run that fits into its range once always fits, if it
   * requests the same bytes in the same order, whatever other runs do at the same time.
   *
   * The allocator of the range has one region, which grows from the start of the range. The largest
   * size of the region is therefore the size of the smallest range into which the run fits.
   */

  private static final long SPLIT_BYTES = 256;

  private final long address;
  private final long bytes;
  private final BfcAllocator allocator;

  /** The source of ranges. */
  interface Source {

    /**
     * {@return a range for a run, or empty if there is none now}
     *
     * @param tag the tag of the range
     * @param failures records exceptions of the source
     */
    Optional<RunRange> take(AllocationTag tag, RecordedFailures failures, long bytes);

    /** Takes a range back. */
    void release(RunRange range);
  }

  /** The start of a range, as one region that grows. */
  private record Regions(long start, long limitBytes) implements SubAllocator {

    @Override
    public OptionalLong allocate(long bytes) {
      return OptionalLong.of(start);
    }

    @Override
    public void free(long address, long bytes) {}

    @Override
    public boolean resize(long address, long bytes, long newBytes) {
      return newBytes <= limitBytes;
    }

    @Override
    public boolean canLengthen() {
      return true;
    }
  }

  /**
   * Creates a range without allocations.
   *
   * @param address a multiple of 256
   * @param bytes a positive multiple of 256
   */
  RunRange(long address, long bytes) {
    this.address = address;
    this.bytes = bytes;
    allocator =
        BfcAllocator.unrecorded(
            "run",
            new Regions(address, bytes),
            BfcOptions.expandable().withLimit(bytes).withSplitThreshold(SPLIT_BYTES));
  }

  long address() {
    return address;
  }

  long bytes() {
    return bytes;
  }

  /** {@return the address of bytes, or empty if there is no room} */
  OptionalLong allocate(long requestedBytes) {
    return allocator.tryAllocate(requestedBytes, 1);
  }

  void free(long allocated) {
    allocator.free(allocated);
  }

  /** {@return the size of the smallest range into which the run would have fitted until now} */
  long extentBytes() {
    return allocator.statistics().peakReservedBytes();
  }
}
