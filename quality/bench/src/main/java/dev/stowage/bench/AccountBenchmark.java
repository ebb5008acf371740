package dev.stowage.bench;

import dev.stowage.allocator.MemoryAccount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * The time of a charge and its end: alone, and if 1,000 virtual threads wait for a full account.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@State(Scope.Benchmark)
public class AccountBenchmark {

  private static final Duration TIMEOUT = Duration.ofDays(1);

  private final MemoryAccount root = MemoryAccount.root("root", 1 << 30);
  private final MemoryAccount child = root.child("child", 0, 1 << 20);
  private final MemoryAccount small = root.child("small", 0, 10);

  /** A charge to an account without a parent. */
  @Benchmark
  public void chargeRoot() {
    root.charge(100, "run").close();
  }

  /** A charge to a child. */
  @Benchmark
  public void chargeChild() {
    child.charge(100, "run").close();
  }

  /** A charge of each of 1,000 virtual threads, which wait until a full account has room. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public void chargeFullAccount() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    try (MemoryAccount.Charge _ = small.charge(10, "all")) {
      for (int i = 0; i < 1_000; i++) {
        threads.add(Thread.startVirtualThread(this::chargeSmall));
      }
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void chargeSmall() {
    try {
      small.charge(1, "run", TIMEOUT).close();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
