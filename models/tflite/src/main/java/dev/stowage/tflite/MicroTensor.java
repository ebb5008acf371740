package dev.stowage.tflite;

import dev.stowage.plan.TensorUses;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A tensor that needs memory in TensorFlow Lite Micro.
 *
 * <p>Time is counted in scopes: the inputs of the main subgraph exist from scope 0, and each
 * executed operator has a scope of its own.
 *
 * @param subgraph the index of its subgraph
 * @param index the index in the subgraph
 * @param planIndex the index among the tensors of all subgraphs, as in an offline plan
 * @param name the name; empty if it has none
 * @param type the shape and the type of the elements; empty for a scratch buffer
 * @param bytes the size, rounded up to a multiple of {@link MicroArena#ALIGNMENT_BYTES}
 * @param firstScope the scope that first writes it, or -1 if it is only read, or not used
 * @param lastScope the last scope that uses it, or -1 if no executed subgraph uses it
 * @param readScopes the scopes of the operators that read it. If its subgraph is executed several
 *     times, they are those of the first execution
 * @param isVariable true if its value is kept until the next run
 */
public record MicroTensor(
    int subgraph,
    int index,
    int planIndex,
    String name,
    Optional<TensorType> type,
    long bytes,
    int firstScope,
    int lastScope,
    List<Integer> readScopes,
    boolean isVariable) {

  /** Creates a tensor. */
  public MicroTensor {
    readScopes = List.copyOf(readScopes);
  }

  /** {@return true if an executed subgraph uses the tensor} */
  public boolean isUsed() {
    return lastScope >= 0;
  }

  /**
   * {@return the scopes that write and read the tensor; the producer of an input of the model is
   * scope 0, and that of an input of another subgraph is the scope that starts the subgraph}
   */
  public TensorUses uses() {
    return new TensorUses(
        firstScope < 0 ? OptionalInt.empty() : OptionalInt.of(firstScope), readScopes);
  }
}
