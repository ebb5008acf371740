package dev.stowage.memory.pool;

import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.testkit.SimulatedDevice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A model of {@link DevicePool} with linear searches. Streams are numbers, and their progress is
 * the number of reached events.
 */
final class NaiveDevicePool implements AutoCloseable {

  /** A chunk that is in use, or freed and still used by queued work. */
  static final class Chunk {
    final long address;
    final long bytes;
    long requested;
    String tag;
    long id;

    /** The event after the last use, by stream. */
    Map<Integer, Long> ends = new TreeMap<>();

    Chunk(long address, long bytes) {
      this.address = address;
      this.bytes = bytes;
      this.tag = "";
    }
  }

  final long[] recorded;
  final long[] reached;
  private final BfcAllocator allocator;
  private final List<Chunk> inUse = new ArrayList<>();
  private final List<Chunk> queue = new ArrayList<>();
  final List<String> heard = new ArrayList<>();
  private long allocations;

  NaiveDevicePool(int streams, long bytes, BfcOptions options) {
    recorded = new long[streams];
    reached = new long[streams];
    allocator = new BfcAllocator("model", new SimulatedDevice("model", bytes), options);
  }

  private static long rounded(long bytes) {
    return (bytes + 255) / 256 * 256;
  }

  private boolean isDone(Chunk chunk) {
    return chunk.ends.entrySet().stream().allMatch(end -> reached[end.getKey()] >= end.getValue());
  }

  void freeDone() {
    for (Chunk chunk : List.copyOf(queue)) {
      if (isDone(chunk)) {
        queue.remove(chunk);
        end(chunk);
      }
    }
  }

  private void end(Chunk chunk) {
    allocator.free(chunk.address);
    inUse.remove(chunk);
    heard.add("freed " + chunk.id);
  }

  OptionalLong allocate(long bytes, int stream, String tag) {
    freeDone();
    Optional<Chunk> own =
        queue.stream()
            .filter(chunk -> chunk.ends.size() == 1 && chunk.ends.containsKey(stream))
            .filter(chunk -> chunk.bytes >= bytes && chunk.bytes <= 2 * rounded(bytes) + 1)
            .min(Comparator.comparingLong(chunk -> chunk.bytes));
    if (own.isPresent()) {
      queue.remove(own.get());
      heard.add("freed " + own.get().id);
      return begin(own.get(), bytes, tag);
    }
    OptionalLong address = allocator.tryAllocate(bytes, 256);
    while (address.isEmpty() && !queue.isEmpty()) {
      queue
          .getFirst()
          .ends
          .forEach((user, moment) -> reached[user] = Math.max(reached[user], moment));
      freeDone();
      address = allocator.tryAllocate(bytes, 256);
    }
    if (address.isEmpty()) {
      heard.add("failed " + bytes);
      return address;
    }
    long chunkBytes = allocator.allocation(address.getAsLong()).orElseThrow().bytes();
    Chunk chunk = new Chunk(address.getAsLong(), chunkBytes);
    inUse.add(chunk);
    return begin(chunk, bytes, tag);
  }

  private OptionalLong begin(Chunk chunk, long bytes, String tag) {
    chunk.requested = bytes;
    chunk.tag = tag;
    chunk.id = ++allocations;
    heard.add("allocated " + chunk.id + " " + bytes + " " + tag);
    return OptionalLong.of(chunk.address);
  }

  void free(long address, List<Integer> users) {
    Chunk chunk = inUse.stream().filter(each -> each.address == address).findFirst().orElseThrow();
    if (chunk.ends.entrySet().stream().anyMatch(end -> reached[end.getKey()] < end.getValue())) {
      freeDone();
    }
    chunk.ends.entrySet().removeIf(end -> reached[end.getKey()] >= end.getValue());
    for (int user : users) {
      chunk.ends.put(user, ++recorded[user]);
    }
    if (chunk.ends.isEmpty()) {
      end(chunk);
    } else {
      queue.add(chunk);
    }
  }

  long queuedBytes() {
    return queue.stream().mapToLong(chunk -> chunk.bytes).sum();
  }

  long allocations() {
    return allocations;
  }

  List<Chunk> inUse() {
    return inUse;
  }

  @Override
  public void close() {
    inUse.forEach(chunk -> allocator.free(chunk.address));
    allocator.close();
  }
}
