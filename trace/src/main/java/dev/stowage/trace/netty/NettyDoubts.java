package dev.stowage.trace.netty;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** The reasons why a replay under the rules of Netty is an estimate. */
final class NettyDoubts {

  /** The reason why a replay of several threads is not exact. */
  static final String RACES =
      "Threads compete for shared chunks, and the replay has one order of their events.";

  /** The share by which a replay may differ from its recording without a doubt about the rules. */
  private static final double TOLERANCE = 0.05;

  private NettyDoubts() {}

  /**
   * {@return a sentence on the difference between a replay with the recorded settings and the
   * recording; empty if they are near}
   *
   * @param replayedBytes the peak of the chunks in the replay
   * @param recordedBytes the peak in the recording, if it is known
   */
  static Optional<String> difference(long replayedBytes, OptionalLong recordedBytes) {
    long recorded = recordedBytes.orElse(replayedBytes);
    return Math.abs(replayedBytes - recorded) <= TOLERANCE * recorded
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "With the recorded settings, the peak is %,d bytes, but Netty reserved %,d: the rules"
                    + " are those of version 4.2.20.",
                replayedBytes,
                recorded));
  }
}
