package dev.stowage.trace.tune;

import java.util.List;
import java.util.Optional;

/**
 * The settings of an allocator that a search tries.
 *
 * <p>The candidates depend only on the trace, so that a search has the same result on every
 * machine.
 */
public interface SettingsSpace {

  /**
   * {@return the candidates for a trace, without duplicates: first the defaults, if the space has
   * them, and the recorded settings, then all others}
   *
   * @param trace the trace
   */
  List<Candidate> candidates(TunedTrace trace);

  /**
   * {@return the candidate with the settings of a recording, or the first candidate if the trace
   * does not have its settings}
   *
   * @param candidates the candidates for the trace
   * @param trace the trace
   */
  default Candidate baseline(List<Candidate> candidates, TunedTrace trace) {
    return candidates.getFirst();
  }

  /**
   * {@return a value that is equal for candidates that give every request of a trace the same
   * place}
   *
   * @param candidate the candidate
   * @param trace the trace
   */
  default Object effect(Candidate candidate, TunedTrace trace) {
    return candidate.settings();
  }

  /**
   * {@return the split limit of a candidate; empty if the allocator has none, or if a replay with
   * other limits may differ even if no block reaches them}
   *
   * @param candidate the candidate
   * @param trace the trace
   */
  default Optional<SplitLimit> splitLimit(Candidate candidate, TunedTrace trace) {
    return Optional.empty();
  }
}
