package dev.stowage.tflite.micro;

import dev.stowage.tflite.offline.OfflinePlan;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The tail of an arena: the data of the interpreter and of its kernels, and the variables that the
 * plan does not place.
 *
 * <p>The sizes hold for the reference kernels on a machine with pointers of 4 bytes. For unknown
 * kernels, for example of custom operators, they are an estimate.
 *
 * @param bytes the tail
 * @param parts the bytes of each part, which add up to the tail
 * @param bytesToStart the bytes of the arena that the interpreter needs until it has made its plan
 */
public record ArenaTail(long bytes, Map<TailPart, Long> parts, long bytesToStart) {

  /** Creates a tail. */
  public ArenaTail {
    parts = Map.copyOf(parts);
  }

  /** {@return the tail of a model with a number of scratch buffers and a plan, if it has one} */
  static ArenaTail of(MicroModel model, int scratchCount, Optional<OfflinePlan> plan) {
    List<MicroTensor> inMemory = model.tensors().inMemory();
    List<Long> variables =
        inMemory.stream()
            .filter(MicroTensor::isVariable)
            .filter(
                tensor -> plan.isEmpty() || plan.get().offset(tensor.id().planIndex()).isEmpty())
            .map(MicroTensor::bytes)
            .toList();
    int bufferCount = inMemory.size() + model.tensors().handles().size() + scratchCount;
    long decompressionBytes = model.decompression().tailBytes();
    TailBytes all = model.tail().finished(scratchCount, variables);
    all.parts().merge(TailPart.PERSISTENT_BUFFERS, decompressionBytes, Long::sum);
    return new ArenaTail(
        all.bytes() + decompressionBytes,
        all.parts(),
        model.tail().bytesToStart(scratchCount, variables, bufferCount) + decompressionBytes);
  }

  /**
   * {@return the bytes of an arena that TensorFlow Lite Micro can start with: the head and the
   * tail, or more if the interpreter needs more to make its plan; a multiple of {@link
   * MicroArena#ALIGNMENT_BYTES}}
   */
  public long arenaBytes(long headBytes) {
    return aligned(Math.max(headBytes + bytes, bytesToStart));
  }

  /** {@return a number of bytes, rounded up to a multiple of {@link MicroArena#ALIGNMENT_BYTES}} */
  public static long aligned(long bytes) {
    return MicroAlignment.roundedUp(bytes);
  }
}
