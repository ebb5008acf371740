package dev.stowage.tflite.micro;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.tflite.model.CompressedTensors;
import dev.stowage.tflite.model.DecodeOperator;
import dev.stowage.tflite.model.ModelFile;
import dev.stowage.tflite.model.ModelOperator;
import dev.stowage.tflite.model.Subgraph;
import dev.stowage.tflite.model.TensorBytes;
import dev.stowage.tflite.model.TensorTable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import org.tensorflow.lite.schema.BuiltinOperator;

/**
 * The memory of constants that TensorFlow Lite Micro decompresses while a model runs.
 *
 * <p>The outputs of an operator {@code TFLM_DECODE} are tensors in the head. Kernels that look up
 * compressed tensors request a scratch buffer for each of them. An application that gives memory
 * regions to {@code SetDecompressionMemory} has a smaller head.
 */
final class Decompression {

  /*
   * Sources: decode.cc, the calls of AllocateDecompressionScratchBuffer in the reference kernels, and
   * micro_interpreter_graph.cc of tflite-micro, 2026-08. The interpreter prepares the operators of all
   * subgraphs in their order, including subgraphs that no operator calls.
   */

  /** The largest memory that the interpreter can count. */
  private static final long MAX_BYTES = Integer.MAX_VALUE;

  /** The bytes of a pointer. */
  private static final long WORD = 4;

  /** The data of a compressed tensor: its table and its bits. */
  private static final long ENTRY_BYTES = 16;

  /** The indices of the scratch buffers of a concatenation. */
  private static final long CONCATENATION_BYTES = 48;

  /** The largest number of notes on operators; a damaged model could have millions. */
  private static final int MAX_NOTES = 3;

  private final ModelFile file;
  private final List<Subgraph> subgraphs;

  /** The compressed tensors of each subgraph. */
  private final List<BitSet> compressed;

  private final List<DecompressedInput> inputs = new ArrayList<>();

  private final List<String> notes = new ArrayList<>();
  private long tailBytes;
  private int count;

  private Decompression(ModelFile file, List<Subgraph> subgraphs, List<BitSet> compressed) {
    this.file = file;
    this.subgraphs = subgraphs;
    this.compressed = compressed;
  }

  /**
   * {@return the decompression of the constants of a model}
   *
   * @throws MalformedFileException if compressed data is damaged
   */
  static Decompression of(ModelFile file, List<Subgraph> subgraphs) throws MalformedFileException {
    Decompression decompression =
        new Decompression(file, subgraphs, CompressedTensors.of(file, subgraphs));
    decompression.addTail();
    for (int i = 0; i < subgraphs.size(); i++) {
      for (int k = 0; k < subgraphs.get(i).operators().size(); k++) {
        decompression.prepare(i, k);
      }
    }
    return decompression;
  }

  /** Adds the data that the interpreter keeps for compressed tensors. */
  private void addTail() {
    if (compressed.stream().allMatch(BitSet::isEmpty)) {
      return;
    }
    for (int i = 0; i < subgraphs.size(); i++) {
      Subgraph subgraph = subgraphs.get(i);
      int compressedCount = compressed.get(i).cardinality();
      tailBytes += WORD + compressedCount * ENTRY_BYTES;
      tailBytes += compressedCount == 0 ? 0 : WORD * subgraph.tensors().count();
      for (ModelOperator operator : subgraph.operators()) {
        tailBytes +=
            operator.kind().builtinCode() == BuiltinOperator.CONCATENATION
                ? CONCATENATION_BYTES
                : lookedUp(operator).isEmpty() ? 0 : MicroAlignment.BYTES;
      }
    }
  }

  private void prepare(int subgraph, int k) throws MalformedFileException {
    ModelOperator operator = subgraphs.get(subgraph).operators().get(k);
    if (operator.kind().isDecode()) {
      decode(subgraph, operator, k);
    } else if (!compressed.get(subgraph).isEmpty()) {
      lookUp(subgraph, operator, k);
    }
  }

  private void decode(int subgraph, ModelOperator operator, int k) throws MalformedFileException {
    TensorTable tensors = subgraphs.get(subgraph).tensors();
    OptionalInt unknown = DecodeOperator.check(file, tensors, operator, k);
    if (unknown.isPresent()) {
      note(
          String.format(
              Locale.ROOT,
              "TFLM_DECODE %d has the encoding %d, which TensorFlow Lite Micro of August 2026 cannot decode",
              k,
              unknown.getAsInt()));
    }
    for (int output : operator.outputs()) {
      tensors.moveTo(output);
      if (!tensors.isConstant()) {
        count(tensors);
      }
    }
  }

  private void lookUp(int subgraph, ModelOperator operator, int k) throws MalformedFileException {
    TensorTable tensors = subgraphs.get(subgraph).tensors();
    List<Integer> kernel = lookedUp(operator);
    for (int input : kernel) {
      if (compressed.get(subgraph).get(input)) {
        tensors.moveTo(input);
        count(tensors);
        if (tensors.microBytes() instanceof TensorBytes.Known(long bytes)) {
          ScratchBuffer buffer = new ScratchBuffer(subgraph, k, Math.min(bytes, MAX_BYTES));
          inputs.add(new DecompressedInput(buffer, tensors.label(input)));
        }
      }
    }
    for (int input : operator.inputs()) {
      if (compressed.get(subgraph).get(input) && !kernel.contains(input)) {
        tensors.moveTo(input);
        note(
            String.format(
                Locale.ROOT,
                "%s %d reads the compressed tensor %s, which its kernel does not decompress",
                operator.kind().name(),
                k,
                tensors.label(input)));
      }
    }
  }

  private void note(String sentence) {
    if (notes.size() < MAX_NOTES) {
      notes.add(sentence);
    }
  }

  private void count(TensorTable tensors) throws MalformedFileException {
    if (tensors.microBytes() instanceof TensorBytes.Known(long bytes) && bytes > 0) {
      count++;
    }
  }

  /** {@return the inputs that a kernel decompresses, in the order of its requests} */
  private static List<Integer> lookedUp(ModelOperator operator) {
    List<Integer> inputs = operator.inputs();
    return switch (operator.kind().builtinCode()) {
      case BuiltinOperator.CONV_2D,
          BuiltinOperator.DEPTHWISE_CONV_2D,
          BuiltinOperator.FULLY_CONNECTED ->
          at(inputs, 1, 2);
      case BuiltinOperator.TRANSPOSE_CONV -> at(inputs, 1, 3);
      case BuiltinOperator.ASSIGN_VARIABLE -> at(inputs, 1);
      case BuiltinOperator.CONCATENATION -> inputs;
      default -> List.of();
    };
  }

  private static List<Integer> at(List<Integer> inputs, int... positions) {
    List<Integer> found = new ArrayList<>();
    for (int position : positions) {
      if (position < inputs.size()) {
        found.add(inputs.get(position));
      }
    }
    return found;
  }

  /** {@return the bytes in the tail for pointers of 4 bytes; up to one alignment too many} */
  long tailBytes() {
    return tailBytes;
  }

  /** {@return the constants that kernels decompress, in the order of their requests} */
  List<DecompressedInput> inputs() {
    return inputs;
  }

  /** {@return the number of constants that are decompressed} */
  int count() {
    return count;
  }

  /** {@return sentences on constants that cannot be decompressed} */
  List<String> notes() {
    return notes;
  }
}
