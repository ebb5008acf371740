package dev.stowage.trace.tune;

import dev.stowage.trace.replay.AllocatorRules;
import java.util.List;

/**
 * Settings of an allocator to try.
 *
 * @param settings the settings, as {@code stowage replay} takes them; empty for the defaults, or
 *     for the settings of a log
 * @param paste the line that gives a program these settings
 * @param changes the number of settings that differ from the defaults
 * @param rules the rules of an allocator with these settings
 */
public record Candidate(String settings, String paste, int changes, AllocatorRules rules) {

  /** {@return true if the settings are the defaults, and not the settings of a recorded log} */
  public boolean isDefault() {
    return settings.isEmpty() && !rules.isOriginalOfLogs();
  }

  /** {@return the candidate with the settings} */
  public static Candidate withSettings(List<Candidate> candidates, String settings) {
    return candidates.stream()
        .filter(candidate -> candidate.settings().equals(settings))
        .findFirst()
        .orElseThrow();
  }

  /** {@return the settings as people see them} */
  public String name() {
    return isDefault() ? "the defaults" : settings.isEmpty() ? "as recorded" : settings;
  }
}
