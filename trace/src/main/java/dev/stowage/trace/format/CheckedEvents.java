package dev.stowage.trace.format;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.trace.pytorch.SnapshotHistory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A filter that passes only possible events to a consumer, and numbers all events from 1. */
public final class CheckedEvents {

  private final String source;
  private final EventConsumer consumer;
  private final Set<String> liveIds = new HashSet<>();

  private long number;
  private long passedCount;
  private final List<String> notes = new ArrayList<>();
  private OptionalLong peakReservedBytes = OptionalLong.empty();
  private TraceProgram program = TraceProgram.OTHER;

  CheckedEvents(String source, EventConsumer consumer) {
    this.source = source;
    this.consumer = consumer;
  }

  /**
   * Passes an event to the consumer.
   *
   * @param event the event
   * @param place its place in the file
   * @throws MalformedFileException if the event is impossible
   */
  public void pass(AllocationEvent event, String place) throws MalformedFileException {
    number++;
    boolean isPossible =
        switch (event) {
          case AllocationEvent.Allocate allocate -> liveIds.add(allocate.id());
          case AllocationEvent.Fail fail -> !liveIds.contains(fail.id());
          case AllocationEvent.Free free -> liveIds.remove(free.id());
        };
    if (isPossible) {
      passedCount++;
      consumer.accept(event);
      return;
    }
    String id = MalformedFileException.excerpt(event.id());
    throw malformed(
        place,
        switch (event) {
          case AllocationEvent.Allocate _, AllocationEvent.Fail _ ->
              String.format(Locale.ROOT, "allocates '%s', which is live", id);
          case AllocationEvent.Free _ ->
              String.format(
                  Locale.ROOT,
                  "frees '%s', which is not live: never allocated, or freed before",
                  id);
        });
  }

  /**
   * Rejects an entry that is not an event.
   *
   * @param place its place in the file
   * @param problem the problem; the message has it after the number of the event
   * @throws MalformedFileException always
   */
  public void refuse(String place, String problem) throws MalformedFileException {
    number++;
    throw malformed(place, problem);
  }

  /**
   * Rejects a file that ends early.
   *
   * @param place the end of the readable part
   * @param problem the problem; the message has it before the number of the next event
   * @throws MalformedFileException always
   */
  public void endEarly(String place, String problem) throws MalformedFileException {
    throw new MalformedFileException(
        source, place, String.format(Locale.ROOT, "%s, before event %d", problem, number + 1));
  }

  private MalformedFileException malformed(String place, String problem) {
    return new MalformedFileException(
        source, place, String.format(Locale.ROOT, "event %d %s", number, problem));
  }

  /** Passes the recording of a snapshot to the consumer, before the first event. */
  void snapshot(SnapshotHistory history) {
    consumer.snapshot(history);
  }

  /** Passes a region of the recorded allocator to the consumer. */
  void region(long address, long bytes) {
    consumer.region(address, bytes);
  }

  /** Passes the memory of the recorded allocator to the consumer, before the first event. */
  void memory(RecordedMemory memory) {
    consumer.memory(memory);
  }

  /** Passes facts about the recorded program to the consumer, before the first event. */
  void program(RecordedProgram program) {
    peakReservedBytes = program.peakReservedBytes();
    consumer.program(program);
  }

  /** Sets the program that made the recording. */
  void madeBy(TraceProgram found) {
    program = found;
  }

  /** Passes a reason why a replay is an estimate to the consumer. */
  void doubt(String reason) {
    consumer.doubt(reason);
  }

  /** Passes the limit of the recorded allocator to the consumer. */
  void limit(long bytes) {
    consumer.limit(bytes);
  }

  /** Passes the recorded address of the next allocation to the consumer. */
  void address(long address, long alignment) {
    consumer.address(address, alignment);
  }

  /**
   * Adds a note to the summary.
   *
   * @param note a sentence about information that the trace lacks, or that was not read
   */
  public void note(String note) {
    notes.add(note);
  }

  /** Adds a note that starts with a number, unless the number is 0. */
  void note(long count, String one, String several) {
    if (count > 0) {
      note(String.format(Locale.ROOT, "%d %s", count, count == 1 ? one : several));
    }
  }

  /**
   * {@return the summary of the events so far}
   *
   * @param format the name of the format
   */
  public TraceSummary summary(String format) {
    return summary(format, Optional.empty());
  }

  TraceSummary summary(String format, Optional<RecordedState> recorded) {
    return new TraceSummary(format, passedCount, recorded, peakReservedBytes, program, notes);
  }
}
