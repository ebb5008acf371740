package dev.stowage.tflite.micro;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.tflite.model.ModelOperator;
import dev.stowage.tflite.model.Subgraph;
import dev.stowage.tflite.model.TensorTable;
import dev.stowage.tflite.model.TfliteType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Facts on the kernels of a model's operators in TensorFlow Lite Micro. */
final class MicroKernels {

  private final List<Subgraph> subgraphs;
  private final Map<ScratchKernels, List<String>> scratch = new EnumMap<>(ScratchKernels.class);

  private final List<ScratchBuffer> referenceScratch;
  private final List<EspNnRequest> espNnRequests;

  private MicroKernels(List<Subgraph> subgraphs) throws MalformedFileException {
    this.subgraphs = subgraphs;
    referenceScratch = ReferenceScratch.of(subgraphs);
    espNnRequests = EspNnRequest.allOf(subgraphs);
  }

  /** {@return the facts on all operators of a model, also of subgraphs that are not executed} */
  static MicroKernels of(List<Subgraph> subgraphs) throws MalformedFileException {
    MicroKernels kernels = new MicroKernels(subgraphs);
    for (int i = 0; i < subgraphs.size(); i++) {
      for (int k = 0; k < subgraphs.get(i).operators().size(); k++) {
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
    if (!operator.outputs().isEmpty()) {
      tensors.moveTo(operator.outputs().getFirst());
      resultType = tensors.type();
    }
    if (operator.inputs().size() > 1) {
      tensors.moveTo(operator.inputs().get(1));
      filterType = tensors.type();
    }
    String path = index == 0 ? "" : String.format(Locale.ROOT, "subgraph %d ", index);
    scratch
        .computeIfAbsent(
            ScratchKernels.of(operator.kind(), resultType, filterType), _ -> new ArrayList<>())
        .add(path + operator.kind().name() + " " + k);
  }

  /** {@return the scratch buffers that the reference kernels request} */
  List<ScratchBuffer> referenceScratch() {
    return referenceScratch;
  }

  /** {@return the scratch buffers that the kernels of esp-tflite-micro request with ESP-NN} */
  List<ScratchBuffer> scratch(EspNn kernels) {
    return Stream.concat(
            referenceScratch.stream(),
            espNnRequests.stream().flatMap(request -> request.buffer(kernels).stream()))
        .toList();
  }

  /** {@return the operators whose kernels usually request scratch buffers} */
  ScratchOperators scratchOperators() {
    return new ScratchOperators(
        scratch.getOrDefault(ScratchKernels.REFERENCE, List.of()),
        scratch.getOrDefault(ScratchKernels.OPTIMIZED, List.of()),
        scratch.getOrDefault(ScratchKernels.CUSTOM, List.of()));
  }
}
