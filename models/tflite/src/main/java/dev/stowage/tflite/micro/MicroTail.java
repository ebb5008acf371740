package dev.stowage.tflite.micro;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.tflite.model.ModelOperator;
import dev.stowage.tflite.model.Subgraph;
import dev.stowage.tflite.model.TensorBytes;
import dev.stowage.tflite.model.TensorTable;
import dev.stowage.tflite.model.TfliteType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.tensorflow.lite.schema.BuiltinOperator;

/** The data of the interpreter and of its kernels in the tail of an arena. */
final class MicroTail {

  /*
   * The interpreter takes memory from the end of the arena, in this order. The sizes assume
   * pointers of 4 bytes (sources: micro_allocator.cc, micro_interpreter.cc and the reference
   * kernels of tflite-micro, 2026-08):
   *
   *   create    the allocator, the planner, resource variables if the program has some
   *   start     the structures of all subgraphs, tensors and operators; the parsed options
   *   init      the data of each kernel
   *   prepare   data that depend on shapes: multipliers of channels, tables, transposed inputs
   *   plan      a handle for each scratch buffer, and the variables
   *   finish    the tensors of the inputs and outputs of the main subgraph
   *
   * Until it finishes, the interpreter needs the rest of the arena for work:
   *
   *   prepare   the requests of scratch buffers, and the tensors of one operator
   *   plan      the requests, a description of each tensor, and the arrays of the planner
   */
  private static final long WORD = 4;

  private static final long ALLOCATOR_BYTES = 36;
  private static final long PLANNER_BYTES = 44;
  private static final long MICRO_ALLOCATOR_BYTES = 36;
  private static final long PARSER_BYTES = 8;
  private static final long RESOURCES_BYTES = 12;
  private static final long RESOURCE_BYTES = 20;
  private static final long SUBGRAPH_BYTES = 8;
  private static final long EVAL_TENSOR_BYTES = 12;
  private static final long NODE_BYTES = 32;

  /** The largest state of an output of TFLM_DECODE. */
  private static final long DECODE_STATE_BYTES = 48;

  private static final long TENSOR_BYTES = 40;
  private static final long QUANTIZATION_BYTES = 12;
  private static final long HANDLE_BYTES = 4;

  private static final long REQUEST_BYTES = 12;
  private static final long FREE_REQUESTS = 12;
  private static final long DESCRIPTION_BYTES = 24;
  private static final long PLANNED_BYTES = 40;

  private static final long SOFTMAX_TABLE_BYTES = 2 * 513;
  private static final long MATMUL_BYTES = 28;

  /** The data of a Fourier transform, for each byte of its result. */
  private static final long TRANSFORM_FACTOR = 3;

  /**
   * The operators with kernels that read each tensor once during preparation; other kernels may
   * read it twice.
   */
  private static final Set<Integer> READ_ONCE =
      Set.of(
          BuiltinOperator.FULLY_CONNECTED,
          BuiltinOperator.SVDF,
          BuiltinOperator.UNIDIRECTIONAL_SEQUENCE_LSTM);

  private final List<Subgraph> subgraphs;
  private final Map<String, KernelSizes> sizes = KernelSizes.read();
  private final Set<String> assigned = new HashSet<>();
  private final TailBytes tail = new TailBytes();

  /** The sizes of the tensors of inputs, and then of outputs, in two groups. */
  private final List<List<Long>> finished = new ArrayList<>();

  private long tensorCount;

  /** The most memory that a kernel needs while it is prepared, with the tail until then. */
  private long preparedBytes;

  private MicroTail(List<Subgraph> subgraphs) {
    this.subgraphs = subgraphs;
  }

  /** {@return the tail of a model} */
  static MicroTail of(List<Subgraph> subgraphs) throws MalformedFileException {
    MicroTail made = new MicroTail(subgraphs);
    made.create();
    made.start();
    made.init();
    made.prepare();
    Subgraph main = subgraphs.getFirst();
    made.finished.add(made.tensors(main.tensors(), main.inputs()));
    made.finished.add(made.tensors(main.tensors(), main.outputs()));
    return made;
  }

  /**
   * {@return the tail}
   *
   * @param scratchCount the number of scratch buffers
   * @param variables the bytes of each variable in the tail
   */
  TailBytes finished(int scratchCount, List<Long> variables) {
    TailBytes all = planned(scratchCount, variables);
    all.enter(TailPart.AFTER_PLAN);
    for (List<Long> group : finished) {
      all.addData(WORD * group.size());
      group.forEach(bytes -> all.add(bytes, WORD));
    }
    return all;
  }

