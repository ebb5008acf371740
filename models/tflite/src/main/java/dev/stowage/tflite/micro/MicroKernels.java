package dev.stowage.tflite.micro;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.tflite.model.ModelOperator;
import dev.stowage.tflite.model.Subgraph;
import dev.stowage.tflite.model.TensorBytes;
import dev.stowage.tflite.model.TensorTable;
import dev.stowage.tflite.model.TfliteType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.tensorflow.lite.schema.BuiltinOperator;

/** Facts on the kernels of a model's operators in TensorFlow Lite Micro. */
final class MicroKernels {

  /*
   * The estimate of the tail has the parts whose sizes follow from the model, for pointers of 4
   * bytes (sources: micro_allocator.cc, micro_interpreter.cc and the kernels of tflite-micro,
   * 2026-08):
   *
   *   interpreter   the allocator, the planner and the parser of options
   *   subgraph      pointers to its operators and tensors
   *   tensor        a TfLiteEvalTensor: data, shape, type
   *   operator      a TfLiteNode of 7 words, a pointer to the kernel, and on average 64 bytes
   *                 for its options and the data of its kernel
   *   input, output a pointer, a TfLiteTensor, and its quantization with one channel
   *   convolution   a multiplier and a shift of 4 bytes for each output channel
   *   BATCH_MATMUL  a transposed copy of an input, unless its option says it is transposed
   */
  private static final long INTERPRETER_BYTES = 128;

  private static final long SUBGRAPH_BYTES = 8;
  private static final long EVAL_TENSOR_BYTES = 12;
  private static final long NODE_BYTES = 32 + 64;
  private static final long TENSOR_BYTES = 4 + 40 + 12 + 8;
  private static final long CHANNEL_BYTES = 4;

  private final List<Subgraph> subgraphs;
  private final Map<ScratchKernels, List<String>> scratch = new EnumMap<>(ScratchKernels.class);
  private long tailBytes = INTERPRETER_BYTES;

  private MicroKernels(List<Subgraph> subgraphs) {
    this.subgraphs = subgraphs;
  }

  /** {@return the facts on all operators of a model, also of subgraphs that are not executed} */
  static MicroKernels of(List<Subgraph> subgraphs) throws MalformedFileException {
    MicroKernels kernels = new MicroKernels(subgraphs);
    Subgraph main = subgraphs.getFirst();
    kernels.tailBytes += (main.inputs().size() + main.outputs().size()) * TENSOR_BYTES;
    for (int i = 0; i < subgraphs.size(); i++) {
      Subgraph subgraph = subgraphs.get(i);
      kernels.tailBytes +=
          SUBGRAPH_BYTES
              + subgraph.tensors().count() * EVAL_TENSOR_BYTES
              + subgraph.operators().size() * NODE_BYTES;
      for (int k = 0; k < subgraph.operators().size(); k++) {
        kernels.add(i, k);
      }
    }
    return kernels;
  }

  private void add(int index, int k) throws MalformedFileException {
    ModelOperator operator = subgraphs.get(index).operators().get(k);
    TensorTable tensors = subgraphs.get(index).tensors();
    TfliteType resultType = TfliteType.VARIANT;
    TfliteType filterType = TfliteType.VARIANT;
    int code = operator.kind().builtinCode();
    if (!operator.outputs().isEmpty()) {
      tensors.moveTo(operator.outputs().getFirst());
      resultType = tensors.type();
    }
    if (operator.inputs().size() > 1) {
      tensors.moveTo(operator.inputs().get(1));
      filterType = tensors.type();
      long channelBytes = channels(code, tensors) * CHANNEL_BYTES;
      tailBytes += 2 * MicroAlignment.roundedUp(channelBytes); // the sum of 2^31 operators fits
    }
    for (int input : operator.transposed()) {
      tensors.moveTo(input);
      if (tensors.microBytes() instanceof TensorBytes.Known(long bytes)) {
        // Damaged models may have tensors of 2^62 bytes each.
        tailBytes += MicroAlignment.roundedUp(Math.min(bytes, Integer.MAX_VALUE));
      }
    }
    String path = index == 0 ? "" : String.format(Locale.ROOT, "subgraph %d ", index);
    scratch
        .computeIfAbsent(
            ScratchKernels.of(operator.kind(), resultType, filterType), _ -> new ArrayList<>())
        .add(path + operator.kind().name() + " " + k);
  }

  /** {@return the output channels of a convolution, whose filter is the current tensor} */
  private static long channels(int code, TensorTable filter) throws MalformedFileException {
    return switch (code) {
      case BuiltinOperator.CONV_2D, BuiltinOperator.TRANSPOSE_CONV -> filter.dimension(0);
      case BuiltinOperator.DEPTHWISE_CONV_2D -> filter.dimension(3);
      default -> 0;
    };
  }

  /** {@return the operators whose kernels usually request scratch buffers} */
  ScratchOperators scratchOperators() {
    return new ScratchOperators(
        scratch.getOrDefault(ScratchKernels.REFERENCE, List.of()),
        scratch.getOrDefault(ScratchKernels.OPTIMIZED, List.of()),
        scratch.getOrDefault(ScratchKernels.CUSTOM, List.of()));
  }

  /** {@return an estimate of the tail without variables, for pointers of 4 bytes} */
  long tailBytes() {
    return tailBytes;
  }
}
