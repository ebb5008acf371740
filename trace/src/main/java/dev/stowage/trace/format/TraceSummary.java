package dev.stowage.trace.format;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A summary of a trace that was read.
 *
 * @param format the name of the format, such as {@code csv}
 * @param eventCount the number of events that the consumer got
 * @param recorded the further content of a snapshot of PyTorch or of a report of XLA; empty for
 *     other traces
 * @param peakReservedBytes the most bytes that the recorded allocator held at any time, if the
 *     trace has them
 * @param program the program that made the recording
 * @param notes sentences about information that the trace lacks, or that was not read
 */
public record TraceSummary(
    String format,
    long eventCount,
    Optional<RecordedState> recorded,
    OptionalLong peakReservedBytes,
    TraceProgram program,
    List<String> notes) {

  /** The format of PyTorch's memory snapshots. */
  static final String PYTORCH = "pytorch";

  /** The format of XLA's logs. */
  static final String XLA_LOG = "xla";

  /** Creates a summary. */
  public TraceSummary {
    notes = List.copyOf(notes);
  }

  /** {@return true if the trace has only the memory at a failure, as XLA reports it} */
  public boolean isReport() {
    return recorded.isPresent() && format.equals(XLA_LOG);
  }

  /** {@return true if the trace is a snapshot of PyTorch without a history, so without events} */
  public boolean isState() {
    return recorded.filter(state -> state.olderBlocks() == eventCount).isPresent()
        && format.equals(PYTORCH);
  }
}
