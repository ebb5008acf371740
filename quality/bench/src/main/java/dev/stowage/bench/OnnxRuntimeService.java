package dev.stowage.bench;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import com.sun.management.OperatingSystemMXBean;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.onnxruntime.OnnxRuntimeAllocator;
import dev.stowage.onnxruntime.OnnxRuntimeOptions;
import dev.stowage.onnxruntime.OnnxRuntimeReport;
import dev.stowage.onnxruntime.RunPermit;
import dev.stowage.onnxruntime.SessionLimits;
import dev.stowage.onnxruntime.SessionMemory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;

/**
 * A service of 16 threads without a limit, and under a limit with admission, in turn. It prints a
 * table in Markdown.
 *
 * <p>Arguments: the number of runs of each part (400), the number of rounds (5), how many of the
 * largest runs fit into the limit (4), and a model of the form {@code FILE:DIMENSION} in place of
 * the generated one; see {@link SequenceModel}. {@code limited} or {@code unlimited} as the last
 * argument leaves out the other services, for example to run one under a limit of the system.
 *
 * <p>The order of the services is reversed from round to round. The last lines have the medians.
 */
public final class OnnxRuntimeService {

  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private static final int THREADS = 16;
  private static final int WIDTH = 256;
  private static final int LENGTHS = 50;
  private static final int LENGTH_STEP = 16;
  private static final int LOADING_BYTES = 4 << 20;

  /** More than any run uses. */
  private static final int ANY_RUN_BYTES = 64 << 20;

  private static final Duration NO_WAIT = Duration.ZERO;
  private static final Duration LONG = Duration.ofHours(1);

  private final SequenceModel model;

  /** The largest peak of a run, by length. */
  private final long[] peakBytes = new long[LENGTHS + 1];

  private final int runs;
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicLong openAtStarts = new AtomicLong();
  private final AtomicLong alone = new AtomicLong();
  private final AtomicLong switches = new AtomicLong();

  private OnnxRuntimeService(SequenceModel model, int runs) {
    this.model = model;
    this.runs = runs;
  }

  /** A part of the measurement: its name, the options of the memory, and the bytes of a run. */
  private record Part(String name, OnnxRuntimeOptions options, Bytes bytes) {}

  /** The way in which a run is admitted. */
  private interface Bytes {
    RunPermit admit(SessionMemory memory, int length) throws InterruptedException;
  }

  /**
   * The result of a part.
   *
   * @param runsPerSecond the runs in a second of elapsed time
   * @param cpuMillis the CPU time of the process for a run
   * @param admitted the mean number of open permits when a run starts
   * @param alone the share of runs that start without another open permit
   * @param switches the context switches of the threads for a run
   */
  private record Times(
      double runsPerSecond,
      double cpuMillis,
      double admitted,
      double alone,
      double switches,
      OnnxRuntimeReport report) {}

  /**
   * Runs the service and prints the table.
   *
   * @param arguments the arguments
   */
  public static void main(String... arguments) throws Exception {
    List<String> words = new ArrayList<>(Arrays.asList(arguments));
    int runs = words.isEmpty() ? 400 : Integer.parseInt(words.removeFirst());
    int rounds = words.isEmpty() ? 5 : Integer.parseInt(words.removeFirst());
    int admitted = words.isEmpty() ? 4 : Integer.parseInt(words.removeFirst());
    List<SequenceModel> files = SequenceModel.among(words);
    SequenceModel model = files.isEmpty() ? SequenceModel.generated(WIDTH) : files.getFirst();
    new OnnxRuntimeService(model, runs)
        .compare(rounds, admitted, !words.contains("limited"), !words.contains("unlimited"));
  }

