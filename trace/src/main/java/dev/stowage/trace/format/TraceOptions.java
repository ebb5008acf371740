package dev.stowage.trace.format;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The options of a {@link TraceReader}.
 *
 * <p>Immutable: each {@code with} method returns a copy.
 */
public final class TraceOptions {

  private static final TraceOptions STRICT =
      new TraceOptions(new ChosenHistory(0, Optional.empty()), List.of());

  private final ChosenHistory chosen;
  private final List<TraceFormat> formats;

  private TraceOptions(ChosenHistory chosen, List<TraceFormat> formats) {
    this.chosen = chosen;
    this.formats = List.copyOf(formats);
  }

  /** {@return options that read device 0} */
  public static TraceOptions strict() {
    return STRICT;
  }

  /**
   * {@return these options with another device}
   *
   * @param index the index of the device to read, if the trace has several
   * @throws IllegalArgumentException if {@code index < 0}
   */
  public TraceOptions withDevice(int index) {
    if (index < 0) {
      throw new IllegalArgumentException("deviceIndex must not be negative: deviceIndex=" + index);
    }
    return new TraceOptions(new ChosenHistory(index, Optional.empty()), formats);
  }

  /**
   * {@return these options with an allocator by its name, instead of the index of a device}
   *
   * @param name the name of the allocator to read, in a log with several
   */
  public TraceOptions withAllocator(String name) {
    return new TraceOptions(new ChosenHistory(chosen.deviceIndex(), Optional.of(name)), formats);
  }

  /**
   * {@return these options with more formats of traces}
   *
   * @param added the formats; they are tried in this order after the formats of {@link TraceReader}
   */
  public TraceOptions withFormats(List<TraceFormat> added) {
    return new TraceOptions(chosen, Stream.concat(formats.stream(), added.stream()).toList());
  }

  /** {@return the index of the device to read} */
  public int deviceIndex() {
    return chosen.deviceIndex();
  }

  /** {@return the name of the allocator to read; empty for the allocator of the device} */
  public Optional<String> allocator() {
    return chosen.allocator();
  }

  ChosenHistory chosen() {
    return chosen;
  }

  /** {@return the formats besides the formats of {@link TraceReader}} */
  public List<TraceFormat> formats() {
    return formats;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "TraceOptions[deviceIndex=%d, allocator=%s, formats=%s]",
        deviceIndex(),
        allocator().orElse(""),
        formats.stream().map(TraceFormat::name).toList());
  }
}
