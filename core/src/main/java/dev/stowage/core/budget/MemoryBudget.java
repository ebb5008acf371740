package dev.stowage.core.budget;

import java.util.List;

/**
 * The memory of a service for one shape, as a sum of parts.
 *
 * @param parts the parts
 */
public record MemoryBudget(List<MemoryPart> parts) {

  /** Creates a budget. */
  public MemoryBudget {
    parts = List.copyOf(parts);
  }

  /** {@return the bytes when the last session is being created} */
  public long loadingBytes() {
    return parts.stream().mapToLong(MemoryPart::loadingBytes).reduce(0, Math::addExact);
  }

  /** {@return the bytes when all sessions have run} */
  public long runningBytes() {
    return parts.stream().mapToLong(MemoryPart::runningBytes).reduce(0, Math::addExact);
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
