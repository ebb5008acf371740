package dev.stowage.tflite.micro;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.tflite.model.ModelOperator;
import dev.stowage.tflite.model.Subgraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The order of the operators of the main subgraph that decode constants.
 *
 * <p>If an application has memory for decompression, each {@code TFLM_DECODE} overwrites the
 * constants of the previous one. All readers of the old constants must therefore run before. This
 * is always so if every {@code TFLM_DECODE} is directly in front of its only reader, as in the
 * files of tflite-micro's compressor. In other models, these operators keep their order.
 */
final class DecodeOrder {

  /** The number of tensors that stand for the memory of the application. */
  static final int ADDED_TENSORS = 1;

  private static final int NONE = -1;

  private final Subgraph main;

  /** For each decoded constant, the operator that writes it; NONE for other tensors. */
  private final int[] decoders;

  /** For each decoding operator, the operator that reads its constants. */
  private final int[] readers;

  /** True if the operators that decode keep their order. */
  private boolean isKept;

  /** The subgraphs that decode constants, themselves or in subgraphs that they call. */
  private final BitSet decoding;

  private DecodeOrder(Subgraph main, BitSet decoding) {
    this.main = main;
    this.decoding = decoding;
    decoders = new int[main.tensors().count()];
    readers = new int[main.operators().size()];
    Arrays.fill(decoders, NONE);
    Arrays.fill(readers, NONE);
  }

  /** {@return the order of a model} */
  static DecodeOrder of(List<Subgraph> subgraphs) throws MalformedFileException {
    BitSet decoding = new BitSet();
    for (int i = 0; i < subgraphs.size(); i++) {
      if (subgraphs.get(i).operators().stream().anyMatch(it -> it.kind().isDecode())) {
        decoding.set(i);
      }
    }
    DecodeOrder order =
        new DecodeOrder(subgraphs.getFirst(), SubgraphCalls.withCallers(subgraphs, decoding));
    if (decoding.get(0)) {
      order.findReaders();
    }
    return order;
  }

  private void findReaders() throws MalformedFileException {
    int[] writerCounts = new int[decoders.length];
    main.inputs().forEach(tensor -> writerCounts[tensor]++);
    BitSet isReader = new BitSet();
    for (int k = 0; k < main.operators().size(); k++) {
      ModelOperator operator = main.operators().get(k);
      for (int input : operator.inputs()) {
        int decoder = decoders[input];
        if (decoder != NONE && readers[decoder] != k) {
          isKept |= readers[decoder] != NONE || isReader.get(k);
          readers[decoder] = k;
          isReader.set(k);
        }
      }
      for (int output : operator.outputs()) {
        writerCounts[output]++;
        if (operator.kind().isDecode()) {
          decoders[output] = k;
          main.tensors().moveTo(output);
          isKept |= main.tensors().isVariable();
        }
      }
    }
    isKept |= main.outputs().stream().anyMatch(output -> decoders[output] != NONE);
    for (int tensor = 0; tensor < decoders.length; tensor++) {
      isKept |= decoders[tensor] != NONE && writerCounts[tensor] > 1;
    }
    for (int k = 0; k < readers.length; k++) {
      isKept |= main.operators().get(k).kind().isDecode() && readers[k] == NONE;
    }
  }

  /** {@return an operator that uses the memory of the application as a tensor} */
  ModelOperator withMemory(ModelOperator operator) {
    if (!isKept) {
      return operator;
    }
    int memory = main.tensors().count();
    List<Integer> inputs = new ArrayList<>(operator.inputs());
    List<Integer> outputs = new ArrayList<>(operator.outputs());
    if (operator.inputs().stream().anyMatch(input -> decoders[input] != NONE)) {
      inputs.add(memory);
    }
    if (operator.kind().isDecode() || operator.calledSubgraphs().stream().anyMatch(decoding::get)) {
      outputs.add(memory);
    }
    return new ModelOperator(
        operator.kind(),
        inputs,
        outputs,
        operator.calledSubgraphs(),
        operator.transposed(),
        operator.variable(),
        operator.convolution());
  }

  /** {@return an order that puts operators that decode directly in front of their reader} */
  List<Integer> arrange(List<Integer> operators) {
    if (isKept) {
      return operators;
    }
    int[] decoderOf = new int[readers.length];
    Arrays.fill(decoderOf, NONE);
    for (int k = 0; k < readers.length; k++) {
      if (readers[k] != NONE) {
        decoderOf[readers[k]] = k;
      }
    }
    List<Integer> arranged = new ArrayList<>();
    for (int k : operators) {
      if (decoderOf[k] != NONE) {
        arranged.add(decoderOf[k]);
      }
      if (readers[k] == NONE) {
        arranged.add(k);
      }
    }
    return arranged;
  }
}
