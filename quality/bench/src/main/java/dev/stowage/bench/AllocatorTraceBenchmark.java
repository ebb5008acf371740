package dev.stowage.bench;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time of a history of allocations and frees, repeated on one allocator.
 *
 * <p>Divide it by {@link TraceEvents#count()} for the time of an event.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 1,
    jvmArgs = {
      "-Xmx2g",
      "-XX:MaxDirectMemorySize=64g",
      "--enable-native-access=ALL-UNNAMED",
      "--sun-misc-unsafe-memory-access=allow",
      "--add-opens=java.base/java.nio=ALL-UNNAMED",
      "-Dio.netty.tryReflectionSetAccessible=true",
      "-Dio.netty.leakDetection.level=disabled",
      "-Dslf4j.internal.verbosity=ERROR"
    })
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 50, time = 20, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class AllocatorTraceBenchmark {

  /** The allocator. */
  @Param public Peer peer = Peer.STOWAGE;

  /** A generated history, or the file of a trace. */
  @Param("network-1000")
  public String source = "";

  private PeerAllocator allocator = Peer.STOWAGE.open(0);
  private TraceEvents events = TraceEvents.none();

  /** Reads the history and opens the allocator. */
  @Setup
  public void read() throws IOException {
    events = TraceEvents.of(source);
    allocator = peer.open(events.slotCount());
  }

  /** Runs the history, which starts and ends without live blocks. */
  @Benchmark
  public void replay() {
    events.replay(allocator);
  }
}
