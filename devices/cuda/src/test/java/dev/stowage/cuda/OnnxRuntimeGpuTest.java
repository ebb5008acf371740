package dev.stowage.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.providers.OrtCUDAProviderOptions;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.onnxruntime.OnnxRuntimeAllocator;
import dev.stowage.onnxruntime.OnnxRuntimeOptions;
import dev.stowage.onnxruntime.OnnxRuntimeReport;
import dev.stowage.onnxruntime.RunPermit;
import dev.stowage.onnxruntime.SessionMemory;
import java.nio.FloatBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sessions of ONNX Runtime with the CUDA provider, on memory of a GPU. */
@ExtendWith(NeedsCudaProvider.class)
class OnnxRuntimeGpuTest {

  private static final int LAYERS = 6;
  private static final int COLUMNS = 256;
  private static final long WEIGHT_BYTES = 4L * LAYERS * COLUMNS * COLUMNS;
  private static final int THREADS = 4;
  private static final int RUNS = 20;
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final byte[] MODEL = MatMulModel.of(LAYERS, COLUMNS);

  private static OrtSession session(OnnxRuntimeAllocator... allocators) throws OrtException {
    OrtEnvironment environment = OrtEnvironment.getEnvironment(); // before the options
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions();
        OrtCUDAProviderOptions cuda = new OrtCUDAProviderOptions(0)) {
      cuda.add("use_tf32", "0"); // products of full precision
      options.addCUDA(cuda);
      options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_ERROR);
      if (allocators.length > 0) {
        allocators[0].configure(options); // for all of them
      }
      return environment.createSession(MODEL, options);
    }
  }

  private static float[] run(OrtSession session, int rows, long seed) throws OrtException {
    Random random = new Random(seed);
    float[] values = new float[rows * COLUMNS];
    for (int index = 0; index < values.length; index++) {
      values[index] = random.nextFloat();
    }
    long[] shape = {rows, COLUMNS};
    try (OnnxTensor x =
            OnnxTensor.createTensor(
                OrtEnvironment.getEnvironment(), FloatBuffer.wrap(values), shape);
        OrtSession.Result result = session.run(Map.of("x", x))) {
      FloatBuffer y = ((OnnxTensor) result.get(0)).getFloatBuffer();
      float[] copy = new float[y.remaining()];
      y.get(copy);
      return copy;
    }
  }

  private static OnnxRuntimeOptions limitedTo(long bytes) {
    return OnnxRuntimeOptions.of(BfcOptions.growing().withLimit(bytes).withFirstRegion(1 << 20));
  }

  @Test
  void run_memoryOfTheDevice_outputsAreThoseOfTheProvidersOwnArena() throws Exception {
    try (CudaDevice device = CudaDevice.open(0);
        OrtSession own = session();
        OnnxRuntimeAllocator gpu =
            OnnxRuntimeAllocator.registerCuda("gpu", device, 0, limitedTo(1 << 28));
        OnnxRuntimeAllocator pinned =
            OnnxRuntimeAllocator.registerCudaPinned("pinned", device, 0, limitedTo(1 << 26))) {
      try (OrtSession ours = session(gpu, pinned)) {
        for (int rows : new int[] {1, 64, 64, 300, 64, 1}) {
          assertThat(run(ours, rows, rows)).isEqualTo(run(own, rows, rows));
        }
        gpu.check();
        pinned.check();
        OnnxRuntimeReport report = gpu.report();
        System.out.println(report);
        System.out.println(pinned.report());
        assertThat(report.tags())
            .anySatisfy(usage -> {
              assertThat(usage.tag()).isEqualTo("weights");
              assertThat(usage.requestedBytesInUse()).isEqualTo(WEIGHT_BYTES);
            })
            .anySatisfy(usage -> {
              assertThat(usage.tag()).isEqualTo("tensors");
              assertThat(usage.peakRequestedBytes()).isGreaterThanOrEqualTo(2L * 4 * 300 * COLUMNS);
            });
        assertThat(report.deviceWaits()).as("runs of one stream").isZero();
      }
      assertThat(gpu.statistics().bytesInUse()).isZero();
      assertThat(pinned.statistics().bytesInUse()).isZero();
    }
    try (OrtSession after = session()) {
      assertThat(run(after, 3, 3)).hasSize(3 * COLUMNS);
    }
  }

  @Test
  void session_onTheAllocator_runs() throws Exception {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    byte[] model = MODEL;
    long[] shape = {1, COLUMNS};
    try (OnnxTensor x =
        OnnxTensor.createTensor(environment, FloatBuffer.wrap(new float[COLUMNS]), shape)) {
      Map<String, OnnxTensor> inputs = Map.of("x", x);
      OnnxRuntimeOptions memory = OnnxRuntimeOptions.of(BfcOptions.growing().withLimit(8L << 30));
      try (CudaDevice device = CudaDevice.open(0);
          OnnxRuntimeAllocator gpu = OnnxRuntimeAllocator.registerCuda("gpu", device, 0, memory);
          OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
        options.addCUDA(0);
        gpu.configure(options);
        try (OrtSession session = environment.createSession(model, options);
            OrtSession.Result _ = session.run(inputs)) {
          gpu.check();
          IO.println(gpu.report());
        }
      }
    }
  }

  @Test
  void run_beyondTheLimit_outputsAreCorrectAndCheckThrows() throws Exception {
    try (CudaDevice device = CudaDevice.open(0);
        OrtSession own = session();
        OnnxRuntimeAllocator gpu =
            OnnxRuntimeAllocator.registerCuda("gpu", device, 0, limitedTo(WEIGHT_BYTES + 4096))) {
      try (OrtSession ours = session(gpu)) {
        gpu.check();
        assertThat(run(ours, 64, 1)).isEqualTo(run(own, 64, 1));
        assertThatExceptionOfType(BfcOutOfMemoryException.class).isThrownBy(gpu::check);
        assertThat(gpu.report().overflow().refusedRequests()).isPositive();
        assertThat(gpu.report().overflow().bytesInUse()).isZero();
      }
    }
  }

  @Test
  void run_manyAtOnceWithPermits_outputsAreCorrectWithinTheLimit() throws Exception {
    long runBytes = 1 << 20;
    long limitBytes = (WEIGHT_BYTES + 2 * runBytes) / 7 * 8 + 4096; // two runs at once
    try (CudaDevice device = CudaDevice.open(0);
        OrtSession own = session();
        OnnxRuntimeAllocator gpu =
            OnnxRuntimeAllocator.registerCuda("gpu", device, 0, limitedTo(limitBytes));
        SessionMemory memory = gpu.openSession("products", 0, Long.MAX_VALUE);
        OrtSession ours = memory.load(WEIGHT_BYTES, LONG, () -> session(gpu))) {
      checkRuns(
          own,
          (rows, seed) -> {
            try (RunPermit _ = memory.admit(runBytes, LONG)) {
              return run(ours, rows, seed);
            }
          });
      memory.check();
      System.out.println(gpu.report());
      assertThat(gpu.report().overflow().refusedRequests()).isZero();
    }
  }

  @Test
  void run_manyAtOnceInTwoSessions_outputsAreCorrect() throws Exception {
    try (CudaDevice device = CudaDevice.open(0);
        OrtSession own = session();
        OnnxRuntimeAllocator gpu =
            OnnxRuntimeAllocator.registerCuda("gpu", device, 0, limitedTo(1 << 26))) {
      try (OrtSession first = session(gpu);
          OrtSession second = session(gpu)) {
        checkRuns(own, (rows, seed) -> run(seed % 2 == 0 ? first : second, rows, seed));
        gpu.check();
        System.out.println(gpu.report());
      }
    }
  }

  /** A run of a session. */
  private interface SessionRun {
    float[] outputs(int rows, long seed) throws Exception;
  }

  /**
   * Compares the outputs of runs in many threads with those of a session with its own memory.
   *
   * <p>The sums of a product have no fixed order if several streams are active.
   */
  private static void checkRuns(OrtSession own, SessionRun run) throws Exception {
    try (ExecutorService executor = Executors.newFixedThreadPool(THREADS)) {
      List<Future<Void>> threads = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        long firstSeed = 1000L * thread;
        threads.add(
            executor.submit(() -> {
              for (long seed = firstSeed; seed < firstSeed + RUNS; seed++) {
                int rows = 1 + new Random(seed).nextInt(200);
                float[] outputs = run.outputs(rows, seed);
                assertThat(difference(outputs, run(own, rows, seed)))
                    .as("seed=%d", seed)
                    .isLessThan(1e-4);
              }
              return null;
            }));
      }
      for (Future<Void> thread : threads) {
        thread.get();
      }
    }
  }

  /** {@return the largest difference of two values; infinite if one is not a number} */
  private static double difference(float[] values, float[] expected) {
    assertThat(values).hasSameSizeAs(expected);
    double largest = 0;
    for (int index = 0; index < values.length; index++) {
      double difference = Math.abs(values[index] - expected[index]);
      largest =
          difference <= largest
              ? largest
              : Double.isNaN(difference) ? Double.POSITIVE_INFINITY : difference;
    }
    return largest;
  }
}
