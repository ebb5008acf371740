package dev.stowage.trace.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import jdk.jfr.Recording;

/**
 * A program that uses Netty's buffers: a workload in a virtual machine of its own, whose arguments
 * select the allocator. It prints the direct memory that Netty's metric shows.
 *
 * <p>All workloads but the concurrent ones hand a turn from thread to thread, so that each run has
 * the same order of operations. The requests do not depend on the allocator.
 */
final class NettyProgram {

  private static final int KIB = 1 << 10;

  /** The events of a recording. */
  private static final List<String> EVENTS =
      List.of("AllocateBuffer", "FreeBuffer", "ReallocateBuffer", "AllocateChunk", "FreeChunk");

  /** The facts of a recording. */
  private static final List<String> FACTS =
      List.of("GCHeapConfiguration", "IntFlag", "UnsignedLongFlag");

  /** The facts about the machine, which examples of guides do not need. */
  private static final List<String> FACTS_OF_MACHINE =
      List.of("InitialSystemProperty", "CPUInformation", "ContainerConfiguration");

  private final ByteBufAllocator allocator = ByteBufAllocator.DEFAULT;
  private final Random random;
  private final List<EventExecutor> loops = new ArrayList<>();
  private final List<ExecutorService> plainThreads = new ArrayList<>();
  private final List<ByteBuf> older = new ArrayList<>();
  private volatile long peakBytes;

  private NettyProgram(long seed) {
    random = new Random(seed);
  }

  /**
   * Runs a workload.
   *
   * @param args its name, the seed of its sizes, and perhaps the file of a recording
   */
  public static void main(String[] args) throws Exception {
    NettyProgram program = new NettyProgram(Long.parseLong(args[1]));
    try (Recording recording = new Recording()) {
      if (args[0].equals("kinds")) {
        program.older.add(program.allocate(300));
      }
      if (args.length > 2) {
        EVENTS.forEach(event -> recording.enable("io.netty." + event).withoutStackTrace());
        FACTS.forEach(event -> recording.enable("jdk." + event));
        if (!args[0].equals("example")) {
          FACTS_OF_MACHINE.forEach(event -> recording.enable("jdk." + event));
        }
        recording.start();
      }
      program.run(args[0]);
      System.out.println(program.peakBytes + " " + program.usedBytes());
      if (args.length > 2) {
        recording.stop();
        recording.dump(Path.of(args[2]));
      }
    }
    System.exit(0); // the threads of event loops wait for more work
  }

  private void run(String workload) throws Exception {
    switch (workload) {
      case "kinds" -> kinds();
      case "small" -> live(2, 100, 300, () -> 64 + random.nextInt(960));
      case "mixed" -> live(8, 100, 150, () -> (int) (16 * Math.pow(2, 12 * random.nextDouble())));
      case "large" -> live(4, 60, 6, () -> (256 << random.nextInt(3)) * KIB - random.nextInt(KIB));
      case "odd" -> live(4, 150, 40, () -> 17 * KIB + random.nextInt(400 * KIB));
      case "growing" -> growing();
      case "handed" -> handed();
      case "longAndShort" -> longAndShort();
      case "bursts" -> bursts(12, 7 << 20, 1 * KIB, 2 * KIB, 4 * KIB, 8 * KIB, 16 * KIB);
      case "example" -> bursts(6, 1 << 20, 4 * KIB, 16 * KIB);
      case "plain" -> plain();
      case "concurrent" -> concurrent(4, this::loop);
      case "plainConcurrent" -> concurrent(6, this::plainThread);
      default -> throw new IllegalArgumentException(workload);
    }
  }

  private long usedBytes() {
    return ((ByteBufAllocatorMetricProvider) allocator).metric().usedDirectMemory();
  }

  private synchronized void sample() {
    peakBytes = Math.max(peakBytes, usedBytes());
  }

  private ByteBuf allocate(int bytes) {
    ByteBuf buffer = allocator.directBuffer(bytes);
    sample();
    return buffer;
  }

  private EventExecutor loop(int index) {
    while (loops.size() <= index) {
      loops.add(new DefaultEventExecutor());
    }
    return loops.get(index);
  }

  private ExecutorService plainThread(int index) {
    while (plainThreads.size() <= index) {
      plainThreads.add(Executors.newSingleThreadExecutor());
    }
    return plainThreads.get(index);
  }

  /** Runs code in a thread, and waits for its end. */
  private void turn(int index, Runnable code) throws Exception {
    loop(index).submit(code).get();
  }

  /** Sizes of buffers. */
  private interface Sizes {

    int next();
  }

  /** Buffers of all kinds, and one that is older than the recording. */
  private void kinds() {
    ByteBuf buffer = allocate(700);
    buffer.capacity(5000);
    allocate(0).release();
    allocator.heapBuffer(100).release();
    allocator.heapBuffer(100).capacity(500).release();
    buffer.release();
    older.forEach(ByteBuf::release);
  }

