package dev.stowage.onnxruntime;

import dev.stowage.allocator.AllocationListener;
import dev.stowage.allocator.BfcOptions;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** The options of an {@link OnnxRuntimeAllocator}. */
public final class OnnxRuntimeOptions {

  private final BfcOptions allocator;
  private final Optional<AllocationListener> listener;

  /** Negative for the default. */
  private final long reserveBytes;

  private final int recentRuns;
  private final boolean trims;
  private final long alarmBytes;

  private OnnxRuntimeOptions(
      BfcOptions allocator,
      Optional<AllocationListener> listener,
      long reserveBytes,
      int recentRuns,
      boolean trims,
      long alarmBytes) {
    this.allocator = allocator;
    this.listener = listener;
    this.reserveBytes = reserveBytes;
    this.recentRuns = recentRuns;
    this.trims = trims;
    this.alarmBytes = alarmBytes;
  }

  /**
   * {@return options with a reserve of an eighth of the limit, estimates from 1,000 runs, no trims,
   * and no alarm}
   *
   * @param allocator the options of the allocator; {@link BfcOptions#expandable()} reserves least
   */
  public static OnnxRuntimeOptions of(BfcOptions allocator) {
    return new OnnxRuntimeOptions(allocator, Optional.empty(), -1, 1_000, false, 0);
  }

  /**
   * {@return these options with a listener}
   *
   * @param newListener is called for each request and free, for example a {@code TraceRecorder};
   *     {@link OnnxRuntimeAllocator#check()} throws the first exception of the listener, and the
   *     request succeeds in any case; it must neither call the allocator, its sessions and their
   *     permits nor wait for threads that do; calls that admit or report throw an {@link
   *     IllegalStateException}
   */
  public OnnxRuntimeOptions withListener(AllocationListener newListener) {
    return new OnnxRuntimeOptions(
        allocator, Optional.of(newListener), reserveBytes, recentRuns, trims, alarmBytes);
  }

  /**
   * {@return these options with another reserve: bytes of the allocator's limit that admission does
   * not grant}
   *
   * <p>The reserve is for runs that exceed their bytes, and for allocations outside runs.
   *
   * @param newReserveBytes the bytes
   * @throws IllegalArgumentException unless {@code 0 <= newReserveBytes <= limitBytes}
   */
  public OnnxRuntimeOptions withReserve(long newReserveBytes) {
    if (newReserveBytes < 0 || newReserveBytes > allocator.limitBytes()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "an allocator needs 0 <= reserveBytes <= limitBytes: reserveBytes=%d, limitBytes=%d",
              newReserveBytes,
              allocator.limitBytes()));
    }
    return new OnnxRuntimeOptions(
        allocator, listener, newReserveBytes, recentRuns, trims, alarmBytes);
  }

  /**
   * {@return these options with another number of recent runs for estimates}
   *
   * @param newRecentRuns the number of runs
   * @throws IllegalArgumentException if {@code newRecentRuns < 100}
   */
  public OnnxRuntimeOptions withRecentRuns(int newRecentRuns) {
    if (newRecentRuns < RecentPeaks.ENOUGH) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a 99th percentile needs at least %d runs: recentRuns=%d",
              RecentPeaks.ENOUGH,
              newRecentRuns));
    }
    return new OnnxRuntimeOptions(
        allocator, listener, reserveBytes, newRecentRuns, trims, alarmBytes);
  }

  /**
   * {@return these options with trims: when a run ends, free memory is returned to the system if
   * the allocator holds more than 99 % of the recent runs needed}
   *
   * <p>The need of a run is the largest charge of all sessions together since the end of the
   * previous run.
   */
  public OnnxRuntimeOptions withTrims() {
    return new OnnxRuntimeOptions(allocator, listener, reserveBytes, recentRuns, true, alarmBytes);
  }

  /**
   * {@return these options with an alarm for memory outside the allocator}
   *
   * <p>Reports then have a line for this memory. If it grows by the given bytes over hundreds of
   * runs, the line and the logger {@code dev.stowage.onnxruntime} report it. See {@link
   * ProcessMemory}.
   *
   * @param newAlarmBytes the growth
   * @throws IllegalArgumentException if {@code newAlarmBytes < 1}
   */
  public OnnxRuntimeOptions withGrowthAlarm(long newAlarmBytes) {
    if (newAlarmBytes < 1) {
      throw new IllegalArgumentException(
          "alarmBytes must be positive: alarmBytes=" + newAlarmBytes);
    }
    return new OnnxRuntimeOptions(
        allocator, listener, reserveBytes, recentRuns, trims, newAlarmBytes);
  }

  /** {@return the options of the allocator} */
  public BfcOptions allocator() {
    return allocator;
  }

  /** {@return the listener, if there is one} */
  public Optional<AllocationListener> listener() {
    return listener;
  }

  /** {@return the bytes of the limit that admission does not grant} */
  public long reserveBytes() {
    if (reserveBytes >= 0) {
      return reserveBytes;
    }
    return allocator.limitBytes() == Long.MAX_VALUE ? 0 : allocator.limitBytes() / 8;
  }

  /** {@return the number of recent runs for estimates} */
  public int recentRuns() {
    return recentRuns;
  }

  /** {@return true if free memory is returned to the system when runs end} */
  public boolean trims() {
    return trims;
  }

  /**
   * {@return the growth of memory outside the allocator at which it is reported, or empty for no
   * alarm}
   */
  public OptionalLong alarmBytes() {
    return alarmBytes == 0 ? OptionalLong.empty() : OptionalLong.of(alarmBytes);
  }

  /**
   * {@return the bytes with which requests are admitted, a multiple of 256 as the ranges of runs;
   * {@link Long#MAX_VALUE} for no limit}
   */
  long capacityBytes() {
    return allocator.limitBytes() == Long.MAX_VALUE
        ? Long.MAX_VALUE
        : (allocator.limitBytes() - reserveBytes()) & -Admission.QUANTUM_BYTES;
  }
}
