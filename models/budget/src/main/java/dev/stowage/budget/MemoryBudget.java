package dev.stowage.budget;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The memory of a service for one shape, as a sum of parts.
 *
 * @param parts the parts
 */
public record MemoryBudget(List<MemoryPart> parts) {

  /**
   * Creates a budget.
   *
   * @throws ArithmeticException if the parts have more than 2^63 - 1 bytes together
   */
  public MemoryBudget {
    parts = List.copyOf(parts);
    sum(parts, MemoryPart::loadingBytes);
    sum(parts, MemoryPart::runningBytes);
  }

  private static long sum(List<MemoryPart> parts, ToLongFunction<MemoryPart> bytes) {
    long sum = 0;
    for (MemoryPart part : parts) {
      try {
        sum = Math.addExact(sum, bytes.applyAsLong(part));
      } catch (ArithmeticException e) {
        throw new ArithmeticException(
            "the sum of the parts must not exceed 2^63 - 1 bytes: last part '" + part.name() + "'");
      }
    }
    return sum;
  }

  /** {@return the bytes when the last session is being created} */
  public long loadingBytes() {
    return sum(parts, MemoryPart::loadingBytes);
  }

  /** {@return the bytes when all sessions have run} */
  public long runningBytes() {
    return sum(parts, MemoryPart::runningBytes);
  }

  /** {@return true if the highest point is the creation of the last session} */
  public boolean isHighestWhileLoading() {
    return loadingBytes() > runningBytes();
  }

  /** {@return the bytes at the highest point} */
  public long highestBytes() {
    return Math.max(loadingBytes(), runningBytes());
  }

  /**
   * {@return the bytes of a part at the highest point of all parts together}
   *
   * @param part one of the parts
   */
  public long highestBytes(MemoryPart part) {
    return isHighestWhileLoading() ? part.loadingBytes() : part.runningBytes();
  }
}