  private void compare(int rounds, int admitted, boolean isUnlimited, boolean isLimited)
      throws Exception {
    OnnxRuntimeOptions unlimited = OnnxRuntimeOptions.of(BfcOptions.expandable());
    measurePeaks(unlimited);
    long largest = Arrays.stream(peakBytes).max().orElseThrow();
    // The default reserve is an eighth of the limit.
    long limitBytes = (LOADING_BYTES + admitted * largest) * 8 / 7;
    OnnxRuntimeOptions limited =
        OnnxRuntimeOptions.of(BfcOptions.expandable().withLimit(limitBytes));
    List<Part> parts = new ArrayList<>();
    if (isUnlimited) {
      parts.add(
          new Part(
              "no limit", unlimited, (memory, length) -> memory.admit(peakBytes[length], NO_WAIT)));
    }
    if (isLimited) {
      parts.add(
          new Part(
              "limit, declared bytes",
              limited,
              (memory, length) -> memory.admit(peakBytes[length], LONG)));
      parts.add(new Part("limit, estimates", limited, (memory, _) -> memory.admit(LONG)));
    }
    System.out.println(
        String.format(
            Locale.ROOT,
            "limit %,d bytes; largest run %,d bytes; %d threads; %d runs",
            limitBytes,
            largest,
            THREADS,
            runs));
    System.out.println(
        "| round | service | runs/s | ratio | CPU ms/run | admitted | alone | switches/run | peak reserved | overruns | refused |");
    System.out.println("|---|---|---|---|---|---|---|---|---|---|---|");
    Map<Part, List<Times>> all = new LinkedHashMap<>();
    parts.forEach(part -> all.put(part, new ArrayList<>()));
    for (int round = 0; round <= rounds; round++) {
      Map<Part, Times> ofRound = new LinkedHashMap<>();
      for (Part part : round % 2 == 0 ? parts : parts.reversed()) {
        ofRound.put(part, run(part, largest));
      }
      double base = Objects.requireNonNull(ofRound.get(parts.getFirst())).runsPerSecond();
      for (Part part : parts) {
        Times times = Objects.requireNonNull(ofRound.get(part));
        print(round, part, times, base);
        if (round > 0) {
          Objects.requireNonNull(all.get(part)).add(times);
        }
      }
    }
    if (rounds > 0) {
      all.forEach((part, times) -> printMedians(part, times, all.values().iterator().next()));
    }
  }

