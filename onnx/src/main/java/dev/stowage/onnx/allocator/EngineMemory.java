package dev.stowage.onnx.allocator;

import dev.stowage.core.bfc.AllocationListener;
import dev.stowage.core.bfc.AllocationTag;
import dev.stowage.core.bfc.AllocatorReport;
import dev.stowage.core.bfc.AllocatorStatistics;
import dev.stowage.core.bfc.BfcAllocator;
import dev.stowage.core.bfc.BfcOptions;
import dev.stowage.core.bfc.BfcOutOfMemoryException;
import dev.stowage.core.bfc.RegionVisitor;
import dev.stowage.core.bfc.SubAllocator;
import dev.stowage.core.bfc.TrimResult;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.StampedLock;
import java.util.stream.Collectors;

/** The memory that an engine allocates and frees, whose requests have to be answered. */
final class EngineMemory {

  /*
   * The engine can be told neither of an exception, which ends the process if it leaves an upcall,
   * nor that there is no memory: it uses what it gets. So a request is answered
   *
   *   by the allocator, or, where that refuses it or fails,
   *   by the overflow memory, and what was thrown is kept, or, where there is none either,
   *   with null, after an error was logged: the engine then ends the process.
   *
   *   E1  a call of the engine throws nothing;
   *   E2  what is free is known to exactly one of allocator and overflow memory;
   *   E3  the allocator's regions are given back only when no chunk is in use, and no call of the
   *       engine is on its way: calls hold the gate's read lock, closing holds the write lock;
   *   E4  after that, the engine is answered from the overflow memory: it does not say when it
   *       needs its allocator no more, and a session may be open that held nothing.
   */

  private static final System.Logger LOGGER = System.getLogger(EngineMemory.class.getPackageName());

  private static final AllocationTag WEIGHTS = AllocationTag.of("weights");
  private static final AllocationTag TENSORS = AllocationTag.of("tensors");

  private final String name;
  private final BfcAllocator allocator;
  private final OverflowMemory overflow = new OverflowMemory();
  private final RecordedFailures failures = new RecordedFailures();
  private final TagUsages usages = new TagUsages();
  private final AtomicLong reservations = new AtomicLong();
  private final AtomicLong extensions = new AtomicLong();
  private final AtomicLong trims = new AtomicLong();
  private final AtomicBoolean lateUseLogged = new AtomicBoolean();
  private final Optional<EngineListener> listener;
  private final StampedLock gate = new StampedLock();
  private boolean closed;

  /**
   * Memory of which nothing is in use yet.
   *
   * @param listener who hears of each request and free, if anyone does
   */
  EngineMemory(
      String name,
      SubAllocator regions,
      BfcOptions options,
      Optional<AllocationListener> listener) {
    this.name = name;
    this.listener = listener.map(told -> new EngineListener(told, failures));
    SubAllocator counted = regions.withVisitor(new CountedExtensions(extensions));
    this.allocator =
        this.listener
            .map(told -> new BfcAllocator(name, counted, options, told))
            .orElseGet(() -> new BfcAllocator(name, counted, options));
  }

  private EngineMemory(String name, BfcAllocator allocator) {
    this.name = name;
    this.listener = Optional.empty();
    this.allocator = allocator;
  }

  /** {@return memory that is only tried out: JDK Flight Recorder has no events of it} */
  static EngineMemory unrecorded(String name, SubAllocator regions, BfcOptions options) {
    return new EngineMemory(name, BfcAllocator.unrecorded(name, regions, options));
  }

  private record CountedExtensions(AtomicLong count) implements RegionVisitor {

    @Override
    public void added(long address, long bytes) {
      count.incrementAndGet();
    }

    @Override
    public void removed(long address, long bytes) {}
  }

  // What the engine calls.

  /** {@return the address of memory for a tensor} */
  long allocate(long bytes) {
    return answer(TENSORS, bytes);
  }

  /** {@return the address of memory for weights} */
  long reserve(long bytes) {
    reservations.incrementAndGet();
    return answer(WEIGHTS, bytes);
  }

  private long answer(AllocationTag tag, long size) {
    // A size is a size_t: what is negative here is more than there can be.
    long bytes = size < 0 ? Long.MAX_VALUE : Math.max(1, size);
    long pass = gate.readLock();
    try {
      long address = closed ? OverflowMemory.NONE : fromAllocator(tag, bytes);
      return address == OverflowMemory.NONE ? fromOverflow(bytes) : address;
    } catch (Throwable thrown) {
      failures.thrown(thrown);
      return OverflowMemory.NONE;
    } finally {
      gate.unlockRead(pass);
    }
  }

