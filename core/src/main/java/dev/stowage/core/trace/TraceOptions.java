package dev.stowage.core.trace;

/**
 * How a trace is read.
 *
 * @param deviceIndex whose history is taken of a trace of several devices
 * @param lenient whether events that are wrong are left out and counted, rather than an error
 */
public record TraceOptions(int deviceIndex, boolean lenient) {

  /**
   * Options.
   *
   * @throws IllegalArgumentException if {@code deviceIndex < 0}
   */
  public TraceOptions {
    if (deviceIndex < 0) {
      throw new IllegalArgumentException("a device is negative: deviceIndex=" + deviceIndex);
    }
  }

  /** {@return device 0, and every wrong event an error} */
  public static TraceOptions strict() {
    return new TraceOptions(0, false);
  }
}
