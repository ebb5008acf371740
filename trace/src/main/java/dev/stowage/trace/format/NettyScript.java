package dev.stowage.trace.format;

import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The operations of a program on the buffers of an allocator of Netty, with the threads that
 * perform them.
 *
 * <p>Threads and buffers have numbers from 0. The events of a replay are the allocations and frees
 * of a script, in their order.
 */
public final class NettyScript {

  /** The kind of an operation. */
  public enum Kind {
    /** A thread allocates a buffer. */
    ALLOCATE,
    /** A thread frees a buffer. */
    FREE,
    /** A thread ends. */
    END,
    /** A buffer gets other memory, with a new number; the next operation frees the old one. */
    GROW
  }

  private static final List<Kind> KINDS = List.of(Kind.values());

  /** The numbers of an operation: {@code 4 * thread + kind}, the buffer and the bytes. */
  private static final int NUMBERS = 3;

  private static final int THREAD_SHIFT = 2;
  private static final int EVENT_LOOP = 1;
  private static final int VIRTUAL = 2;

  private final Map<Long, Integer> threads = new HashMap<>();
  private Set<Long> eventLoops = Set.of();
  private Set<Long> virtualThreads = Set.of();
  private int[] numbers = new int[NUMBERS << 10];
  private int count;
  private int bufferCount;

  /** The allocations before the first operation. */
  private final List<Integer> older = new ArrayList<>();

  NettyScript() {}

  /** {@return the number of the buffer of a new allocation} */
  int allocate(long thread, int bytes) {
    add(Kind.ALLOCATE, thread, bufferCount, bytes);
    return bufferCount++;
  }

  /** {@return the number of the new memory of a buffer, whose old number ends} */
  int grow(long thread, int old, int bytes) {
    add(Kind.GROW, thread, bufferCount, bytes);
    free(thread, old);
    return bufferCount++;
  }

  /**
   * {@return the number of a buffer that is older than all operations, for the thread that ends it}
   */
  int allocateOlder(long thread, int bytes) {
    older.addAll(List.of(first(Kind.ALLOCATE, thread), bufferCount, bytes));
    return bufferCount++;
  }

  void free(long thread, int buffer) {
    add(Kind.FREE, thread, buffer, 0);
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
    int[] all = new int[older.size() + count * NUMBERS];
    for (int i = 0; i < older.size(); i++) {
      all[i] = older.get(i);
    }
    System.arraycopy(numbers, 0, all, older.size(), count * NUMBERS);
    numbers = all;
    count = all.length / NUMBERS;
    return this;
  }

  /** Ends a thread, if it is one of the script. */
  void end(long thread) {
    if (threads.containsKey(thread)) {
      add(Kind.END, thread, 0, 0);
    }
  }

  private void add(Kind kind, long thread, int buffer, int bytes) {
    int start = count * NUMBERS;
    if (start == numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * start);
    }
    numbers[start] = first(kind, thread);
    numbers[start + 1] = buffer;
    numbers[start + 2] = bytes;
    count++;
  }

  private int first(Kind kind, long thread) {
    return threads.computeIfAbsent(thread, _ -> threads.size()) << THREAD_SHIFT
        | KINDS.indexOf(kind);
  }

  /** {@return the number of operations} */
  public int count() {
    return count;
  }

  /** {@return the number of buffers} */
  public int bufferCount() {
    return bufferCount;
  }

  /** {@return the number of threads} */
  public int threadCount() {
    return threads.size();
  }

  /** {@return true if one of the threads is a virtual one} */
  public boolean hasVirtualThreads() {
    return threads.keySet().stream().anyMatch(virtualThreads::contains);
  }

  /**
   * {@return the kind of an operation}
   *
   * @param operation its number, from 0
   */
  public Kind kind(int operation) {
    return KINDS.get(numbers[operation * NUMBERS] & (1 << THREAD_SHIFT) - 1);
  }

  /**
   * {@return the number of the buffer of an allocation or a free}
   *
   * @param operation its number, from 0
   */
  public int buffer(int operation) {
    return numbers[operation * NUMBERS + 1];
  }

  /**
   * Writes the number of threads and of buffers, the threads ({@code 4 * id} and 1 for event loops,
   * 2 for virtual threads) and the operations, three numbers each.
   *
   * @param out gets the numbers
   * @throws IOException if it does
   */
  public void writeTo(DataOutput out) throws IOException {
    out.writeInt(threads.size());
    out.writeInt(bufferCount);
    int[] kinds = new int[threads.size()];
    threads.forEach((id, index) ->
        kinds[index] =
            id.intValue() << THREAD_SHIFT
                | (eventLoops.contains(id)
                    ? EVENT_LOOP
                    : virtualThreads.contains(id) ? VIRTUAL : 0));
    for (int kind : kinds) {
      out.writeInt(kind);
    }
    for (int i = 0; i < count * NUMBERS; i++) {
      out.writeInt(numbers[i]);
    }
  }
}
