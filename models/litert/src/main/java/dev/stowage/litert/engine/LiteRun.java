package dev.stowage.litert.engine;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;

/**
 * A run of a model in TensorFlow Lite, with one thread.
 *
 * @param outputs copies of the outputs
 * @param arenaBytes the bytes of TensorFlow Lite's own arena for the main subgraph, without
 *     variables; empty if it has none
 * @param tensorBytes the size of each tensor of the main subgraph after the run
 * @param unplaced the tensors that should be in planned memory and are not
 */
record LiteRun(
    List<LiteOutput> outputs,
    OptionalLong arenaBytes,
    List<Long> tensorBytes,
    List<Integer> unplaced) {

  private static final int OK = 0;

  // TfLiteAllocationType
  private static final int ARENA_RW = 2;
  private static final int ARENA_RW_PERSISTENT = 3;
  private static final int CUSTOM = 6;

  /** kTfLiteCustomAllocationFlagsSkipAlignCheck: TensorFlow Lite Micro aligns to 16 bytes. */
  private static final long SKIP_ALIGN_CHECK = 1;

  /** The way in which a model runs. */
  enum Mode {
    /** In TensorFlow Lite's kernels. */
    PLAIN,
    /** With the delegate XNNPACK, which has kernels and memory of its own. */
    OPTIMIZED
  }

  /**
   * {@return a run of the whole model}
   *
   * @param memory the lifetime of the outputs
   * @throws EngineRefusedException if TensorFlow Lite rejects the model or an operator
   * @throws IOException if the file cannot be read
   */
  static LiteRun of(LiteApi api, Path model, Mode mode, long seed, Arena memory)
      throws EngineRefusedException, IOException {
    try (Arena arena = Arena.ofConfined()) {
      return new Interpreter(api, model, mode, Optional.empty(), arena).run(seed, memory);
    }
  }

  /** {@return a run in planned memory, as {@link #of}} */
  static LiteRun placed(
      LiteApi api,
      Path model,
      PoisonedTensors tensors,
      OperatorEvents.Listener listener,
      long seed,
      Arena memory)
      throws EngineRefusedException, IOException {
    try (Arena arena = Arena.ofConfined()) {
      OperatorEvents events = new OperatorEvents(listener, arena);
      Interpreter interpreter = new Interpreter(api, model, Mode.PLAIN, Optional.of(events), arena);
      interpreter.place(tensors);
      return interpreter.run(seed, memory);
    }
  }

  /** An interpreter, which stays until the process ends if a run fails. */
  private static final class Interpreter {

    private final LiteApi api;
    private final Arena arena;
    private final EngineMessages messages;
    private final MemorySegment model;
    private final MemorySegment options;
    private final MemorySegment delegate;
    private final MemorySegment interpreter;
    private final List<PlacedTensor> placed = new ArrayList<>();
    private final List<MemorySegment> places = new ArrayList<>();
    private final List<Integer> unplaced = new ArrayList<>();

    Interpreter(LiteApi api, Path file, Mode mode, Optional<OperatorEvents> events, Arena arena)
        throws EngineRefusedException, IOException {
      this.api = api;
      this.arena = arena;
      messages = new EngineMessages(api, arena);
      MemorySegment bytes;
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
      }
      model =
          api.callAddress(
              "TfLiteModelCreateWithErrorReporter",
              bytes,
              bytes.byteSize(),
              messages.reporter(),
              MemorySegment.NULL);
      check(model.address() != 0, "the flatbuffer is not valid");
      options = api.callAddress("TfLiteInterpreterOptionsCreate");
      api.call(
          "TfLiteInterpreterOptionsSetErrorReporter",
          options,
          messages.reporter(),
          MemorySegment.NULL);
      api.call("TfLiteInterpreterOptionsSetNumThreads", options, 1);
      events.ifPresent(
          it -> api.call("TfLiteInterpreterOptionsSetTelemetryProfiler", options, it.profiler()));
      delegate =
          mode == Mode.OPTIMIZED
              ? api.callAddress("TfLiteXNNPackDelegateCreate", MemorySegment.NULL)
              : MemorySegment.NULL;
      if (mode == Mode.OPTIMIZED) {
        api.call("TfLiteInterpreterOptionsAddDelegate", options, delegate);
      }
      // This function adds no delegates of its own.
      interpreter = api.callAddress("TfLiteInterpreterCreate", model, options);
      check(interpreter.address() != 0, "it has no interpreter for the model");
    }

    /** Gives tensors their places in planned memory. */
    void place(PoisonedTensors tensors) throws EngineRefusedException {
      for (PlacedTensor tensor : tensors.tensors()) {
        int type = allocationType(tensor(tensor.index()));
        if (type != ARENA_RW && type != ARENA_RW_PERSISTENT) {
          unplaced.add(tensor.index());
          continue;
        }
        MemorySegment place = tensors.segment(tensor);
        MemorySegment allocation = arena.allocate(ADDRESS.byteSize() + JAVA_LONG.byteSize());
        allocation.set(ADDRESS, 0, place);
        allocation.set(JAVA_LONG, ADDRESS.byteSize(), place.byteSize());
        checkOk(
            api.callInt(
                "TfLiteInterpreterSetCustomAllocationForTensor",
                interpreter,
                tensor.index(),
                allocation,
                SKIP_ALIGN_CHECK),
            "planned memory for tensor " + tensor.index());
        placed.add(tensor);
        places.add(place);
      }
    }

    LiteRun run(long seed, Arena memory) throws EngineRefusedException {
      checkOk(api.callInt("TfLiteInterpreterAllocateTensors", interpreter), "the tensors");
      for (int i = 0; i < placed.size(); i++) {
        MemorySegment tensor = tensor(placed.get(i).index());
        if (allocationType(tensor) != CUSTOM
            || api.callAddress("TfLiteTensorData", tensor).address() != places.get(i).address()) {
          unplaced.add(placed.get(i).index());
        }
      }
      OptionalLong arenaBytes = ownArenaBytes();
      writeInputs(seed);
      checkOk(api.callInt("TfLiteInterpreterInvoke", interpreter), "the run");
      List<LiteOutput> outputs = new ArrayList<>();
      int count = api.callInt("TfLiteInterpreterGetOutputTensorCount", interpreter);
      for (int i = 0; i < count; i++) {
        outputs.add(
            output(api.callAddress("TfLiteInterpreterGetOutputTensor", interpreter, i), memory));
      }
      List<Long> tensorBytes = tensors().stream().map(this::bytes).toList();
      api.call("TfLiteInterpreterDelete", interpreter);
      if (delegate.address() != 0) {
        api.call("TfLiteXNNPackDelegateDelete", delegate);
      }
      api.call("TfLiteInterpreterOptionsDelete", options);
      api.call("TfLiteModelDelete", model);
      return new LiteRun(outputs, arenaBytes, tensorBytes, List.copyOf(unplaced));
    }

    private MemorySegment tensor(int index) {
      return api.callAddress("TfLiteInterpreterGetTensor", interpreter, index);
    }

    private int allocationType(MemorySegment tensor) {
      return tensor.address() == 0 ? 0 : api.callInt("TfLiteOpaqueTensorGetAllocationType", tensor);
    }

    /** {@return all tensors of the main subgraph, also temporary ones} */
    private List<MemorySegment> tensors() {
      List<MemorySegment> tensors = new ArrayList<>();
      for (MemorySegment tensor = tensor(0); tensor.address() != 0; ) {
        tensors.add(tensor);
        tensor = tensor(tensors.size());
      }
      return tensors;
    }

    /** {@return the bytes from the first to the last one of all tensors in the arena} */
    private OptionalLong ownArenaBytes() {
      long start = Long.MAX_VALUE;
      long end = 0;
      for (MemorySegment tensor : tensors()) {
        long address = api.callAddress("TfLiteTensorData", tensor).address();
        if (allocationType(tensor) == ARENA_RW && address != 0) {
          start = Math.min(start, address);
          end = Math.max(end, address + bytes(tensor));
        }
      }
      return end == 0 ? OptionalLong.empty() : OptionalLong.of(end - start);
    }

    private long bytes(MemorySegment tensor) {
      return api.callLong("TfLiteTensorByteSize", tensor);
    }

    private void writeInputs(long seed) throws EngineRefusedException {
      Random random = new Random(seed);
      int count = api.callInt("TfLiteInterpreterGetInputTensorCount", interpreter);
      for (int i = 0; i < count; i++) {
        MemorySegment tensor = api.callAddress("TfLiteInterpreterGetInputTensor", interpreter, i);
        MemorySegment data = data(tensor);
        int code = api.callInt("TfLiteTensorType", tensor);
        Optional<LiteType> type = LiteType.ofCode(code);
        if (type.isEmpty()) {
          throw new EngineRefusedException(
              String.format(
                  Locale.ROOT,
                  "input %d has elements of type %s, expected a model whose inputs have numbers of 8 bits or more",
                  i,
                  typeName(code)));
        }
        boolean isQuantized = isQuantized(tensor);
        for (long at = 0; at < data.byteSize(); at += type.get().bytes()) {
          type.get().setRandom(data, at, random, isQuantized);
        }
      }
    }

    private boolean isQuantized(MemorySegment tensor) {
      // TfLiteQuantizationParams: a float scale and an int32 zero point, returned in one register
      MemorySegment parameters =
          api.callStruct("TfLiteTensorQuantizationParams", LiteApi.QUANTIZATION, arena, tensor);
      return parameters.get(JAVA_FLOAT, 0) != 0;
    }

    private String typeName(int code) {
      return LiteApi.text(api.callAddress("TfLiteTypeGetName", code));
    }

    private MemorySegment data(MemorySegment tensor) {
      MemorySegment data = api.callAddress("TfLiteTensorData", tensor);
      return data.address() == 0
          ? MemorySegment.ofArray(new byte[0])
          : LiteApi.segment(data, bytes(tensor));
    }

    private LiteOutput output(MemorySegment tensor, Arena memory) {
      MemorySegment data = data(tensor);
      MemorySegment copy =
          memory.allocate(Math.max(1, data.byteSize())).asSlice(0, data.byteSize());
      copy.copyFrom(data);
      List<Integer> shape = new ArrayList<>();
      int rank = api.callInt("TfLiteTensorNumDims", tensor);
      for (int i = 0; i < rank; i++) {
        shape.add(api.callInt("TfLiteTensorDim", tensor, i));
      }
      int code = api.callInt("TfLiteTensorType", tensor);
      return new LiteOutput(
          LiteApi.text(api.callAddress("TfLiteTensorName", tensor)),
          typeName(code),
          code,
          shape,
          copy);
    }

    private void checkOk(int status, String what) throws EngineRefusedException {
      check(status == OK, String.format(Locale.ROOT, "%s failed with status %d", what, status));
    }

    private void check(boolean isOk, String otherwise) throws EngineRefusedException {
      if (!isOk) {
        throw new EngineRefusedException(messages.textOr(otherwise));
      }
    }
  }
}
