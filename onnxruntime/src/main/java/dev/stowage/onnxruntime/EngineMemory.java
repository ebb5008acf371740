package dev.stowage.onnxruntime;

import dev.stowage.core.bfc.Allocation;
import dev.stowage.core.bfc.AllocationTag;
import dev.stowage.core.bfc.AllocatorStatistics;
import dev.stowage.core.bfc.BfcAllocator;
import dev.stowage.core.bfc.BfcOptions;
import dev.stowage.core.bfc.BfcOutOfMemoryException;
import dev.stowage.core.bfc.RegionVisitor;
import dev.stowage.core.bfc.SubAllocator;
import dev.stowage.core.bfc.TrimResult;
import dev.stowage.onnxruntime.process.ProcessSample;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The memory of ONNX Runtime sessions. It satisfies every request, if necessary from malloc. */
final class EngineMemory {

  /*
   * ONNX Runtime can handle neither an exception, which ends the process if it leaves an upcall, nor
   * a failed allocation: it uses the address without a check. A request therefore gets its memory
   *
   *   1. from the range of its run, if it has a permit, else from the allocator;
   *   2. from the overflow memory, if the allocator refuses or fails; the exception is recorded;
   *   3. from nowhere, if that fails, too: an error is logged, and ONNX Runtime ends the process.
   *
   * A call from ONNX Runtime throws nothing. It holds the read lock of the gate, and close() holds the
   * write lock, so that no call runs while the allocator returns its regions. Requests after close()
   * get overflow memory. ONNX Runtime does not report when it has stopped using an allocator, and a
   * session that held no memory may still be open.
   *
   *   E1  overflow memory lies in no region of the allocator;
   *   E2  `usages` has exactly the allocations of the allocator, with those in the ranges of runs in
   *       place of the ranges;
   *   E3  a closed allocator has no chunk in use.
   *
   * The admission charges an allocation to its session after the memory was taken (R1 to R5), and
   * admits other runs with these bytes only after the memory was freed.
   */

  private static final System.Logger LOGGER = System.getLogger(EngineMemory.class.getPackageName());

  private final String name;
  private final BfcAllocator allocator;
  private final OverflowMemory overflow = new OverflowMemory();
  private final Admission admission;
  private final RunEnds runEnds;

  /** The failures of sessions without an account, and of the listener. */
  private final RecordedFailures failures;

  /** The refusals of sessions that are closed. */
  private final AtomicLong pastRefusals = new AtomicLong();

  private final TagUsages usages = new TagUsages();
  private final AtomicLong reservations = new AtomicLong();
  private final AtomicLong extensions = new AtomicLong();
  private final AtomicLong trims = new AtomicLong();
  private final AtomicBoolean lateUseLogged = new AtomicBoolean();
  private final Optional<EngineListener> listener;
  private final StampedLock gate = new StampedLock();
  private volatile boolean closed;

  /**
   * Creates memory with no allocations.
   *
   * @param process reads the memory of this process
   */
  EngineMemory(
      String name,
      SubAllocator regions,
      OnnxRuntimeOptions options,
      Supplier<Optional<ProcessSample>> process) {
    this.name = name;
    this.admission =
        new Admission(options.capacityBytes(), Optional.of(new RunRanges()), options.recentRuns());
    this.failures = admission.others().failures();
    this.listener = options.listener().map(target -> new EngineListener(target, failures));
    this.runEnds = new RunEnds(name, options, process, this::heldBytes);
    SubAllocator counted = regions.withVisitor(new CountedExtensions(extensions));
    this.allocator =
        this.listener
            .map(engineListener ->
                new BfcAllocator(name, counted, options.allocator(), engineListener))
            .orElseGet(() -> new BfcAllocator(name, counted, options.allocator()));
  }

  private EngineMemory(String name, BfcAllocator allocator) {
    this.name = name;
    this.listener = Optional.empty();
    this.allocator = allocator;
    OnnxRuntimeOptions options = OnnxRuntimeOptions.of(allocator.options());
    this.admission =
        new Admission(options.capacityBytes(), Optional.of(new RunRanges()), options.recentRuns());
    this.failures = admission.others().failures();
    this.runEnds = new RunEnds(name, options, Optional::empty, this::heldBytes);
  }

  /** {@return memory for the warm-up, without events of JDK Flight Recorder} */
  static EngineMemory unrecorded(String name, SubAllocator regions, BfcOptions options) {
    return new EngineMemory(name, BfcAllocator.unrecorded(name, regions, options));
  }

