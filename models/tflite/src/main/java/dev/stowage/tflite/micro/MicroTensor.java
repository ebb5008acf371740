package dev.stowage.tflite.micro;

import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.TensorUses;
import dev.stowage.tflite.TensorType;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A tensor or a scratch buffer that needs memory in TensorFlow Lite Micro.
 *
 * @param id the indices
 * @param name the name; empty if it has none
 * @param type the shape and the type of the elements; empty for a scratch buffer
 * @param bytes the size, rounded up to a multiple of {@link MicroArena#ALIGNMENT_BYTES}
 * @param lifetime the scopes that use it
 * @param isVariable true if its value is kept until the next run
 */
public record MicroTensor(
    TensorId id,
    String name,
    Optional<TensorType> type,
    long bytes,
    ScopeLifetime lifetime,
    boolean isVariable) {

  /** {@return the name, or the index among the tensors of all subgraphs if it has none} */
  public String label() {
    return name.isEmpty() ? "tensor " + id.planIndex() : name;
  }

  /** {@return true if an executed subgraph uses the tensor} */
  public boolean isUsed() {
    return lifetime.isUsed();
  }

  /**
   * {@return the scopes that write and read the tensor. Scope 0 produces the inputs of the model.
   * The scope that starts another subgraph produces the inputs of this subgraph}
   */
  public TensorUses uses() {
    return new TensorUses(
        lifetime.first() < 0 ? OptionalInt.empty() : OptionalInt.of(lifetime.first()),
        lifetime.reads());
  }

  /** {@return a record of this tensor with its label, pinned to an offset} */
  TensorUsageRecord placedAt(long offset) {
    return recordFromScopeBeforeAll().withName(label()).pinnedAt(offset);
  }

  /** {@return a record of this tensor} */
  TensorUsageRecord record(int firstTask, int lastTask) {
    return TensorUsageRecord.of(bytes, firstTask, lastTask).withName(name);
  }

  /** {@return a record of this tensor; its task 0 is the time before scope 0} */
  TensorUsageRecord recordFromScopeBeforeAll() {
    return record(lifetime.first() + 1, lifetime.last() + 1);
  }
}
