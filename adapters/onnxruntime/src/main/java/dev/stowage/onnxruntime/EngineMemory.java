package dev.stowage.onnxruntime;

import dev.stowage.allocator.AllocatorReport;
import dev.stowage.allocator.AllocatorStatistics;
import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.ForwardingSubAllocator;
import dev.stowage.allocator.MemoryAccount;
import dev.stowage.allocator.RegionChunks;
import dev.stowage.allocator.SubAllocator;
import dev.stowage.allocator.TrimResult;
import dev.stowage.allocator.internal.AllocatorInternals;
import dev.stowage.allocator.internal.ByteCount;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** The memory of ONNX Runtime sessions: requests, admission, reports and the end. */
final class EngineMemory {

  /*
   * EngineRequests has the calls of ONNX Runtime. The calls of the program that take the
   * allocator's lock are pinned (see PinnedCalls).
   */

  private final String name;
  private final BfcAllocator allocator;
  private final MemoryAccount account;
  private final boolean isOwnAccount;
  private final EngineRequests requests;
  private final Optional<TrimPolicy> trimPolicy;

  /** The open sessions in the order of their opening. */
  private final List<SessionAccount> sessions = new CopyOnWriteArrayList<>();

  private final PinnedCalls pinned = new PinnedCalls();

  /** The failures of the listener and of trims. */
  private final RecordedFailures failures = new RecordedFailures();

  /** The refusals of sessions that are closed. */
  private final AtomicLong pastRefusals = new AtomicLong();

  private final AtomicLong reservations = new AtomicLong();
  private final AtomicLong extensions = new AtomicLong();
  private final AtomicLong trims = new AtomicLong();
  private final Optional<EngineListener> listener;

  /** Creates memory with no allocations. */
  EngineMemory(String name, EngineRegions regions, OnnxRuntimeOptions options) {
    this.name = name;
    this.listener = options.listener().map(target -> new EngineListener(target, failures));
    SubAllocator counted = new CountedExtensions(regions.regions(), extensions);
    this.allocator =
        this.listener
            .map(engineListener ->
                new BfcAllocator(name, counted, options.allocator(), engineListener))
            .orElseGet(() -> new BfcAllocator(name, counted, options.allocator()));
    this.account = options.account(name);
    this.isOwnAccount = !options.hasAccount();
    this.requests = new EngineRequests(name, allocator, regions, SessionAccount.ofOthers(account));
    this.trimPolicy = options.trims() ? Optional.of(new TrimPolicy()) : Optional.empty();
  }

  private EngineMemory(String name, BfcAllocator allocator, EngineRegions regions) {
    this.name = name;
    this.listener = Optional.empty();
    this.allocator = allocator;
    this.account = MemoryAccount.root(name, Long.MAX_VALUE);
    this.isOwnAccount = true;
    this.requests = new EngineRequests(name, allocator, regions, SessionAccount.ofOthers(account));
    this.trimPolicy = Optional.empty();
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
    return allocate(requests.others(), bytes);
  }

  /** {@return the address of memory for weights of a session without an account} */
  long reserve(long bytes) {
    return reserve(requests.others(), bytes);
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
          if (isOwnAccount) {
            account.close();
          }
          before.run();
        }));
  }

  private void checkUnused() {
    if (!sessions.isEmpty()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "allocator '%s' cannot be closed: the memory of %s is open; close it first",
              name,
              sessions.stream()
                  .map(session -> "session '" + session.name() + "'")
                  .collect(Collectors.joining(", "))));
    }
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

  /** Throws the first failure: of the listener, of other sessions, of the oldest session first. */
  void throwFailures() {
    checkCaller();
    failures.throwFirst();
    requests.others().failures().throwFirst();
    sessions.forEach(session -> session.failures().throwFirst());
  }

  /** {@return the account of sessions without an account of their own} */
  SessionAccount otherSessions() {
    return requests.others();
  }

  /** {@return the parent of the accounts of sessions} */
  MemoryAccount account() {
    return account;
  }

  /**
   * Checks the caller.
   *
   * @throws IllegalStateException if the listener calls this method, in a request of ONNX Runtime
   */
  void checkCaller() {
    if (isListenerCalling()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "the listener of allocator '%s' cannot use its sessions, permits and reports: use them after the listener has returned",
              name));
    }
  }

  private boolean isListenerCalling() {
    return listener.map(EngineListener::isCalling).orElse(false);
  }

  /** {@return the account of a new session} */
  synchronized SessionAccount open(String session, long reservedBytes, long limitBytes) {
    checkCaller();
    if (session.isEmpty()) {
      throw new IllegalArgumentException("name must not be empty: name=''");
    }
    if (sessions.stream().anyMatch(other -> other.name().equals(session))) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT, "session '%s' is open: close it first, or use another name", session));
    }
    SessionAccount opened =
        SessionAccount.of(session, account.child(session, reservedBytes, limitBytes));
    sessions.add(opened);
    return opened;
  }

  /** Forgets a session that was closed; its refusals stay counted. */
  void closed(SessionAccount session) {
    if (sessions.remove(session)) {
      pastRefusals.addAndGet(session.failures().refusals());
    }
  }

  /** Ends a run, and trims if the memory is more than the latest runs needed. */
  void endRun() {
    if (trimPolicy.isPresent() && trimPolicy.get().isDue(requests.takePeak(), heldBytes())) {
      pinned.run(this::trimIfOpen);
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
    checkCaller();
    return new OnnxRuntimeReport(
        allocatorReport(),
        requests.usages(),
        new OnnxRuntimeReport.Overflow(
            refusals(), requests.overflow().bytesInUse(), requests.overflow().peakBytesInUse()),
        sessions.stream().map(SessionAccount::usage).toList(),
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
        + requests.others().failures().refusals()
        + sessions.stream().mapToLong(session -> session.failures().refusals()).sum();
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

  /** Checks the allocator and the requests, while no other thread uses the memory. */
  void checkInvariants() {
    AllocatorInternals.of(allocator).checkInvariants();
    requests.checkInvariants();
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "allocator '%s'", name);
  }
}