  /**
   * {@return the bytes that the arena needs until the plan is made}
   *
   * @param scratchCount the number of scratch buffers
   * @param variables the bytes of each variable in the tail
   * @param bufferCount the number of buffers in the plan, with the scratch buffers
   */
  long bytesToStart(int scratchCount, List<Long> variables, int bufferCount) {
    long requests = (scratchCount + FREE_REQUESTS) * REQUEST_BYTES;
    long work =
        MicroAlignment.roundedUp(
                requests
                    + WORD * subgraphs.size()
                    + DESCRIPTION_BYTES * (tensorCount + scratchCount))
            + PLANNED_BYTES * bufferCount;
    long plan = work + MicroAlignment.roundedUp(planned(scratchCount, variables).bytes());
    return MicroAlignment.roundedUp(Math.max(plan, preparedBytes + REQUEST_BYTES * scratchCount));
  }

  private TailBytes planned(int scratchCount, List<Long> variables) {
    TailBytes all = new TailBytes(tail);
    all.enter(TailPart.SCRATCH_HANDLES);
    all.add(HANDLE_BYTES * scratchCount, WORD);
    all.enter(TailPart.VARIABLES);
    variables.forEach(all::addData);
    return all;
  }

  private void create() {
    tail.add(ALLOCATOR_BYTES, WORD);
    tail.add(PLANNER_BYTES, WORD);
    tail.add(MICRO_ALLOCATOR_BYTES, WORD);
    Set<String> resources = new HashSet<>();
    subgraphs.forEach(subgraph ->
        subgraph.operators().stream()
            .filter(operator -> operator.kind().builtinCode() == BuiltinOperator.VAR_HANDLE)
            .forEach(operator -> resources.add(operator.variable())));
    if (!resources.isEmpty()) {
      tail.enter(TailPart.RESOURCE_VARIABLES);
      tail.addData(RESOURCES_BYTES);
      tail.addData(RESOURCE_BYTES * resources.size());
      tail.enter(TailPart.INTERPRETER);
    }
    tail.add(PARSER_BYTES, WORD);
  }

  private void start() {
    tail.add(SUBGRAPH_BYTES * subgraphs.size(), WORD);
    tail.enter(TailPart.TENSORS_AND_OPERATORS);
    for (Subgraph subgraph : subgraphs) {
      tensorCount += subgraph.tensors().count();
      tail.add(EVAL_TENSOR_BYTES * subgraph.tensors().count(), WORD);
    }
    for (Subgraph subgraph : subgraphs) {
      tail.add(NODE_BYTES * subgraph.operators().size(), WORD);
    }
    tail.enter(TailPart.OPERATOR_DATA);
    for (Subgraph subgraph : subgraphs) {
      for (ModelOperator operator : subgraph.operators()) {
        KernelSizes kernel = KernelSizes.of(operator.kind(), sizes);
        tail.add(kernel.optionBytes(), kernel.optionAlignment());
      }
    }
  }

  private void init() {
    for (Subgraph subgraph : subgraphs) {
      for (ModelOperator operator : subgraph.operators()) {
        long bytes = KernelSizes.of(operator.kind(), sizes).dataBytes();
        if (bytes > 0) {
          tail.addData(bytes);
        }
      }
    }
  }

  private void prepare() throws MalformedFileException {
    tail.enter(TailPart.PERSISTENT_BUFFERS);
    for (Subgraph subgraph : subgraphs) {
      Map<Integer, String> handles = new HashMap<>();
      for (ModelOperator operator : subgraph.operators()) {
        if (operator.kind().builtinCode() == BuiltinOperator.VAR_HANDLE) {
          operator.outputs().forEach(handle -> handles.put(handle, operator.variable()));
        }
        if (!assignsAgain(operator, handles)) {
          prepare(new OperatorTensors(subgraph.tensors(), operator));
        }
        List<Long> tensors = tensors(subgraph.tensors(), operator.inputs());
        tensors.addAll(tensors(subgraph.tensors(), operator.outputs()));
        long bytes = tensors.stream().mapToLong(Long::longValue).sum();
        preparedBytes =
            Math.max(
                preparedBytes,
                tail.bytes()
                    + FREE_REQUESTS * REQUEST_BYTES
                    + (READ_ONCE.contains(operator.kind().builtinCode()) ? bytes : 2 * bytes));
      }
    }
  }

