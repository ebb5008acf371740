package dev.stowage.core.bfc;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;

/**
 * What JDK Flight Recorder hears of allocators.
 *
 * <p>Allocations and frees are many, and are recorded only where a recording asks for them.
 */
final class JfrEvents {

  private JfrEvents() {}

  /**
   * {@return whether anyone ever recorded in this process}
   *
   * <p>To know an event class is to start Flight Recorder, which takes a tenth of a second; so
   * nobody else looks at one.
   */
  static boolean mayBeHeard() {
    return FlightRecorder.isInitialized();
  }

  @Name("dev.stowage.Allocate")
  @Label("Allocate")
  @Description("A request that was answered")
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
  @Description("Memory from the device, or back to it")
  @Category("Stowage")
  static final class Extend extends Event {
    @Label("Allocator")
    String allocator = "";

    @Label("Address")
    long address;

    @Label("Bytes")
    @Description("How many came; below 0, how many went")
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
  @Description("What was in use when its allocator was closed")
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
   * Events that are asked whether they are enabled: the compiler seldom leaves out a new one that
   * is made only to be asked.
   */
  private static final class Asked {
    static final Allocate ALLOCATE = new Allocate();
    static final Free FREE = new Free();
  }

  static void allocated(String allocator, RegionSpace space, int slot) {
    if (Asked.ALLOCATE.isEnabled()) {
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
    if (Asked.FREE.isEnabled()) {
      Free event = new Free();
      ChunkTable chunks = space.chunks();
      event.allocator = allocator;
      event.allocationId = chunks.allocationId(slot);
      event.address = chunks.address(slot);
      event.chunkBytes = chunks.bytes(slot);
      event.commit();
    }
  }

  static void outOfMemory(BfcOutOfMemoryException failure, Origin origin) {
    refused(
        failure.report().allocator(),
        failure.report().statistics(),
        failure.requestedBytes(),
        failure.verdict(),
        origin);
  }

  /** Records a request that failed, whether its caller got an exception or an empty answer. */
  static void refused(
      String allocator,
      AllocatorStatistics statistics,
      long bytes,
      OutOfMemoryVerdict verdict,
      Origin origin) {
    OutOfMemory event = new OutOfMemory();
    event.allocator = allocator;
    event.requestedBytes = bytes;
    event.freeBytes = statistics.freeBytes();
    event.largestFreeChunkBytes = statistics.largestFreeChunkBytes();
    event.verdict = verdict.name();
    event.tag = origin.tag();
    event.commit();
  }

  static void leaked(LeakReport leaks) {
    Leak event = new Leak();
    event.allocator = leaks.allocator();
    event.allocations = leaks.allocations().size();
    event.requestedBytes = leaks.requestedBytes();
    event.tag = leaks.holders().getFirst().tag();
    event.commit();
  }

  /** {@return what records memory that comes and goes} */
  static RegionVisitor extending(String allocator) {
    return new RegionVisitor() {
      @Override
      public void added(long address, long bytes) {
        record(address, bytes);
      }

      @Override
      public void removed(long address, long bytes) {
        record(address, -bytes);
      }

      private void record(long address, long bytes) {
        if (mayBeHeard()) {
          Extend event = new Extend();
          event.allocator = allocator;
          event.address = address;
          event.bytes = bytes;
          event.commit();
        }
      }
    };
  }
}