  /** Ranges of the allocator. */
  private final class RunRanges implements RunRange.Source {

    @Override
    public Optional<RunRange> take(SessionAccount session, long bytes) {
      long rounded = Admission.rounded(bytes);
      if (closed || rounded < 0 || rounded > allocator.options().limitBytes()) {
        return Optional.empty();
      }
      try {
        OptionalLong address = session.runsTag().call(() -> allocator.tryAllocate(rounded, 1));
        return address.isPresent()
            ? Optional.of(new RunRange(address.getAsLong(), rounded))
            : Optional.empty();
      } catch (RuntimeException failure) {
        // This thread may be one that ends another run, or one of ONNX Runtime.
        session.failures().thrown(failure);
        return Optional.empty();
      }
    }

    @Override
    public void release(RunRange range) {
      allocator.free(range.address());
    }
  }

  private record CountedExtensions(AtomicLong count) implements RegionVisitor {

    @Override
    public void added(long address, long bytes) {
      count.incrementAndGet();
    }

    @Override
    public void removed(long address, long bytes) {}
  }

  // Called by ONNX Runtime.

  /** {@return the address of memory for a tensor of a session without an account} */
  long allocate(long bytes) {
    return allocate(admission.others(), bytes);
  }

  /** {@return the address of memory for weights of a session without an account} */
  long reserve(long bytes) {
    return reserve(admission.others(), bytes);
  }

  /** {@return the address of memory for a tensor} */
  long allocate(SessionAccount session, long bytes) {
    return answer(session, session.tensorsTag(), bytes);
  }

  /** {@return the address of memory for weights} */
  long reserve(SessionAccount session, long bytes) {
    reservations.incrementAndGet();
    return answer(session, session.weightsTag(), bytes);
  }

  private long answer(SessionAccount session, AllocationTag tag, long size) {
    // A size is a size_t: a negative value is more than any machine has.
    long bytes = size < 0 ? Long.MAX_VALUE : Math.max(1, size);
    long pass = gate.readLock();
    try {
      OptionalLong inRange = closed ? OptionalLong.empty() : fromRange(session, tag, bytes);
      return inRange.isPresent() ? inRange.getAsLong() : fromElsewhere(session, tag, bytes);
    } catch (Throwable thrown) {
      session.failures().thrown(thrown);
      return OverflowMemory.NONE;
    } finally {
      gate.unlockRead(pass);
    }
  }

  private OptionalLong fromRange(SessionAccount session, AllocationTag tag, long bytes) {
    OptionalLong address = admission.allocateInRange(session, bytes);
    if (address.isPresent()) {
      tag.run(() -> usages.add(AllocationTag.current().toString(), address.getAsLong(), bytes));
    }
    return address;
  }

  private long fromElsewhere(SessionAccount session, AllocationTag tag, long bytes) {
    long own = closed ? OverflowMemory.NONE : fromAllocator(session.failures(), tag, bytes);
    long address = own == OverflowMemory.NONE ? fromOverflow(bytes) : own;
    if (address != OverflowMemory.NONE) {
      admission.allocated(session, address, bytes);
    }
    return address;
  }

  private long fromAllocator(RecordedFailures failures, AllocationTag tag, long bytes) {
    try {
      return tag.call(() -> take(failures, bytes));
    } catch (BfcOutOfMemoryException refused) {
      failures.refused(refused);
    } catch (Throwable thrown) {
      failures.refused();
      failures.thrown(thrown);
    }
    return OverflowMemory.NONE;
  }

  private long take(RecordedFailures failures, long bytes) {
    long address = takeChunk(failures, bytes);
    if (address != OverflowMemory.NONE) {
      usages.add(AllocationTag.current().toString(), address, bytes);
    }
    return address;
  }

