package dev.stowage.allocator;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;

/**
 * The events of allocators in JDK Flight Recorder.
 *
 * <p>Allocations and frees are frequent. They are recorded only if a recording enables them.
 */
final class JfrEvents {

  private JfrEvents() {}

  /**
   * {@return true if this process has ever started a recording}
   *
   * <p>Loading an event class starts Flight Recorder (about 0.1 s). Callers check this first.
   */
  static boolean mayBeRecorded() {
    return FlightRecorder.isInitialized();
  }

  @Name("dev.stowage.Allocate")
  @Label("Allocate")
  @Description("A request that got memory")
  @Category("Stowage")
  @Enabled(false)
  static final class Allocate extends Event {
    @Label("Allocator")
    String allocator = "";

    @Label("Allocation")
    long allocationId;

    @Label("Address")
    long address;

    @Label("Requested")
    @DataAmount
    long requestedBytes;

    @Label("Taken")
    @DataAmount
    long chunkBytes;

    @Label("Tag")
    String tag = "";
  }

  @Name("dev.stowage.Free")
  @Label("Free")
  @Description("The end of an allocation")
  @Category("Stowage")
  @Enabled(false)
  static final class Free extends Event {
    @Label("Allocator")
    String allocator = "";

    @Label("Allocation")
    long allocationId;

    @Label("Address")
    long address;

    @Label("Taken")
    @DataAmount
    long chunkBytes;
  }

  @Name("dev.stowage.Extend")
  @Label("Extend")
  @Description("Memory obtained from the device or returned to it")
  @Category("Stowage")
  static final class Extend extends Event {
    @Label("Allocator")
    String allocator = "";

    @Label("Address")
    long address;

    @Label("Bytes")
    @Description("Bytes obtained; negative if they were returned")
    long bytes;
  }

  @Name("dev.stowage.OutOfMemory")
  @Label("Out of memory")
  @Description("A request that failed")
  @Category("Stowage")
  static final class OutOfMemory extends Event {
    @Label("Allocator")
    String allocator = "";

    @Label("Requested")
    @DataAmount
    long requestedBytes;

    @Label("Free")
    @DataAmount
    long freeBytes;

    @Label("Largest free chunk")
    @DataAmount
    long largestFreeChunkBytes;

    @Label("Verdict")
    String verdict = "";

    @Label("Tag")
    String tag = "";
  }

  @Name("dev.stowage.Leak")
  @Label("Leak")
  @Description("Allocations that were in use when their allocator was closed")
  @Category("Stowage")
  static final class Leak extends Event {
    @Label("Allocator")
    String allocator = "";

    @Label("Allocations")
    long allocations;

    @Label("Requested")
    @DataAmount
    long requestedBytes;

    @Label("Largest holder")
    String tag = "";
  }

  /**
   * Events to call {@code isEnabled} on. The compiler seldom removes the allocation of a new event
   * that is only used for this.
   */
  private static final class Templates {
    static final Allocate ALLOCATE = new Allocate();
    static final Free FREE = new Free();
  }

  /** {@return true if a recording has enabled the events of allocations or of frees} */
  static boolean isEachRecorded() {
    return Templates.ALLOCATE.isEnabled() || Templates.FREE.isEnabled();
  }

  static void allocated(String allocator, RegionSpace space, int slot) {
    if (Templates.ALLOCATE.isEnabled()) {
      Allocate event = new Allocate();
      ChunkTable chunks = space.chunks();
      event.allocator = allocator;
      event.allocationId = chunks.allocationId(slot);
      event.address = chunks.address(slot);
      event.requestedBytes = chunks.requestedBytes(slot);
      event.chunkBytes = chunks.bytes(slot);
      event.tag = chunks.origin(slot).tag();
      event.commit();
    }
  }

  static void freed(String allocator, RegionSpace space, int slot) {
    if (Templates.FREE.isEnabled()) {
      Free event = new Free();
      ChunkTable chunks = space.chunks();
      event.allocator = allocator;
      event.allocationId = chunks.allocationId(slot);
      event.address = chunks.address(slot);
      event.chunkBytes = chunks.bytes(slot);
      event.commit();
    }
  }

  static void outOfMemory(
      String allocator,
      AllocatorStatistics statistics,
      long bytes,
      OutOfMemoryVerdict verdict,
      String tag) {
    OutOfMemory event = new OutOfMemory();
    event.allocator = allocator;
    event.requestedBytes = bytes;
    event.freeBytes = statistics.freeBytes();
    event.largestFreeChunkBytes = statistics.largestFreeChunkBytes();
    event.verdict = verdict.word();
    event.tag = tag;
    event.commit();
  }

  static void leaked(InUseReport leaks) {
    Leak event = new Leak();
    event.allocator = leaks.allocator();
    event.allocations = leaks.allocations().size();
    event.requestedBytes = leaks.requestedBytes();
    event.tag = leaks.holders().getFirst().tag();
    event.commit();
  }

  /**
   * Records memory obtained or returned.
   *
   * @param bytes the number of bytes; negative if they were returned
   */
  static void extended(String allocator, long address, long bytes) {
    Extend event = new Extend();
    event.allocator = allocator;
    event.address = address;
    event.bytes = bytes;
    event.commit();
  }
}
