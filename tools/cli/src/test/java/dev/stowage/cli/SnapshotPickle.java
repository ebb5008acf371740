package dev.stowage.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A snapshot of PyTorch that a test writes. */
public final class SnapshotPickle {

  private final List<Object> events = new ArrayList<>();
  private final List<Object> blocks = new ArrayList<>();
  private long blocksEnd = 1 << 20;

  /**
   * Adds an allocation.
   *
   * @param address its address
   * @param bytes its bytes
   * @param stream its stream
   * @param frames names, files and lines, such as {@code forward at model.py:12}
   * @return this snapshot
   */
  public SnapshotPickle alloc(long address, long bytes, long stream, String... frames) {
    List<Object> list = new ArrayList<>();
    for (String frame : frames) {
      int at = frame.lastIndexOf(" at ");
      int colon = frame.lastIndexOf(':');
      list.add(
          Map.of(
              "name", frame.substring(0, at),
              "filename", frame.substring(at + 4, colon),
              "line", Long.parseLong(frame.substring(colon + 1))));
    }
    events.add(
        Map.of(
            "action", "alloc", "addr", address, "size", bytes, "stream", stream, "frames", list));
    return this;
  }

  /**
   * Adds a free.
   *
   * @param address the address of an allocation
   * @param bytes its bytes
   * @return this snapshot
   */
  public SnapshotPickle free(long address, long bytes) {
    events.add(Map.of("action", "free_completed", "addr", address, "size", bytes, "stream", 0L));
    return this;
  }

  /**
   * Adds the call of the program that frees an allocation, which may have to wait for other work.
   *
   * @param address the address of an allocation
   * @param bytes its bytes
   * @return this snapshot
   */
  public SnapshotPickle requestFree(long address, long bytes) {
    events.add(Map.of("action", "free_requested", "addr", address, "size", bytes, "stream", 0L));
    return this;
  }

  /**
   * Adds a block that is in use at the end and has no event.
   *
   * @param bytes its bytes
   * @return this snapshot
   */
  public SnapshotPickle older(long bytes) {
    blocks.add(
        Map.of(
            "address", blocksEnd,
            "size", bytes,
            "requested_size", bytes,
            "state", "active_allocated"));
    blocksEnd += bytes;
    return this;
  }

  /**
   * Writes the snapshot.
   *
   * @param file the file
   * @return the file
   */
  public Path write(Path file) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {(byte) 0x80, 2});
    long start = 1 << 20;
    Object segment =
        Map.of(
            "device",
            0L,
            "address",
            start,
            "total_size",
            blocksEnd - start,
            "stream",
            0L,
            "segment_type",
            "large",
            "blocks",
            blocks);
    List<Object> segments = blocks.isEmpty() ? List.of() : List.of(segment);
    put(Map.of("device_traces", List.of(events), "segments", segments), out);
    out.write('.');
    return Files.write(file, out.toByteArray());
  }

  private static void put(Object value, ByteArrayOutputStream out) {
    switch (value) {
      case Map<?, ?> map -> {
        out.writeBytes(new byte[] {'}', '('});
        map.forEach((key, item) -> {
          put(key, out);
          put(item, out);
        });
        out.write('u');
      }
      case List<?> list -> {
        out.writeBytes(new byte[] {']', '('});
        list.forEach(item -> put(item, out));
        out.write('e');
      }
      case Long number -> {
        out.writeBytes(new byte[] {(byte) 0x8a, 8});
        out.writeBytes(little(8).putLong(number).array());
      }
      default -> {
        byte[] text = value.toString().getBytes(StandardCharsets.UTF_8);
        out.write('X');
        out.writeBytes(little(4).putInt(text.length).array());
        out.writeBytes(text);
      }
    }
  }

  private static ByteBuffer little(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
