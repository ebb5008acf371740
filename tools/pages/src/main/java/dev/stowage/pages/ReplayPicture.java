package dev.stowage.pages;

import dev.stowage.pages.history.ReplayHistory;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.trace.replay.ReplayResult;

/**
 * The content of a picture of a replay.
 *
 * @param title the title, such as the file name of the trace
 * @param allocator the allocator and its options, such as {@code a BFC allocator with its defaults}
 * @param result the statistics of the allocator
 * @param history the events
 * @param run the run of the command
 */
public record ReplayPicture(
    String title, String allocator, ReplayResult result, ReplayHistory history, RunFacts run) {

  /** Creates a picture without a run. */
  public ReplayPicture(String title, String allocator, ReplayResult result, ReplayHistory history) {
    this(title, allocator, result, history, RunFacts.none());
  }

  /** {@return the number of recorded allocations, without blocks older than the recording} */
  long allocations() {
    return result.allocations() - history.events().olderCount();
  }
}
