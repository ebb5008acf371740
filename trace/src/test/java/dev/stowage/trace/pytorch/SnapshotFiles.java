package dev.stowage.trace.pytorch;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Snapshots that tests write and read. */
final class SnapshotFiles {

  private SnapshotFiles() {}

  static MemorySnapshot read(Map<String, ?> root) throws IOException {
    return SnapshotReader.read("t", new ByteArrayInputStream(PickleWriter.pickle(root)));
  }

  static Map<String, Object> entry(String action, long address, long bytes) {
    return new HashMap<>(Map.of("action", action, "addr", address, "size", bytes));
  }

  static Map<String, Object> block(long bytes, long requestedBytes, String state) {
    return new HashMap<>(Map.of("size", bytes, "requested_size", requestedBytes, "state", state));
  }

  /** {@return a segment of device 0 that its blocks tile, on stream 0, in the shared pool} */
  static Map<String, Object> segment(long address, List<Map<String, Object>> blocks) {
    long end = address;
    List<Map<String, Object>> placed = new ArrayList<>();
    for (Map<String, Object> block : blocks) {
      Map<String, Object> copy = new HashMap<>(block);
      copy.put("address", end);
      placed.add(copy);
      end += (long) block.getOrDefault("size", 0L);
    }
    return new HashMap<>(
        Map.of("device", 0L, "address", address, "total_size", end - address, "blocks", placed));
  }
}
