package dev.stowage.trace.explain;

import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.EventConsumer;
import dev.stowage.trace.format.RecordedMemory;
import dev.stowage.trace.format.RecordedProgram;
import dev.stowage.trace.pytorch.SnapshotHistory;
import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.PlacementConsumer;
import dev.stowage.trace.replay.TraceReplay;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * The events of a trace, in columns of numbers: about 8 bytes for each event and 24 for each
 * allocation.
 *
 * <p>Events have numbers from 1. The blocks that are older than the recording of a snapshot come
 * before event 1, so that number 0 is the moment before the first event.
 */
public final class TraceColumns implements EventConsumer {

  /*
   * `events` has the allocations of older blocks, too, so that the event with number n is at index
   * olderCount + n - 1. An entry is the index of an allocation, or its complement for a free.
   */

  private static final int NEVER = Integer.MAX_VALUE;

  private int[] events = new int[64];
  private int[] eventStreams = new int[64];
  private int eventCount;

  private long[] bytes = new long[64];
  private int[] stacks = new int[64];
  private int[] tags = new int[64];
  private int[] allocatedBy = new int[64];
  private int[] freedBy = new int[64];
  private int allocationCount;

  /** The requests that failed in the recorded program, by the indices of their allocations. */
  private final BitSet failed = new BitSet();

  /** The failed requests for which the device refused a region that the limit permitted. */
  private final BitSet refused = new BitSet();

  private final Numbering<Long> streamTable = new Numbering<>();
  private final Numbering<List<String>> stackTable = new Numbering<>();
  private final Numbering<String> tagTable = new Numbering<>();
  private final Map<String, Integer> live = new HashMap<>();
  private Optional<SnapshotHistory> recording = Optional.empty();
  private Optional<RecordedMemory> memory = Optional.empty();
  private Optional<RecordedProgram> program = Optional.empty();

  /** The regions and limits of the recorded allocator, by the index of the next event. */
  private final Map<Integer, List<Consumer<EventConsumer>>> changes = new HashMap<>();

  private int olderCount;
  private long liveBytes;
  private long peakBytes;
  private int peakIndex;
  private OptionalLong overflow = OptionalLong.empty();

  /** The numbers of different values. */
  private static final class Numbering<T> {

    private final Map<T, Integer> numbers = new HashMap<>();
    private final List<T> values = new ArrayList<>();

    int of(T value) {
      Integer known = numbers.putIfAbsent(value, values.size());
      if (known == null) {
        values.add(value);
        return values.size() - 1;
      }
      return known;
    }

    T value(int number) {
      return values.get(number);
    }
  }

  /** Creates columns without events. */
  public TraceColumns() {}

  @Override
  public void snapshot(SnapshotHistory history) {
    recording = Optional.of(history);
    olderCount = history.older().size();
  }

  @Override
  public void region(long address, long bytes) {
    addChange(consumer -> consumer.region(address, bytes));
  }

  @Override
  public void program(RecordedProgram recorded) {
    program = Optional.of(recorded);
  }

  @Override
  public void doubt(String reason) {
    addChange(consumer -> consumer.doubt(reason));
  }

  @Override
  public void limit(long bytes) {
    addChange(consumer -> consumer.limit(bytes));
  }

  /** Keeps the address of a request behind a region; a replay needs no others. */
  @Override
  public void address(long address, long alignment) {
    if (changes.containsKey(eventCount)) {
      addChange(consumer -> consumer.address(address, alignment));
    }
  }

  private void addChange(Consumer<EventConsumer> change) {
    changes.computeIfAbsent(eventCount, none -> new ArrayList<>()).add(change);
  }

  @Override
  public void memory(RecordedMemory recorded) {
    memory = Optional.of(recorded);
    olderCount = recorded.chunks().size();
  }

  @Override
  public void accept(AllocationEvent event) {
    add(event, true);
  }

  /**
   * Adds an event.
   *
   * @param event the event
   * @param isHeld false for a request that failed, which holds no memory
   */
  void add(AllocationEvent event, boolean isHeld) {
    if (eventCount == events.length) {
      events = Arrays.copyOf(events, 2 * eventCount);
      eventStreams = Arrays.copyOf(eventStreams, 2 * eventCount);
    }
    eventStreams[eventCount] = streamTable.of(event.stream());
    switch (event) {
      case AllocationEvent.Allocate allocate -> allocate(allocate, isHeld);
      case AllocationEvent.Fail(AllocationEvent.Allocate request, boolean isRefused) -> {
        failed.set(allocationCount);
        refused.set(allocationCount, isRefused);
        allocate(request, false);
        live.remove(request.id());
      }
      case AllocationEvent.Free free -> free(free);
    }
    eventCount++;
  }

