package dev.stowage.trace.explain;

import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.trace.format.AllocationEvent;
import java.util.List;

/**
 * The failed request with the most bytes; of several, the first.
 *
 * @param event the number of the event; 0 if the block is older than the recording
 * @param request the request
 * @param verdict the verdict
 * @param reason the verdict with its numbers
 * @param free the free memory at this moment
 */
public record WorstFailure(
    long event,
    AllocationEvent.Allocate request,
    OutOfMemoryVerdict verdict,
    String reason,
    FreeMemory free) {

  /**
   * The holes between the blocks in use.
   *
   * @param bytes the bytes of all holes
   * @param holeCount the number of holes
   * @param holes the largest holes
   */
  public record FreeMemory(long bytes, long holeCount, List<Hole> holes) {

    /** Creates a list of holes. */
    public FreeMemory {
      holes = List.copyOf(holes);
    }
  }
}
