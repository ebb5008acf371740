package dev.stowage.trace.replay;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.EventConsumer;
import dev.stowage.trace.format.RecordedMemory;
import dev.stowage.trace.format.RecordedProgram;
import dev.stowage.trace.pytorch.SnapshotEvents;
import dev.stowage.trace.pytorch.SnapshotHistory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A replay of a recorded history: an allocator on a simulated device, with addresses but no memory.
 *
 * <p>Requests for 0 bytes take no memory. Requests that fail are counted, and their frees have no
 * effect. With the rules of PyTorch's allocator, the replay of a snapshot starts in the recorded
 * state, so that its older blocks lie at their recorded addresses.
 */
public final class TraceReplay implements EventConsumer {

  /** The unit of blocks, except for PyTorch: its recordings have the segments. */
  private static final long UNIT = 256;

  private final AllocatorRules rules;
  private final PlacementConsumer placements;

  /** The addresses of live allocations; {@link SimulatedAllocator#REFUSED} without memory. */
  private final Map<String, Long> addresses = new HashMap<>();

  /** The allocations that the program has freed, but that queued work may still use. */
  private PendingFrees pendingFrees = new PendingFrees(0, this::complete);

  private SimulatedAllocator allocator;
  private Optional<PytorchRecording> recording = Optional.empty();
  private Optional<RecordingCursor> cursor = Optional.empty();
  private long allocations;
  private long frees;
  private final ReplayFailures failures = new ReplayFailures();
  private long peakRequestedBytes;
  private long recordedAddresses;
  private OptionalLong recordedAddress = OptionalLong.empty();
  private long recordedAlignment;
  private boolean hasRegions;
  private boolean hasMemory;
  private long addressCount;

  /** The addresses that {@link #newCompletions} returns next. */
  private final List<Long> completions = new ArrayList<>();

  private final List<String> doubts = new ArrayList<>();
  private final RecordedLimit.Range limitRange = new RecordedLimit.Range();
  private OptionalLong assumedLimit = OptionalLong.empty();
  private Optional<RecordedMemory.Region> firstRegion = Optional.empty();
  private OptionalLong recordedLimit = OptionalLong.empty();

  /** The addresses of the first allocations, which the allocator holds from the start. */
  private List<Long> heldAddresses = List.of();

  /** True if the next request is the first one for which the recorded allocator got memory. */
  private boolean isRegionExpected;

  private int olderCount;
  private MemoryUse atPeak;

  /**
   * Creates a replay without events.
   *
   * @param options the options of a best-fit allocator with coalescing
   * @param placements the consumer of the placement of each request
   */
  public TraceReplay(BfcOptions options, PlacementConsumer placements) {
    this(AllocatorRules.bfc(options), placements);
  }

  /**
   * Creates a replay without events.
   *
   * @param rules the rules of an allocator
   * @param placements the consumer of the placement of each request
   */
  public TraceReplay(AllocatorRules rules, PlacementConsumer placements) {
    this.rules = rules;
    this.placements = placements;
    allocator = rules.start(recording);
    atPeak = MemoryUse.of(allocator);
  }

  /** Starts in the recorded state, if the replay has the rules of the recorded allocator. */
  @Override
  public void snapshot(SnapshotHistory history) {
    start(PytorchRecording.of(history));
  }

  /**
   * Starts in the recorded state, as {@link #snapshot} does, with a recording that several replays
   * share.
   *
   * @param recorded the recording
   */
  public void start(PytorchRecording recorded) {
    recording = Optional.of(recorded);
    allocator = rules.start(recording);
    olderCount = recorded.history().older().size();
    pendingFrees = new PendingFrees(allocator.completionShift(), this::complete);
    cursor = Optional.of(new RecordingCursor(recorded, allocator, pendingFrees));
    allocator.onRetry(pendingFrees::completeAll);
    recorded
        .limit()
        .filter(RecordedLimit::isPossible)
        .ifPresent(limit -> assumeLimit(limit.bytes()));
    atPeak = MemoryUse.of(allocator);
    peakRequestedBytes = atPeak.requestedBytesInUse();
  }

  /**
   * Takes over the limit that follows from the failed requests of a recording, unless the allocator
   * has a limit already. Called before the first event.
   *
   * @param bytes the most bytes of all regions
   */
  public void assumeLimit(long bytes) {
    assumedLimit = OptionalLong.of(bytes);
    allocator.assumeLimit(bytes);
  }