  /** Prints the ratio to the first service, and the goal: 0.9 of the cores that runs can use. */
  private static void printMedians(Part part, List<Times> times, List<Times> base) {
    int cores = Runtime.getRuntime().availableProcessors();
    double admitted = median(times, Times::admitted);
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < times.size(); round++) {
      ratios.add(times.get(round).runsPerSecond() / base.get(round).runsPerSecond());
    }
    Collections.sort(ratios);
    System.out.println(
        String.format(
            Locale.ROOT,
            "%s: ratio %.3f (%.3f to %.3f), goal %.3f = 0.9 x min(1, %.1f admitted / %d cores); %.2f CPU ms and %.1f context switches for a run; alone %.3f",
            part.name(),
            ratios.get(ratios.size() / 2),
            ratios.getFirst(),
            ratios.getLast(),
            0.9 * Math.min(1, admitted / cores),
            admitted,
            cores,
            median(times, Times::cpuMillis),
            median(times, Times::switches),
            median(times, Times::alone)));
  }

  private static double median(List<Times> times, ToDoubleFunction<Times> value) {
    return times.stream().mapToDouble(value).sorted().toArray()[times.size() / 2];
  }

  private static void print(int round, Part part, Times times, double base) {
    OnnxRuntimeReport report = times.report();
    System.out.println(
        String.format(
            Locale.ROOT,
            "| %s | %s | %.1f | %.3f | %.1f | %.1f | %.3f | %.1f | %,d | %d | %d |",
            round == 0 ? "warm-up" : "" + round,
            part.name(),
            times.runsPerSecond(),
            times.runsPerSecond() / base,
            times.cpuMillis(),
            times.admitted(),
            times.alone(),
            times.switches(),
            report.memory().statistics().peakReservedBytes(),
            report.sessions().getFirst().runs().overruns(),
            report.overflow().refusedRequests()));
  }

  private void measurePeaks(OnnxRuntimeOptions options) throws Exception {
    with(
        options,
        1,
        (session, memory) -> {
          SequenceInputs inputs = inputs(session);
          // From the second run of a length on, ONNX Runtime requests memory differently.
          for (int run = 0; run < 3 * LENGTHS; run++) {
            int length = run % LENGTHS + 1;
            try (RunPermit permit = memory.admit(ANY_RUN_BYTES, NO_WAIT)) {
              runOnce(session, inputs, permit, length);
              peakBytes[length] = Math.max(peakBytes[length], permit.peakBytes());
            }
          }
        });
  }

  private Times run(Part part, long largest) throws Exception {
    double[] seconds = new double[1];
    double[] cpuMillis = new double[1];
    open.set(0);
    openAtStarts.set(0);
    alone.set(0);
    switches.set(0);
    OnnxRuntimeReport report =
        with(
            part.options(),
            largest,
            (session, memory) -> {
              long startCpu = PROCESS.getProcessCpuTime();
              long start = System.nanoTime();
              runInThreads(session, memory, part.bytes());
              seconds[0] = (System.nanoTime() - start) / 1e9;
              cpuMillis[0] = (PROCESS.getProcessCpuTime() - startCpu) / 1e6;
            });
    return new Times(
        runs / seconds[0],
        cpuMillis[0] / runs,
        openAtStarts.get() / (double) runs,
        alone.get() / (double) runs,
        switches.get() / (double) runs,
        report);
  }

  private void runInThreads(OrtSession session, SessionMemory memory, Bytes bytes)
      throws Exception {
    SequenceInputs inputs = inputs(session);
    AtomicInteger next = new AtomicInteger();
    try (ExecutorService executor = Executors.newFixedThreadPool(THREADS)) {
      List<Future<Void>> threads = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        threads.add(
            executor.submit(() -> {
              long before = contextSwitches();
              for (int run = next.getAndIncrement(); run < runs; run = next.getAndIncrement()) {
                int length = 1 + new Random(run).nextInt(LENGTHS);
                try (RunPermit permit = bytes.admit(memory, length)) {
                  int count = open.incrementAndGet();
                  openAtStarts.addAndGet(count);
                  alone.addAndGet(count == 1 ? 1 : 0);
                  runOnce(session, inputs, permit, length);
                  open.decrementAndGet();
                }
              }
              switches.addAndGet(contextSwitches() - before);
              return null;
            }));
      }
      for (Future<Void> thread : threads) {
        thread.get();
      }
    }
  }

  /** {@return the context switches of this thread until now; 0 on other systems than Linux} */
  private static long contextSwitches() throws IOException {
    Path status = Path.of("/proc/thread-self/status");
    return !Files.exists(status)
        ? 0
        : Files.readAllLines(status).stream()
            .filter(line -> line.contains("ctxt_switches"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
            .sum();
  }

  private SequenceInputs inputs(OrtSession session) throws OrtException {
    return new SequenceInputs(session, model.dimension(), LENGTHS * LENGTH_STEP);
  }

  private static void runOnce(
      OrtSession session, SequenceInputs inputs, RunPermit permit, int length) throws OrtException {
    Map<String, OnnxTensor> tensors = inputs.ofLength(length * LENGTH_STEP);
    try (OrtSession.Result _ = permit.call(() -> session.run(tensors))) {
      // The result is the work.
    } finally {
      tensors.values().forEach(OnnxTensor::close);
    }
  }

  private interface Work {
    void run(OrtSession session, SessionMemory memory) throws Exception;
  }

  private OnnxRuntimeReport with(OnnxRuntimeOptions memory, long estimateBytes, Work work)
      throws Exception {
    try (HostMemory host = HostMemory.open();
        OnnxRuntimeAllocator allocator = OnnxRuntimeAllocator.register("service", host, memory);
        SessionMemory sessionMemory =
            allocator.openSession("model", SessionLimits.none().withEstimate(estimateBytes));
        OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      allocator.configure(options);
      options.setIntraOpNumThreads(1);
      options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_ERROR);
      try (OrtSession session =
          sessionMemory.load(
              LOADING_BYTES,
              NO_WAIT,
              () -> OrtEnvironment.getEnvironment().createSession(model.bytes(), options))) {
        work.run(session, sessionMemory);
        return allocator.report();
      }
    }
  }
}
