package dev.stowage.trace.format;

import dev.stowage.plan.MalformedFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The requests and frees of a logged allocator, in the order in which they took place. */
final class XlaRequests {

  /*
   * A line AllocateRaw with an address follows the allocation. A line DeallocateRaw precedes the
   * free, so that an allocation of another thread may come between them. Addresses show the order:
   * if the free before the allocation would have led to another address, it took place after it.
   *
   * Lines may be missing. A free of memory that the log does not allocate is skipped. If memory in
   * use is allocated, its free is missing, and takes place before the allocation.
   */

  /** A free that was read, and that may take place later. */
  private record LateFree(long address, long end, long time, String place) {}

  private final CheckedEvents events;
  private final KeyedEvents<Address> allocations;
  private final LoggedChunks chunks = new LoggedChunks();
  private final List<LateFree> late = new ArrayList<>();
  private long movedCount;
  private long unknownCount;
  private long impliedCount;

  XlaRequests(CheckedEvents events) {
    this.events = events;
    allocations = new KeyedEvents<>(events);
  }

  void addRegion(long start, long end) {
    chunks.addRegion(start, end);
    events.region(start, end - start);
  }

  /** Passes a chunk on that is in use before the first event. */
  void hold(RecordedMemory.Chunk chunk, String place) throws MalformedFileException {
    allocations.allocate(
        new Address(chunk.address()),
        place,
        id -> new AllocationEvent.Allocate(id, chunk.bytes(), 0, 0, List.of(), chunk.tag()));
  }

  /**
   * Passes a request on that failed, if its bytes are known.
   *
   * @param isRefusedByDevice true if the device refused a region that the limit permitted
   */
  void fail(OptionalLong bytes, boolean isRefusedByDevice, long time, String place)
      throws MalformedFileException {
    passFrees();
    if (bytes.isPresent()) {
      allocations.fail(
          place,
          isRefusedByDevice,
          id -> new AllocationEvent.Allocate(id, bytes.getAsLong(), 0, time));
    }
  }

  void free(long address, long time, String place) {
    OptionalLong end = chunks.end(address);
    chunks.free(address);
    late.add(new LateFree(address, end.orElse(address), time, place));
  }

  /** Passes an allocation on, if its bytes are known. */
  void allocate(OptionalLong known, long address, long alignment, long time, String place)
      throws MalformedFileException {
    if (known.isEmpty()) {
      return;
    }
    long bytes = known.getAsLong();
    List<LateFree> moved = moved(bytes, address);
    late.removeAll(moved);
    passFrees();
    if (allocations.isLive(new Address(address))) {
      impliedCount++;
      chunks.free(address);
      allocations.free(new Address(address), 0, time, place);
    }
    chunks.take(address, bytes);
    events.address(address, alignment);
    allocations.allocate(
        new Address(address), place, id -> new AllocationEvent.Allocate(id, bytes, 0, time));
    movedCount += moved.size();
    for (LateFree free : moved) {
      chunks.free(free.address());
      late.add(free);
    }
  }

  /** Takes back the frees that an allocation shows to be later, and {@return them} */
  private List<LateFree> moved(long bytes, long address) {
    List<LateFree> moved = new ArrayList<>();
    for (int i = late.size() - 1; i >= 0; i--) {
      if (chunks.place(bytes).equals(OptionalLong.of(address))) {
        return necessary(moved, bytes, address);
      }
      LateFree free = late.get(i);
      if (free.end() > free.address()) {
        chunks.undoFree(free.address(), free.end());
        moved.addFirst(free);
      }
    }
    if (chunks.place(bytes).equals(OptionalLong.of(address))) {
      return necessary(moved, bytes, address);
    }
    moved.forEach(free -> chunks.free(free.address()));
    return List.of();
  }

  /** Frees again what may be free before an allocation, and {@return the other frees} */
  private List<LateFree> necessary(List<LateFree> moved, long bytes, long address) {
    List<LateFree> necessary = new ArrayList<>();
    for (LateFree free : moved) {
      chunks.free(free.address());
      if (!chunks.place(bytes).equals(OptionalLong.of(address))) {
        chunks.undoFree(free.address(), free.end());
        necessary.add(free);
      }
    }
    return necessary;
  }

  private void passFrees() throws MalformedFileException {
    for (LateFree free : late) {
      if (allocations.isLive(new Address(free.address()))) {
        allocations.free(new Address(free.address()), 0, free.time(), free.place());
      } else {
        unknownCount++;
      }
    }
    late.clear();
  }

  /** {@return true if memory was allocated twice without a free} */
  boolean hasImpliedFrees() {
    return impliedCount > 0;
  }

  /** Passes the last frees on. */
  void end() throws MalformedFileException {
    passFrees();
  }

  void addNotes() {
    String moved =
        " moved behind the allocation that follows: the line of a free is written before it takes"
            + " place";
    events.note(movedCount, "free was" + moved, "frees were" + moved);
    events.note(
        unknownCount,
        "free is of memory that the log does not allocate, and was skipped",
        "frees are of memory that the log does not allocate, and were skipped");
    String missing =
        " missing: the log allocates memory that is in use, so that the free is taken to be just"
            + " before";
    events.note(impliedCount, "free is" + missing, "frees are" + missing);
  }
}