  private void allocate(AllocationEvent.Allocate event, boolean isHeld) {
    int allocation = allocationCount++;
    if (allocation == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * allocation);
      stacks = Arrays.copyOf(stacks, 2 * allocation);
      tags = Arrays.copyOf(tags, 2 * allocation);
      allocatedBy = Arrays.copyOf(allocatedBy, 2 * allocation);
      freedBy = Arrays.copyOf(freedBy, 2 * allocation);
    }
    bytes[allocation] = event.bytes();
    stacks[allocation] = stackTable.of(event.frames());
    tags[allocation] = tagTable.of(event.tag());
    allocatedBy[allocation] = eventCount;
    freedBy[allocation] = isHeld ? NEVER : eventCount;
    events[eventCount] = allocation;
    live.put(event.id(), allocation);
    if (isHeld) {
      hold(event.bytes());
    }
  }

  private void hold(long added) {
    liveBytes += added;
    if (liveBytes < 0 && overflow.isEmpty()) {
      overflow = OptionalLong.of(numberOf(eventCount));
    }
    if (liveBytes > peakBytes) {
      peakBytes = liveBytes;
      peakIndex = eventCount + 1;
    }
  }

  private void free(AllocationEvent.Free event) {
    Integer allocation = live.remove(event.id());
    if (allocation == null) {
      throw new IllegalStateException("allocation '" + event.id() + "' is not live");
    }
    events[eventCount] = ~allocation;
    if (freedBy[allocation] == NEVER) {
      freedBy[allocation] = eventCount;
      liveBytes -= bytes[allocation];
    }
  }

  /** {@return the number of recorded events, without older blocks} */
  public long eventCount() {
    return Math.max(0, eventCount - olderCount);
  }

  /**
   * {@return the number of the event that first reaches the peak of requested bytes; 0 if the older
   * blocks reach it}
   */
  public long peakEvent() {
    return Math.max(0, peakIndex - olderCount);
  }

  /** {@return the largest number of requested bytes in use at any time} */
  public long peakBytes() {
    return peakBytes;
  }

  /**
   * {@return the number of the first event with 2^63 bytes or more in use; sums are wrong from then
   * on}
   */
  public OptionalLong overflow() {
    return overflow;
  }

  /** {@return true if an allocation has a stack} */
  public boolean hasStacks() {
    return stackTable.values.stream().anyMatch(frames -> !frames.isEmpty());
  }

  /** {@return true if an allocation has a tag} */
  public boolean hasTags() {
    return tagTable.values.stream().anyMatch(tag -> !tag.isEmpty());
  }

  /** {@return true if the trace starts with the memory of the recorded allocator} */
  boolean hasMemory() {
    return memory.isPresent();
  }

  /** Passes the recording or the memory to a consumer that starts before the first event. */
  void passStart(EventConsumer consumer) {
    recording.ifPresent(consumer::snapshot);
    memory.ifPresent(consumer::memory);
    program.ifPresent(consumer::program);
  }

  /** {@return the number of the event at an index; 0 for older blocks} */
  private long numberOf(int index) {
    return Math.max(0, index + 1 - olderCount);
  }

  /** {@return the index of the event after the event with a number} */
  int endOf(long event) {
    return Math.toIntExact(olderCount + event);
  }

  /**
   * {@return the stream of an event; for number 0, of the first event; without events, of the
   * largest allocation, or 0}
   */
  long streamAt(long event) {
    int index = Math.max(olderCount, endOf(event) - 1);
    if (index < eventCount) {
      return streamTable.value(eventStreams[index]);
    }
    return IntStream.range(0, allocationCount)
        .boxed()
        .max(Comparator.comparingLong(this::bytes))
        .map(this::stream)
        .orElse(0L);
  }

  /**
   * Passes the events from one index to another to a consumer. The id of an allocation is its
   * index.
   */
  void passTo(EventConsumer consumer, int from, int end) {
    for (int i = from; i < end; i++) {
      changes.getOrDefault(i, List.of()).forEach(change -> change.accept(consumer));
      long stream = streamTable.value(eventStreams[i]);
      consumer.accept(event(events[i], stream));
    }
  }

  /** {@return a replay of all events} */
  public TraceReplay replayed(AllocatorRules rules) {
    TraceReplay replay = new TraceReplay(rules, PlacementConsumer.none());
    passStart(replay);
    passTo(replay, 0, eventCount);
    return replay;
  }

  private AllocationEvent event(int entry, long stream) {
    if (entry < 0) {
      return new AllocationEvent.Free(Integer.toString(~entry), stream, 0);
    }
    AllocationEvent.Allocate request =
        new AllocationEvent.Allocate(Integer.toString(entry), bytes[entry], stream, 0, List.of());
    return failed.get(entry) ? new AllocationEvent.Fail(request, refused.get(entry)) : request;
  }

  /** Passes the allocations that hold memory after an event, in the order of their events. */
  void forEachLive(long event, IntConsumer consumer) {
    int end = endOf(event);
    for (int a = 0; a < allocationCount && allocatedBy[a] < end; a++) {
      if (bytes[a] > 0 && freedBy[a] >= end) {
        consumer.accept(a);
      }
    }
  }

  /** {@return a request by the index of its event; its id is the index of the allocation} */
  AllocationEvent.Allocate requestAt(int index) {
    int allocation = events[index];
    return new AllocationEvent.Allocate(
        Integer.toString(allocation),
        bytes[allocation],
        stream(allocation),
        0,
        frames(allocation),
        tag(allocation));
  }

  long bytes(int allocation) {
    return bytes[allocation];
  }

  long event(int allocation) {
    return numberOf(allocatedBy[allocation]);
  }

  /** {@return true if an allocation is older than the events; false if there are no events} */
  boolean isOlder(int allocation) {
    return allocation < olderCount && (eventCount > olderCount || hasMemory());
  }

  long stream(int allocation) {
    return streamTable.value(streamNumber(allocation));
  }

  int streamNumber(int allocation) {
    return eventStreams[allocatedBy[allocation]];
  }

  int stackNumber(int allocation) {
    return stacks[allocation];
  }

  int tagNumber(int allocation) {
    return tags[allocation];
  }

  List<String> frames(int allocation) {
    return stackTable.value(stacks[allocation]);
  }

  String tag(int allocation) {
    return tagTable.value(tags[allocation]);
  }
}
