package dev.stowage.plan;

import java.util.List;
import java.util.OptionalInt;

/**
 * The tasks that compute and read a tensor.
 *
 * @param producer the first task that computes it; empty for an input of the model
 * @param consumers the tasks that read it, each once, in ascending order
 */
public record TensorUses(OptionalInt producer, List<Integer> consumers) {

  /**
   * Creates the uses of a tensor.
   *
   * @throws IllegalArgumentException if a task is negative, or if the consumers do not ascend
   */
  public TensorUses {
    consumers = List.copyOf(consumers);
    if (producer.isPresent() && producer.getAsInt() < 0) {
      throw new IllegalArgumentException(
          "producer must not be negative: producer=" + producer.getAsInt());
    }
    int last = -1;
    for (int consumer : consumers) {
      if (consumer <= last) {
        throw new IllegalArgumentException(
            "consumers must be 0 or more and ascend: consumers=" + consumers);
      }
      last = consumer;
    }
  }
}
