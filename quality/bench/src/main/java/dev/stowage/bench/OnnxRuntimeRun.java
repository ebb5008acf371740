package dev.stowage.bench;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.onnxruntime.OnnxRuntimeAllocator;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs of a model with ONNX Runtime's own arena and with Stowage's allocator.
 *
 * @param times the times
 * @param isIdentical true if all bytes of all outputs were equal
 * @param allocations the number of requests to Stowage's allocator in a run
 */
record OnnxRuntimeRun(OnnxRuntimeTimes times, boolean isIdentical, double allocations) {

  private static final int FEWEST_RUNS = 20;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /**
   * {@return the result for a model}
   *
   * @param model the bytes of the file
   * @param time the time of the measurement, which follows a warm-up of a fifth of that time
   * @param threads the number of threads of ONNX Runtime in an operator
   */
  static OnnxRuntimeRun of(byte[] model, Duration time, int threads) throws OrtException {
    try (HostMemory host = HostMemory.open();
        OnnxRuntimeAllocator allocator =
            OnnxRuntimeAllocator.register("bench", host, BfcOptions.expandable());
        OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(threads);
      options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_ERROR);
      OrtEnvironment environment = OrtEnvironment.getEnvironment();
      try (OrtSession own = environment.createSession(model, options)) {
        allocator.configure(options);
        try (OrtSession ours = environment.createSession(model, options)) {
          OnnxRuntimeRun run = compare(own, ours, allocator, time);
          allocator.check();
          return run;
        }
      }
    }
  }

  private static OnnxRuntimeRun compare(
      OrtSession own, OrtSession ours, OnnxRuntimeAllocator allocator, Duration time)
      throws OrtException {
    Map<String, OnnxTensor> inputs = OnnxRuntimeInputs.of(own);
    try {
      boolean identical = isIdentical(own, ours, inputs);
      runInTurn(own, ours, inputs, time.dividedBy(5));
      long before = allocator.statistics().allocations();
      OnnxRuntimeTimes times = runInTurn(own, ours, inputs, time);
      long allocations = allocator.statistics().allocations() - before;
      return new OnnxRuntimeRun(times, identical, allocations / (double) times.pairs().size());
    } finally {
      inputs.values().forEach(OnnxTensor::close);
    }
  }

  private static OnnxRuntimeTimes runInTurn(
      OrtSession own, OrtSession ours, Map<String, OnnxTensor> inputs, Duration time)
      throws OrtException {
    List<OnnxRuntimeTimes.Pair> pairs = new ArrayList<>();
    long start = System.nanoTime();
    while (pairs.size() < FEWEST_RUNS || System.nanoTime() - start < time.toNanos()) {
      // The order alternates, so that the caches favour neither.
      if (pairs.size() % 2 == 0) {
        OnnxRuntimeTimes.Run first = timed(own, inputs);
        pairs.add(new OnnxRuntimeTimes.Pair(first, timed(ours, inputs)));
      } else {
        OnnxRuntimeTimes.Run first = timed(ours, inputs);
        pairs.add(new OnnxRuntimeTimes.Pair(timed(own, inputs), first));
      }
    }
    return new OnnxRuntimeTimes(pairs);
  }

  private static OnnxRuntimeTimes.Run timed(OrtSession session, Map<String, OnnxTensor> inputs)
      throws OrtException {
    long startCpu = THREADS.getCurrentThreadCpuTime();
    long start = System.nanoTime();
    session.run(inputs).close();
    long nanos = System.nanoTime() - start;
    return new OnnxRuntimeTimes.Run(nanos, THREADS.getCurrentThreadCpuTime() - startCpu);
  }

  private static boolean isIdentical(
      OrtSession own, OrtSession ours, Map<String, OnnxTensor> inputs) throws OrtException {
    boolean identical = true;
    // ONNX Runtime requests memory differently from the second run on.
    for (int run = 0; run < 3; run++) {
      try (OrtSession.Result expected = own.run(inputs);
          OrtSession.Result actual = ours.run(inputs)) {
        for (Map.Entry<String, OnnxValue> output : expected) {
          OnnxValue other = actual.get(output.getKey()).orElseThrow();
          identical &= bytes(output.getValue()).equals(bytes(other));
        }
      }
    }
    return identical;
  }

  private static ByteBuffer bytes(OnnxValue output) {
    if (output instanceof OnnxTensor tensor) {
      return tensor.getByteBuffer();
    }
    throw new IllegalArgumentException("outputs must be tensors: " + output.getInfo());
  }
}
