package dev.stowage.cli.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.lang.reflect.Field;
import java.nio.IntBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/**
 * A process that replays the buffers of a recording in the Netty on its class path: each operation
 * on a thread of the recorded kind, one after the other.
 */
final class BufferReplay {

  /*
   * Each recorded thread is an executor with one thread. It runs operations until the next one belongs
   * to another thread. The main thread waits for it, and for the threads that end.
   *
   * NettyScript describes the numbers of the script.
   */

  /** An allocation or a free in the recording of a process with Netty, after it ended. */
  @Name(Call.NAME)
  @StackTrace(false)
  static final class Call extends Event {

    static final String NAME = "dev.stowage.NettyCall";

    /** The address of an allocated buffer, or -1 if it was refused. */
    long address;

    /** The address of its chunk; 0 if only the events of chunks have it. */
    long chunk;

    /**
     * The bytes of the buffer after rounding; for a refused buffer, the bytes of the chunk it
     * needs.
     */
    long bytes;
  }

  /** The exit code if the replay failed, or if the command ended first. */
  private static final int FAILED = 1;

  private static final int NUMBERS = 3;
  private static final int THREAD_SHIFT = 2;
  private static final int KIND_MASK = (1 << THREAD_SHIFT) - 1;
  private static final int FREE = 1;
  private static final int END = 2;
  private static final int GROW = 3;

  private static final int EVENT_LOOP = 1;
  private static final int VIRTUAL = 2;

  /** The lowest bits of the id of a thread. The adaptive allocator chooses a magazine by them. */
  private static final int ID_MASK = 0xFF;

  /** The time after which the main thread looks for progress again. */
  private static final long CHECK_SECONDS = 30;

  /** The bytes that an {@code OutOfDirectMemoryError} could not get. */
  private static final Pattern REFUSED = Pattern.compile("allocate (\\d+) byte");

  private final ByteBufAllocator allocator = ByteBufAllocator.DEFAULT;
  private final Field offset;
  private final int[] kinds;
  private final IntBuffer operations;
  private final int count;

  /** The buffers; null before the allocation, and if it was refused. */
  private final @Nullable ByteBuf[] buffers;

  private final @Nullable Thread[] threads;
  private final @Nullable ExecutorService[] executors;
  private final AtomicInteger next = new AtomicInteger();

  private BufferReplay(IntBuffer script) throws ReflectiveOperationException {
    offset = Class.forName("io.netty.buffer.PooledByteBuf").getDeclaredField("offset");
    offset.setAccessible(true);
    kinds = new int[script.get()];
    buffers = new ByteBuf[script.get()];
    script.get(kinds);
    operations = script.slice();
    count = operations.remaining() / NUMBERS;
    threads = new Thread[kinds.length];
    executors = new ExecutorService[kinds.length];
  }

  /**
   * Replays operations.
   *
   * @param args the file of the operations, and one for a recording of the calls and chunks
   */
  public static void main(String[] args) {
    ProcessHandle.current()
        .parent()
        .ifPresent(command -> {
          var _ = command.onExit().thenRun(() -> Runtime.getRuntime().halt(FAILED));
        });
    int exitCode = 0;
    try (FileChannel in = FileChannel.open(Path.of(args[0]));
        Recording recording = new Recording()) {
      BufferReplay replay = new BufferReplay(in.map(MapMode.READ_ONLY, 0, in.size()).asIntBuffer());
      recording.enable("io.netty.AllocateChunk").withoutStackTrace();
      recording.enable("io.netty.FreeChunk").withoutStackTrace();
      recording.enable(Call.class);
      recording.start();
      replay.run();
      recording.stop();
      recording.dump(Path.of(args[1]));
    } catch (Exception | Error e) {
      System.err.println(e);
      exitCode = FAILED;
    }
    // Threads of the replay do not keep the process alive.
    System.exit(exitCode);
  }

