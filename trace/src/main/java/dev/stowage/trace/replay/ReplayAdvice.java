package dev.stowage.trace.replay;

import dev.stowage.allocator.OutOfMemoryVerdict;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Changes of options with which no request of a history fails, each checked by a replay.
 *
 * <p>A history may pass with a limit and fail with a higher one, because doubling regions then have
 * other sizes. The search bisects the range between a failing and a passing limit, so lower limits
 * may pass, too.
 */
public final class ReplayAdvice {

  private final OptionalLong limitBytes;
  private final boolean isTight;
  private final OptionalLong splitThresholdBytes;
  private final boolean passesPreallocated;
  private final Optional<String> pytorchSettings;

  ReplayAdvice(
      OptionalLong limitBytes,
      boolean isTight,
      OptionalLong splitThresholdBytes,
      boolean passesPreallocated,
      Optional<String> pytorchSettings) {
    this.limitBytes = limitBytes;
    this.isTight = isTight;
    this.splitThresholdBytes = splitThresholdBytes;
    this.passesPreallocated = passesPreallocated;
    this.pytorchSettings = pytorchSettings;
  }

  /** {@return a limit, a multiple of 256; empty if the search found none} */
  public OptionalLong limitBytes() {
    return limitBytes;
  }

  /** {@return true if the history fails with 256 bytes less; false if the search ended early} */
  public boolean isTight() {
    return isTight;
  }

  /**
   * {@return the largest power of two below the current split threshold with which the history
   * passes at the current limit; empty if the first failure is not an {@link
   * OutOfMemoryVerdict#FRAGMENTED}, or if no threshold helps}
   */
  public OptionalLong splitThresholdBytes() {
    return splitThresholdBytes;
  }

  /** {@return true if the history passes with one region of the current limit} */
  public boolean passesPreallocated() {
    return passesPreallocated;
  }

  /** {@return settings of PyTorch with which the history passes at the current limit} */
  public Optional<String> pytorchSettings() {
    return pytorchSettings;
  }

  /** {@return true if no change was found} */
  public boolean isEmpty() {
    return limitBytes.isEmpty()
        && splitThresholdBytes.isEmpty()
        && !passesPreallocated
        && pytorchSettings.isEmpty();
  }
}
