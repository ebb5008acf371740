package dev.stowage.trace.tune;

import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.TraceReplay;
import dev.stowage.trace.tune.Trial.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * A search for the settings with which an allocator needs least memory for one trace.
 *
 * <p>Threads take replays with {@link #next} and run them in any order and at the same time. The
 * best settings do not depend on that order, unless replays are cancelled.
 */
public final class TraceTuning {

  /*
   * Candidates with the same effect share the replay of the one with the fewest changes.
   *
   * A replay stops as soon as it is worse than the results to keep: failures and the peak only grow.
   * A result among the best `kept` is never worse than the worst of any `kept` results, so it is
   * complete in every order of replays. So is a result within 1 % of the best one, because it is also
   * within 1 % of the best one so far.
   *
   * A result whose replay depends on chance is the worst of several plausible runs.
   */

  private static final int EVENTS_BETWEEN_CHECKS = 64;

  private final TunedTrace trace;
  private final List<Candidate> candidates;
  private final Candidate baseline;
  private final int kept;

  /** The candidate that stands for each candidate. */
  private final Map<Candidate, Candidate> representatives = new HashMap<>();

  /** The candidates to replay: the baseline, then the others in their order. */
  private final List<Candidate> replayed = new ArrayList<>();

  private final Map<Candidate, Trial> trials = new HashMap<>();

  /** The best results so far, at most {@link #kept}, the worst one first. */
  private final PriorityQueue<Outcome> best = new PriorityQueue<>(Outcome.BEST_FIRST.reversed());

  /** The best result so far. */
  private Outcome leader =
      new Outcome(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, 0);

  private int taken;
  private int stopped;
  private int done;

  /**
   * Creates a search.
   *
   * @param trace the trace
   * @param space the settings
   * @param candidates the candidates of the space for this trace, and perhaps others
   * @param kept the number of best results to complete; replays with a worse result may stop early
   * @throws IllegalArgumentException if {@code kept < 1}
   */
  public TraceTuning(TunedTrace trace, SettingsSpace space, List<Candidate> candidates, int kept) {
    if (kept < 1) {
      throw new IllegalArgumentException("kept must be positive: kept=" + kept);
    }
    this.trace = trace;
    this.candidates = List.copyOf(candidates);
    this.kept = kept;
    baseline = space.baseline(candidates, trace);
    chooseRepresentatives(space);
  }

  private void chooseRepresentatives(SettingsSpace space) {
    Map<Object, Candidate> simplest = new HashMap<>();
    for (Candidate candidate : candidates) {
      simplest.merge(
          space.effect(candidate, trace),
          candidate,
          (known, other) -> other.changes() < known.changes() ? other : known);
    }
    for (Candidate candidate : candidates) {
      Candidate representative = simplest.get(space.effect(candidate, trace));
      representatives.put(candidate, candidate.equals(baseline) ? candidate : representative);
    }
    replayed.add(baseline);
    for (Candidate candidate : candidates) {
      if (!candidate.equals(baseline) && candidate.equals(representatives.get(candidate))) {
        replayed.add(candidate);
      }
    }
  }

  /** One replay to run. */
  @FunctionalInterface
  public interface Replay {

    /**
     * Replays the trace.
     *
     * @param isCancelled asked from time to time; true ends the replay
     * @return the result; empty if it was cancelled or stopped early
     */
    Optional<Trial> run(BooleanSupplier isCancelled);
  }

  /** {@return the next replay; empty if none is left} */
  public synchronized Optional<Replay> next() {
    if (taken == replayed.size()) {
      return Optional.empty();
    }
    Candidate candidate = replayed.get(taken++);
    return Optional.of(isCancelled -> run(candidate, isCancelled));
  }

  private Optional<Trial> run(Candidate candidate, BooleanSupplier isCancelled) {
    boolean isKept = candidate.equals(baseline);
    Optional<Outcome> result = replay(candidate.rules(), isKept, isCancelled);
    if (result.isEmpty()) {
      return finished(Optional.empty(), isCancelled.getAsBoolean());
    }
    Optional<Outcome> cold = Optional.empty();
    if (candidate.withoutCache().isPresent()) {
      cold = replay(candidate.withoutCache().get(), true, isCancelled);
      if (cold.isEmpty()) {
        return finished(Optional.empty(), true);
      }
    }
    return finished(Optional.of(new Trial(candidate, result.get(), cold)), false);
  }

  private synchronized Optional<Trial> finished(Optional<Trial> trial, boolean isCancelled) {
    if (trial.isPresent()) {
      trials.put(trial.get().candidate(), trial.get());
      best.add(trial.get().result());
      if (Outcome.BEST_FIRST.compare(trial.get().result(), leader) < 0) {
        leader = trial.get().result();
      }
      if (best.size() > kept) {
        best.remove();
      }
    } else if (!isCancelled) {
      stopped++;
    }
    done += isCancelled ? 0 : 1;
    return trial;
  }

  private synchronized boolean isWorseThanKept(Outcome outcome) {
    return best.size() == kept
        && Outcome.BEST_FIRST.compare(outcome, best.element()) > 0
        && !outcome.isNear(leader);
  }

  /**
   * {@return the figures of replays; empty if they were cancelled or are worse than all to keep}
   */
  private Optional<Outcome> replay(
      AllocatorRules rules, boolean isComplete, BooleanSupplier isCancelled) {
    TraceReplay replay = trace.start(rules);
    Optional<Outcome> outcome = replay(replay, Optional.empty(), isComplete, isCancelled);
    if (outcome.isEmpty() || trace.recording().isEmpty() || replay.isOriginal()) {
      return outcome;
    }
    for (AllocatorRules variant :
        rules.variants(replay.dependsOnAddresses(), replay.dependsOnCompletions())) {
      outcome = replay(trace.start(variant), outcome, isComplete, isCancelled);
      if (outcome.isEmpty()) {
        return outcome;
      }
    }
    return outcome;
  }

  /**
   * {@return the figures of a replay and those before it; empty as for {@link
   * #replay(AllocatorRules, boolean, BooleanSupplier)}}
   */
  private Optional<Outcome> replay(
      TraceReplay replay,
      Optional<Outcome> before,
      boolean isComplete,
      BooleanSupplier isCancelled) {
    int sinceCheck = 0;
    for (int event = 0; event < trace.eventCount(); event++) {
      if (++sinceCheck == EVENTS_BETWEEN_CHECKS) {
        sinceCheck = 0;
        if (isCancelled.getAsBoolean() || (!isComplete && isWorseThanKept(Outcome.of(replay)))) {
          return Optional.empty();
        }
      }
      trace.pass(event, replay);
    }
    Outcome outcome = Outcome.of(replay);
    return Optional.of(before.isPresent() ? before.get().with(outcome) : outcome);
  }

  /** {@return the settings that the trace was recorded with, or the defaults} */
  public Candidate baseline() {
    return baseline;
  }

  /** {@return the number of candidates} */
  public int candidateCount() {
    return candidates.size();
  }

  /** {@return the number of replays that a complete search runs} */
  public int replayCount() {
    return replayed.size();
  }

  /** {@return the number of replays that ended, not counting cancelled ones} */
  public synchronized int doneCount() {
    return done;
  }

  /** {@return the number of replays that stopped early, because their result was too bad} */
  public synchronized int stoppedCount() {
    return stopped;
  }

  /** {@return true if no replay was cancelled or is left} */
  public synchronized boolean isComplete() {
    return done == replayed.size();
  }

  /**
   * {@return the best results, the best one first, and the result of the baseline}
   *
   * <p>These are all results that are not worse than the last one to keep, or at most 1 % worse
   * than the best one. A complete search always has the same.
   */
  public synchronized List<Trial> results() {
    return trials.values().stream()
        .filter(trial ->
            trial.candidate().equals(baseline)
                || trial.result().isNear(leader)
                || Outcome.BEST_FIRST.compare(trial.result(), best.element()) <= 0)
        .sorted(Trial.BEST_FIRST.thenComparingInt(trial -> candidates.indexOf(trial.candidate())))
        .toList();
  }

  /**
   * {@return the results of all candidates, including those whose effect is that of another one;
   * without those that were cancelled or stopped early}
   */
  Map<String, Trial> byCandidate() {
    Map<String, Trial> all = new TreeMap<>();
    for (Candidate candidate : candidates) {
      Optional<Trial> trial = trial(candidate);
      trial.ifPresent(known -> all.put(candidate.settings(), known));
    }
    return all;
  }

  private synchronized Optional<Trial> trial(Candidate candidate) {
    return Optional.ofNullable(trials.get(representatives.get(candidate)));
  }
}
