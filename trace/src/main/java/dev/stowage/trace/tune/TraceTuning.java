package dev.stowage.trace.tune;

import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.Confidence;
import dev.stowage.trace.replay.TraceReplay;
import dev.stowage.trace.tune.Trial.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
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
   * If a replay depends on chance, its result is the worst of several plausible runs.
   *
   * A split limit has no effect on a replay that searched no block as large as the limit. So all settings
   * that differ only in limits above these blocks have the same result. One candidate for each of the other
   * settings is replayed first, because its result may stand for the rest.
   */

  private static final int EVENTS_BETWEEN_CHECKS = 64;

  /**
   * A replay that was completed, or that stopped because its result was too bad.
   *
   * @param limitBytes its split limit
   * @param mostSearchedBytes the bytes of the largest block that it searched
   * @param trial its result; empty if it stopped
   */
  private record EndedReplay(long limitBytes, long mostSearchedBytes, Optional<Trial> trial) {

    /** {@return true if a replay with another split limit is the same} */
    boolean isSameWith(long otherLimitBytes) {
      return mostSearchedBytes < Math.min(limitBytes, otherLimitBytes);
    }
  }

  private final TunedTrace trace;
  private final List<Candidate> candidates;
  private final Candidate baseline;
  private final int kept;

  /** The candidates to replay, the baseline first. */
  private final List<Candidate> replayed = new ArrayList<>();

  private final Map<Candidate, SplitLimit> limits = new HashMap<>();

  /** The replays that ended, by {@link SplitLimit#others}. */
  private final Map<Object, List<EndedReplay>> ended = new HashMap<>();

  private final Map<Candidate, Trial> trials = new HashMap<>();

  /** The best results so far, at most {@link #kept}, the worst one first. */
  private final PriorityQueue<Outcome> best = new PriorityQueue<>(Outcome.BEST_FIRST.reversed());

  /** The best result so far. */
  private Outcome leader =
      new Outcome(
          Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, 0);

  private int taken;
  private int stopped;
  private int done;

  /**
   * Creates a search.
   *
   * @param trace the trace
   * @param space the settings
   * @param candidates the candidates of the space for this trace
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
    List<Candidate> different = new ArrayList<>(List.of(baseline));
    for (Candidate candidate : candidates) {
      if (!candidate.equals(baseline)
          && candidate.equals(simplest.get(space.effect(candidate, trace)))) {
        different.add(candidate);
      }
    }
    List<Candidate> later = new ArrayList<>();
    for (Candidate candidate : different) {
      Optional<SplitLimit> limit = space.splitLimit(candidate, trace);
      limit.ifPresent(known -> limits.put(candidate, known));
      boolean isFirst =
          limit.isEmpty() || ended.putIfAbsent(limit.get().others(), new ArrayList<>()) == null;
      (isFirst ? replayed : later).add(candidate);
    }
    replayed.addAll(later);
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
    Optional<EndedReplay> same = isKept ? Optional.empty() : same(candidate);
    if (same.isPresent()) {
      return finished(
          same.get().trial().map(known -> new Trial(candidate, known.result())),
          isCancelled.getAsBoolean());
    }
    Run run = new Run(isCancelled);
    Optional<Outcome> result = run.replay(candidate.rules(), isKept);
    if (result.isEmpty()) {
      boolean isCut = isCancelled.getAsBoolean();
      if (!isCut) {
        addEnded(candidate, run, Optional.empty());
      }
      return finished(Optional.empty(), isCut);
    }
    Optional<Trial> trial = Optional.of(new Trial(candidate, result.get()));
    addEnded(candidate, run, trial);
    return finished(trial, false);
  }

  private synchronized Optional<EndedReplay> same(Candidate candidate) {
    SplitLimit limit = limits.get(candidate);
    return limit == null
        ? Optional.empty()
        : ended.getOrDefault(limit.others(), List.of()).stream()
            .filter(other -> other.isSameWith(limit.bytes()))
            .findFirst();
  }

  private synchronized void addEnded(Candidate candidate, Run run, Optional<Trial> trial) {
    SplitLimit limit = limits.get(candidate);
    if (limit != null) {
      ended
          .getOrDefault(limit.others(), new ArrayList<>())
          .add(new EndedReplay(limit.bytes(), run.mostSearchedBytes, trial));
    }
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

  /** The replays with one candidate. */
  private final class Run {

    private final BooleanSupplier isCancelled;

    /** The bytes of the largest block that a replay searched. */
    long mostSearchedBytes;

    Run(BooleanSupplier isCancelled) {
      this.isCancelled = isCancelled;
    }

    /**
     * {@return the figures of replays; empty if they were cancelled or are worse than all to keep}
     */
    Optional<Outcome> replay(AllocatorRules rules, boolean isComplete) {
      TraceReplay replay = trace.start(rules);
      Optional<Outcome> outcome = replay(replay, Optional.empty(), isComplete);
      if (outcome.isEmpty()) {
        return outcome;
      }
      for (AllocatorRules variant : Confidence.otherRuns(replay, rules)) {
        outcome = replay(trace.start(variant), outcome, isComplete);
        if (outcome.isEmpty()) {
          return outcome;
        }
      }
      return outcome;
    }

    /**
     * {@return the figures of a replay and those before it; empty as for {@link
     * #replay(AllocatorRules, boolean)}}
     */
    private Optional<Outcome> replay(
        TraceReplay replay, Optional<Outcome> before, boolean isComplete) {
      boolean isOver = false;
      int sinceCheck = 0;
      for (int event = 0; event < trace.eventCount() && !isOver; event++) {
        if (++sinceCheck == EVENTS_BETWEEN_CHECKS) {
          sinceCheck = 0;
          isOver =
              isCancelled.getAsBoolean() || (!isComplete && isWorseThanKept(Outcome.of(replay)));
        }
        if (!isOver) {
          trace.pass(event, replay);
        }
      }
      mostSearchedBytes = Math.max(mostSearchedBytes, replay.allocator().mostSearchedBytes());
      if (isOver) {
        return Optional.empty();
      }
      Outcome outcome = Outcome.of(replay);
      return Optional.of(before.isPresent() ? before.get().with(outcome) : outcome);
    }
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
}