  /**
   * {@return the limit that the failed requests of the recording show; empty if none failed, or if
   * the replay has not ended and the trace is not a snapshot of PyTorch}
   */
  public Optional<RecordedLimit> recordedLimit() {
    if (recording.isPresent()) {
      return recording.get().limit();
    }
    limitRange.held(hasRegions ? allocator.peakReservedBytes() : atPeak.bytesInUse());
    return limitRange.limit();
  }

  /**
   * {@return true if the trace lacks the limit of its allocator, so that the replay has a guess}
   */
  boolean guessesLimit() {
    return recording.isEmpty() && !hasMemory && assumedLimit.isPresent();
  }

  /** {@return the limit that follows from the failed requests, if the replay has it} */
  public OptionalLong assumedLimit() {
    return assumedLimit;
  }

  /** {@return the last limit of the recorded allocator that the trace has so far} */
  public OptionalLong notedLimit() {
    return recordedLimit;
  }

  /** Takes note of a region of the recording; the first one shows how the allocator starts. */
  @Override
  public void region(long address, long bytes) {
    hasRegions = true;
    if (firstRegion.isEmpty() && allocator.reservedBytes() == 0) {
      firstRegion = Optional.of(new RecordedMemory.Region(address, bytes, List.of()));
      isRegionExpected = true;
    } else {
      allocator.noteRegion(address, bytes);
    }
  }

  /** Starts with the recorded memory, if the replay has the rules of the recorded allocator. */
  @Override
  public void memory(RecordedMemory memory) {
    hasMemory = true;
    recordedLimit = memory.limitBytes().isPresent() ? memory.limitBytes() : recordedLimit;
    Optional<SimulatedAllocator> held = rules.startWith(memory);
    if (held.isPresent()) {
      allocator = held.get();
      heldAddresses = memory.chunks().stream().map(RecordedMemory.Chunk::address).toList();
      olderCount = heldAddresses.size();
      atPeak = MemoryUse.of(allocator);
      peakRequestedBytes = atPeak.requestedBytesInUse();
    } else {
      memory.limitBytes().ifPresent(this::assumeLimit);
    }
  }

  @Override
  public void limit(long bytes) {
    recordedLimit = OptionalLong.of(bytes);
    allocator.noteLimit(bytes);
  }

  @Override
  public void doubt(String reason) {
    doubts.add(reason);
  }

  /** {@return the reasons in the trace why a replay is an estimate, as sentences} */
  public List<String> doubts() {
    return List.copyOf(doubts);
  }

  @Override
  public void program(RecordedProgram program) {
    allocator.noteProgram(program);
  }

  @Override
  public void address(long address, long alignment) {
    addressCount++;
    recordedAddress = OptionalLong.of(address);
    recordedAlignment = alignment;
  }

  /**
   * Replays an event.
   *
   * @throws IllegalStateException if it allocates an id that is live, or frees one that is not
   */
  @Override
  public void accept(AllocationEvent event) {
    allocator.beforeEvent(allocations + frees + 1 - olderCount);
    switch (event) {
      case AllocationEvent.Allocate allocate -> allocate(allocate);
      case AllocationEvent.Fail fail -> fail(fail);
      case AllocationEvent.Free free -> free(free);
    }
  }

