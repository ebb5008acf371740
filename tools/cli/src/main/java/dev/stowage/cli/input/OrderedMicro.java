package dev.stowage.cli.input;

import dev.stowage.tflite.micro.MicroArena;
import dev.stowage.tflite.micro.MicroArenaReader;
import dev.stowage.tflite.micro.ScratchBuffer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A model for TensorFlow Lite Micro with operators that can run in other orders. Operator 0 of its
 * graphs is the caller of the model.
 *
 * @param arena the arena in the order of the file, with its scratch buffers
 */
public record OrderedMicro(Path file, MicroArena arena) {

  /** The sentence for a model that must keep the order of its operators. */
  public static final String FIXED_ORDER =
      "the operators keep their order, because two of them call the same subgraph";

  /** {@return a model; empty if two operators call the same subgraph, and all keep their order} */
  public static Optional<OrderedMicro> of(Path file, MicroArena arena) {
    return arena.operators().map(_ -> new OrderedMicro(file, arena));
  }

  /**
   * {@return the arena if the operators run in another order}
   *
   * @param order the operators in their order, by their indices in the first graph
   * @throws IOException if the model cannot be read again
   */
  public MicroArena arenaInOrder(List<Integer> order) throws IOException {
    List<Integer> inModel = inModel(order);
    MicroArena ordered =
        MicroArenaReader.read(file, inModel)
            .withScratch(
                arena.scratchBuffers().stream().map(buffer -> moved(buffer, inModel)).toList());
    return arena.isInPlace() ? ordered.withInPlace() : ordered;
  }

  /** {@return the memory of the same model if its operators run in another order} */
  public MicroMemory inOrder(MicroMemory memory, List<Integer> order) throws IOException {
    return new MicroMemory(arenaInOrder(order), memory.options());
  }

  /** {@return a scratch buffer with the index of its operator in another order} */
  private static ScratchBuffer moved(ScratchBuffer buffer, List<Integer> order) {
    return buffer.subgraph() == 0
        ? new ScratchBuffer(0, order.indexOf(buffer.operator()), buffer.bytes())
        : buffer;
  }

  /** {@return an order without the caller: the operators by their indices in the model} */
  public List<Integer> inModel(List<Integer> order) {
    return arena.fileOrder(order);
  }
}
