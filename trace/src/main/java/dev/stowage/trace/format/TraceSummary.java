package dev.stowage.trace.format;

import java.util.List;
import java.util.Optional;

/**
 * A summary of a trace that was read.
 *
 * @param format the name of the format, such as {@code csv}
 * @param eventCount the number of events that the consumer got
 * @param skippedCount the number of wrong events that lenient reading skipped
 * @param firstSkipped the place and the problem of the first of them
 * @param recorded the further content of a snapshot of PyTorch; empty for other formats
 * @param notes sentences about information that the trace lacks, or that was not read
 */
public record TraceSummary(
    String format,
    long eventCount,
    long skippedCount,
    Optional<String> firstSkipped,
    Optional<RecordedState> recorded,
    List<String> notes) {

  /** Creates a summary. */
  public TraceSummary {
    notes = List.copyOf(notes);
  }
}
