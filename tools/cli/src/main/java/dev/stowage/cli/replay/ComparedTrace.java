package dev.stowage.cli.replay;

import dev.stowage.cli.input.ExistingFile;
import dev.stowage.pages.history.ReplayHistory;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.trace.explain.Grouping;
import dev.stowage.trace.explain.TraceColumns;
import dev.stowage.trace.explain.TraceDiff;
import dev.stowage.trace.format.EventConsumer;
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
 * @param drawn the use of memory over the events; empty if no page needs it
 */
public record ComparedTrace(
    String input,
    TraceSummary summary,
    TraceColumns columns,
    long event,
    Optional<DrawnTrace> drawn) {

  /**
   * The use of memory over the events of a trace.
   *
   * @param allocator the allocator of the replay, such as {@code a BFC allocator}
   */
  public record DrawnTrace(String allocator, long eventCount, ReplayHistory.Curves curves) {}

  /**
   * {@return a trace that was read from a file}
   *
   * @param at the number of the event after which memory is compared; empty for the peak of
   *     requested bytes
   * @param allocator the allocator of a replay for a page; empty if there is none
   * @throws MalformedFileException if the file is not a trace, is damaged, does not have the event,
   *     or has more than 2^63 bytes in use
   */
  public static ComparedTrace read(
      String input, TraceOptions options, OptionalLong at, Optional<AllocatorChoice> allocator)
      throws IOException {
    Path file = ExistingFile.of(input);
    TraceColumns columns = new TraceColumns();
    AtomicReference<Optional<RunningReplay>> started = new AtomicReference<>(Optional.empty());
    TraceSummary summary =
        TraceReader.readByFormat(
            input,
            file,
            options,
            format -> {
              Optional<RunningReplay> replay =
                  allocator.map(choice ->
                      new RunningReplay(
                          choice.of(format.name()), events -> events, false, true, false));
              started.set(replay);
              return replay
                  .<EventConsumer>map(running -> new SharedEvents(columns, running.consumer()))
                  .orElse(columns);
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
        started.get().map(ComparedTrace::drawn));
  }

  private static DrawnTrace drawn(RunningReplay replay) {
    ReplayHistory history = replay.recorder.orElseThrow().history();
    return new DrawnTrace(replay.allocator.title(), history.events().count(), history.curves());
  }

  /**
   * {@return the comparison with another trace}
   *
   * @param grouping the key of a group; if empty, the stack if both traces have stacks, otherwise
   *     the tag if both have tags, otherwise the size
   * @param isAtPeaks true if both are compared at their peaks
   */
  public DiffReport compare(ComparedTrace other, Optional<Grouping> grouping, boolean isAtPeaks) {
    Grouping by =
        grouping.orElse(
            columns.hasStacks() && other.columns.hasStacks()
                ? Grouping.STACK
                : columns.hasTags() && other.columns.hasTags() ? Grouping.TAG : Grouping.SIZE);
    return new DiffReport(
        input,
        other.input,
        isAtPeaks,
        TraceDiff.of(columns, event, other.columns, other.event, by));
  }
}
