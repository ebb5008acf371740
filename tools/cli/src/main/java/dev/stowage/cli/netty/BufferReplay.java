package dev.stowage.cli.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.lang.reflect.Field;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The operations of a recording, each on a thread of the recorded kind, one after the other. */
final class BufferReplay {

  /*
   * One thread has the turn, and runs operations until the next one is of another thread. It wakes
   * that thread and parks. A thread whose last operation is its end gives the turn to the main
   * thread, which waits for the end before it goes on. `turn` publishes all other fields.
   *
   * The operations are groups of three numbers: 4 * thread + kind, buffer, bytes.
   */

  static final int NUMBERS = 3;

  /** The results of an operation: the address of the buffer, that of its chunk, and its bytes. */
  static final int RESULTS = 3;

  private static final int THREAD_SHIFT = 2;
  private static final int FREE = 1;
  private static final int END = 2;
  private static final int GROW = 3;

  private static final int EVENT_LOOP = 1;
  private static final int VIRTUAL = 2;

  /** The lowest bits of the id of a thread, by which the adaptive allocator chooses a magazine. */
  private static final int ID_MASK = 0xFF;

  private static final int MAIN = -1;

  /** The main thread looks for progress as often. */
  private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The number of checks without progress after which the replay stands still. */
  private static final int MOST_CHECKS = 30;

  /** The bytes that an {@code OutOfDirectMemoryError} could not get. */
  private static final Pattern REFUSED = Pattern.compile("allocate (\\d+) byte");

  private final ByteBufAllocator allocator = ByteBufAllocator.DEFAULT;
  private final Class<?> pooled;
  private final Field offset;
  private final Thread main = Thread.currentThread();
  private final int[] kinds;
  private final IntBuffer operations;
  private final LongBuffer results;
  private final int count;
  private final @Nullable ByteBuf[] buffers;
  private final @Nullable Thread[] threads;
  private final @Nullable DefaultEventExecutor[] loops;
  private int next;
  private volatile int turn = MAIN;

  /**
   * @param kinds the threads: {@code 4 * id + kind}
   * @param operations the operations
   * @param results gets the results; of a refused buffer -1, 0 and the bytes of the chunk
   */
  BufferReplay(int[] kinds, int buffers, IntBuffer operations, LongBuffer results)
      throws ReflectiveOperationException {
    pooled = Class.forName("io.netty.buffer.PooledByteBuf");
    offset = pooled.getDeclaredField("offset");
    offset.setAccessible(true);
    this.kinds = kinds;
    this.operations = operations;
    this.results = results;
    count = operations.remaining() / NUMBERS;
    this.buffers = new ByteBuf[buffers];
    threads = new Thread[kinds.length];
    loops = new DefaultEventExecutor[kinds.length];
  }

  /**
   * Runs all operations.
   *
   * @throws IllegalStateException if no operation ends for half a minute
   */
  void run() throws InterruptedException {
    while (next < count) {
      give(thread());
      await();
      if (next < count && kind() == END) {
        end(thread());
        next++;
      }
    }
  }

  private int number(int index) {
    return operations.get(next * NUMBERS + index);
  }

  private int kind() {
    return number(0) & (1 << THREAD_SHIFT) - 1;
  }

  private int thread() {
    return number(0) >>> THREAD_SHIFT;
  }

  private void give(int thread) {
    if (thread == MAIN) {
      turn = MAIN;
      LockSupport.unpark(main);
      return;
    }
    Thread known = threads[thread];
    turn = thread;
    if (known == null) {
      start(thread);
    } else {
      LockSupport.unpark(known);
    }
  }

  private void start(int thread) {
    Runnable work = () -> work(thread);
    int id = kinds[thread] >>> THREAD_SHIFT & ID_MASK;
    switch (kinds[thread] & (1 << THREAD_SHIFT) - 1) {
      case EVENT_LOOP -> {
        ThreadFactory factory = all -> withId(id, () -> new FastThreadLocalThread(all));
        DefaultEventExecutor loop = new DefaultEventExecutor(factory);
        loops[thread] = loop;
        loop.execute(work);
      }
      case VIRTUAL -> withId(id, () -> Thread.ofVirtual().unstarted(work)).start();
      default -> withId(id, () -> Thread.ofPlatform().daemon().unstarted(work)).start();
    }
  }

  /** {@return a new thread whose id ends with the recorded bits: each one takes the next id} */
  private static Thread withId(int id, Supplier<Thread> threads) {
    Thread thread = threads.get();
    while ((thread.threadId() & ID_MASK) != id) {
      thread = threads.get();
    }
    return thread;
  }

  private void await() throws InterruptedException {
    int seen = -1;
    int checks = 0;
    while (turn != MAIN) {
      LockSupport.parkNanos(this, CHECK_NANOS);
      int now = next;
      checks = now == seen ? checks + 1 : 0;
      seen = now;
      if (checks > MOST_CHECKS) {
        throw new IllegalStateException("stands still at operation " + now + " of " + count);
      }
    }
  }

  /** Waits for the end of a thread, with all that Netty does then. */
  private void end(int thread) throws InterruptedException {
    Thread ended = threads[thread];
    DefaultEventExecutor loop = loops[thread];
    if (loop != null) {
      var _ = loop.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS); // its thread is joined below
    }
    if (ended != null) {
      ended.join();
    }
    threads[thread] = null;
    loops[thread] = null;
  }

  private void work(int thread) {
    threads[thread] = Thread.currentThread();
    while (true) {
      while (next < count && thread() == thread) {
        StepEvent event = new StepEvent();
        event.step = next;
        event.commit();
        if (kind() == END) {
          give(MAIN);
          return;
        }
        step();
        next++;
      }
      give(next < count ? thread() : MAIN);
      while (turn != thread) {
        LockSupport.park(this);
      }
    }
  }

  private void step() {
    int buffer = number(1);
    if (kind() == FREE) {
      ByteBuf freed = buffers[buffer];
      buffers[buffer] = null;
      if (freed != null) {
        freed.release();
      }
      return;
    }
    try {
      ByteBuf allocated =
          kind() == GROW
              ? grown(number(NUMBERS + 1), number(2))
              : allocator.directBuffer(number(2));
      buffers[buffer] = allocated;
      put(allocated.memoryAddress(), chunk(allocated), allocated.maxFastWritableBytes());
    } catch (OutOfMemoryError e) {
      Matcher bytes = REFUSED.matcher(String.valueOf(e.getMessage()));
      put(-1, 0, bytes.find() ? Long.parseLong(bytes.group(1)) : number(2));
    }
  }

  /**
   * {@return a buffer with other memory, as Netty moves it}
   *
   * <p>The next operation is the free of its old number. If this Netty would keep the memory, it is
   * freed then: a buffer in the trace has one size.
   */
  private ByteBuf grown(int old, int bytes) {
    ByteBuf buffer = buffers[old];
    if (buffer == null || bytes <= buffer.maxFastWritableBytes()) {
      return allocator.directBuffer(bytes);
    }
    buffer.capacity(bytes);
    buffers[old] = null;
    return buffer;
  }

  private void put(long address, long chunk, long bytes) {
    int first = RESULTS * next;
    results.put(first, address).put(first + 1, chunk).put(first + 2, bytes);
  }

  /** {@return the address of the chunk of a pooled buffer, which its events may lack; else 0} */
  private long chunk(ByteBuf buffer) {
    try {
      return pooled.isInstance(buffer) ? buffer.memoryAddress() - offset.getInt(buffer) : 0;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
