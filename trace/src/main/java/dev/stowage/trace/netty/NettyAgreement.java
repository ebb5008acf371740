package dev.stowage.trace.netty;

import dev.stowage.trace.format.RecordedProgram;
import java.util.Locale;

/**
 * The agreement of a replay with the recorded settings and its recording, which is the width of all
 * that other settings show.
 *
 * @param program the recorded program
 * @param run the run with the recorded settings
 */
public record NettyAgreement(RecordedProgram program, NettyRun run) {

  /** The difference above which a replay shows nothing about other settings. */
  private static final double MOST = 0.1;

  private static final double PERCENT = 100;

  /**
   * {@return the agreement of a run with the recorded settings}
   *
   * @param engine runs Netty
   * @param program the program
   */
  public static NettyAgreement of(NettyEngine engine, RecordedProgram program) {
    return new NettyAgreement(program, engine.run(program, NettySettings.recorded(program)));
  }

  /** {@return the difference as a share of the recorded bytes; 0 if they are not known} */
  public double share() {
    long recorded = program.peakReservedBytes().orElse(0);
    return recorded == 0 ? 0 : (double) (run.peakBytes() - recorded) / recorded;
  }

  /** {@return true if the replay is too far from the recording} */
  public boolean isMissed() {
    return Math.abs(share()) > MOST;
  }

  /** {@return the replayed and the recorded peak, and the likely reasons of a large difference} */
  public String sentence() {
    if (program.peakReservedBytes().isEmpty()) {
      return "The recording does not have the chunks from the start of the program, so that no"
          + " recorded peak confirms the figures.";
    }
    long recorded = program.peakReservedBytes().getAsLong();
    if (run.peakBytes() == recorded) {
      return String.format(
          Locale.ROOT,
          "With the recorded settings, %s holds %,d bytes of chunks at the peak, as recorded.",
          version(),
          recorded);
    }
    return String.format(
        Locale.ROOT,
        "With the recorded settings, %s holds %,d bytes of chunks at the peak, %.1f %% %s than the"
            + " recorded %,d%s",
        version(),
        run.peakBytes(),
        PERCENT * Math.abs(share()),
        share() < 0 ? "less" : "more",
        recorded,
        isMissed() ? ". " + reasons() : "; other settings are as uncertain.");
  }

  /** {@return the version, without the reason for it} */
  private String version() {
    return run.version().replaceFirst(" \\(.*", "");
  }

  private String reasons() {
    String threads =
        program.script().hasVirtualThreads()
            ? "virtual threads competed for chunks"
            : "threads competed for chunks, which a replay of one event after the other does not"
                + " repeat";
    return String.format(
        Locale.ROOT,
        "Likely reasons: another version of Netty made the recording (it has %,d chunks, the replay"
            + " %,d; --engine selects a version)%s.",
        program.chunkCount(),
        run.chunkCount(),
        program.script().threadCount() > 1 ? "; or " + threads : "");
  }
}
