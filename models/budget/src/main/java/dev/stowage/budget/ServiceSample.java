package dev.stowage.budget;

import dev.stowage.plan.shapes.DimensionValues;
import java.util.Locale;

/**
 * The measured memory of a service: its process without the Java virtual machine.
 *
 * @param shape the largest shape of the requests
 * @param sessions the number of sessions
 * @param concurrent the number of requests at a time in each session
 * @param loadedBytes the bytes when all sessions are created, before the first request
 * @param highestBytes the most bytes until the end of the requests
 */
public record ServiceSample(
    DimensionValues shape, int sessions, int concurrent, long loadedBytes, long highestBytes) {

  /**
   * Creates a sample.
   *
   * @throws IllegalArgumentException if {@code sessions < 1}, {@code concurrent < 1}, {@code
   *     loadedBytes < 0} or {@code highestBytes < loadedBytes}
   */
  public ServiceSample {
    ModelBudget.checkCounts(sessions, concurrent);
    if (loadedBytes < 0 || highestBytes < loadedBytes) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a sample must have 0 <= loadedBytes <= highestBytes: loadedBytes=%d, highestBytes=%d",
              loadedBytes,
              highestBytes));
    }
  }

  /**
   * {@return the growth of the process in bytes for each request at a time}
   *
   * <p>This is more than the tensors of a request, because the engine's own arena grows in steps
   * and divides its memory into pieces.
   */
  public long growthBytes() {
    return Math.ceilDiv(highestBytes - loadedBytes, (long) sessions * concurrent);
  }
}
