package dev.stowage.trace.explain;

import dev.stowage.allocator.OutOfMemoryVerdict;
import java.util.List;

/**
 * The failed request with the most bytes; of several, the first.
 *
 * @param event the number of the event; 0 if the block is older than the recording
 * @param bytes the requested bytes
 * @param stream the stream of the request
 * @param tag the purpose; empty if the trace does not have it
 * @param frames the frames of the request, the innermost first; empty if the trace lacks them
 * @param verdict the verdict
 * @param reason the verdict with its numbers
 * @param freeBytes the bytes of all holes
 * @param holeCount the number of holes
 * @param holes the largest holes
 */
public record WorstFailure(
    long event,
    long bytes,
    long stream,
    String tag,
    List<String> frames,
    OutOfMemoryVerdict verdict,
    String reason,
    long freeBytes,
    long holeCount,
    List<Hole> holes) {

  /** Creates a failure. */
  public WorstFailure {
    frames = List.copyOf(frames);
    holes = List.copyOf(holes);
  }
}
