package dev.stowage.onnxruntime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.testing.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs of random programs, admitted with the bytes that they need alone, in any interleaving. */
class RunRangeRandomTest {

  private static final long LIMIT_BYTES = 1 << 20;
  private static final long LARGEST_BYTES = 40_000;

  /** A step of a program: bytes to allocate, or the step whose allocation is freed, minus 1. */
  private record Program(List<Long> steps, long extentBytes) {}

  /** A run with the addresses of its allocations by their steps. */
  private static final class Running {
    private final Program program;
    private final RunAccount account;
    private final Map<Integer, Long> addresses = new HashMap<>();
    private int next;

    Running(Program program, RunAccount account) {
      this.program = program;
      this.account = account;
    }
  }

  static LongStream seeds() {
    return Seeds.of(100);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void programsAdmittedWithTheirExtents_inAnyOrder_needNothingElse(long seed) throws Exception {
    Random random = new Random(seed);
    List<Program> programs = new ArrayList<>();
    for (int index = 0; index < 6; index++) {
      programs.add(program(random));
    }
    try (HostMemory host = HostMemory.open()) {
      EngineMemory memory =
          new EngineMemory(
              "seed " + seed,
              host.newSubAllocator(),
              OnnxRuntimeOptions.of(BfcOptions.expandable().withLimit(LIMIT_BYTES)).withReserve(0),
              Optional::empty);
      SessionAccount session = memory.admission().open("a", SessionLimits.none());
      List<Running> running = new ArrayList<>();
      for (int step = 0; step < 1_000; step++) {
        if (running.isEmpty() || random.nextInt(10) == 0) {
          admit(programs.get(random.nextInt(programs.size())), memory, session, running);
        } else {
          advance(running.get(random.nextInt(running.size())), memory, session, running);
        }
        if (step % 50 == 0) {
          memory.checkInvariants();
        }
      }
      while (!running.isEmpty()) {
        advance(running.getFirst(), memory, session, running);
      }
      memory.checkInvariants();
      memory.throwFailures();
      SessionUsage usage = session.usage();
      assertThat(usage.runs().overruns()).isZero();
      assertThat(usage.refusedRequests()).isZero();
      assertThat(usage.bytes().inUse()).isZero();
      assertThat(usage.bytes().charged()).isZero();
      assertThat(memory.statistics().bytesInUse()).isZero();
      assertThat(memory.statistics().peakReservedBytes()).isLessThanOrEqualTo(LIMIT_BYTES);
      memory.closeSession(session);
      memory.close(() -> {});
    }
  }

  private static Program program(Random random) {
    List<Long> steps = new ArrayList<>();
    List<Integer> live = new ArrayList<>();
    int count = 2 + random.nextInt(20);
    for (int step = 0; step < count || !live.isEmpty(); step++) {
      boolean allocates = step < count && (live.isEmpty() || random.nextInt(3) > 0);
      if (allocates) {
        steps.add(1 + random.nextLong(LARGEST_BYTES >> random.nextInt(8)));
        live.add(step);
      } else {
        int freed = live.get(random.nextInt(live.size()));
        live.remove(Integer.valueOf(freed));
        steps.add(-1L - freed);
      }
    }
    return new Program(steps, extent(steps));
  }

  /** {@return the bytes of the range that a program needs alone} */
  private static long extent(List<Long> steps) {
    RunRange range = new RunRange(1 << 20, 1 << 30);
    Map<Integer, Long> addresses = new HashMap<>();
    for (int step = 0; step < steps.size(); step++) {
      long bytes = steps.get(step);
      if (bytes > 0) {
        addresses.put(step, range.allocate(bytes).orElseThrow());
      } else {
        range.free(addresses.getOrDefault((int) (-1 - bytes), 0L));
      }
    }
    return range.extentBytes();
  }

  private static void admit(
      Program program, EngineMemory memory, SessionAccount session, List<Running> running)
      throws InterruptedException {
    try {
      running.add(
          new Running(
              program, memory.admission().admit(session, program.extentBytes(), Duration.ZERO)));
    } catch (AdmissionException rejected) {
      assertThat(running).isNotEmpty(); // other runs hold the bytes
    }
  }

  private static void advance(
      Running run, EngineMemory memory, SessionAccount session, List<Running> running) {
    int step = run.next++;
    long bytes = run.program.steps().get(step);
    if (bytes > 0) {
      run.addresses.put(
          step, memory.admission().call(run.account, () -> memory.allocate(session, bytes)));
    } else {
      memory.free(run.addresses.getOrDefault((int) (-1 - bytes), 0L));
    }
    if (run.next == run.program.steps().size()) {
      assertThat(run.account.peakBytes()).isEqualTo(run.program.extentBytes());
      memory.closeRun(run.account);
      running.remove(run);
    }
  }
}
