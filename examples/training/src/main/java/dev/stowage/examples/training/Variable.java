package dev.stowage.examples.training;

import dev.stowage.memory.synced.SyncedMemory;
import dev.stowage.memory.tensor.DataType;
import dev.stowage.memory.tensor.Tensor;
import dev.stowage.memory.tensor.TensorShape;
import java.util.function.BiFunction;

/**
 * A tensor and its gradient.
 *
 * @param data the values
 * @param diff the gradient
 */
record Variable(Tensor data, Tensor diff) implements AutoCloseable {

  /**
   * {@return a variable of zeros}
   *
   * @param memory makes a buffer of a name and a size
   */
  static Variable of(
      BiFunction<String, Long, SyncedMemory> memory, String name, TensorShape shape) {
    return new Variable(part(memory, name + "/data", shape), part(memory, name + "/diff", shape));
  }

  private static Tensor part(
      BiFunction<String, Long, SyncedMemory> memory, String name, TensorShape shape) {
    long bytes = shape.byteCount(DataType.FLOAT32);
    return Tensor.over(name, DataType.FLOAT32, shape, memory.apply(name, bytes));
  }

  TensorShape shape() {
    return data.shape();
  }

  @Override
  public void close() {
    data.close();
    diff.close();
  }
}
