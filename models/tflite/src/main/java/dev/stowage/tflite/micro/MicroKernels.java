package dev.stowage.tflite.micro;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.tflite.model.Subgraph;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.tensorflow.lite.schema.BuiltinOperator;

/** The scratch buffers that the kernels of a model's operators request in TensorFlow Lite Micro. */
final class MicroKernels {

  /**
   * The operators on integers with optimized kernels, for example of CMSIS-NN or Xtensa, that
   * request scratch buffers.
   */
  private static final Set<Integer> OPTIMIZED =
      Set.of(
          BuiltinOperator.AVERAGE_POOL_2D,
          BuiltinOperator.BATCH_MATMUL,
          BuiltinOperator.CONV_2D,
          BuiltinOperator.DEPTHWISE_CONV_2D,
          BuiltinOperator.FULLY_CONNECTED,
          BuiltinOperator.MAX_POOL_2D,
          BuiltinOperator.SOFTMAX);

  private final List<ScratchBuffer> referenceScratch = new ArrayList<>();
  private final List<EspNnRequest> espNnRequests = new ArrayList<>();
  private final List<String> reference = new ArrayList<>();
  private final List<String> optimized = new ArrayList<>();
  private final List<String> custom = new ArrayList<>();

  private MicroKernels() {}

  /** A request of a kernel of esp-tflite-micro for a buffer; ESP-NN determines its size. */
  private record EspNnRequest(int subgraph, int operator, int builtinCode, EspNnShape shape) {

    Stream<ScratchBuffer> buffer(EspNn kernels) {
      long bytes = kernels.bytes(builtinCode, shape);
      return bytes == 0 ? Stream.of() : Stream.of(new ScratchBuffer(subgraph, operator, bytes));
    }
  }

  /**
   * {@return the scratch buffers of all operators of a model, also of subgraphs that are not
   * executed}
   */
  static MicroKernels of(List<Subgraph> subgraphs) throws MalformedFileException {
    MicroKernels kernels = new MicroKernels();
    for (int i = 0; i < subgraphs.size(); i++) {
      Subgraph subgraph = subgraphs.get(i);
      for (int k = 0; k < subgraph.operators().size(); k++) {
        kernels.add(i, k, new OperatorTensors(subgraph.tensors(), subgraph.operators().get(k)));
      }
    }
    return kernels;
  }

  private void add(int subgraph, int k, OperatorTensors tensors) throws MalformedFileException {
    String path = subgraph == 0 ? "" : String.format(Locale.ROOT, "subgraph %d ", subgraph);
    String name = path + tensors.operator().kind().name() + " " + k;
    int code = tensors.builtinCode();
    List<Long> sizes = ReferenceScratch.of(tensors);
    for (long bytes : sizes) {
      referenceScratch.add(new ScratchBuffer(subgraph, k, Math.min(bytes, Integer.MAX_VALUE)));
    }
    EspNnShape.of(tensors)
        .ifPresent(shape -> espNnRequests.add(new EspNnRequest(subgraph, k, code, shape)));
    if (!sizes.isEmpty()) {
      reference.add(name);
    } else if (code == BuiltinOperator.CUSTOM && !tensors.operator().kind().isDecode()) {
      custom.add(name);
    } else if (OPTIMIZED.contains(code) && OperatorTensors.isInteger(tensors.outputType())) {
      optimized.add(name);
    }
  }

  /** {@return the scratch buffers that the reference kernels request} */
  List<ScratchBuffer> referenceScratch() {
    return referenceScratch;
  }

  /**
   * {@return the scratch buffers that the kernels of esp-tflite-micro request with ESP-NN: each
   * requests the buffers of the reference kernel first}
   */
  List<ScratchBuffer> scratch(EspNn kernels) {
    return Stream.concat(
            referenceScratch.stream(),
            espNnRequests.stream().flatMap(request -> request.buffer(kernels)))
        .toList();
  }

  /** {@return the operators with kernels that usually request scratch buffers} */
  ScratchOperators scratchOperators() {
    return new ScratchOperators(reference, optimized, custom);
  }
}
