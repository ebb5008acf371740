package dev.stowage.bench;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.onnxruntime.OnnxRuntimeAllocator;
import dev.stowage.onnxruntime.OnnxRuntimeOptions;
import dev.stowage.onnxruntime.RunPermit;
import dev.stowage.onnxruntime.SessionLimits;
import dev.stowage.onnxruntime.SessionMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * The resident memory of two sessions that run in turn on sequences of 200 lengths, a line for each
 * hundred runs.
 *
 * <p>Arguments: {@code own} for ONNX Runtime's arena or {@code stowage}, and {@code patterns} or
 * {@code none} for memory patterns. {@code trims} adds trims, {@code leaks} a leak of 64 KiB in
 * each run, outside the allocator. One or two arguments of the form {@code FILE:DIMENSION} replace
 * the generated models; see {@link SequenceModel}.
 */
public final class OnnxRuntimeLengths {

  private static final int LENGTHS = 200;
  private static final int LENGTH_STEP = 8;
  private static final int RUNS = 1_000;
  private static final int RUNS_PER_LINE = 100;
  private static final int STEADY_RUNS = 200;
  private static final long SEED = 1;
  private static final long LEAK_BYTES = 64 << 10;
  private static final int LOADING_BYTES = 64 << 20;

  /** More than any run uses. */
  private static final int RUN_BYTES = 256 << 20;

  private static final Duration NO_WAIT = Duration.ZERO;

  private static final MethodHandle MALLOC = NativeFunctions.ofProcess().malloc("malloc");

  private final List<String> words;
  private final List<SequenceModel> models;
  private final Random random = new Random(SEED);
  private final List<Integer> lengths = new ArrayList<>();
  private final List<Long> resident = new ArrayList<>();

  private OnnxRuntimeLengths(List<String> words) throws IOException {
    this.words = words;
    List<SequenceModel> files = SequenceModel.among(words);
    models =
        files.isEmpty()
            ? List.of(SequenceModel.generated(256), SequenceModel.generated(384))
            : List.of(files.getFirst(), files.getLast());
  }

  /**
   * Runs the sessions and prints the resident memory.
   *
   * @param arguments the arguments
   */
  public static void main(String... arguments) throws Exception {
    OnnxRuntimeLengths lengths = new OnnxRuntimeLengths(Arrays.asList(arguments));
    if (arguments.length > 0 && arguments[0].equals("own")) {
      lengths.runOnOwnArena();
    } else {
      lengths.runOnStowage();
    }
    lengths.printSummary();
  }

  private OrtSession.SessionOptions options() throws OrtException {
    OrtSession.SessionOptions options = new OrtSession.SessionOptions();
    options.setIntraOpNumThreads(1);
    options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_ERROR);
    options.setMemoryPatternOptimization(words.contains("patterns"));
    return options;
  }

  private OrtSession session(int index, OrtSession.SessionOptions options) throws OrtException {
    return OrtEnvironment.getEnvironment().createSession(models.get(index).bytes(), options);
  }

  private void runOnOwnArena() throws Exception {
    try (OrtSession.SessionOptions options = options();
        OrtSession first = session(0, options);
        OrtSession second = session(1, options)) {
      runAll(first, second, (index, inputs) -> (index == 0 ? first : second).run(inputs).close());
    }
  }

  private void runOnStowage() throws Exception {
    OnnxRuntimeOptions memory =
        OnnxRuntimeOptions.of(BfcOptions.expandable()).withGrowthAlarm(16 << 20);
    try (HostMemory host = HostMemory.open();
        OnnxRuntimeAllocator allocator =
            OnnxRuntimeAllocator.register(
                "bench", host, words.contains("trims") ? memory.withTrims() : memory);
        SessionMemory firstMemory = allocator.openSession("first", SessionLimits.none());
        SessionMemory secondMemory = allocator.openSession("second", SessionLimits.none());
        OrtSession.SessionOptions options = options()) {
      allocator.configure(options);
      try (OrtSession first = firstMemory.load(LOADING_BYTES, NO_WAIT, () -> session(0, options));
          OrtSession second =
              secondMemory.load(LOADING_BYTES, NO_WAIT, () -> session(1, options))) {
        runAll(
            first,
            second,
            (index, inputs) -> {
              try (RunPermit permit =
                      (index == 0 ? firstMemory : secondMemory).admit(RUN_BYTES, NO_WAIT);
                  OrtSession.Result _ =
                      permit.call(() -> (index == 0 ? first : second).run(inputs))) {
                leak();
              }
            });
        System.out.println(allocator.report());
      }
    }
  }

  @SuppressWarnings("restricted") // calls a C function
  private void leak() {
    if (words.contains("leaks")) {
      try {
        long address = (long) MALLOC.invokeExact(LEAK_BYTES);
        MemorySegment.ofAddress(address).reinterpret(LEAK_BYTES).fill((byte) 1);
      } catch (Throwable failure) {
        throw new IllegalStateException("malloc failed", failure);
      }
    }
  }

  private interface Run {
    void run(int session, Map<String, OnnxTensor> inputs) throws Exception;
  }

  private void runAll(OrtSession first, OrtSession second, Run run) throws Exception {
    int longest = LENGTHS * LENGTH_STEP;
    List<SequenceInputs> inputs =
        List.of(
            new SequenceInputs(first, models.getFirst().dimension(), longest),
            new SequenceInputs(second, models.getLast().dimension(), longest));
    for (int count = 1; count <= RUNS; count++) {
      int index = count % 2;
      Map<String, OnnxTensor> tensors = inputs.get(index).ofLength(nextLength());
      run.run(index, tensors);
      tensors.values().forEach(OnnxTensor::close);
      if (count % RUNS_PER_LINE == 0) {
        resident.add(residentBytes());
        System.out.println(String.format(Locale.ROOT, "%5d %,14d", count, resident.getLast()));
      }
    }
  }

  /** {@return the next of all lengths, each of which occurs once in 200 runs, in random order} */
  private int nextLength() {
    if (lengths.isEmpty()) {
      for (int length = 1; length <= LENGTHS; length++) {
        lengths.add(length * LENGTH_STEP);
      }
      Collections.shuffle(lengths, random);
    }
    return lengths.removeLast();
  }

  private static long residentBytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
        .findFirst()
        .orElseThrow();
  }

  private void printSummary() {
    long steady = resident.get(STEADY_RUNS / RUNS_PER_LINE - 1);
    List<Long> later = resident.subList(STEADY_RUNS / RUNS_PER_LINE, resident.size());
    System.out.println(
        String.format(
            Locale.ROOT,
            "%s: after run %d %,d bytes; later %.3f to %.3f of that",
            String.join(" ", words),
            STEADY_RUNS,
            steady,
            Collections.min(later) / (double) steady,
            Collections.max(later) / (double) steady));
  }
}
