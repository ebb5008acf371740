package dev.stowage.cli.failure;

import dev.stowage.allocator.OutOfMemoryVerdict;
import java.util.Optional;

/**
 * The changes that can help after a failed request, and popular ones that cannot, by the program
 * and the verdict.
 */
public final class FailureRemedies {

  private final FailureProgram program;
  private final OutOfMemoryVerdict verdict;
  private final FailureNumbers numbers;
  private final FailureChanges changes = new FailureChanges();

  private FailureRemedies(
      FailureProgram program, OutOfMemoryVerdict verdict, FailureNumbers numbers) {
    this.program = program;
    this.verdict = verdict;
    this.numbers = numbers;
  }

  /**
   * {@return the advice on a failure}
   *
   * @param numbers the numbers that are known, which some reasons name
   */
  public static FailureChanges of(
      FailureProgram program, OutOfMemoryVerdict verdict, FailureNumbers numbers) {
    FailureRemedies advice = new FailureRemedies(program, verdict, numbers);
    if (numbers
        .get(FailurePart.REQUESTED)
        .filter(bytes -> bytes.bytes() == Long.MAX_VALUE)
        .isPresent()) {
      advice.changes.help(
          "Look for a size that is negative or overflows: it wraps around when the allocator rounds it.",
          "",
          "No setting helps.");
      return advice.changes;
    }
    switch (program) {
      case PYTORCH, PYTORCH_HIP, PYTORCH_XPU ->
          new PytorchRemedies(program, verdict, numbers, advice.changes).add();
      case PYTORCH_MPS -> advice.addMps();
      case JAX, TENSORFLOW, XLA -> advice.addXla();
      case ONNX_RUNTIME -> advice.addOnnxRuntime();
      case TFLITE_MICRO -> advice.addTfliteMicro();
      case JAVA, NETTY -> advice.addDirectMemory();
      case RMM -> advice.addRmm();
      case SPARK_RAPIDS -> advice.addSpark();
      case CONTAINER, MACHINE -> advice.addProcess();
      case OTHER -> {}
    }
    return advice.changes;
  }

  private boolean is(OutOfMemoryVerdict one) {
    return verdict == one;
  }

  private void addMps() {
    changes.help(FailureChanges.SMALLER, "", FailureChanges.ACTIVATIONS);
    changes.help(
        "Raise the limit, if the machine has the memory.",
        "export PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0",
        "There is no limit then; macOS swaps or stops if its memory is full.");
    changes.cannot(
        "torch.mps.empty_cache()", "PyTorch released its cache before it reported the failure.");
    changes.cannot("PYTORCH_CUDA_ALLOC_CONF", "MPS does not read it.");
  }

  // JAX and TensorFlow.

  private boolean isJax() {
    return program != FailureProgram.TENSORFLOW;
  }

  private void addXla() {
    switch (verdict) {
      case DOES_NOT_FIT, LIMIT -> {
        changes.help(FailureChanges.SMALLER, "", FailureChanges.ACTIVATIONS);
        if (isJax()) {
          changes.help(
              "Let the step overwrite its inputs, and compute activations again.",
              "step = jax.jit(jax.checkpoint(step), donate_argnums=(0,))",
              "Parameters and results then share memory.");
          addFraction();
        }
        addMemoryLimit();
        changes.cannot(
            isJax() ? "XLA_PYTHON_CLIENT_PREALLOCATE=false" : "set_memory_growth",
            "It changes when memory is taken, not how much the program needs.");
        addAsyncHint();
      }
      case FRAGMENTED -> {
        if (isJax()) {
          changes.help(
              "Take the memory as one region at the start, which is the default.",
              "export XLA_PYTHON_CLIENT_PREALLOCATE=true",
              "All free chunks of one region can merge.");
        }
        if (program != FailureProgram.JAX) {
          changes.help(
              "In TensorFlow, take memory from CUDA's own pool.",
              "export TF_GPU_ALLOCATOR=cuda_malloc_async",
              "Its pool maps free pages to new addresses.");
        }
        addFraction();
        addMemoryLimit();
        addAsyncHint();
      }
      case REFUSED -> {
        changes.addOthers(
            program, "They hold the memory that the limit of this program counts on.");
        if (isJax()) {
          changes.help(
              "If several processes of JAX share the device, set this in each.",
              "export XLA_PYTHON_CLIENT_PREALLOCATE=false",
              "Each takes .75 of the device at its start by default.");
        }
        if (program != FailureProgram.JAX) {
          changes.help(
              "If several processes of TensorFlow share the device, call this in each.",
              "tf.config.experimental.set_memory_growth(gpu, True)",
              "Each takes nearly all free memory at its start.");
        }
        changes.cannot("a smaller batch", "The program itself holds little of the device.");
      }
      case TRANSIENT, UNKNOWN -> {
        changes.addOthers(
            program, "It shows whether other processes hold the memory of the device.");
        addFraction();
        changes.help(FailureChanges.SMALLER, "", FailureChanges.ACTIVATIONS);
      }
    }
  }

  private void addFraction() {
    if (isJax()) {
      changes.help(
          "Raise the limit of JAX, which is .75 of the device by default.",
          "export XLA_CLIENT_MEM_FRACTION=.95",
          "Before JAX 0.4.33, the name is XLA_PYTHON_CLIENT_MEM_FRACTION.");
    }
  }

