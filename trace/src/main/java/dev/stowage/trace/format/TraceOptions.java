package dev.stowage.trace.format;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The options of a {@link TraceReader}.
 *
 * <p>Immutable: each {@code with} method returns a copy.
 */
public final class TraceOptions {

  private static final TraceOptions STRICT = new TraceOptions(0, false, List.of());

  private final int deviceIndex;
  private final boolean isLenient;
  private final List<TraceFormat> formats;

  private TraceOptions(int deviceIndex, boolean isLenient, List<TraceFormat> formats) {
    this.deviceIndex = deviceIndex;
    this.isLenient = isLenient;
    this.formats = List.copyOf(formats);
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
    return new TraceOptions(index, isLenient, formats);
  }

  /** {@return these options with lenient reading: invalid events are skipped and counted} */
  public TraceOptions withLenience() {
    return new TraceOptions(deviceIndex, true, formats);
  }

  /**
   * {@return these options with more formats of traces}
   *
   * @param added the formats, which are tried in this order after those of {@link TraceReader}
   */
  public TraceOptions withFormats(List<TraceFormat> added) {
    return new TraceOptions(
        deviceIndex, isLenient, Stream.concat(formats.stream(), added.stream()).toList());
  }

  /** {@return the index of the device whose history is read} */
  public int deviceIndex() {
    return deviceIndex;
  }

  /** {@return true if invalid events are skipped and counted} */
  public boolean isLenient() {
    return isLenient;
  }

  /** {@return the formats that are read besides those of {@link TraceReader}} */
  public List<TraceFormat> formats() {
    return formats;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "TraceOptions[deviceIndex=%d, isLenient=%s, formats=%s]",
        deviceIndex,
        isLenient,
        formats.stream().map(TraceFormat::name).toList());
  }
}
