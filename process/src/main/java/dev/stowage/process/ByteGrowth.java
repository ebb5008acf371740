package dev.stowage.process;

import java.util.OptionalLong;

/**
 * The growth of a number of bytes over samples.
 *
 * @param firstBytes the bytes of the first sample
 * @param lastBytes the bytes of the last sample
 * @param risenBytes the median of the last third of the samples minus the median of the first
 *     third, so that single samples hardly change it; negative if the bytes fall
 * @param bytesPerHour the slope of a line through these medians; empty if the times are not known
 * @param course the course of the growth
 */
public record ByteGrowth(
    long firstBytes, long lastBytes, long risenBytes, OptionalLong bytesPerHour, Course course) {

  /** The course of a growth. */
  public enum Course {
    /** There are fewer than six samples. */
    FEW_SAMPLES,
    /** Each half of the time has a quarter of the growth or more. */
    STEADY,
    /** The second half of the time has less than a quarter of the growth. */
    SLOWING,
    /** The first half of the time has less than a quarter of the growth. */
    LATE
  }

  /** {@return the bytes of the last sample minus the bytes of the first one} */
  public long growthBytes() {
    return lastBytes - firstBytes;
  }

  /** {@return true if the medians and the single samples both grow by at least these bytes} */
  boolean isAtLeast(long bytes) {
    return risenBytes >= bytes && growthBytes() >= bytes;
  }
}