  private void addMemoryLimit() {
    if (program != FailureProgram.JAX) {
      changes.help(
          "In TensorFlow, raise memory_limit, if tf.config.set_logical_device_configuration sets one.",
          "",
          "Without one, the limit is nearly all memory that was free at the start.");
    }
  }

  private void addAsyncHint() {
    if (program == FailureProgram.JAX) {
      changes.cannot(
          "TF_GPU_ALLOCATOR=cuda_malloc_async (the hint of the report)", "JAX does not read it.");
    }
  }

  // Runtimes on the host and on microcontrollers.

  private void addOnnxRuntime() {
    changes.help(
        "Run smaller batches, or fewer runs at a time.",
        "",
        "The arena keeps the peak of all runs.");
    changes.help(
        "Extend the arena by what is requested.",
        "cuda.add(\"arena_extend_strategy\", \"kSameAsRequested\");",
        "The default, kNextPowerOfTwo, doubles the regions. The line is for OrtCUDAProviderOptions.");
    if (is(OutOfMemoryVerdict.LIMIT)) {
      changes.help(
          "Raise the limit of the arena.",
          "cuda.add(\"gpu_mem_limit\", \"BYTES\");",
          "The limit is a setting of the session.");
    }
    changes.cannot("a larger -Xmx", "The arena is not in the heap of Java.");
  }

  private void addTfliteMicro() {
    Optional<PrintedBytes> missing = numbers.missing().filter(bytes -> bytes.bytes() > 0);
    changes.help(
        "Enlarge the tensor arena by at least "
            + missing.map(PrintedBytes::shown).orElse("what is missing")
            + ", in steps of 16 bytes, until AllocateTensors() passes.",
        "",
        "Requests after this one may need more; stowage plan has the size for the whole model.");
    changes.help(
        "Write a better plan into the model.",
        "stowage rewrite MODEL.tflite --output planned.tflite",
        "It has a smaller head, if the greedy planner of the runtime is not optimal.");
    changes.cannot(
        "a larger heap or stack", "The arena is one array, whose size the program sets.");
  }

  private void addDirectMemory() {
    changes.help(
        "Raise the limit.",
        "-XX:MaxDirectMemorySize="
            + numbers
                .get(FailurePart.LIMIT)
                .map(limit -> Math.max(1, (limit.bytes() * 5 / 4) >> 20) + "m")
                .orElse("SIZE"),
        "By default, it is as large as the heap (-Xmx). The container needs as much more.");
    changes.help(
        program == FailureProgram.NETTY
            ? "Use the pooled allocator."
            : "If the program uses Netty 4.2, use the pooled allocator.",
        "-Dio.netty.allocator.type=pooled",
        "The adaptive allocator, the default of Netty 4.2, keeps more chunks.");
    if (program == FailureProgram.NETTY) {
      changes.help(
          "Look for buffers that are never released.",
          "-Dio.netty.leakDetection.level=paranoid",
          "A leak fills any limit.");
    } else {
      changes.cannot(
          "System.gc() in the program",
          "Java collected garbage before it reported the failure, unless -XX:+DisableExplicitGC is"
              + " set.");
    }
    changes.cannot(
        "a larger -Xmx, if -XX:MaxDirectMemorySize is set", "Direct buffers are not in the heap.");
  }

  private void addRmm() {
    changes.help(
        "Let CUDA manage the pool.",
        "rmm.mr.set_current_device_resource(rmm.mr.CudaAsyncMemoryResource())",
        "It has no maximum size, and less fragmentation.");
    changes.help(
        "Let memory spill to the host.",
        "rmm.mr.set_current_device_resource(rmm.mr.ManagedMemoryResource())",
        "Managed memory may exceed the device, at the price of speed.");
    if (is(OutOfMemoryVerdict.LIMIT)) {
      changes.help(
          "Raise the maximum size of the pool.",
          "rmm.reinitialize(pool_allocator=True, maximum_pool_size=BYTES)",
          "Without it, the pool may grow to the memory of the device.");
    }
  }

  private void addSpark() {
    changes.help(
        "Let fewer tasks use the GPU at a time.",
        "--conf spark.rapids.sql.concurrentGpuTasks=1",
        "Each task has its own batches.");
    changes.help(
        "Use smaller batches.",
        "--conf spark.rapids.sql.batchSizeBytes=512m",
        "The default is 1g.");
    changes.help(
        "Use the pool of CUDA.",
        "--conf spark.rapids.memory.gpu.pool=ASYNC",
        "It has less fragmentation.");
    changes.cannot(
        "a larger --executor-memory", "It is the heap of Java, not the memory of the GPU.");
  }

  private void addProcess() {
    boolean isContainer = program == FailureProgram.CONTAINER;
    changes.help(
        "Find out who has the memory of the process.",
        "stowage who PID",
        "Heap, threads, direct buffers and the C library all count.");
    if (isContainer) {
      changes.help(
          "Raise the memory limit of the container.",
          "kubectl set resources deployment/NAME --limits=memory=SIZE",
          "docker run has --memory for it.");
    }
    changes.help(
        "If it is a process of Java, leave more room beside its heap.",
        "-XX:MaxRAMPercentage=50",
        "The heap may grow to this share. -Xmx replaces the option, and a larger -Xms raises it.");
    changes.help(
        "If it is a process with the C library of GNU, let it keep less.",
        "export MALLOC_ARENA_MAX=2",
        "Each arena keeps free memory.");
    changes.cannot(
        "a larger -Xmx or -XX:MaxRAMPercentage",
        "The heap then grows further into the same memory.");
  }
}