  private long fromAllocator(AllocationTag tag, long bytes) {
    try {
      return tag.call(() -> take(bytes));
    } catch (BfcOutOfMemoryException refused) {
      failures.refused(refused);
    } catch (Throwable thrown) {
      failures.refused();
      failures.thrown(thrown);
    }
    return OverflowMemory.NONE;
  }

  private long take(long bytes) {
    long address = takeChunk(bytes);
    if (address != OverflowMemory.NONE) {
      usages.add(AllocationTag.current().toString(), address, bytes);
    }
    return address;
  }

  private long takeChunk(long bytes) {
    if (!failures.hasShortage()) {
      return allocator.allocate(bytes);
    }
    // To explain a refusal costs a walk over all chunks: once is enough.
    OptionalLong address = allocator.tryAllocate(bytes, 1);
    if (address.isEmpty()) {
      failures.refused();
    }
    return address.orElse(OverflowMemory.NONE);
  }

  private long fromOverflow(long bytes) {
    if (closed && lateUseLogged.compareAndSet(false, true)) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "allocator ''{0}'' is closed, but a session of ONNX Runtime still uses it: memory comes"
              + " from the C library now; close sessions before their allocator",
          name);
    }
    long address = overflow.allocate(bytes);
    if (address == OverflowMemory.NONE) {
      LOGGER.log(
          System.Logger.Level.ERROR,
          "there are no {1} bytes for a request of ONNX Runtime, neither in allocator ''{0}'' nor"
              + " on this machine: ONNX Runtime ends the process",
          name,
          Long.toString(bytes));
    }
    return address;
  }

  /** Frees what the engine got; nothing for null. */
  void free(long address) {
    long pass = gate.readLock();
    try {
      if (address != OverflowMemory.NONE && !overflow.freed(address)) {
        usages.remove(address);
        allocator.free(address);
      }
    } catch (Throwable thrown) {
      failures.thrown(thrown);
    } finally {
      gate.unlockRead(pass);
    }
  }

  // What the user calls.

  /**
   * Gives all regions back.
   *
   * @param before what to do when nothing is in use, and before the regions go
   * @throws IllegalStateException if memory is in use, or the listener calls; nothing changes
   */
  void close(Runnable before) {
    if (listener.map(EngineListener::isCalling).orElse(false)) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "the listener of allocator '%s' closes it", name));
    }
    long pass = gate.writeLock();
    try {
      if (!closed) {
        checkUnused();
        before.run();
        closed = true;
      }
      allocator.close(); // also again, for regions that the system did not take back
    } finally {
      gate.unlockWrite(pass);
    }
  }

  private void checkUnused() {
    AllocatorStatistics now = allocator.statistics();
    long count = now.chunksInUse() + overflow.count();
    if (count > 0) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "allocator '%s' cannot be closed: sessions or results hold %d bytes in %d allocations (%s); close them first",
              name,
              now.bytesInUse() + overflow.bytesInUse(),
              count,
              holders()));
    }
  }

  private String holders() {
    String tags =
        allocator.report().holders().stream()
            .map(holder -> String.format(Locale.ROOT, "%s %d", holder.tag(), holder.bytes()))
            .collect(Collectors.joining(", "));
    String outside =
        overflow.count() == 0
            ? ""
            : String.format(Locale.ROOT, "outside the limit %d", overflow.bytesInUse());
    return tags + (tags.isEmpty() || outside.isEmpty() ? "" : ", ") + outside;
  }

  void raiseFailures() {
    failures.raise();
  }

  TrimResult trim() {
    TrimResult result = allocator.trim();
    trims.incrementAndGet();
    return result;
  }

  AllocatorStatistics statistics() {
    return allocator.statistics();
  }

  OnnxRuntimeReport report() {
    AllocatorReport memory = allocator.report();
    return new OnnxRuntimeReport(
        memory,
        usages.list(),
        failures.refusals(),
        overflow.bytesInUse(),
        overflow.peakBytesInUse());
  }

  long reservations() {
    return reservations.get();
  }

  long extensions() {
    return extensions.get();
  }

  long trims() {
    return trims.get();
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "allocator '%s'", name);
  }
}
