package dev.stowage.onnxruntime;

import java.util.Locale;
import java.util.OptionalLong;

/** The reservation, the limit and the estimate of a session's memory, for admission. */
public final class SessionLimits {

  private static final SessionLimits NONE = new SessionLimits(0, Long.MAX_VALUE, 0);

  private final long reservedBytes;
  private final long limitBytes;

  /** The estimate of a run before enough runs are known, or 0 for no estimates. */
  private final long firstEstimateBytes;

  private SessionLimits(long reservedBytes, long limitBytes, long firstEstimateBytes) {
    if (reservedBytes < 0 || limitBytes < reservedBytes) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a session needs 0 <= reservedBytes <= limitBytes: reservedBytes=%d, limitBytes=%d",
              reservedBytes,
              limitBytes));
    }
    this.reservedBytes = reservedBytes;
    this.limitBytes = limitBytes;
    this.firstEstimateBytes = firstEstimateBytes;
  }

  /** {@return no reservation, no limit and no estimate} */
  public static SessionLimits none() {
    return NONE;
  }

  /**
   * {@return these limits with a reservation: bytes that other sessions cannot use}
   *
   * <p>The session's weights and runs use the reservation first.
   *
   * @param newReservedBytes the bytes that are kept for the session while it is open
   * @throws IllegalArgumentException unless {@code 0 <= newReservedBytes <= limitBytes}
   */
  public SessionLimits withReservation(long newReservedBytes) {
    return new SessionLimits(newReservedBytes, limitBytes, firstEstimateBytes);
  }

  /**
   * {@return these limits with another limit}
   *
   * @param newLimitBytes the most bytes of the session's weights, results and open permits
   *     together; a request beyond this limit is not admitted
   * @throws IllegalArgumentException if {@code newLimitBytes < reservedBytes}
   */
  public SessionLimits withLimit(long newLimitBytes) {
    return new SessionLimits(reservedBytes, newLimitBytes, firstEstimateBytes);
  }

  /**
   * {@return these limits with estimates of runs: the 99th percentile of the peaks of recent runs}
   *
   * <p>{@link SessionMemory#admit(java.time.Duration)} uses them. About one run in a hundred
   * exceeds its estimate.
   *
   * @param newFirstEstimateBytes the estimate until 100 runs have ended
   * @throws IllegalArgumentException if {@code newFirstEstimateBytes < 1}
   */
  public SessionLimits withEstimate(long newFirstEstimateBytes) {
    if (newFirstEstimateBytes < 1) {
      throw new IllegalArgumentException(
          "firstEstimateBytes must be positive: firstEstimateBytes=" + newFirstEstimateBytes);
    }
    return new SessionLimits(reservedBytes, limitBytes, newFirstEstimateBytes);
  }

  /** {@return the bytes that other sessions cannot use} */
  public long reservedBytes() {
    return reservedBytes;
  }

  /** {@return the most bytes of the session; {@link Long#MAX_VALUE} for no limit} */
  public long limitBytes() {
    return limitBytes;
  }

  /** {@return the estimate until 100 runs have ended, or empty if runs are not estimated} */
  public OptionalLong firstEstimateBytes() {
    return firstEstimateBytes == 0 ? OptionalLong.empty() : OptionalLong.of(firstEstimateBytes);
  }

  /** {@return the limits as text} */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "reservedBytes=%d, limitBytes=%s, firstEstimateBytes=%s",
        reservedBytes,
        limitBytes == Long.MAX_VALUE ? "none" : "" + limitBytes,
        firstEstimateBytes == 0 ? "none" : "" + firstEstimateBytes);
  }
}
