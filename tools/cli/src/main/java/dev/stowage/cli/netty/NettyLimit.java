package dev.stowage.cli.netty;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Text;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongPredicate;

/**
 * A limit of direct memory for a program.
 *
 * @param bytes the limit
 * @param addedBytes the part that the replay does not need; the program held more than its replay
 * @param isSmallest true if requests of the replay fail with one chunk less
 */
public record NettyLimit(long bytes, long addedBytes, boolean isSmallest) {

  private static final int MOST_TRIES = 8;

  /**
   * {@return the smallest limit of a replay that was found; empty if requests fail in each try}
   *
   * @param peak the chunks without a limit; the pooled allocator has fewer arenas under a limit
   * @param passes is true for a limit with which all requests pass
   */
  static Optional<NettyLimit> search(NettyRun.Peak peak, LongPredicate passes) {
    OptionalLong passed = OptionalLong.empty();
    boolean hasFailed = false;
    long bytes = peak.bytes();
    for (int i = 0; i < MOST_TRIES && bytes > 0 && (passed.isEmpty() || !hasFailed); i++) {
      if (passes.test(bytes)) {
        passed = OptionalLong.of(bytes);
        bytes -= peak.chunkBytes();
      } else {
        hasFailed = true;
        bytes += peak.chunkBytes();
      }
    }
    return passed.isEmpty()
        ? Optional.empty()
        : Optional.of(new NettyLimit(passed.getAsLong(), 0, hasFailed || bytes <= 0));
  }

  /**
   * {@return this limit of a replay with all that the program held more than its replay}
   *
   * @param agreement the agreement with the recording
   * @param isRecorded true if the settings are the recorded ones, which need the recorded peak
   */
  NettyLimit forProgram(NettyAgreement agreement, boolean isRecorded) {
    long recorded = agreement.program().peakReservedBytes().orElse(0);
    long missed = Math.max(0, recorded - agreement.run().peak().bytes());
    long added = isRecorded ? Math.max(missed, recorded - bytes) : missed;
    return new NettyLimit(bytes + added, added, isSmallest);
  }

  /** {@return the argument of {@code java}, and what happens below it} */
  public String sentence() {
    String argument = Text.of("-XX:MaxDirectMemorySize=%d (%s)", bytes, ByteUnit.human(bytes));
    return addedBytes > 0
        ? Text.of(
            "A limit for this program: %s. All requests of the replay pass with %s less, but the"
                + " program held more than its replay.",
            argument, ByteUnit.human(addedBytes))
        : isSmallest
            ? Text.of(
                "The smallest limit with which all requests pass: %s; with one chunk less, requests"
                    + " fail.",
                argument)
            : Text.of("A limit with which all requests pass: %s.", argument);
  }
}
