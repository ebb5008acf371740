package dev.stowage.process;

import java.util.List;

/**
 * A statement on the reason why memory grows.
 *
 * @param subject the name of the memory that grows, such as {@code C heap}
 * @param owners the owners of the memory
 * @param bytes its growth
 * @param cause the reason
 * @param explanation sentences on the evidence, or on ways to find out more
 */
public record GrowthVerdict(
    String subject,
    List<MemoryOwner> owners,
    ByteGrowth bytes,
    GrowthCause cause,
    String explanation) {

  /** Copies the owners. */
  public GrowthVerdict {
    owners = List.copyOf(owners);
  }
}
