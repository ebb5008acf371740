package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/**
 * Eight threads on an allocator, a pool of host memory and a pool of device memory, with injected
 * faults: refusing devices, failing calls, interrupts, changes of limits, and closes.
 *
 * <p>It is no part of {@code verify}. {@code ./mvnw -Dquick -pl devices/testkit -am test
 * -Dtest=PoolSoak -Dsurefire.failIfNoSpecifiedTests=false -Dsoak.seconds=600} runs it for ten
 * minutes. A failure names the seed of its round; {@code -Dsoak.seed} starts with that round.
 */
class PoolSoak {

  private static final int THREADS = 8;

  /** The faults and results, by name. */
  static final class Counts {

    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    void count(String name) {
      counts.computeIfAbsent(name, _ -> new LongAdder()).increment();
    }

    @Override
    public String toString() {
      return new TreeMap<>(counts).toString();
    }
  }

  /** One object that eight threads use. */
  interface Subject {

    /** {@return a new participant, which one thread uses} */
    Participant participant(Random random);

    /** Checks that nothing is lost, after all threads have ended. */
    void end() throws Exception;
  }

  /** The part of one thread. */
  interface Participant {

    /** Does one operation and {@return false if the subject is closed} */
    boolean step() throws InterruptedException;

    /** Returns all memory of this thread. */
    void end();
  }

  @Test
  void anyOperations_withFaults_nothingIsLost() throws Exception {
    Counts counts = new Counts();
    long nanos = Duration.ofSeconds(Long.getLong("soak.seconds", 5)).toNanos();
    long start = System.nanoTime();
    long next = start;
    long seed = Long.getLong("soak.seed", 0);
    while (System.nanoTime() - start < nanos) {
      round(seed, counts);
      if (System.nanoTime() - next >= 0) {
        print(start, seed, counts);
        next += Duration.ofSeconds(60).toNanos();
      }
      seed++;
    }
    print(start, seed, counts);
  }

  @SuppressWarnings("SystemOut") // the report of a run of minutes
  private static void print(long start, long seed, Counts counts) {
    long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
    System.out.println(
        String.format(Locale.ROOT, "soak: %d s, round %d, %s", seconds, seed, counts));
  }

  private static void round(long seed, Counts counts) throws Exception {
    Random random = new Random(seed);
    Subject subject =
        switch ((int) (seed % 3)) {
          case 0 -> new AllocatorSubject(random, counts);
          case 1 -> new MemoryPoolSubject(random, counts);
          default -> new DevicePoolSubject(random, counts);
        };
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    CountDownLatch left = new CountDownLatch(THREADS);
    boolean isVirtual = random.nextInt(4) == 0;
    for (int i = 0; i < THREADS; i++) {
      Random ofThread = new Random(random.nextLong());
      Thread.Builder builder = isVirtual ? Thread.ofVirtual() : Thread.ofPlatform();
      threads.add(
          builder.unstarted(() -> {
            try {
              run(subject, ofThread, counts);
            } catch (Throwable failure) {
              failures.add(failure);
            } finally {
              left.countDown();
            }
          }));
    }
    threads.forEach(Thread::start);
    while (!left.await(200, TimeUnit.MICROSECONDS)) {
      threads.get(random.nextInt(THREADS)).interrupt();
      counts.count("interrupts");
    }
    for (Thread thread : threads) {
      thread.join();
    }
    if (!failures.isEmpty()) {
      throw new AssertionError("seed " + seed, failures.peek());
    }
    try {
      subject.end();
    } catch (Throwable failure) {
      throw new AssertionError("seed " + seed, failure);
    }
    counts.count("rounds");
    assertThat(failures).isEmpty();
  }

  private static void run(Subject subject, Random random, Counts counts) {
    Participant participant = subject.participant(random);
    int steps = 300 + random.nextInt(3000);
    try {
      for (int i = 0; i < steps; i++) {
        try {
          if (!participant.step()) {
            return;
          }
          counts.count("operations");
        } catch (InterruptedException interrupted) {
          counts.count("interrupted waits");
        }
      }
    } finally {
      boolean interrupted = Thread.interrupted();
      participant.end();
      if (interrupted) {
        counts.count("interrupted ends");
      }
    }
  }
}