  /**
   * Runs all operations.
   *
   * @throws IllegalStateException if one fails, or does not end
   */
  private void run() throws InterruptedException {
    while (next.get() < count) {
      int thread = thread();
      if (kind() == END) {
        end(thread);
        next.incrementAndGet();
      } else {
        if (executors[thread] == null) {
          executors[thread] = executor(thread);
        }
        await(Objects.requireNonNull(executors[thread]).submit(this::work));
      }
    }
  }

  private void await(Future<?> work) throws InterruptedException {
    int seen = -1;
    boolean isDone = false;
    while (!isDone) {
      try {
        work.get(CHECK_SECONDS, TimeUnit.SECONDS);
        isDone = true;
      } catch (TimeoutException e) {
        if (next.get() == seen) {
          throw new IllegalStateException("stands still at operation " + seen + " of " + count, e);
        }
        seen = next.get();
      } catch (ExecutionException e) {
        throw new IllegalStateException(
            "operation " + next + " of " + count + ": " + e.getCause(), e);
      }
    }
  }

  private int number(int index) {
    return operations.get(next.get() * NUMBERS + index);
  }

  private int kind() {
    return number(0) & KIND_MASK;
  }

  private int thread() {
    return number(0) >>> THREAD_SHIFT;
  }

  private ExecutorService executor(int thread) {
    return switch (kinds[thread] & KIND_MASK) {
      case EVENT_LOOP -> new DefaultEventExecutor(withId(thread, FastThreadLocalThread::new));
      case VIRTUAL ->
          Executors.newSingleThreadExecutor(withId(thread, Thread.ofVirtual().factory()));
      default -> Executors.newSingleThreadExecutor(withId(thread, Thread.ofPlatform().factory()));
    };
  }

  /**
   * {@return a factory that makes threads until an id ends with the recorded bits}
   *
   * <p>Ids ascend by one.
   */
  private ThreadFactory withId(int thread, ThreadFactory factory) {
    int id = kinds[thread] >>> THREAD_SHIFT & ID_MASK;
    return work -> {
      Thread made = factory.newThread(work);
      while ((made.threadId() & ID_MASK) != id) {
        made = factory.newThread(work);
      }
      threads[thread] = made;
      return made;
    };
  }

  /** Runs operations until the next one belongs to another thread. */
  private boolean work() throws ReflectiveOperationException {
    int thread = thread();
    while (next.get() < count && thread() == thread && kind() != END) {
      step();
      next.incrementAndGet();
    }
    return next.get() < count;
  }

  /** Waits for the end of a thread, with all that Netty does then. */
  private void end(int ended) throws InterruptedException {
    ExecutorService executor = executors[ended];
    Thread thread = threads[ended];
    if (executor != null && thread != null) {
      executors[ended] = null;
      executor.shutdown();
      thread.join();
    }
  }

  private void step() throws ReflectiveOperationException {
    int buffer = number(1);
    Call event = new Call();
    if (kind() == FREE) {
      ByteBuf freed = buffers[buffer];
      if (freed == null) {
        return;
      }
      buffers[buffer] = null;
      freed.release();
    } else {
      try {
        ByteBuf allocated =
            kind() == GROW
                ? grown(number(NUMBERS + 1), number(2))
                : allocator.directBuffer(number(2));
        buffers[buffer] = allocated;
        event.address = allocated.memoryAddress();
        event.chunk = chunk(allocated);
        event.bytes = allocated.maxFastWritableBytes();
      } catch (OutOfMemoryError e) {
        Matcher bytes = REFUSED.matcher(String.valueOf(e.getMessage()));
        event.address = -1;
        event.bytes = bytes.find() ? Long.parseLong(bytes.group(1)) : number(2);
      }
    }
    event.commit();
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
    buffers[old] = Unpooled.EMPTY_BUFFER; // the memory is free already
    return buffer;
  }

  /**
   * {@return the address of the chunk if a buffer is pooled; else 0}
   *
   * <p>The events of pooled buffers may lack this address.
   */
  private long chunk(ByteBuf buffer) throws ReflectiveOperationException {
    return offset.getDeclaringClass().isInstance(buffer)
        ? buffer.memoryAddress() - offset.getInt(buffer)
        : 0;
  }
}
