package dev.stowage.trace.tune;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.EventConsumer;
import dev.stowage.trace.format.RecordedProgram;
import dev.stowage.trace.pytorch.SnapshotHistory;
import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.LimitSearch;
import dev.stowage.trace.replay.PlacementConsumer;
import dev.stowage.trace.replay.PytorchRecording;
import dev.stowage.trace.replay.RecordedLimit;
import dev.stowage.trace.replay.ReplayResult;
import dev.stowage.trace.replay.TraceReplay;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * A trace in memory, for many replays.
 *
 * <p>One thread passes the events. Then any number of threads may replay them.
 */
public final class TunedTrace implements EventConsumer {

  /** A live allocation: its request and the number of requests before it. */
  private record Live(long bytes, long firstTask) {}

  private final List<AllocationEvent> events = new ArrayList<>();
  private final List<TensorUsageRecord> records = new ArrayList<>();
  private final Map<String, Live> live = new HashMap<>();
  private final TreeSet<Long> requests = new TreeSet<>();

  /** The sizes of the recorded regions. */
  private final List<Long> regionBytes = new ArrayList<>();

  /** The content of the trace besides events, by the index of the next event. */
  private final Map<Integer, List<Consumer<EventConsumer>>> notes = new TreeMap<>();

  private Optional<PytorchRecording> recording = Optional.empty();
  private Optional<RecordedProgram> program = Optional.empty();
  private OptionalLong limitBytes = OptionalLong.empty();
  private OptionalLong assumedLimit = OptionalLong.empty();
  private final List<String> doubts = new ArrayList<>();
  private boolean hasFailures;
  private long liveBytes;
  private long peakRequestedBytes;
  private long tasks;

  /** Creates a trace without events. */
  public TunedTrace() {}

  @Override
  public void snapshot(SnapshotHistory history) {
    recording = Optional.of(PytorchRecording.of(history));
  }

  @Override
  public void region(long address, long bytes) {
    regionBytes.add(bytes);
    note(consumer -> consumer.region(address, bytes));
  }

  private void note(Consumer<EventConsumer> note) {
    notes.computeIfAbsent(events.size(), _ -> new ArrayList<>()).add(note);
  }

  /** Keeps the address of a request only after a region: a replay needs no other addresses. */
  @Override
  public void address(long address, long alignment) {
    if (notes.containsKey(events.size())) {
      note(consumer -> consumer.address(address, alignment));
    }
  }

