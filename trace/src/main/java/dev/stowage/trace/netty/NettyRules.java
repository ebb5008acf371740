package dev.stowage.trace.netty;

import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.PytorchRecording;
import dev.stowage.trace.replay.SimulatedAllocator;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** The rules of Netty's allocators. */
public final class NettyRules implements AllocatorRules {

  /** The reason why a replay of several threads is not exact. */
  public static final String RACES =
      "Threads compete for shared chunks, and the replay has one order of their events.";

  /** The share by which a replay may differ from its recording without a doubt about the rules. */
  private static final double TOLERANCE = 0.05;

  private final Optional<NettySettings> settings;
  private final OptionalLong limitBytes;

  /**
   * Creates the rules.
   *
   * @param settings the settings; empty for those of the recording, or the defaults
   * @param limitBytes the most bytes of all chunks; empty for any number
   */
  public NettyRules(Optional<NettySettings> settings, OptionalLong limitBytes) {
    this.settings = settings;
    this.limitBytes = limitBytes;
  }

  /**
   * {@return a sentence on the difference between a replay with the recorded settings and the
   * recording; empty if they are near}
   *
   * @param replayedBytes the peak of the chunks in the replay
   * @param recordedBytes the peak in the recording, if it is known
   */
  public static Optional<String> difference(long replayedBytes, OptionalLong recordedBytes) {
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

  @Override
  public SimulatedAllocator start(Optional<PytorchRecording> recording) {
    return new NettyAllocator(settings, limitBytes);
  }
}
