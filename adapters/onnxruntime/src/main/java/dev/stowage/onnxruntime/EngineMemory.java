package dev.stowage.onnxruntime;

import dev.stowage.allocator.AllocatorReport;
import dev.stowage.allocator.AllocatorStatistics;
import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.ForwardingSubAllocator;
import dev.stowage.allocator.RegionChunks;
import dev.stowage.allocator.SubAllocator;
import dev.stowage.allocator.TrimResult;
import dev.stowage.allocator.internal.AllocatorInternals;
import dev.stowage.allocator.internal.ByteCount;
import dev.stowage.onnxruntime.process.ProcessSample;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The memory of ONNX Runtime sessions: requests, admission, reports and the end. */
final class EngineMemory {

  /*
   * EngineRequests has the calls of ONNX Runtime, and Admission those of sessions and runs. The calls
   * of the program that take the allocator's lock are pinned (see PinnedCalls).
   */

  private final String name;
  private final BfcAllocator allocator;
  private final Admission admission;
  private final EngineRequests requests;
  private final RunEnds runEnds;
  private final PinnedCalls pinned = new PinnedCalls();

  /** The failures of the listener and of trims. */
  private final RecordedFailures failures = new RecordedFailures();

  /** The refusals of sessions that are closed. */
  private final AtomicLong pastRefusals = new AtomicLong();

  private final AtomicLong reservations = new AtomicLong();
  private final AtomicLong extensions = new AtomicLong();
  private final AtomicLong trims = new AtomicLong();
  private final Optional<EngineListener> listener;

  /**
   * Creates memory of the host with no allocations.
   *
   * @param process reads the memory of this process
   */
  EngineMemory(
      String name,
      SubAllocator regions,
      OnnxRuntimeOptions options,
      Supplier<Optional<ProcessSample>> process) {
    this(name, EngineRegions.ofHost(regions), options, process);
  }

  /**
   * Creates memory with no allocations.
   *
   * @param process reads the memory of this process
   */
  EngineMemory(
      String name,
      EngineRegions regions,
      OnnxRuntimeOptions options,
      Supplier<Optional<ProcessSample>> process) {
    this.name = name;
    this.listener = options.listener().map(target -> new EngineListener(target, failures));
    SubAllocator counted = new CountedExtensions(regions.regions(), extensions);
    this.allocator =
        this.listener
            .map(engineListener ->
                new BfcAllocator(name, counted, options.allocator(), engineListener))
            .orElseGet(() -> new BfcAllocator(name, counted, options.allocator()));
    this.admission = admission(options);
    this.requests = new EngineRequests(name, allocator, admission, regions);
    this.runEnds = new RunEnds(name, options, process, this::heldBytes);
  }

  private EngineMemory(String name, BfcAllocator allocator, EngineRegions regions) {
    this.name = name;
    this.listener = Optional.empty();
    this.allocator = allocator;
    OnnxRuntimeOptions options = OnnxRuntimeOptions.of(allocator.options());
    this.admission = admission(options);
    this.requests = new EngineRequests(name, allocator, admission, regions);
    this.runEnds = new RunEnds(name, options, Optional::empty, this::heldBytes);
  }

  private Admission admission(OnnxRuntimeOptions options) {
    return new Admission(
        options.capacityBytes(), Optional.of(new AllocatorRanges(allocator)), options.recentRuns());
  }

  /** {@return memory for the warm-up, without events of JDK Flight Recorder} */
  static EngineMemory unrecorded(String name, SubAllocator regions, BfcOptions options) {
    return new EngineMemory(
        name, BfcAllocator.unrecorded(name, regions, options), EngineRegions.ofHost(regions));
  }

  /** Regions that count new ones, and additions at their ends. */
  private static final class CountedExtensions extends ForwardingSubAllocator {

    private final AtomicLong count;

    CountedExtensions(SubAllocator regions, AtomicLong count) {
      super(regions);
      this.count = count;
    }

    @Override
    public OptionalLong allocate(long bytes) {
      OptionalLong address = super.allocate(bytes);
      if (address.isPresent()) {
        count.incrementAndGet();
      }
      return address;
    }

    @Override
    public boolean resize(long address, long bytes, long newBytes) {
      boolean isResized = super.resize(address, bytes, newBytes);
      if (isResized && newBytes > bytes) {
        count.incrementAndGet();
      }
      return isResized;
    }
  }

  // Called by ONNX Runtime.

