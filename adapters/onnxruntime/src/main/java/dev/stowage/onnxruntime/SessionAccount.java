package dev.stowage.onnxruntime;

import dev.stowage.allocator.AllocationTag;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The bytes and the runs of one session. Guarded by the ledger's lock. */
final class SessionAccount {

  private final String name;
  private final SessionLimits limits;
  private final AllocationTag weightsTag;
  private final AllocationTag tensorsTag;
  private final AllocationTag runsTag;
  private final RecordedFailures failures = new RecordedFailures();
  private final RecentPeaks recentPeaks;

  /** In the order of arrival. */
  private final Deque<RunAccount> waiting = new ArrayDeque<>();

  /** The open runs, and ended runs whose ranges have bytes in use. */
  private final Set<RunAccount> openRuns = new LinkedHashSet<>();

  /** The bytes in use that belong to no open run: weights, and results of closed runs. */
  private long keptBytes;

  /** The kept bytes that the session keeps since it was loaded. */
  private long loadedBytes;

  private long bytesInUse;
  private long peakBytes;

  /** The kept bytes and the charges of all open runs. */
  private long chargedBytes;

  private long runs;
  private long overruns;
  private long rejections;
  private long largestRunBytes;
  private long unattributed;

  private SessionAccount(String name, String prefix, SessionLimits limits, int recentRuns) {
    this.name = name;
    this.limits = limits;
    this.weightsTag = AllocationTag.of(prefix + "weights");
    this.tensorsTag = AllocationTag.of(prefix + "tensors");
    this.runsTag = AllocationTag.of(prefix + "runs");
    this.recentPeaks = new RecentPeaks(recentRuns);
  }

  /**
   * {@return an account of no bytes}
   *
   * @param recentRuns the number of runs of which estimates are made
   */
  static SessionAccount of(String name, SessionLimits limits, int recentRuns) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("name must not be empty: name=''");
    }
    return new SessionAccount(name, name + "/", limits, recentRuns);
  }

  /** {@return the account of all sessions without an account of their own} */
  static SessionAccount ofOthers() {
    return new SessionAccount("", "", SessionLimits.none(), 1);
  }

  // Constants.

  String name() {
    return name;
  }

  SessionLimits limits() {
    return limits;
  }

  AllocationTag weightsTag() {
    return weightsTag;
  }

  AllocationTag tensorsTag() {
    return tensorsTag;
  }

  /** {@return the tag of the ranges of runs} */
  AllocationTag runsTag() {
    return runsTag;
  }

  RecordedFailures failures() {
    return failures;
  }

  // State.

  Deque<RunAccount> waiting() {
    return waiting;
  }

  Set<RunAccount> openRuns() {
    return openRuns;
  }

  boolean hasOpenRun() {
    return openRuns.stream().anyMatch(RunAccount::isOpen);
  }

  /** {@return the open run if there is exactly one} */
  Optional<RunAccount> onlyOpenRun() {
    Optional<RunAccount> only = Optional.empty();
    for (RunAccount run : openRuns) {
      if (run.isOpen() && only.isPresent()) {
        return Optional.empty();
      }
      only = run.isOpen() ? Optional.of(run) : only;
    }
    return only;
  }

  long keptBytes() {
    return keptBytes;
  }

  /** {@return the bytes that are in use until the session is closed} */
  long loadedBytes() {
    return loadedBytes;
  }

  long bytesInUse() {
    return bytesInUse;
  }

  long chargedBytes() {
    return chargedBytes;
  }

  /** {@return the bytes that other sessions cannot have} */
  long heldBytes() {
    return heldBytes(chargedBytes);
  }

  /** {@return the bytes that other sessions could not have with another charge} */
  long heldBytes(long charged) {
    return Math.max(limits.reservedBytes(), charged);
  }

  /** {@return the estimate of the next run, or empty if runs are not estimated} */
  OptionalLong estimateBytes() {
    OptionalLong first = limits.firstEstimateBytes();
    OptionalLong percentile = recentPeaks.percentile();
    return first.isPresent() && percentile.isPresent() ? percentile : first;
  }

  /** {@return the account as a report} */
  SessionUsage usage() {
    return new SessionUsage(
        name,
        limits,
        new SessionUsage.Bytes(bytesInUse, peakBytes, keptBytes, chargedBytes),
        new SessionUsage.Runs(
            runs, largestRunBytes, recentPeaks.percentile(), overruns, unattributed),
        rejections,
        failures.refusals());
  }

  // Changes.

  void charge(long bytes) {
    chargedBytes += bytes;
  }

  /** Adds bytes that no open run uses, or removes them if negative. */
  void keep(long bytes) {
    keptBytes += bytes;
    chargedBytes += bytes;
  }

  /** Adds kept bytes of a loading that has ended, or removes them if negative. */
  void keepLoaded(long bytes) {
    keep(bytes);
    loadedBytes += bytes;
  }

  /** Adds bytes in use, or removes them if negative. */
  void use(long bytes) {
    bytesInUse += bytes;
    peakBytes = Math.max(peakBytes, bytesInUse);
  }

  /** Counts a run that has ended. */
  void countRun(RunAccount run) {
    runs++;
    largestRunBytes = Math.max(largestRunBytes, run.peakBytes());
    recentPeaks.add(run.peakBytes());
  }

  /** Counts a run or loading that uses more than its bound. */
  void countOverrun() {
    overruns++;
  }

  void countRejection() {
    rejections++;
  }

  /** Counts an allocation that may belong to any of several open runs. */
  void countUnattributed() {
    unattributed++;
  }
}
