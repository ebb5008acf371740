package dev.stowage.trace.format;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import jdk.jfr.consumer.RecordedEvent;

/** The operations of this library's allocators in a recording of JDK Flight Recorder, by time. */
final class JfrOperations {

  static final String PREFIX = "dev.stowage.";

  private final JfrFrames frames =
      JfrFrames.outside("dev.stowage.allocator.", "dev.stowage.memory.");

  private JfrOperations() {}

  /**
   * Passes the operations of a file to a consumer.
   *
   * @return the place from which the file is damaged or cut short; empty if it is complete
   */
  static Optional<String> read(Path file, OrderedJfrEvents.Consumer<JfrOperation> consumer)
      throws IOException {
    return OrderedJfrEvents.read(file, new JfrOperations()::operation, consumer);
  }

  private Optional<JfrOperation> operation(RecordedEvent event) {
    String name = event.getEventType().getName();
    return name.startsWith(PREFIX)
        ? operation(name.substring(PREFIX.length()), event)
        : Optional.empty();
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
                  OrderedJfrEvents.nanos(event),
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
        OrderedJfrEvents.nanos(event),
        new JfrOperation.Origin(frames.of(event), text(event, "tag")));
  }

  private static String text(RecordedEvent event, String field) {
    return Objects.requireNonNull(event.getString(field));
  }

  private static JfrOperation.Key key(RecordedEvent event) {
    return new JfrOperation.Key(event.getLong("allocationId"), event.getLong("address"));
  }
}