  /** {@return true for an assignment to a variable that has memory from an earlier assignment} */
  private boolean assignsAgain(ModelOperator operator, Map<Integer, String> handles) {
    return operator.kind().builtinCode() == BuiltinOperator.ASSIGN_VARIABLE
        && !operator.inputs().isEmpty()
        && handles.containsKey(operator.inputs().getFirst())
        && !assigned.add(handles.get(operator.inputs().getFirst()));
  }

  /** Adds the data of a kernel that depend on its tensors. */
  private void prepare(OperatorTensors of) throws MalformedFileException {
    ModelOperator operator = of.operator();
    TensorTable tensors = of.table();
    switch (of.builtinCode()) {
      case BuiltinOperator.CONV_2D,
          BuiltinOperator.TRANSPOSE_CONV,
          BuiltinOperator.DEPTHWISE_CONV_2D -> {
        if (of.moveToInput(1)) {
          int axis = of.builtinCode() == BuiltinOperator.DEPTHWISE_CONV_2D ? 3 : 0;
          addMultipliers(tensors.dimension(axis));
        }
      }
      case BuiltinOperator.FULLY_CONNECTED -> {
        if (of.moveToInput(1) && tensors.quantizedChannels() > 1) {
          addMultipliers(tensors.quantizedChannels());
        }
      }
      case BuiltinOperator.SOFTMAX -> {
        if (of.moveToInput(0) && tensors.type() == TfliteType.INT16) {
          tail.addData(SOFTMAX_TABLE_BYTES);
          tail.addData(SOFTMAX_TABLE_BYTES);
        }
      }
      case BuiltinOperator.BATCH_MATMUL -> prepareMatmul(of);
      case BuiltinOperator.GATHER,
          BuiltinOperator.GATHER_ND,
          BuiltinOperator.SPACE_TO_DEPTH,
          BuiltinOperator.DEPTH_TO_SPACE,
          BuiltinOperator.EMBEDDING_LOOKUP,
          BuiltinOperator.L2_POOL_2D ->
          addShape(of);
      case BuiltinOperator.ASSIGN_VARIABLE -> {
        if (of.moveToInput(1) && tensors.microBytes() instanceof TensorBytes.Known(long bytes)) {
          tail.addData(bytes);
        }
      }
      case BuiltinOperator.CUSTOM -> {
        if (operator.kind().isDecode()) {
          tail.addData(WORD * operator.outputs().size());
          operator.outputs().forEach(_ -> tail.addData(DECODE_STATE_BYTES));
        } else if (!sizes.containsKey(operator.kind().name())) {
          prepareUnknown(tensors, operator);
        }
      }
      default -> {}
    }
  }

  /** Adds an estimate of the tables and the state of a kernel, as in kernels for signals. */
  private void prepareUnknown(TensorTable tensors, ModelOperator operator)
      throws MalformedFileException {
    for (int output : operator.outputs()) {
      tensors.moveTo(output);
      addCopies(tensors, operator.kind().name().endsWith("fft") ? TRANSFORM_FACTOR : 1);
    }
  }

  private void prepareMatmul(OperatorTensors of) throws MalformedFileException {
    TensorTable tensors = of.table();
    if (OperatorTensors.isInteger(of.inputType(0))) {
      tail.addData(MATMUL_BYTES);
    }
    for (int input : of.operator().transposed()) {
      tensors.moveTo(input);
      tail.addData(EVAL_TENSOR_BYTES);
      tail.addData(WORD * (1 + tensors.shape().size()));
      addCopies(tensors, 1);
    }
    addShape(of);
  }

  /**
   * Adds as much memory as the current tensor has, or a multiple of it; nothing for an unknown
   * size.
   */
  private void addCopies(TensorTable tensors, long factor) throws MalformedFileException {
    if (tensors.microBytes() instanceof TensorBytes.Known(long bytes)) {
      tail.addData(factor * Math.min(bytes, Integer.MAX_VALUE));
    }
  }

  private void addMultipliers(long channels) {
    tail.addData(WORD * channels);
    tail.addData(WORD * channels);
  }

  /** Adds a copy of the shape of the first output. */
  private void addShape(OperatorTensors of) throws MalformedFileException {
    if (of.moveToOutput()) {
      tail.addData(WORD * (1 + of.table().shape().size()));
    }
  }

  /** {@return the bytes of the structures of tensors, with their quantization} */
  private List<Long> tensors(TensorTable table, List<Integer> indices)
      throws MalformedFileException {
    List<Long> all = new ArrayList<>();
    for (int index : indices) {
      table.moveTo(index);
      int channels = table.quantizedChannels();
      all.add(TENSOR_BYTES + (channels == 0 ? 0 : QUANTIZATION_BYTES + WORD * (1L + channels)));
    }
    return all;
  }
}
