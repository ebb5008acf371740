package dev.stowage.trace.format;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;

/** The events of Netty's allocators in a recording of JDK Flight Recorder, by time. */
final class NettyEvents {

  static final String PREFIX = "io.netty.";

  /** The start of a fact that is a system property, as an argument. */
  static final String PROPERTY = "-D";

  /** The start of the fact that is the version of Netty. */
  static final String VERSION = "version ";

  /** The jar of a version on a class path or a module path. */
  private static final Pattern JAR = Pattern.compile("netty-buffer-(\\d[\\w.-]*)\\.jar");

  private static final Pattern SETTING = Pattern.compile("io\\.netty\\.[\\w.-]+");

  private final JfrFrames frames = JfrFrames.outside("io.netty.buffer.");

  private NettyEvents() {}

  /**
   * Passes the events of a file to a consumer.
   *
   * @return the place from which the file is damaged or cut short; empty if it is complete
   */
  static Optional<String> read(Path file, OrderedJfrEvents.Consumer<NettyEvent> consumer)
      throws IOException {
    return OrderedJfrEvents.read(file, new NettyEvents()::event, consumer);
  }

  private Optional<NettyEvent> event(RecordedEvent event) {
    return switch (event.getEventType().getName()) {
      case PREFIX + "AllocateBuffer" ->
          buffer(NettyEvent.Kind.ALLOCATED, "chunkThreadLocal", event);
      case PREFIX + "ReallocateBuffer" -> buffer(NettyEvent.Kind.REALLOCATED, "", event);
      case PREFIX + "FreeBuffer" -> buffer(NettyEvent.Kind.FREED, "", event);
      case PREFIX + "AllocateChunk" -> chunk(NettyEvent.Kind.CHUNK_ADDED, "threadLocal", event);
      case PREFIX + "FreeChunk" -> chunk(NettyEvent.Kind.CHUNK_REMOVED, "", event);
      case "jdk.InitialSystemProperty" -> property(event);
      case "jdk.ThreadEnd", "jdk.VirtualThreadEnd" -> ended(event);
      case "jdk.CPUInformation" -> fact("hwThreads", event.getInt("hwThreads"), event);
      case "jdk.ContainerConfiguration" ->
          fact("effectiveCpuCount", event.getLong("effectiveCpuCount"), event);
      case "jdk.GCHeapConfiguration" -> fact("maxSize", event.getLong("maxSize"), event);
      case "jdk.IntFlag", "jdk.UnsignedLongFlag" -> flag(event);
      default -> Optional.empty();
    };
  }

  /** {@return the event of a direct buffer; of buffers in the heap, only the allocation} */
  private Optional<NettyEvent> buffer(NettyEvent.Kind kind, String ofThread, RecordedEvent event) {
    if (event.getBoolean("direct")) {
      return Optional.of(event(kind, "size", ofThread, event));
    }
    return kind == NettyEvent.Kind.ALLOCATED
        ? Optional.of(event(NettyEvent.Kind.HEAP_BUFFER, "size", "", event))
        : Optional.empty();
  }

  private Optional<NettyEvent> chunk(NettyEvent.Kind kind, String ofThread, RecordedEvent event) {
    return event.getBoolean("direct")
        ? Optional.of(event(kind, "capacity", ofThread, event))
        : Optional.empty();
  }

  private NettyEvent event(
      NettyEvent.Kind kind, String bytesField, String ofThread, RecordedEvent event) {
    RecordedThread thread = event.getThread();
    boolean isVirtual = thread != null && thread.isVirtual();
    return new NettyEvent(
        kind,
        Optional.ofNullable(event.getClass("allocatorType")).map(type -> type.getName()).orElse(""),
        event.getLong("address"),
        event.getInt(bytesField),
        thread == null ? 0 : thread.getJavaThreadId(),
        isVirtual,
        !ofThread.isEmpty() && event.hasField(ofThread) && event.getBoolean(ofThread),
        OrderedJfrEvents.nanos(event),
        kind == NettyEvent.Kind.ALLOCATED ? frames.of(event) : List.of());
  }

  private static Optional<NettyEvent> flag(RecordedEvent event) {
    String name = event.getString("name");
    return "ActiveProcessorCount".equals(name) || "MaxDirectMemorySize".equals(name)
        ? fact(name, event.getLong("value"), event)
        : Optional.empty();
  }

  private static Optional<NettyEvent> property(RecordedEvent event) {
    String key = event.getString("key");
    String value = event.getString("value");
    if (key == null || value == null) {
      return Optional.empty();
    }
    if (key.equals("java.class.path") || key.equals("jdk.module.path")) {
      Matcher jar = JAR.matcher(value);
      return jar.find() ? fact(VERSION + jar.group(1), 0, event) : Optional.empty();
    }
    boolean isSetting =
        SETTING.matcher(key).matches()
            && !value.isBlank()
            && value.chars().noneMatch(Character::isWhitespace);
    return isSetting ? fact(PROPERTY + key + "=" + value, 0, event) : Optional.empty();
  }

  private static Optional<NettyEvent> ended(RecordedEvent event) {
    return Optional.ofNullable(event.hasField("thread") ? event.getThread("thread") : null)
        .map(thread -> other(NettyEvent.Kind.THREAD_ENDED, "", 0, thread.getJavaThreadId(), event));
  }

  private static Optional<NettyEvent> fact(String name, long value, RecordedEvent event) {
    return Optional.of(other(NettyEvent.Kind.FACT, name, value, 0, event));
  }

  private static NettyEvent other(
      NettyEvent.Kind kind, String name, long value, long thread, RecordedEvent event) {
    return new NettyEvent(
        kind, name, 0, value, thread, false, false, OrderedJfrEvents.nanos(event), List.of());
  }
}
