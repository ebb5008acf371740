package dev.stowage.trace.format;

import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** The operations of allocators in a recording of JDK Flight Recorder, by time. */
final class JfrOperations {

  /*
   * A recording has the events of each thread in blocks, so that an event may follow events that
   * happened later. All events of a part of the recording (usually 12 MB) are older than those of the
   * next one. A queue of more events than a part has sorts them in bounded memory.
   */

  static final int MAX_QUEUED = 1 << 19;

  private static final String PREFIX = "dev.stowage.";

  private static final Comparator<Numbered> BY_TIME =
      Comparator.<Numbered>comparingLong(queued -> queued.operation().nanos())
          .thenComparingLong(Numbered::number);

  /** An operation with its number in the file. */
  private record Numbered(JfrOperation operation, long number) {}

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

  /** A consumer of the operations. */
  interface Consumer {

    void accept(JfrOperation operation, String place) throws MalformedFileException;
  }

  private final JfrFrames frames = new JfrFrames();
  private final Consumer consumer;
  private final PriorityQueue<Numbered> queue = new PriorityQueue<>(BY_TIME);
  private long eventCount;

  private JfrOperations(Consumer consumer) {
    this.consumer = consumer;
  }

  /**
   * Passes the operations of a file to a consumer.
   *
   * @return the place from which the file is damaged or cut short; empty if it is complete
   */
  static Optional<String> read(Path file, Consumer consumer) throws IOException {
    JfrOperations operations = new JfrOperations(consumer);
    Optional<String> damage = operations.readAll(file);
    while (!operations.queue.isEmpty()) {
      operations.passFirst();
    }
    return damage;
  }

  private Optional<String> readAll(Path file) throws IOException {
    try (RecordingFile recording = opened(file)) {
      for (Optional<RecordedEvent> event = next(recording);
          event.isPresent();
          event = next(recording)) {
        eventCount++;
        Optional<JfrOperation> operation = operation(event.get());
        if (operation.isPresent()) {
          queue.add(new Numbered(operation.get(), eventCount));
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

  private void passFirst() throws MalformedFileException {
    Numbered first = queue.remove();
    consumer.accept(first.operation(), "JFR event " + first.number());
  }

  private Optional<JfrOperation> operation(RecordedEvent event) throws DamagedException {
    try {
      String name = event.getEventType().getName();
      return name.startsWith(PREFIX)
          ? operation(name.substring(PREFIX.length()), event)
          : Optional.empty();
    } catch (RuntimeException | Error e) {
      throw new DamagedException(e);
    }
  }

  private Optional<JfrOperation> operation(String name, RecordedEvent event) {
    return switch (name) {
      case "Allocate" -> Optional.of(request(JfrOperation.Kind.ALLOCATED, event, key(event)));
      case "OutOfMemory" ->
          Optional.of(request(JfrOperation.Kind.FAILED, event, new JfrOperation.Key(0, 0)));
      case "Free" ->
          Optional.of(
              new JfrOperation(
                  JfrOperation.Kind.FREED,
                  text(event, "allocator"),
                  key(event),
                  event.getLong("chunkBytes"),
                  nanos(event),
                  JfrOperation.Origin.NONE));
      default -> Optional.empty();
    };
  }

  private JfrOperation request(JfrOperation.Kind kind, RecordedEvent event, JfrOperation.Key key) {
    return new JfrOperation(
        kind,
        text(event, "allocator"),
        key,
        event.getLong("requestedBytes"),
        nanos(event),
        new JfrOperation.Origin(frames.of(event), text(event, "tag")));
  }

  private static String text(RecordedEvent event, String field) {
    return Objects.requireNonNull(event.getString(field));
  }

  private static long nanos(RecordedEvent event) {
    Instant time = event.getStartTime();
    return time.getEpochSecond() * 1_000_000_000 + time.getNano();
  }

  private static JfrOperation.Key key(RecordedEvent event) {
    return new JfrOperation.Key(event.getLong("allocationId"), event.getLong("address"));
  }
}
