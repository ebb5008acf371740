package dev.stowage.trace.replay;

import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.allocator.internal.OutOfMemoryNumbers;
import dev.stowage.trace.format.RecordedProgram;
import dev.stowage.trace.pytorch.SnapshotSegment;
import dev.stowage.trace.pytorch.SnapshotSettings;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * An allocator of a simulated device. It decides addresses and accesses no memory.
 *
 * <p>The same calls in the same order have the same results. Not thread-safe.
 */
public interface SimulatedAllocator {

  /** The answer to a request that failed. */
  long REFUSED = -1;

  /**
   * {@return the address of a new allocation, or {@link #REFUSED}}
   *
   * @param bytes the requested bytes; positive
   * @param stream the stream of the device that uses the memory
   * @param pool the private pool, such as the pool of a CUDA graph, or {@link PoolNumber#DEFAULT}
   * @throws IllegalArgumentException if {@code bytes < 1}
   */
  long allocate(long bytes, long stream, long pool);

  /**
   * Frees an allocation.
   *
   * @param address its address
   * @param stream the stream on which the memory was last used
   * @throws IllegalStateException if no allocation in use starts at the address
   */
  void free(long address, long stream);

  /** Returns cached memory to the device, if the allocator has such a call for programs. */
  void releaseCached();

  /**
   * Takes note of an event of the recording that is neither an allocation nor a free, such as the
   * allocation of a segment. Called in the order of the recording.
   *
   * @param recording the recording
   * @param event the index of the event
   */
  default void noteRecorded(PytorchRecording recording, int event) {}

  /**
   * Takes note of a region of the recording. The next region of as many bytes gets its address.
   *
   * @param address the address
   * @param bytes the size
   */
  default void noteRegion(long address, long bytes) {}

  /**
   * Sets whether the recorded device refuses memory to the next request, whatever the limit
   * permits.
   *
   * @param refuses true if it refuses
   */
  default void noteDeviceRefusal(boolean refuses) {}

  /**
   * Takes note of the next request, as the log has it.
   *
   * @param bytes its bytes
   * @param address its recorded address, if it has one
   * @param alignment the alignment that it asked for; 0 if it is not known
   */
  default void noteRequest(long bytes, OptionalLong address, long alignment) {}

  /**
   * {@return true if the allocator started in the recorded state, and an allocation in use starts
   * at an address of the recording}
   *
   * @param address the address
   */
  default boolean isInUse(long address) {
    return false;
  }

  /** {@return true if addresses are addresses of a device, and not only distinct numbers} */
  default boolean hasDeviceAddresses() {
    return false;
  }

  /**
   * Takes note of the limit of the recorded allocator. Rules without a limit of their own follow
   * it.
   *
   * @param bytes the most bytes of all regions
   */
  default void noteLimit(long bytes) {}

  /**
   * Takes over the limit that follows from the failed requests of a recording, unless the allocator
   * has a limit already.
   *
   * @param bytes the most bytes of all regions
   */
  default void assumeLimit(long bytes) {}

  /**
   * {@return true if the allocator can refuse a request: it has a limit, or no memory is as large}
   *
   * @param bytes the requested bytes
   */
  boolean mayRefuse(long bytes);

  /**
   * Takes note of the program that was recorded, before the first request.
   *
   * @param program the facts that the trace has about it
   */
  default void noteProgram(RecordedProgram program) {}

  /** {@return the reasons why the replay so far is not exact, as sentences} */
  default List<String> doubts() {
    return List.of();
  }

  /**
   * {@return true if the replay is so far from the recording that it shows nothing about settings}
   */
  default boolean missesRecording() {
    return false;
  }

  /** {@return the settings that change in a replay, such as {@code from event 9 on with a:1}} */
  default List<String> phases() {
    return List.of();
  }

  /**
   * {@return the version of the program with these rules, such as {@code PyTorch 2.13}; empty if
   * all versions have them}
   */
  default String rules() {
    return "";
  }

  /** {@return the settings at the start, in the syntax of the original; empty for the defaults} */
  default String settings() {
    return "";
  }

  /**
   * Takes note of the number of the next event, for settings that hold from an event on.
   *
   * @param event the number, from 1; of older blocks 0 or less
   */
  default void beforeEvent(long event) {}

  /**
   * Sets the action that completes all pending frees. An allocator that waits for queued work calls
   * it.
   *
   * @param completesFrees the action
   */
  default void onRetry(Runnable completesFrees) {}

  /**
   * {@return the number of requests by which a free waits longer for other streams than in the
   * recording}
   */
  default int completionShift() {
    return 0;
  }

  /** {@return the number of times that cached memory was released to serve a request} */
  default long retries() {
    return 0;
  }

  /** {@return true if a placement depended on addresses that the recording does not have} */
  default boolean dependsOnAddresses() {
    return false;
  }

  /**
   * {@return the bytes of the largest block that a search for a request found so far; a limit above
   * it had no effect}
   */
  default long mostSearchedBytes() {
    return Long.MAX_VALUE;
  }

