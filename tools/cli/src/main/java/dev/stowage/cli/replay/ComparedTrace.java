package dev.stowage.cli.replay;

import dev.stowage.cli.input.ExistingFile;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.trace.explain.TraceColumns;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceReader;
import dev.stowage.trace.format.TraceSummary;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A trace that is compared with another one.
 *
 * @param input the file as on the command line
 * @param summary the summary of the reader
 * @param columns the events
 * @param event the number of the event after which memory is compared
 * @param reserved the bytes that the allocator reserves, if they are known
 */
public record ComparedTrace(
    String input,
    TraceSummary summary,
    TraceColumns columns,
    long event,
    Optional<Reserved> reserved) {

  /**
   * The most bytes that an allocator reserves at one time.
   *
   * @param origin the origin of the number, in a sentence: {@code a replay with a BFC allocator}
   */
  public record Reserved(long peakBytes, String origin) {}

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
    EventNumber.check(input, at, columns.eventCount());
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
            ? summary.peakReservedBytes().stream()
                .mapToObj(bytes -> new Reserved(bytes, "the recording"))
                .findFirst()
            : Optional.of(
                new Reserved(
                    columns.replayed(allocator.rules()).result().peakReservedBytes(),
                    "a replay with " + allocator.kind().title())));
  }
}
