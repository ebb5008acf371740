package dev.stowage.cli.replay;

import dev.stowage.cli.input.ExistingFile;
import dev.stowage.pages.history.HistoryRecorder;
import dev.stowage.pages.history.ReplayHistory;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.trace.explain.TraceColumns;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceReader;
import dev.stowage.trace.format.TraceSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A trace that is compared with another one.
 *
 * @param input the file as on the command line
 * @param summary the summary of the reader
 * @param columns the events
 * @param event the number of the event after which memory is compared
 * @param reserved the bytes that the allocator reserves, if they are known
 * @param drawn the use of memory over the events; empty if no page needs it
 */
public record ComparedTrace(
    String input,
    TraceSummary summary,
    TraceColumns columns,
    long event,
    Optional<Reserved> reserved,
    Optional<Drawn> drawn) {

  /**
   * The most bytes that an allocator reserves at one time.
   *
   * @param origin the origin of the number, in a sentence: {@code a replay with a BFC allocator}
   */
  public record Reserved(long peakBytes, String origin) {}

  /** The use of memory over the events of a trace. */
  public record Drawn(long eventCount, ReplayHistory.Curves curves) {}

  /**
   * {@return a trace that was read from a file, and replayed with the allocator that made it}
   *
   * <p>Recordings of Netty have the reserved bytes. They are replayed in a process of its own, and
   * only for a page.
   *
   * @param at the number of the event after which memory is compared; empty for the peak of
   *     requested bytes
   * @param isDrawn true for the use of memory over the events
   * @throws MalformedFileException if the file is not a trace, is damaged, does not have the event,
   *     or has more than 2^63 bytes in use
   */
  public static ComparedTrace read(
      String input, TraceOptions options, OptionalLong at, boolean isDrawn) throws IOException {
    Path file = ExistingFile.of(input);
    TraceColumns columns = new TraceColumns();
    AtomicReference<Optional<RunningReplay>> started = new AtomicReference<>(Optional.empty());
    TraceSummary summary =
        TraceReader.readByFormat(
            input,
            file,
            options,
            format -> {
              ReplayedAllocator allocator = ReplayedAllocator.ofRecording(format.name());
              if (!isDrawn && allocator.name().equals(AllocatorKind.netty.name())) {
                return columns;
              }
              RunningReplay replay =
                  new RunningReplay(allocator, events -> events, false, isDrawn, false);
              started.set(Optional.of(replay));
              return new SharedEvents(columns, replay.consumer());
            });
    EventNumber.check(input, at, columns.eventCount());
    if (columns.overflow().isPresent()) {
      throw new MalformedFileException(
          input,
          "has 2^63 bytes or more in use after event "
              + columns.overflow().getAsLong()
              + ", expected fewer");
    }
    return new ComparedTrace(
        input,
        summary,
        columns,
        at.orElse(columns.peakEvent()),
        started
            .get()
            .map(ComparedTrace::reserved)
            .or(() ->
                summary.peakReservedBytes().stream()
                    .mapToObj(bytes -> new Reserved(bytes, "the recording"))
                    .findFirst()),
        started.get().flatMap(replay -> replay.recorder.map(ComparedTrace::drawn)));
  }

  private static Reserved reserved(RunningReplay replay) {
    return new Reserved(
        replay.replay.result().peakReservedBytes(), "a replay with " + replay.allocator.title());
  }

  private static Drawn drawn(HistoryRecorder recorder) {
    ReplayHistory history = recorder.history();
    return new Drawn(history.events().count(), history.curves());
  }
}