  /** {@return the requested bytes of the allocations in use} */
  default long requestedBytesInUse() {
    return usedBytes().requestedBytes();
  }

  /** {@return the bytes in use, with rounding and rests that were not split off} */
  default long bytesInUse() {
    return usedBytes().bytes();
  }

  /** {@return the bytes that the allocator holds from the device} */
  long reservedBytes();

  /** {@return the largest number of bytes held at any time} */
  long peakReservedBytes();

  /** {@return the bytes of the largest free block} */
  long largestFreeBytes();

  /** {@return the number of allocations from the device and of frees to it} */
  long deviceCalls();

  /** {@return the current regions, by ascending address} */
  List<Region> regions();

  /**
   * {@return the regions that changed since the last call, each once, with 0 bytes if the allocator
   * has returned it; the first call returns all regions}
   *
   * <p>Costs O(n) for n changes.
   */
  List<Region> changedRegions();

  /**
   * {@return the memory of the allocator in the form of a snapshot, without stacks, by ascending
   * address}
   *
   * <p>Mapped ranges of expandable segments that have a gap between them are different segments.
   *
   * @param withBlocks false if the lists of blocks stay empty, which takes less time
   */
  default List<SnapshotSegment> segments(boolean withBlocks) {
    return RegionSegments.of(this, withBlocks);
  }

  /**
   * {@return the memory of a region in the form of {@link #segments}, without blocks}
   *
   * @param region a region as it is now; with 0 bytes if the allocator has returned it
   */
  default List<SnapshotSegment> segmentsOf(Region region) {
    return region.bytes() == 0
        ? List.of()
        : List.of(RegionSegments.segment(region.address(), region.bytes(), false, List.of()));
  }

  /** {@return the settings in the form of a snapshot; none if the original writes no snapshots} */
  default SnapshotSettings snapshotSettings() {
    return SnapshotSettings.none();
  }

  /**
   * {@return the region of an allocation in use}
   *
   * @param address its address
   */
  Region regionOf(long address);

  /**
   * {@return the blocks of all regions, in use and free, by ascending address; without ranges that
   * have no memory}
   *
   * <p>Costs O(n log n) for n blocks.
   */
  List<Range> ranges();

  /**
   * {@return the reason why a request was refused}
   *
   * <p>Called right after the refusal, with the same arguments.
   *
   * @param bytes the requested bytes
   * @param stream the stream
   * @param pool the memory pool
   */
  Refusal refusal(long bytes, long stream, long pool);

  /**
   * {@return the requested bytes and the other parts of the reserved memory}
   *
   * <p>Costs O(n log n) for n blocks.
   *
   * @param stream the stream of the request at this moment
   * @param pendingFrees the addresses of allocations that the program has freed, but that queued
   *     work may still use
   */
  default ReservedMemory reserved(long stream, Set<Long> pendingFrees) {
    return ReservedCount.ofRegions(segments(true), pendingFrees);
  }

  /** {@return the bytes of all allocations in use} */
  InUseBytes usedBytes();

  /**
   * {@return the bytes of an allocation in use}
   *
   * @param address its address
   * @throws IllegalStateException if no allocation in use starts at the address
   */
  InUseBytes usedBytes(long address);

  /**
   * {@return the free bytes by reason}
   *
   * <p>Costs O(log n) for n blocks.
   *
   * @param stream the stream of the request at this moment
   */
  FreeBytes freeBytes(long stream);

  /**
   * A contiguous range of addresses from the device: a segment of PyTorch, an upstream block of
   * RMM.
   *
   * @param index its number, in the order in which regions were added, from 0; other regions do not
   *     get the same
   * @param address its start
   * @param bytes its size; of an expandable segment, the mapped bytes
   * @param owner the stream and pool that hold it, such as {@code stream 0, large blocks}; {@code
   *     by stream} if each stream has free blocks of its own, empty if all streams share them
   * @param pageBytes the bytes of the pages that the allocator can return one by one, counted from
   *     the start; 0 if it returns only the whole region
   */
  record Region(int index, long address, long bytes, String owner, long pageBytes) {

    /** Creates a region that is returned as a whole. */
    public Region(int index, long address, long bytes, String owner) {
      this(index, address, bytes, owner, 0);
    }

    /** Creates a region; all streams share its free blocks. */
    Region(int index, long address, long bytes) {
      this(index, address, bytes, "");
    }
  }

  /**
   * A block of a region.
   *
   * @param region the index of the region
   * @param address its start
   * @param bytes its size, with rounding and a rest that was not split off
   * @param isInUse false if the block is free
   * @param owner the stream and pool that hold a free block, such as {@code stream 0, large
   *     blocks}; empty if the allocator does not divide free blocks, and for a block in use
   */
  record Range(int region, long address, long bytes, boolean isInUse, String owner) {}

  /**
   * The reason for a refusal.
   *
   * @param verdict the verdict
   * @param numbers the numbers of the request and the allocator
   * @param reason the verdict with its numbers, as sentences
   */
  record Refusal(OutOfMemoryVerdict verdict, OutOfMemoryNumbers numbers, String reason) {}
}