  /** Threads take turns; each holds up to a number of buffers, and frees them in any order. */
  private void live(int threads, int turns, int most, Sizes sizes) throws Exception {
    List<List<ByteBuf>> held = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      held.add(new ArrayList<>());
    }
    for (int turn = 0; turn < turns; turn++) {
      for (int i = 0; i < threads; i++) {
        List<ByteBuf> own = held.get(i);
        turn(i, () -> step(own, most, sizes));
      }
    }
  }

  private void step(List<ByteBuf> own, int most, Sizes sizes) {
    int target = random.nextInt(most + 1);
    while (own.size() < target) {
      own.add(allocate(sizes.next()));
    }
    while (own.size() > target) {
      own.remove(random.nextInt(own.size())).release();
    }
  }

  /** Buffers double their capacity, as those of messages that arrive in parts. */
  private void growing() throws Exception {
    List<List<ByteBuf>> held = new ArrayList<>();
    for (int turn = 0; turn < 200; turn++) {
      for (int i = 0; i < 4; i++) {
        if (turn == 0) {
          held.add(new ArrayList<>());
        }
        List<ByteBuf> own = held.get(i);
        turn(
            i,
            () -> {
              ByteBuf buffer = allocate(256);
              for (int bytes = 512 << random.nextInt(9); buffer.capacity() < bytes; ) {
                buffer.capacity(2 * buffer.capacity());
                sample();
              }
              own.add(buffer);
              if (own.size() > 40) {
                own.remove(random.nextInt(own.size())).release();
              }
            });
      }
    }
  }

  /** One thread allocates, and others release. */
  private void handed() throws Exception {
    ArrayDeque<ByteBuf> queue = new ArrayDeque<>();
    for (int turn = 0; turn < 400; turn++) {
      turn(
          0,
          () -> {
            for (int count = random.nextInt(60); count > 0; count--) {
              queue.add(allocate(100 + random.nextInt(16_000)));
            }
          });
      turn(
          1 + turn % 3,
          () -> {
            for (int count = random.nextInt(60); count > 0 && !queue.isEmpty(); count--) {
              queue.remove().release();
            }
          });
    }
  }

  /** A tenth of the buffers stays for long. */
  private void longAndShort() throws Exception {
    ArrayDeque<ByteBuf> kept = new ArrayDeque<>();
    for (int turn = 0; turn < 600; turn++) {
      turn(
          turn % 3,
          () -> {
            List<ByteBuf> ended = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
              ByteBuf buffer = allocate(32 + random.nextInt(8 * KIB));
              if (random.nextInt(10) == 0) {
                kept.add(buffer);
              } else {
                ended.add(buffer);
              }
            }
            ended.forEach(ByteBuf::release);
            while (kept.size() > 1500) {
              kept.remove().release();
            }
          });
    }
  }

  /** Threads have bursts of messages one after the other: what one frees, others cannot use. */
  private void bursts(int threads, int burstBytes, int... sizes) throws Exception {
    for (int i = 0; i < threads; i++) {
      for (int bytes : sizes) {
        turn(
            i,
            () -> {
              List<ByteBuf> burst = new ArrayList<>();
              for (int total = 0; total < burstBytes; total += bytes) {
                burst.add(allocate(bytes));
              }
              burst.forEach(ByteBuf::release);
              sample();
            });
      }
    }
  }

  /** Threads that are not event loops. */
  private void plain() throws Exception {
    List<List<ByteBuf>> held = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      held.add(new ArrayList<>());
    }
    for (int turn = 0; turn < 150; turn++) {
      for (int i = 0; i < held.size(); i++) {
        List<ByteBuf> own = held.get(i);
        plainThread(i)
            .submit(() -> step(own, 120, () -> (int) (16 * Math.pow(2, 13 * random.nextDouble()))))
            .get();
      }
    }
  }

  /** Threads that run at the same time, and wait for each other after each turn. */
  private void concurrent(int threads, IntFunction<ExecutorService> thread) throws Exception {
    List<Random> randoms = new ArrayList<>();
    List<List<ByteBuf>> held = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      randoms.add(new Random(random.nextLong()));
      held.add(new ArrayList<>());
    }
    for (int turn = 0; turn < 40; turn++) {
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        Random own = randoms.get(i);
        List<ByteBuf> buffers = held.get(i);
        int target = random.nextInt(1000);
        ends.add(thread.apply(i).submit(() -> step(buffers, target, own)));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    }
  }

  private void step(List<ByteBuf> own, int target, Random sizes) {
    while (own.size() < target) {
      own.add(allocate((int) (16 * Math.pow(2, 14 * sizes.nextDouble()))));
    }
    while (own.size() > target) {
      own.remove(sizes.nextInt(own.size())).release();
    }
  }
}
