package dev.stowage.core.trace;

import dev.stowage.core.MalformedFileException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Lets only events pass that can have happened, and numbers all of them from 1. */
final class CheckedEvents {

  private final String source;
  private final boolean lenient;
  private final EventConsumer consumer;
  private final Set<String> liveIds = new HashSet<>();

  private long number;
  private long passedCount;
  private long leftOutCount;
  private Optional<String> firstLeftOut = Optional.empty();

  CheckedEvents(String source, boolean lenient, EventConsumer consumer) {
    this.source = source;
    this.lenient = lenient;
    this.consumer = consumer;
  }

  /**
   * Passes an event on.
   *
   * @param place where in the file it stands
   */
  void pass(AllocationEvent event, String place) throws MalformedFileException {
    number++;
    boolean possible =
        switch (event) {
          case AllocationEvent.Allocate allocate -> liveIds.add(allocate.id());
          case AllocationEvent.Free free -> liveIds.remove(free.id());
        };
    if (possible) {
      passedCount++;
      consumer.accept(event);
      return;
    }
    String id = MalformedFileException.excerpt(event.id());
    leaveOut(
        place,
        switch (event) {
          case AllocationEvent.Allocate a ->
              String.format(Locale.ROOT, "allocates '%s', which is live", id);
          case AllocationEvent.Free f ->
              String.format(
                  Locale.ROOT,
                  "frees '%s', which is not live: never allocated, or freed before",
                  id);
        });
  }

  /** Refuses an event that is not even one, or leaves it out. */
  void refuse(String place, String problem) throws MalformedFileException {
    number++;
    leaveOut(place, problem);
  }

  /** Refuses that the events end here, or says so. */
  void endEarly(String place, String problem) throws MalformedFileException {
    report(place, String.format(Locale.ROOT, "%s, before event %d", problem, number + 1));
  }

  private void leaveOut(String place, String problem) throws MalformedFileException {
    report(place, String.format(Locale.ROOT, "event %d %s", number, problem));
  }

  private void report(String place, String problem) throws MalformedFileException {
    if (!lenient) {
      throw new MalformedFileException(source, place, problem);
    }
    leftOutCount++;
    if (firstLeftOut.isEmpty()) {
      firstLeftOut = Optional.of(place + ": " + problem);
    }
  }

  TraceSummary summary(String format) {
    return new TraceSummary(format, passedCount, leftOutCount, firstLeftOut);
  }
}
