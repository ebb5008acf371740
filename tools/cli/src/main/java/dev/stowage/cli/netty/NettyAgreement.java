package dev.stowage.cli.netty;

import dev.stowage.pages.text.Text;
import dev.stowage.trace.format.RecordedProgram;

/**
 * The agreement of a recording and its replay with the recorded settings. Figures of other settings
 * may differ from the truth as much.
 *
 * @param program the recorded program
 * @param run the run with the recorded settings
 */
public record NettyAgreement(RecordedProgram program, NettyRun run) {

  /** The largest difference. Above it, a replay shows nothing about other settings. */
  private static final double MOST = 0.1;

  /**
   * The largest share of buffers freed on other threads. Above it, a recording shows nothing about
   * other settings.
   */
  private static final double MOST_FOREIGN = 0.5;

  /** {@return the difference as a share of the recorded bytes; 0 if they are not known} */
  private double share() {
    long recorded = program.peakReservedBytes().orElse(0);
    return recorded == 0 ? 0 : (double) (run.peak().bytes() - recorded) / recorded;
  }

  /** {@return true if the replay shows nothing about other settings} */
  public boolean isMissed() {
    return isFar() || isHandedOver();
  }

  private boolean isFar() {
    return Math.abs(share()) > MOST;
  }

  private boolean isHandedOver() {
    return program.script().foreignShare() > MOST_FOREIGN;
  }

  /** {@return the replayed and the recorded peak, and the reasons why other settings may differ} */
  public String sentence() {
    return peaks()
        + (isHandedOver()
            ? Text.of(
                " Other threads than the allocating ones free %.0f %% of the buffers. The number of"
                    + " buffers at a time then depends on the speed of the threads, and differs with"
                    + " other settings and from run to run.",
                100 * program.script().foreignShare())
            : "");
  }

  private String peaks() {
    if (program.peakReservedBytes().isEmpty()) {
      return "The recording does not have the chunks from the start of the program, so that no"
          + " recorded peak confirms the figures.";
    }
    double percent = 100 * share();
    return Text.of(
        "With the recorded settings, %s holds %,d bytes of chunks at the peak, %s",
        run.version().replaceFirst(" \\(.*", ""),
        run.peak().bytes(),
        percent == 0
            ? "as recorded."
            : Text.of(
                "%.1f %% %s than the recorded %,d%s",
                Math.abs(percent),
                percent < 0 ? "less" : "more",
                program.peakReservedBytes().getAsLong(),
                isFar() ? ". " + reasons() : "; other settings are as uncertain."));
  }

  private String reasons() {
    return Text.of(
        "Likely reasons: another version of Netty made the recording (it has %,d chunks, the replay"
            + " %,d; --engine selects a version)%s.",
        program.chunkCount(),
        run.chunkCount(),
        program.script().threadCount() > 1
            ? "; or threads competed for chunks, which a replay of one event after the other does"
                + " not repeat"
            : "");
  }
}
