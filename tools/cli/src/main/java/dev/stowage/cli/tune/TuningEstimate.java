package dev.stowage.cli.tune;

import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;

/**
 * The time that a search still takes, if its other replays take as long as those so far. They
 * rather take less: more of them share a result, or stop because they are worse than the best.
 *
 * @param elapsedSeconds the time so far
 * @param doneCount the number of replays that ended
 * @param replayCount the number of all replays
 * @param eventCount the number of events of the trace
 */
public record TuningEstimate(
    double elapsedSeconds, int doneCount, int replayCount, long eventCount) {

  /** The time from which on users want to know it. */
  private static final double LEAST_SECONDS = 10;

  private static final double SECONDS_PER_MINUTE = 60;
  private static final int LEAST_DONE = 4;
  private static final int LEAST_SHARE = 16;

  /** {@return true if enough replays have ended; the first ones are slower than the rest} */
  static boolean isPossible(int doneCount, int replayCount) {
    return doneCount >= Math.max(LEAST_DONE, replayCount / LEAST_SHARE);
  }

  /** {@return true if users should know the time} */
  public boolean isLong() {
    return seconds() >= LEAST_SECONDS;
  }

  private double seconds() {
    return elapsedSeconds / doneCount * (replayCount - doneCount);
  }

  /** {@return the time as a sentence, in seconds below two minutes} */
  @Override
  public String toString() {
    double seconds = seconds();
    String time =
        seconds < 2 * SECONDS_PER_MINUTE
            ? Math.round(seconds) + " s"
            : Math.round(seconds / SECONDS_PER_MINUTE) + " min";
    return Text.of(
        "about %s or less for the other %s of %s of %s",
        time,
        Numbers.grouped(replayCount - doneCount),
        Numbers.count(replayCount, "replay"),
        Numbers.count(eventCount, "event"));
  }
}