  /** {@return the address of memory for a tensor of a session without an account} */
  long allocate(long bytes) {
    return allocate(admission.otherSessions(), bytes);
  }

  /** {@return the address of memory for weights of a session without an account} */
  long reserve(long bytes) {
    return reserve(admission.otherSessions(), bytes);
  }

  /** {@return the address of memory for a tensor} */
  long allocate(SessionAccount session, long bytes) {
    return allocate(session, bytes, StreamOrder.UNKNOWN);
  }

  /** {@return the address of memory for a tensor that a stream of a device uses} */
  long allocate(SessionAccount session, long bytes, long stream) {
    return requests.allocate(session, session.tensorsTag(), bytes, stream);
  }

  /** {@return the address of memory for weights} */
  long reserve(SessionAccount session, long bytes) {
    reservations.incrementAndGet();
    return requests.allocate(session, session.weightsTag(), bytes, StreamOrder.UNKNOWN);
  }

  /** Frees memory; does nothing for address 0. */
  void free(long address) {
    requests.free(address);
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
    pinned.run(() ->
        requests.close(() -> {
          checkUnused();
          admission.close(toString());
          before.run();
        }));
  }

  private void checkUnused() {
    OverflowMemory overflow = requests.overflow();
    AllocatorStatistics now = allocator.statistics();
    long count = now.chunksInUse() + overflow.count();
    if (count > 0) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "allocator '%s' cannot be closed: sessions or results hold %s in %d allocations (%s); close them first",
              name,
              ByteCount.exact(now.bytesInUse() + overflow.bytesInUse()),
              count,
              holders()));
    }
  }

  private String holders() {
    OverflowMemory overflow = requests.overflow();
    String tags =
        allocator.report().holders().stream()
            .map(holder -> holder.tag() + " " + ByteCount.text(holder.bytes()))
            .collect(Collectors.joining(", "));
    String outside =
        overflow.count() == 0 ? "" : "outside the limit " + ByteCount.text(overflow.bytesInUse());
    return tags + (tags.isEmpty() || outside.isEmpty() ? "" : ", ") + outside;
  }

  /** Throws the first failure of the others, else that of the session opened first. */
  void throwFailures() {
    admission();
    failures.throwFirst();
    admission.otherSessions().failures().throwFirst();
    admission.sessions().forEach(session -> session.failures().throwFirst());
  }

  /** {@return the account of sessions without an account of their own} */
  SessionAccount otherSessions() {
    return admission.otherSessions();
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
    if (needed.isPresent()) {
      pinned.run(() -> {
        if (runEnds.countRun(needed.getAsLong())) {
          trimIfOpen();
        }
      });
    }
  }

  private void trimIfOpen() {
    try {
      requests.runIfOpen(this::trim);
    } catch (RuntimeException failure) {
      failures.record(failure); // the run itself has succeeded
    }
  }

  private long heldBytes() {
    return allocator.statistics().reservedBytes() + requests.overflow().bytesInUse();
  }

  TrimResult trim() {
    TrimResult result = pinned.call(allocator::trim);
    trims.incrementAndGet();
    return result;
  }

  AllocatorStatistics statistics() {
    return pinned.call(allocator::statistics);
  }

  OnnxRuntimeReport report() {
    List<SessionUsage> sessions = admission().usages();
    return new OnnxRuntimeReport(
        allocatorReport(),
        requests.usages(),
        new OnnxRuntimeReport.Overflow(
            refusals(), requests.overflow().bytesInUse(), requests.overflow().peakBytesInUse()),
        sessions,
        pinned.call(runEnds::processMemory),
        requests.order().map(StreamOrder::waits).orElse(0L));
  }

  AllocatorReport allocatorReport() {
    return pinned.call(allocator::report);
  }

  List<RegionChunks> chunks() {
    return pinned.call(allocator::chunks);
  }

  /** {@return the name in messages} */
  String name() {
    return name;
  }

  /** {@return the number of requests that the allocator refused} */
  long refusals() {
    return pastRefusals.get()
        + admission.otherSessions().failures().refusals()
        + admission.sessions().stream().mapToLong(session -> session.failures().refusals()).sum();
  }

  /** {@return true if allocations name the stream of a device that uses them} */
  boolean isStreamOrdered() {
    return requests.order().isPresent();
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

  /** Checks the allocator, the requests and the charges, while no other thread uses the memory. */
  void checkInvariants() {
    AllocatorInternals.of(allocator).checkInvariants();
    admission.checkInvariants();
    requests.checkInvariants();
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "allocator '%s'", name);
  }
}