  private void allocate(AllocationEvent.Allocate event) {
    if (addresses.containsKey(event.id())) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "allocation '%s' is already live", event.id()));
    }
    beginRequest(event);
    long address = SimulatedAllocator.REFUSED;
    if (event.bytes() > 0) {
      address = address(event);
      recordPeaks();
    }
    addresses.put(event.id(), address);
    place(event, address);
  }

  private void beginRequest(AllocationEvent.Allocate event) {
    if (isRegionExpected) {
      isRegionExpected = false;
      RecordedMemory.Region region = firstRegion.orElseThrow();
      allocator =
          rules.startWithRegion(
              new FirstRegion(
                  region.address(),
                  region.bytes(),
                  event.bytes(),
                  recordedAddress,
                  recordedAlignment));
      atPeak = MemoryUse.of(allocator);
      allocator.noteRegion(region.address(), region.bytes());
      recordedLimit.ifPresent(allocator::noteLimit);
      assumedLimit.ifPresent(allocator::assumeLimit);
    }
    allocator.noteRequest(event.bytes(), recordedAddress, recordedAlignment);
    recordedAlignment = 0;
    allocations++;
    pendingFrees.request();
  }

  private void place(AllocationEvent.Allocate event, long address) {
    if (placements != PlacementConsumer.None.INSTANCE) {
      placements.accept(new Placement(event.id(), event.bytes(), spot(address)));
    }
  }

  private long address(AllocationEvent.Allocate event) {
    if (allocations <= heldAddresses.size()) {
      return heldAddresses.get((int) allocations - 1);
    }
    long pool = PoolNumber.DEFAULT;
    if (cursor.isPresent()) {
      int number = Integer.parseInt(event.id());
      long older = cursor.get().olderAddress(number);
      if (older != SimulatedAllocator.REFUSED) {
        return older;
      }
      pool = cursor.get().pool(number);
    }
    long address = allocator.allocate(event.bytes(), event.stream(), pool);
    if (address == SimulatedAllocator.REFUSED) {
      refused(event, allocator.refusal(event.bytes(), event.stream(), pool), false);
    }
    if (recordedAddress.isPresent()) {
      recordedAddresses += recordedAddress.getAsLong() == address ? 1 : 0;
      recordedAddress = OptionalLong.empty();
    }
    if (cursor.isPresent()) {
      int number = Integer.parseInt(event.id());
      if (cursor.get().isRecordedAddress(number, address)) {
        recordedAddresses++;
      }
      cursor.get().allocated(number);
    }
    return address;
  }

  /**
   * Replays a request that failed in the recorded program.
   *
   * <p>If the request passes, it is freed at once. With the rules of the recording, it still counts
   * as failed, because it failed in the program. With other rules, it counts as passed.
   */
  private void fail(AllocationEvent.Fail failed) {
    AllocationEvent.Allocate event = failed.request();
    if (addresses.containsKey(event.id())) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "allocation '%s' is live", event.id()));
    }
    beginRequest(event);
    if (event.bytes() > 0) {
      failures.recorded();
    }
    if (!failed.isRefusedByDevice()) {
      noteRecordedFailure(event.bytes());
    }
    allocator.noteDeviceRefusal(failed.isRefusedByDevice());
    long pool =
        cursor.isPresent() ? cursor.get().pool(Integer.parseInt(event.id())) : PoolNumber.DEFAULT;
    long address = SimulatedAllocator.REFUSED;
    if (event.bytes() > 0 && !allocator.mayRefuse(event.bytes())) {
      refused(event, asRecorded(event, OutOfMemoryVerdict.REFUSED, ReplayFailures.NO_LIMIT), true);
    } else if (event.bytes() > 0) {
      long reserved = allocator.reservedBytes();
      address = allocator.allocate(event.bytes(), event.stream(), pool);
      if (address == SimulatedAllocator.REFUSED) {
        failures.reproduced();
        refused(event, allocator.refusal(event.bytes(), event.stream(), pool), true);
      } else {
        boolean isOriginal = isOriginal();
        if (!isOriginal) {
          failures.passed();
          recordPeaks();
        }
        allocator.free(address, event.stream());
        if (isOriginal && cursor.isPresent() && allocator.reservedBytes() == reserved) {
          // The recorded allocator would have found the block if it had been free in time.
          failures.reproduced();
          refused(
              event, asRecorded(event, OutOfMemoryVerdict.TRANSIENT, ReplayFailures.LATE), true);
        } else if (isOriginal) {
          refused(event, asRecorded(event, OutOfMemoryVerdict.UNKNOWN, ReplayFailures.ROOM), true);
        }
      }
    }
    allocator.noteDeviceRefusal(false);
    cursor.ifPresent(position -> position.failed(Integer.parseInt(event.id())));
    place(event, SimulatedAllocator.REFUSED);
  }

  private SimulatedAllocator.Refusal asRecorded(
      AllocationEvent.Allocate event, OutOfMemoryVerdict verdict, String reason) {
    return new SimulatedAllocator.Refusal(
        verdict,
        Refusals.numbers(
            allocator,
            event.bytes(),
            Math.max(1, blockBytes(event.bytes())),
            assumedLimit.orElse(Long.MAX_VALUE)),
        reason);
  }

  private void noteRecordedFailure(long bytes) {
    if (recording.isEmpty() && bytes > 0) {
      long held = hasRegions ? allocator.reservedBytes() : allocator.bytesInUse();
      limitRange.failed(held, blockBytes(bytes), SnapshotEvents.UNKNOWN);
    }
  }

  private static long blockBytes(long bytes) {
    return bytes > Long.MAX_VALUE - UNIT ? Long.MAX_VALUE : bytes + UNIT - 1 & -UNIT;
  }

  private void refused(
      AllocationEvent.Allocate event, SimulatedAllocator.Refusal refusal, boolean isRecorded) {
    failures.refused(allocations + frees, event, refusal, MemoryUse.of(allocator), isRecorded);
  }

  /** Frees an allocation before or after its recorded event. */
  private void complete(String id) {
    Long address = addresses.put(id, SimulatedAllocator.REFUSED);
    if (address != null && address != SimulatedAllocator.REFUSED) {
      allocator.free(address, 0); // the block knows its stream
      completions.add(address);
    }
  }

  /**
   * {@return the addresses of the allocations that were freed before the event of their free since
   * the last call}
   */
  public List<Long> newCompletions() {
    List<Long> addresses = List.copyOf(completions);
    completions.clear();
    return addresses;
  }

  /** {@return the number of requests that failed so far} */
  public long failures() {
    return failures.count();
  }

  public SimulatedAllocator allocator() {
    return allocator;
  }

  /**
   * Keeps the reason if the request of an event fails, in addition to the reason of the first
   * failure.
   *
   * @param event the number of the event, from 1, with the older blocks of a snapshot
   */
  public void keepRefusal(long event) {
    failures.keep(event);
  }

  /** {@return the failure of {@link #keepRefusal}, once it was replayed} */
  public Optional<ReplayResult.Failure> keptRefusal() {
    return failures.kept();
  }

  private void recordPeaks() {
    peakRequestedBytes = Math.max(peakRequestedBytes, allocator.requestedBytesInUse());
    if (allocator.bytesInUse() > atPeak.bytesInUse()) {
      atPeak = MemoryUse.of(allocator);
    }
  }

  private Optional<Placement.Spot> spot(long address) {
    if (address == SimulatedAllocator.REFUSED) {
      return Optional.empty();
    }
    SimulatedAllocator.Region region = allocator.regionOf(address);
    return Optional.of(
        new Placement.Spot(
            region.index(),
            address - region.address(),
            allocator.hasDeviceAddresses() ? OptionalLong.of(address) : OptionalLong.empty()));
  }

  private void free(AllocationEvent.Free event) {
    if (!addresses.containsKey(event.id())) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "allocation '%s' is not live", event.id()));
    }
    frees++;
    if (pendingFrees.complete(event.id())) {
      long address = addresses.remove(event.id());
      if (address != SimulatedAllocator.REFUSED) {
        allocator.free(address, event.stream());
      }
    }
    if (cursor.isPresent()) {
      cursor.get().freed(Integer.parseInt(event.id()));
    }
  }

  /** {@return other settings that hold from events on, such as {@code from event 9 on with a:1}} */
  public List<String> phases() {
    return allocator.phases();
  }

  /** {@return the settings at the start, in the syntax of the original allocator} */
  public String settings() {
    return allocator.settings();
  }

  /** {@return the number of requests so far with an address in the log} */
  public long addressCount() {
    return addressCount;
  }

  /** {@return true if the trace has addresses, but not the regions in which they lie} */
  boolean lacksRegions() {
    return addressCount > 0 && !hasRegions && rules.isOriginalOfLogs();
  }

  /** {@return true if the trace has memory before its first event, which other rules made} */
  boolean lacksHistory() {
    return hasMemory && !rules.isOriginalOfLogs();
  }

  /** {@return the requests so far that failed in the recorded program} */
  public ReplayResult.RecordedFailures recordedFailures() {
    return failures.ofRecording();
  }

  /** {@return true if the trace was recorded with the same allocator and settings} */
  public boolean isOriginal() {
    return recording.isPresent()
        ? rules.isOriginal(recording.get())
        : (hasRegions || hasMemory) && rules.isOriginalOfLogs();
  }

  /** {@return the recording, if the trace is a snapshot of PyTorch} */
  public Optional<PytorchRecording> recording() {
    return recording;
  }

  /** {@return true if a placement depended on addresses that the recording does not have} */
  public boolean dependsOnAddresses() {
    return allocator.dependsOnAddresses();
  }

  /**
   * {@return true if a free had to wait for the work of other streams; the duration of this work
   * differs between runs}
   */
  public boolean dependsOnCompletions() {
    return pendingFrees.hasWaited();
  }

  /**
   * {@return the number of recorded allocations that have their recorded address so far; empty if
   * the trace has no addresses, or if the allocator does not decide addresses of a device}
   */
  public OptionalLong recordedAddresses() {
    return (cursor.isPresent() || hasRegions) && allocator.hasDeviceAddresses()
        ? OptionalLong.of(recordedAddresses)
        : OptionalLong.empty();
  }

  /**
   * {@return the number of allocations, the first ones, that are older than the recording, if they
   * lie at recorded addresses}
   */
  public int heldBlocks() {
    return allocator.hasDeviceAddresses() ? olderCount : 0;
  }

  /**
   * {@return the number of recorded events that do not agree with the segments of the snapshot; 0
   * if the replay does not start in the recorded state}
   */
  public long contradictions() {
    return allocator.hasDeviceAddresses()
        ? recording.map(PytorchRecording::contradictions).orElse(0L)
        : 0;
  }

  /** {@return the current use of memory} */
  public MemoryUse use() {
    return MemoryUse.of(allocator);
  }

  /**
   * {@return the requested bytes and the other parts of the memory that is reserved now}
   *
   * @param stream the stream of the request at this moment
   */
  public ReservedMemory reserved(long stream) {
    return allocator.reserved(stream, waiting());
  }

  /**
   * {@return the sums of {@link #reserved}}
   *
   * <p>Costs O(log n) for n blocks, and O(p) for p pending frees.
   *
   * @param stream the stream of the request at this moment
   */
  public ReservedBytes reservedBytes(long stream) {
    return ReservedBytes.of(allocator, stream, waiting());
  }

  private Set<Long> waiting() {
    Set<String> ids = pendingFrees.waiting();
    if (ids.isEmpty()) {
      return Set.of();
    }
    Set<Long> waiting = new HashSet<>();
    ids.forEach(id -> address(id).ifPresent(waiting::add));
    return waiting;
  }

  /** {@return the largest number of bytes that the allocator held so far} */
  public long peakReservedBytes() {
    return allocator.peakReservedBytes();
  }

  /** {@return the number of times so far that the allocator got or returned memory} */
  public long deviceCalls() {
    return allocator.deviceCalls();
  }

  /** {@return the number of times so far that cached memory was released to serve a request} */
  public long retries() {
    return allocator.retries();
  }

  /** {@return the current regions by ascending address} */
  public List<HeldRegion> regions() {
    return held(allocator.regions());
  }

  /**
   * {@return the regions that changed since the last call, each once, with 0 bytes if the allocator
   * has returned it; the first call returns all regions}
   *
   * <p>Costs O(n) for n changes.
   */
  public List<HeldRegion> changedRegions() {
    return held(allocator.changedRegions());
  }

  private static List<HeldRegion> held(List<SimulatedAllocator.Region> regions) {
    return regions.isEmpty()
        ? List.of()
        : regions.stream()
            .map(region ->
                new HeldRegion(region.index(), region.bytes(), region.owner(), region.pageBytes()))
            .toList();
  }

  /** {@return the blocks of all regions, in use and free, by ascending address} */
  public List<SimulatedAllocator.Range> ranges() {
    return allocator.ranges();
  }

  /**
   * {@return the address of a live allocation; empty if it has no memory}
   *
   * @param id the id of the allocation
   */
  public OptionalLong address(String id) {
    Long address = addresses.get(id);
    return address == null || address == SimulatedAllocator.REFUSED
        ? OptionalLong.empty()
        : OptionalLong.of(address);
  }

  /** {@return the result of the events so far} */
  public ReplayResult result() {
    return new ReplayResult(
        allocations,
        frees,
        failures.count(),
        recordedFailures(),
        failures.first(),
        peakRequestedBytes,
        allocator.peakReservedBytes(),
        allocator.deviceCalls(),
        allocator.retries(),
        atPeak,
        MemoryUse.of(allocator),
        allocator.regions().stream().map(SimulatedAllocator.Region::bytes).toList());
  }
}
