package dev.stowage.bench;

import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A history that starts and ends without live blocks, so that it can be repeated. */
final class TraceEvents {

  /** The slot of the block of each event. */
  private final int[] slots;

  /** The requested bytes of each event, 0 for a free. */
  private final long[] bytes;

  private final int slotCount;

  private TraceEvents(List<Integer> slots, List<Long> bytes, int slotCount) {
    this.slots = slots.stream().mapToInt(Integer::intValue).toArray();
    this.bytes = bytes.stream().mapToLong(Long::longValue).toArray();
    this.slotCount = slotCount;
  }

  /** {@return an empty history} */
  static TraceEvents none() {
    return new TraceEvents(List.of(), List.of(), 0);
  }

  /**
   * {@return a history}
   *
   * @param source {@code network-N} for N generated records, or a trace for {@link TraceReader}
   */
  static TraceEvents of(String source) throws IOException {
    Recorder recorder = new Recorder();
    if (source.startsWith("network-")) {
      recorder.addAll(BenchmarkRecords.of(source));
    } else {
      TraceReader.read(source, Path.of(source), TraceOptions.strict(), recorder::add);
    }
    recorder.freeAll();
    return recorder.events();
  }

  /** Runs all events on an allocator. */
  void replay(PeerAllocator allocator) {
    for (int i = 0; i < slots.length; i++) {
      if (bytes[i] == 0) {
        allocator.free(slots[i]);
      } else {
        allocator.allocate(slots[i], bytes[i]);
      }
    }
  }

  /** {@return the largest number of live blocks} */
  int slotCount() {
    return slotCount;
  }

  /** {@return the sum of the requested bytes} */
  long totalBytes() {
    return Arrays.stream(bytes).sum();
  }

  /** {@return the number of events} */
  int count() {
    return slots.length;
  }

  /** Assigns slots to blocks; reuses the slot that became free last. */
  private static final class Recorder {

    private final List<Integer> slots = new ArrayList<>();
    private final List<Long> bytes = new ArrayList<>();
    private final Deque<Integer> freeSlots = new ArrayDeque<>();
    private final Map<String, Integer> live = new HashMap<>();
    private int slotCount;

    /** Adds the lifetimes of records; in a task, allocations precede frees. */
    void addAll(List<TensorUsageRecord> records) {
      record Step(long task, boolean isLast, int index) {}
      List<Step> steps = new ArrayList<>();
      for (int i = 0; i < records.size(); i++) {
        steps.add(new Step(records.get(i).firstTask(), false, i));
        steps.add(new Step(records.get(i).lastTask(), true, i));
      }
      steps.sort(Comparator.comparingLong(Step::task).thenComparing(Step::isLast));
      for (Step step : steps) {
        String id = Integer.toString(step.index());
        if (step.isLast()) {
          free(id);
        } else {
          allocate(id, records.get(step.index()).bytes());
        }
      }
    }

    void add(AllocationEvent event) {
      switch (event) {
        case AllocationEvent.Allocate allocate -> allocate(allocate.id(), allocate.bytes());
        case AllocationEvent.Fail _ -> {} // holds no memory
        case AllocationEvent.Free free -> free(free.id());
      }
    }

    private void allocate(String id, long count) {
      // Requests for 0 bytes are skipped, because allocators treat them differently.
      if (count == 0) {
        return;
      }
      if (freeSlots.isEmpty()) {
        freeSlots.push(slotCount++);
      }
      int slot = freeSlots.pop();
      live.put(id, slot);
      slots.add(slot);
      bytes.add(count);
    }

    private void free(String id) {
      Integer slot = live.remove(id);
      if (slot != null) {
        freeSlot(slot);
      }
    }

    private void freeSlot(int slot) {
      freeSlots.push(slot);
      slots.add(slot);
      bytes.add(0L);
    }

    void freeAll() {
      live.values().stream().sorted().forEach(this::freeSlot);
      live.clear();
    }

    TraceEvents events() {
      return new TraceEvents(slots, bytes, slotCount);
    }
  }
}
