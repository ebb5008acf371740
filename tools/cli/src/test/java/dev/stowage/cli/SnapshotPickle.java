package dev.stowage.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A snapshot of PyTorch that a test writes. */
public final class SnapshotPickle {

  private final List<Object> events = new ArrayList<>();
  private final List<Object> segments = new ArrayList<>();
  private List<Object> blocks = new ArrayList<>();
  private long segmentStart = 1 << 20;
  private long blocksEnd = segmentStart;
  private boolean isOfPyTorch20;

  /**
   * Writes blocks as PyTorch 2.0 does: without an address, and with their requests in place of a
   * stack.
   *
   * @return this snapshot
   */
  public SnapshotPickle ofPyTorch20() {
    isOfPyTorch20 = true;
    return this;
  }

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
    events.add(
        Map.of(
            "action",
            "alloc",
            "addr",
            address,
            "size",
            bytes,
            "stream",
            stream,
            "frames",
            list(frames)));
    return this;
  }

  private static List<Object> list(String... frames) {
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
    return list;
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
   * @param frames names, files and lines, such as {@code forward at model.py:12}
   * @return this snapshot
   */
  public SnapshotPickle older(long bytes, String... frames) {
    Map<String, Object> block = new HashMap<>(Map.of("size", bytes, "state", "active_allocated"));
    if (isOfPyTorch20) {
      block.put(
          "history",
          List.of(Map.of("addr", blocksEnd, "real_size", bytes, "frames", list(frames))));
    } else {
      block.putAll(Map.of("address", blocksEnd, "requested_size", bytes, "frames", list(frames)));
    }
    blocks.add(block);
    blocksEnd += bytes;
    return this;
  }

  /**
   * Adds a block that is free at the end.
   *
   * @param bytes its bytes
   * @return this snapshot
   */
  public SnapshotPickle cached(long bytes) {
    blocks.add(Map.of("size", bytes, "requested_size", 0L, "state", "inactive"));
    blocksEnd += bytes;
    return this;
  }

  /**
   * Ends the segment of the blocks so far.
   *
   * @param device its device
   * @param isSmall true if it is for small blocks
   * @return this snapshot
   */
  public SnapshotPickle segment(long device, boolean isSmall) {
    segments.add(
        Map.of(
            "device",
            device,
            "address",
            segmentStart,
            "total_size",
            blocksEnd - segmentStart,
            "stream",
            0L,
            "segment_type",
            isSmall ? "small" : "large",
            "blocks",
            blocks));
    blocks = new ArrayList<>();
    segmentStart = blocksEnd + (1 << 30);
    blocksEnd = segmentStart;
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
    if (!blocks.isEmpty()) {
      segment(0, false);
    }
    put(Map.of("device_traces", List.of(events), "segments", segments), out);
    out.write('.');
    return Files.write(file, out.toByteArray());
  }

  private static void put(Object value, ByteArrayOutputStream out) {
    switch (value) {
      case Map<?, ?> map -> {
        out.writeBytes(new byte[] {'}', '('});
        // The order of Map.of differs between processes.
        new TreeMap<>(map)
            .forEach((key, item) -> {
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
