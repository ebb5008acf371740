package dev.stowage.cli.replay;

import dev.stowage.cli.input.ExistingFile;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.trace.explain.TraceColumns;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceReader;
import dev.stowage.trace.format.TraceSummary;
import java.io.IOException;
import java.util.OptionalLong;

/**
 * A trace that is compared with another one.
 *
 * @param input the file as on the command line
 * @param summary the summary of the reader
 * @param columns the events
 * @param event the number of the event after which memory is compared
 * @param peakReservedBytes the most bytes that the allocator reserves at one time, by a replay; for
 *     Netty by the recording, if it has them
 */
public record ComparedTrace(
    String input,
    TraceSummary summary,
    TraceColumns columns,
    long event,
    OptionalLong peakReservedBytes) {

  /**
   * {@return the trace of a file, replayed with the recorded allocator}
   *
   * <p>Recordings of Netty are not replayed: they have the reserved bytes.
   *
   * @param at the number of the event after which memory is compared; empty for the peak of
   *     requested bytes
   * @throws MalformedFileException if the file is not a trace, is damaged, does not have the event,
   *     or has more than 2^63 bytes in use
   */
  public static ComparedTrace read(String input, TraceOptions options, OptionalLong at)
      throws IOException {
    TraceColumns columns = new TraceColumns();
    TraceSummary summary = TraceReader.read(input, ExistingFile.of(input), options, columns);
    checkEvent(input, at, columns.eventCount());
    if (columns.overflow().isPresent()) {
      throw new MalformedFileException(
          input,
          "has 2^63 bytes or more in use after event "
              + columns.overflow().getAsLong()
              + ", expected fewer");
    }
    ReplayedAllocator allocator = ReplayedAllocator.ofRecording(summary.format());
    return new ComparedTrace(
        input,
        summary,
        columns,
        at.orElse(columns.peakEvent()),
        allocator.kind() == AllocatorKind.netty
            ? summary.peakReservedBytes()
            : OptionalLong.of(columns.replayed(allocator.rules()).result().peakReservedBytes()));
  }

  /**
   * Checks that a trace has an event, which the user names.
   *
   * @throws MalformedFileException if it does not
   */
  static void checkEvent(String input, OptionalLong event, long eventCount)
      throws MalformedFileException {
    if (event.orElse(0) > eventCount) {
      throw new MalformedFileException(
          input,
          Text.of(
              "--at is %d, expected at most %d, the number of events",
              event.getAsLong(), eventCount));
    }
  }
}