  @Override
  public void program(RecordedProgram recorded) {
    program = Optional.of(recorded);
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
  public void limit(long bytes) {
    limitBytes = OptionalLong.of(bytes);
    note(consumer -> consumer.limit(bytes));
  }

  /** Adds an event. */
  @Override
  public void accept(AllocationEvent event) {
    switch (event) {
      case AllocationEvent.Allocate allocate -> {
        // A replay does not need the frames, which take most of the memory.
        events.add(
            new AllocationEvent.Allocate(
                allocate.id(), allocate.bytes(), allocate.stream(), allocate.time()));
        live.put(allocate.id(), new Live(allocate.bytes(), tasks++));
        liveBytes += allocate.bytes(); // after an overflow, frees make it right again
        peakRequestedBytes =
            liveBytes < 0 ? Long.MAX_VALUE : Math.max(peakRequestedBytes, liveBytes);
        if (allocate.bytes() > 0) {
          requests.add(allocate.bytes());
        }
      }
      case AllocationEvent.Fail(AllocationEvent.Allocate request, boolean isRefused) -> {
        hasFailures = true;
        events.add(
            new AllocationEvent.Fail(
                new AllocationEvent.Allocate(
                    request.id(), request.bytes(), request.stream(), request.time()),
                isRefused));
        addFailed(request.bytes());
      }
      case AllocationEvent.Free free -> {
        events.add(free);
        Live ended = live.remove(free.id());
        if (ended != null) {
          liveBytes -= ended.bytes();
          addRecord(ended, tasks - 1);
        }
      }
    }
  }

  /** Adds a failed request, which needs its bytes at its own task, as if it were freed at once. */
  private void addFailed(long bytes) {
    if (bytes > 0) {
      requests.add(bytes);
      long sum = liveBytes + bytes;
      peakRequestedBytes = sum < 0 ? Long.MAX_VALUE : Math.max(peakRequestedBytes, sum);
      addRecord(new Live(bytes, tasks), tasks);
      tasks++;
    }
  }

  private void addRecord(Live ended, long lastTask) {
    if (ended.bytes() > 0) {
      records.add(TensorUsageRecord.of(ended.bytes(), ended.firstTask(), lastTask));
    }
  }

  /** {@return a replay before the first event} */
  TraceReplay start(AllocatorRules rules) {
    TraceReplay replay = new TraceReplay(rules, PlacementConsumer.none());
    recording.ifPresent(replay::start);
    assumedLimit.ifPresent(replay::assumeLimit);
    program.ifPresent(replay::program);
    return replay;
  }

  /**
   * Passes an event to a consumer, after the regions and limits that the trace has before it.
   *
   * @param index the index of the event, from 0
   */
  void pass(int index, EventConsumer consumer) {
    List<Consumer<EventConsumer>> before =
        notes.isEmpty() ? List.of() : notes.getOrDefault(index, List.of());
    for (Consumer<EventConsumer> note : before) {
      note.accept(consumer);
    }
    consumer.accept(events.get(index));
  }

  /** {@return the result of a complete replay} */
  ReplayResult replayed(AllocatorRules rules) {
    return complete(rules).result();
  }

  /**
   * {@return the reasons why a replay is not exact, as sentences}
   *
   * @param rules the rules of the replay
   */
  public List<String> doubts(AllocatorRules rules) {
    return complete(rules).allocator().doubts();
  }

  /** {@return true if a request failed in the recorded program} */
  public boolean hasFailures() {
    return hasFailures;
  }

  /**
   * {@return the limit of the recorded allocator that its failed requests show}
   *
   * @param rules the rules of the recorded allocator
   */
  public OptionalLong recordedLimit(AllocatorRules rules) {
    if (!hasFailures) {
      return OptionalLong.empty();
    }
    if (recording.isPresent()) {
      return recording
          .get()
          .limit()
          .filter(RecordedLimit::isPossible)
          .map(limit -> OptionalLong.of(limit.bytes()))
          .orElseGet(OptionalLong::empty);
    }
    try {
      return LimitSearch.find(complete(rules), rules, this::passTo);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // the events are in memory
    }
  }

  /**
   * Takes over the limit that the failed requests show, for replays by rules without a limit.
   *
   * @param bytes the most bytes of all regions
   */
  public void assumeLimit(long bytes) {
    assumedLimit = OptionalLong.of(bytes);
  }

  private void passTo(EventConsumer consumer) {
    program.ifPresent(consumer::program);
    for (int index = 0; index < events.size(); index++) {
      pass(index, consumer);
    }
  }

  private TraceReplay complete(AllocatorRules rules) {
    TraceReplay replay = start(rules);
    for (int index = 0; index < events.size(); index++) {
      pass(index, replay);
    }
    return replay;
  }

  /** {@return the sizes of all regions that the recorded allocator got, if the trace has them} */
  public List<Long> regionBytes() {
    return List.copyOf(regionBytes);
  }

  /** {@return the limit of the recorded allocator, if the trace has it} */
  public OptionalLong limitBytes() {
    return limitBytes;
  }

  /** {@return the recorded program, if the trace has facts about it} */
  public Optional<RecordedProgram> program() {
    return program;
  }

  /** {@return the recording, if the trace is a snapshot of PyTorch} */
  public Optional<PytorchRecording> recording() {
    return recording;
  }

  /** {@return the number of allocations and frees, including older blocks of a snapshot} */
  public long eventCount() {
    return events.size();
  }

  /** {@return the largest number of requested bytes in use at any time, at most 2^63 - 1} */
  public long peakRequestedBytes() {
    return peakRequestedBytes;
  }

  /** {@return the distinct numbers of bytes that are requested, without 0, ascending} */
  List<Long> requests() {
    return List.copyOf(requests);
  }

  /**
   * {@return the lifetimes as a problem for planners; empty if all requests have more than 2^63 - 1
   * bytes together}
   *
   * <p>A task is a request: a record is live from its request to the last one before its free, or
   * to the end. So the largest sum of live bytes at a task is {@link #peakRequestedBytes()}.
   * Requests for 0 bytes have no record.
   */
  public Optional<PlanProblem> lifetimes() {
    List<TensorUsageRecord> all = new ArrayList<>(records);
    for (Live open : live.values()) {
      if (open.bytes() > 0) {
        all.add(TensorUsageRecord.of(open.bytes(), open.firstTask(), tasks - 1));
      }
    }
    all.sort(Comparator.comparingLong(TensorUsageRecord::firstTask));
    long bytes = 0;
    for (TensorUsageRecord record : all) {
      bytes += record.bytes();
      if (bytes < 0) {
        return Optional.empty();
      }
    }
    return Optional.of(PlanProblem.of(all));
  }
}
