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
    return Math.abs(share()) > MOST || program.script().foreignShare() > MOST_FOREIGN;
  }

  /** {@return the replayed and the recorded peak, and the reasons why other settings may differ} */
  public String sentence() {
    double foreign = program.script().foreignShare();
    return peaks()
        + (foreign > MOST_FOREIGN
            ? Text.of(
                " Other threads than the allocating ones free %.0f %% of the buffers, so that the"
                    + " number of buffers at a time differs from run to run.",
                100 * foreign)
            : "");
  }

  private String peaks() {
    if (program.peakReservedBytes().isEmpty()) {
      return "The recording does not have the chunks from the start of the program, so that no"
          + " recorded peak confirms the figures.";
    }
    String version = run.version().replaceFirst(" \\(.*", "");
    double percent = 100 * share();
    String difference =
        percent == 0
            ? "as recorded."
            : Text.of(
                "%.1f %% %s than the recorded %,d",
                Math.abs(percent),
                percent < 0 ? "less" : "more",
                program.peakReservedBytes().getAsLong());
    String width =
        percent == 0
            ? ""
            : Math.abs(share()) > MOST ? reasons(version) : "; other settings are as uncertain.";
    return Text.of(
        "With the recorded settings, %s holds %,d bytes of chunks at the peak, %s%s",
        version, run.peak().bytes(), difference, width);
  }

  private String reasons(String version) {
    String contention =
        program.script().hasVirtualThreads()
            ? "virtual threads competed for chunks, which a replay does not repeat."
            : "threads competed for chunks, which a replay does not repeat.";
    boolean isSameVersion =
        program.version().stream()
            .map(recorded -> "Netty " + recorded.replace(".Final", ""))
            .anyMatch(version::equals);
    return isSameVersion
        ? ". The likely reason: " + contention
        : Text.of(
            ". Likely reasons: another version of Netty made the recording (it has %,d chunks, the"
                + " replay %,d; --engine selects a version), or %s",
            program.chunkCount(), run.chunkCount(), contention);
  }
}
