package dev.stowage.trace.format;

import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * The events of some types in a recording of JDK Flight Recorder, by time.
 *
 * @param <T> the form of an event after parsing
 */
final class OrderedJfrEvents<T> {

  /*
   * A recording has the events of each thread in blocks, so that an event may follow events that
   * happened later. All events of a part of the recording (usually 12 MB) are older than all events
   * of the next part. A queue that holds more events than a part sorts them in bounded memory.
   */

  static final int MAX_QUEUED = 1 << 19;

  /** An event with its time and its number in the file. */
  private record Queued<T>(T event, long nanos, long number) {}

  /**
   * Thrown if a part of the file cannot be parsed. The parser of the JDK does not check lengths and
   * references, so that damaged files cause any exception or error.
   */
  private static final class DamagedException extends IOException {

    private static final long serialVersionUID = 1L;

    DamagedException(Throwable cause) {
      super(cause);
    }
  }

  /** A parser of events. */
  @FunctionalInterface
  interface Parser<T> {

    /** {@return the event; empty if it is not of these types} */
    Optional<T> parse(RecordedEvent event);
  }

  /** A consumer of events. */
  @FunctionalInterface
  interface Consumer<T> {

    void accept(T event, String place) throws MalformedFileException;
  }

  private final Parser<T> parser;
  private final Consumer<T> consumer;
  private final PriorityQueue<Queued<T>> queue =
      new PriorityQueue<>(
          Comparator.<Queued<T>>comparingLong(Queued::nanos).thenComparingLong(Queued::number));
  private long eventCount;

  private OrderedJfrEvents(Parser<T> parser, Consumer<T> consumer) {
    this.parser = parser;
    this.consumer = consumer;
  }

  /**
   * Passes the events of a file to a consumer.
   *
   * @return the place from which the file is damaged or cut short; empty if it is complete
   */
  static <T> Optional<String> read(Path file, Parser<T> parser, Consumer<T> consumer)
      throws IOException {
    OrderedJfrEvents<T> events = new OrderedJfrEvents<>(parser, consumer);
    Optional<String> damage = events.readAll(file);
    while (!events.queue.isEmpty()) {
      events.passFirst();
    }
    return damage;
  }

  private Optional<String> readAll(Path file) throws IOException {
    try (RecordingFile recording = opened(file)) {
      for (Optional<RecordedEvent> event = next(recording);
          event.isPresent();
          event = next(recording)) {
        eventCount++;
        Optional<T> parsed = parsed(event.get());
        if (parsed.isPresent()) {
          queue.add(new Queued<>(parsed.get(), nanos(event.get()), eventCount));
          if (queue.size() > MAX_QUEUED) {
            passFirst();
          }
        }
      }
      return Optional.empty();
    } catch (DamagedException e) {
      return Optional.of("after " + eventCount + " JFR events");
    }
  }

  private static RecordingFile opened(Path file) throws DamagedException {
    try {
      return new RecordingFile(file);
    } catch (IOException | RuntimeException | Error e) {
      throw new DamagedException(e);
    }
  }

  private static Optional<RecordedEvent> next(RecordingFile recording) throws DamagedException {
    try {
      return recording.hasMoreEvents() ? Optional.of(recording.readEvent()) : Optional.empty();
    } catch (IOException | RuntimeException | Error e) {
      throw new DamagedException(e);
    }
  }

  private Optional<T> parsed(RecordedEvent event) throws DamagedException {
    try {
      return parser.parse(event);
    } catch (RuntimeException | Error e) {
      throw new DamagedException(e);
    }
  }

  private void passFirst() throws MalformedFileException {
    Queued<T> first = queue.remove();
    consumer.accept(first.event(), "JFR event " + first.number());
  }

  /** {@return the time of an event} */
  static long nanos(RecordedEvent event) {
    Instant time = event.getStartTime();
    return time.getEpochSecond() * 1_000_000_000 + time.getNano();
  }
}
