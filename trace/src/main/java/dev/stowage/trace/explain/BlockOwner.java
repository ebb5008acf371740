package dev.stowage.trace.explain;

import java.util.List;

/**
 * A block in use and its request.
 *
 * @param event the number of the event that allocated it; 0 if it is older than the recording
 * @param isOlder true if it is older than a recording with events
 * @param address the address
 * @param bytes the bytes of the block: the request, its rounding, and a rest that was not split off
 * @param stream the stream of the request
 * @param tag the purpose; empty if the trace does not have it
 * @param frames the frames of the request, the innermost first; empty if the trace lacks them
 */
public record BlockOwner(
    long event,
    boolean isOlder,
    long address,
    long bytes,
    long stream,
    String tag,
    List<String> frames) {

  /** Creates an owner. */
  public BlockOwner {
    frames = List.copyOf(frames);
  }

  /**
   * {@return the line of the user's code, or else its tag, or a remark like {@link Grouping#OLDER}}
   */
  public String line() {
    return UserLine.of(frames)
        .orElse(!tag.isEmpty() ? "tag " + tag : isOlder ? Grouping.OLDER : Grouping.NO_STACK);
  }
}
