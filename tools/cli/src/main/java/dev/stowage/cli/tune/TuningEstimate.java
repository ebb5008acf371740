package dev.stowage.cli.tune;

import dev.stowage.pages.text.Numbers;
import java.util.Locale;

/**
 * The time of a search, if all of its replays take as long as the first one.
 *
 * @param firstSeconds the time of the first replay
 * @param replayCount the number of replays, with the first one
 * @param eventCount the number of events of the trace
 * @param threadCount the number of threads
 */
public record TuningEstimate(
    double firstSeconds, int replayCount, long eventCount, int threadCount) {

  /** The time from which on users want to know it. */
  private static final double LEAST_SECONDS = 10;

  private static final double SECONDS_PER_MINUTE = 60;

  /** {@return true if users should know the time} */
  public boolean isLong() {
    return seconds() >= LEAST_SECONDS;
  }

  private double seconds() {
    return firstSeconds * Math.ceilDiv(replayCount, threadCount);
  }

  /** {@return the time as a sentence, in seconds below two minutes} */
  @Override
  public String toString() {
    double seconds = seconds();
    String time =
        seconds < 2 * SECONDS_PER_MINUTE
            ? Math.round(seconds) + " s"
            : Math.round(seconds / SECONDS_PER_MINUTE) + " min";
    return String.format(
        Locale.ROOT,
        "about %s for %s of %s; replays with bad settings end early",
        time,
        Numbers.count(replayCount, "replay"),
        Numbers.count(eventCount, "event"));
  }
}
