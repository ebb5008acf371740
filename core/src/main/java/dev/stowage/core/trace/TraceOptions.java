package dev.stowage.core.trace;

import java.util.Locale;

/**
 * The options of a {@link TraceReader}.
 *
 * <p>Immutable: each {@code with} method returns a copy.
 */
public final class TraceOptions {

  private static final TraceOptions STRICT = new TraceOptions(0, false);

  private final int deviceIndex;
  private final boolean isLenient;

  private TraceOptions(int deviceIndex, boolean isLenient) {
    this.deviceIndex = deviceIndex;
    this.isLenient = isLenient;
  }

  /** {@return options that read device 0 and reject a file with an invalid event} */
  public static TraceOptions strict() {
    return STRICT;
  }

  /**
   * {@return these options with another device}
   *
   * @param index the index of the device whose history is read, if the trace has several
   * @throws IllegalArgumentException if {@code index < 0}
   */
  public TraceOptions withDevice(int index) {
    if (index < 0) {
      throw new IllegalArgumentException("deviceIndex must not be negative: deviceIndex=" + index);
    }
    return new TraceOptions(index, isLenient);
  }

  /** {@return these options with lenient reading: invalid events are skipped and counted} */
  public TraceOptions withLenience() {
    return new TraceOptions(deviceIndex, true);
  }

  /** {@return the index of the device whose history is read} */
  public int deviceIndex() {
    return deviceIndex;
  }

  /** {@return true if invalid events are skipped and counted} */
  public boolean isLenient() {
    return isLenient;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "TraceOptions[deviceIndex=%d, isLenient=%s]", deviceIndex, isLenient);
  }
}
