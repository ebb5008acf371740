package dev.stowage.examples.services;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.budget.ModelBudget;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.onnxruntime.OnnxRuntimeAllocator;
import dev.stowage.onnxruntime.RunPermit;
import dev.stowage.onnxruntime.SessionMemory;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionValues;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A service of 16 threads in a container with a limit. A profile of {@code stowage budget} has the
 * bytes of each run. A run waits until its bytes are free.
 *
 * <p>The model has one input of floats. Its first dimension is the dimension of the profile.
 */
public final class AdmittedService {

  private static final int THREADS = 16;

  /** The Java virtual machine without its heap, by {@code stowage budget --jvm-heap}. */
  private static final long JAVA_BYTES = 60L << 20;

  private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

  private final RunBudget budget;
  private final DimensionRange dimension;
  private final boolean isAdmitting;

  private AdmittedService(ModelBudget budget, boolean isAdmitting) {
    this.budget = new RunBudget(budget);
    this.dimension = budget.ranges().ranges().getFirst();
    this.isAdmitting = isAdmitting;
  }

  /**
   * Runs the model on batches of random sizes and prints the memory.
   *
   * @param args the model, its profile, the limit of the container in MiB, the number of runs, and
   *     optionally {@code unlimited} for a service without admission
   * @throws Exception if a run fails or is not admitted
   */
  public static void main(String[] args) throws Exception {
    ModelBudget budget = ModelBudget.parse(Files.readString(Path.of(args[1])));
    AdmittedService service = new AdmittedService(budget, args.length < 5);
    long limitBytes = Long.parseLong(args[2]) << 20;
    System.out.println(service.serve(Path.of(args[0]), limitBytes, Integer.parseInt(args[3])));
  }

  private String serve(Path model, long limitBytes, int runs) throws Exception {
    BfcOptions unlimited = BfcOptions.expandable();
    BfcOptions options =
        isAdmitting ? unlimited.withLimit(allocatorBytes(model, limitBytes)) : unlimited;
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (HostMemory host = HostMemory.open();
        OnnxRuntimeAllocator allocator = OnnxRuntimeAllocator.register("service", host, options);
        SessionMemory memory = allocator.openSession("model", 0, Long.MAX_VALUE);
        OrtSession.SessionOptions sessionOptions = new OrtSession.SessionOptions()) {
      allocator.configure(sessionOptions);
      sessionOptions.setIntraOpNumThreads(1);
      long loadingBytes = Math.max(1 << 20, Files.size(model));
      try (OrtSession session =
          memory.load(
              loadingBytes,
              LONGEST_WAIT,
              () -> environment.createSession(model.toString(), sessionOptions))) {
        long start = System.nanoTime();
        runThreads(session, memory, runs);
        double seconds = (System.nanoTime() - start) / 1e9;
        memory.check();
        return String.format(
            Locale.ROOT,
            "%d runs, %.1f/s; allocator: limit %s, peak %,d bytes; rejected %d, refused %d",
            runs,
            runs / seconds,
            isAdmitting ? String.format(Locale.ROOT, "%,d bytes", options.limitBytes()) : "none",
            allocator.statistics().peakReservedBytes(),
            allocator.account().level().refused(),
            allocator.report().overflow().refusedRequests());
      }
    }
  }

  /** {@return the limit of the allocator, after the Java process and the inputs of all threads} */
  private long allocatorBytes(Path model, long limitBytes) throws Exception {
    long inputBytes;
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions();
        OrtSession session =
            OrtEnvironment.getEnvironment().createSession(model.toString(), options)) {
      inputBytes = new Inputs(session, dimension.last()).count() * Float.BYTES;
    }
    long javaBytes = Runtime.getRuntime().maxMemory() + JAVA_BYTES;
    return budget.allocatorBytes(limitBytes, javaBytes, THREADS * inputBytes);
  }

  private void runThreads(OrtSession session, SessionMemory memory, int runs) throws Exception {
    AtomicInteger next = new AtomicInteger();
    try (ExecutorService executor = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> threads = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        threads.add(
            executor.submit(() -> {
              Inputs inputs = new Inputs(session, dimension.last());
              for (int run = next.getAndIncrement(); run < runs; run = next.getAndIncrement()) {
                long sizes = dimension.last() - dimension.first() + 1;
                run(session, memory, inputs, dimension.first() + new Random(run).nextLong(sizes));
              }
              return null;
            }));
      }
      for (Future<?> thread : threads) {
        thread.get();
      }
    }
  }

  private void run(OrtSession session, SessionMemory memory, Inputs inputs, long size)
      throws OrtException, InterruptedException {
    long bytes = budget.runBytes(DimensionValues.of(dimension.name(), size));
    try (RunPermit _ = memory.admit(bytes, LONGEST_WAIT);
        OnnxTensor tensor = inputs.ofSize(size);
        OrtSession.Result _ = session.run(Map.of(inputs.name, tensor))) {
      // A service answers its request here.
    }
  }

  /** The inputs of one thread, which share a buffer. */
  private static final class Inputs {

    private final String name;
    private final long[] shape;
    private final FloatBuffer values;

    Inputs(OrtSession session, long largestSize) throws OrtException {
      NodeInfo input = session.getInputInfo().values().iterator().next();
      name = input.getName();
      shape = ((TensorInfo) input.getInfo()).getShape();
      shape[0] = largestSize;
      values =
          ByteBuffer.allocateDirect(Math.toIntExact(count() * Float.BYTES))
              .order(ByteOrder.nativeOrder())
              .asFloatBuffer();
    }

    private long count() {
      long count = 1;
      for (long size : shape) {
        count *= size;
      }
      return count;
    }

    OnnxTensor ofSize(long size) throws OrtException {
      shape[0] = size;
      return OnnxTensor.createTensor(
          OrtEnvironment.getEnvironment(), values.slice(0, Math.toIntExact(count())), shape);
    }
  }
}
