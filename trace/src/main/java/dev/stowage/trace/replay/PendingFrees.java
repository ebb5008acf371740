package dev.stowage.trace.replay;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The allocations that the program has freed, but that queued work may still use.
 *
 * <p>The allocator frees them at the start of a request once the work has ended. How long that
 * takes differs between runs, so that a replay can shift it by a number of requests.
 */
final class PendingFrees {

  private final int shift;
  private final Consumer<String> completion;

  /** The number of the request at which each allocation is freed, if there is a shift. */
  private final Map<String, Long> dueById = new LinkedHashMap<>();

  /** The allocations that still wait when the recording ends. */
  private final Set<String> incomplete = new HashSet<>();

  private boolean hasWaited;
  private long requests;

  /**
   * @param shift the number of requests by which the work ends later than in the recording
   * @param completion frees an allocation before its event, which then has no effect
   */
  PendingFrees(int shift, Consumer<String> completion) {
    this.shift = shift;
    this.completion = completion;
  }

  /** Adds an allocation that waited for its free during a number of recorded requests. */
  void add(String id, int recordedRequests) {
    hasWaited = true;
    dueById.put(id, requests + 1 + Math.max(0, recordedRequests + shift));
  }

  /** Adds an allocation that waits for its free until the recording ends. */
  void addIncomplete(String id) {
    incomplete.add(id);
  }

  /** Completes what is due at the start of a request. */
  void request() {
    requests++;
    if (shift != 0 && !dueById.isEmpty()) {
      dueById
          .entrySet()
          .removeIf(pending -> {
            boolean isDue = pending.getValue() <= requests;
            if (isDue) {
              completion.accept(pending.getKey());
            }
            return isDue;
          });
    }
  }

  /**
   * Takes note of the recorded end of a wait and {@return true if the allocation is free then,
   * false if it is freed later}
   */
  boolean complete(String id) {
    if (shift == 0) {
      dueById.remove(id);
      return true;
    }
    return !dueById.containsKey(id);
  }

  /** {@return true if a free had to wait so far} */
  boolean hasWaited() {
    return hasWaited;
  }

  /** {@return the ids of the allocations that wait} */
  Set<String> waiting() {
    if (incomplete.isEmpty()) {
      return dueById.keySet();
    }
    Set<String> all = new HashSet<>(incomplete);
    all.addAll(dueById.keySet());
    return all;
  }

  /** Waits for all work. */
  void completeAll() {
    dueById.keySet().forEach(completion);
    dueById.clear();
  }
}
