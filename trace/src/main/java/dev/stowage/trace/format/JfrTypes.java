package dev.stowage.trace.format;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import jdk.jfr.EventType;
import jdk.jfr.consumer.RecordingFile;

/** The types of events in a recording of JDK Flight Recorder. */
final class JfrTypes {

  private static final String OF_NETTY = NettyEvents.PREFIX + "AllocateBuffer";
  private static final String OF_STOWAGE = JfrOperations.PREFIX + "Allocate";

  private JfrTypes() {}

  /**
   * {@return true if a recording has events of Netty's allocators and none of this library's}
   *
   * <p>A program registers its types of events when it loads their classes. If a recording has both
   * types, the events are read up to the first one of this library.
   */
  static boolean areThoseOfNetty(Path file) {
    try (RecordingFile recording = new RecordingFile(file)) {
      Set<String> types =
          recording.readEventTypes().stream().map(EventType::getName).collect(Collectors.toSet());
      if (!types.contains(OF_NETTY)) {
        return false;
      }
      while (types.contains(OF_STOWAGE) && recording.hasMoreEvents()) {
        if (recording.readEvent().getEventType().getName().equals(OF_STOWAGE)) {
          return false;
        }
      }
      return true;
    } catch (IOException | RuntimeException | Error e) {
      // The parser of the JDK throws anything for a damaged file; the format reports the damage.
      return false;
    }
  }
}
