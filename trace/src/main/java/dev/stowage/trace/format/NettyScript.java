package dev.stowage.trace.format;

import java.io.DataOutput;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The operations of a program on the buffers of an allocator of Netty, with the threads that
 * perform them.
 *
 * <p>Threads and buffers have numbers from 0. The events of a replay are the allocations and frees
 * of a script, in their order.
 */
public final class NettyScript {

  /** The kind of an operation. */
  enum Kind {
    /** A thread allocates a buffer. */
    ALLOCATE,
    /** A thread frees a buffer. */
    FREE,
    /** A thread ends. */
    END,
    /** A buffer gets other memory, with a new number; the next operation frees the old one. */
    GROW
  }

  static final List<Kind> KINDS = List.of(Kind.values());

  private static final int THREAD_SHIFT = 2;
  private static final int EVENT_LOOP = 1;
  private static final int VIRTUAL = 2;

  /** The numbers of the threads by their ids, in this order. */
  private final Map<Long, Integer> threads = new LinkedHashMap<>();

  /** The threads that allocated the live buffers. */
  private final Map<Integer, Long> owners = new HashMap<>();

  private final IntStream.Builder older = IntStream.builder();
  private final IntStream.Builder operations = IntStream.builder();
  private int[] numbers = {};
  private Set<Long> eventLoops = Set.of();
  private Set<Long> virtualThreads = Set.of();
  private int bufferCount;
  private long frees;
  private long foreignFrees;

  NettyScript() {}

  /** {@return the number of the buffer of a new allocation} */
  int allocate(long thread, int bytes) {
    add(operations, Kind.ALLOCATE, thread, bufferCount, bytes);
    owners.put(bufferCount, thread);
    return bufferCount++;
  }

  /** {@return the new number of a buffer that gets other memory; its old number ends} */
  int grow(long thread, int old, int bytes) {
    add(operations, Kind.GROW, thread, bufferCount, bytes);
    free(thread, old);
    owners.put(bufferCount, thread);
    return bufferCount++;
  }

  /**
   * {@return the number of a buffer that is older than all operations; the thread that ends it
   * counts as its owner}
   */
  int allocateOlder(long thread, int bytes) {
    add(older, Kind.ALLOCATE, thread, bufferCount, bytes);
    return bufferCount++;
  }

  void free(long thread, int buffer) {
    add(operations, Kind.FREE, thread, buffer, 0);
    frees++;
    Long owner = owners.remove(buffer);
    foreignFrees += owner == null || owner == thread ? 0 : 1;
  }

  /** Ends a thread, if it is one of the script. */
  void end(long thread) {
    if (threads.containsKey(thread)) {
      add(operations, Kind.END, thread, 0, 0);
    }
  }

  private void add(IntStream.Builder to, Kind kind, long thread, int buffer, int bytes) {
    int number = threads.computeIfAbsent(thread, _ -> threads.size());
    to.add(number << THREAD_SHIFT | KINDS.indexOf(kind)).add(buffer).add(bytes);
  }

  /**
   * {@return this script, with its older buffers at the start}
   *
   * @param loops the ids of the threads that have an executor of Netty
   * @param virtual the ids of virtual threads
   */
  NettyScript complete(Set<Long> loops, Set<Long> virtual) {
    eventLoops = loops;
    virtualThreads = virtual;
    numbers = IntStream.concat(older.build(), operations.build()).toArray();
    return this;
  }

  /** {@return the number of threads} */
  public int threadCount() {
    return threads.size();
  }

  /** {@return true if virtual threads allocate buffers} */
  public boolean hasVirtualThreads() {
    return !virtualThreads.isEmpty();
  }

  /** {@return the share of frees on another thread than the thread that allocated the buffer} */
  public double foreignShare() {
    return frees == 0 ? 0 : (double) foreignFrees / frees;
  }

  /**
   * Writes the number of threads and of buffers, the threads ({@code 4 * id} and 1 for event loops,
   * 2 for virtual threads) and the operations, three numbers each: {@code 4 * thread} and 0 for an
   * allocation, 1 for a free, 2 for the end of the thread or 3 for a growth; the buffer; the bytes.
   *
   * @param out gets the numbers
   * @throws IOException if {@code out} throws it
   */
  public void writeTo(DataOutput out) throws IOException {
    out.writeInt(threads.size());
    out.writeInt(bufferCount);
    for (long id : threads.keySet()) {
      int kind = eventLoops.contains(id) ? EVENT_LOOP : virtualThreads.contains(id) ? VIRTUAL : 0;
      out.writeInt((int) id << THREAD_SHIFT | kind);
    }
    for (int number : numbers) {
      out.writeInt(number);
    }
  }
}