  private long takeChunk(RecordedFailures failures, long bytes) {
    if (!failures.hasShortage()) {
      return allocator.allocate(bytes);
    }
    // Explaining a refusal takes a walk over all chunks, and check() throws only one.
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
          "allocator ''{0}'' is closed, but a session of ONNX Runtime still uses it and now gets"
              + " memory from the C library; close sessions before their allocator",
          name);
    }
    long address = overflow.allocate(bytes);
    if (address == OverflowMemory.NONE) {
      LOGGER.log(
          System.Logger.Level.ERROR,
          "a request of ONNX Runtime for {1} bytes failed, in allocator ''{0}'' and in malloc: ONNX"
              + " Runtime ends the process; use a smaller model or batch, or more memory",
          name,
          Long.toString(bytes));
    }
    return address;
  }

  /** Frees memory; does nothing for address 0. */
  void free(long address) {
    long pass = gate.readLock();
    try {
      if (address != OverflowMemory.NONE) {
        Optional<Charge> charge = admission.remove(address);
        boolean isInRange = charge.flatMap(Charge::range).isPresent();
        if (isInRange) {
          usages.remove(address);
        } else if (!overflow.freed(address)) {
          usages.remove(address);
          allocator.free(address);
        }
        charge.ifPresent(each -> admission.free(address, each));
      }
    } catch (Throwable thrown) {
      failures.thrown(thrown);
    } finally {
      gate.unlockRead(pass);
    }
  }

  // Called by the program.

  /**
   * Returns all regions.
   *
   * @param before runs when no memory is in use, before the regions are returned
   * @throws IllegalStateException if memory is in use, or if the listener calls this method;
   *     nothing changes then
   */
  void close(Runnable before) {
    if (isListenerCalling()) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "allocator '%s' cannot be closed by its listener", name));
    }
    long pass = gate.writeLock();
    try {
      if (!closed) {
        checkUnused();
        admission.close(toString());
        before.run();
        closed = true;
      }
      allocator.close(); // a second call retries regions that the system did not take back
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

  /** Throws the first failure of the others, else that of the session opened first. */
  void raiseFailures() {
    admission();
    failures.raise();
    admission.sessions().forEach(session -> session.failures().raise());
  }

  /** {@return the account of sessions without an account of their own} */
  SessionAccount others() {
    return admission.others();
  }

  /**
   * {@return the admission, for calls of the program}
   *
   * @throws IllegalStateException if the listener calls this method: a request of ONNX Runtime
   *     calls it, or an admission that has the lock
   */
  Admission admission() {
    if (isListenerCalling()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "the listener of allocator '%s' cannot use its sessions, permits and reports: use them after the listener has returned",
              name));
    }
    return admission;
  }

  private boolean isListenerCalling() {
    return listener.map(EngineListener::isCalling).orElse(false);
  }

  /** Closes the account of a session; its refusals stay counted. */
  void closeSession(SessionAccount session) {
    if (admission().close(session)) {
      pastRefusals.addAndGet(session.failures().refusals());
    }
  }

  /** Ends a run, and trims if the memory is more than recent runs needed. */
  void closeRun(RunAccount run) {
    OptionalLong needed = admission().closeRun(run);
    if (needed.isPresent() && runEnds.ended(needed.getAsLong())) {
      trimIfOpen();
    }
  }

  private void trimIfOpen() {
    long pass = gate.readLock();
    try {
      if (!closed) {
        trim();
      }
    } catch (RuntimeException failure) {
      failures.thrown(failure); // the run itself has succeeded
    } finally {
      gate.unlockRead(pass);
    }
  }

  private long heldBytes() {
    return allocator.statistics().reservedBytes() + overflow.bytesInUse();
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
    List<SessionUsage> sessions = admission().usages();
    return new OnnxRuntimeReport(
        allocator.report(),
        usages.list(),
        refusals(),
        overflow.bytesInUse(),
        overflow.peakBytesInUse(),
        sessions,
        runEnds.processMemory());
  }

  private long refusals() {
    return pastRefusals.get()
        + failures.refusals()
        + admission.sessions().stream().mapToLong(session -> session.failures().refusals()).sum();
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

  /** Checks E1 to E3, the allocator and the charges, while no other thread uses the memory. */
  void checkInvariants() {
    allocator.checkInvariants();
    admission.checkInvariants();
    boolean isApart =
        overflow.addresses().stream()
            .noneMatch(address ->
                allocator.regions().stream()
                    .anyMatch(region ->
                        region.address() <= address
                            && address < region.address() + region.bytes()));
    check(isApart, "E1 overflow memory is in a region");
    Set<Long> inUse =
        allocator.allocations().stream().map(Allocation::address).collect(Collectors.toSet());
    Set<Long> expected = new HashSet<>(inUse);
    check(
        expected.removeAll(admission.rangeAddresses()) == !admission.rangeAddresses().isEmpty(),
        "E2 a range is no allocation");
    expected.addAll(admission.addressesInRanges());
    check(usages.addresses().equals(expected), "E2 the usages are not those of the allocations");
    check(!closed || inUse.isEmpty(), "E3 the closed allocator has a chunk in use");
  }

  private void check(boolean holds, String broken) {
    if (!holds) {
      throw new AssertionError(broken + ": " + this);
    }
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "allocator '%s'", name);
  }
}
