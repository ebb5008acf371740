package dev.stowage.cli.replay;

import java.util.OptionalLong;

/**
 * The allocator of a replay, as it was in the end.
 *
 * @param name the name on the command line
 * @param title the name in sentences, such as {@code a BFC allocator}
 * @param settings the settings in effect: those of PyTorch, or options as on the command line;
 *     empty for the defaults
 * @param recordedAddresses the number of recorded allocations at their recorded addresses, if the
 *     allocator decides addresses of a device and the trace has them
 * @param contradictions the number of recorded events that do not agree with the segments of the
 *     snapshot from which the allocator started
 * @param isConfirmed true if recordings confirm that the allocator behaves like this
 */
public record AllocatorSummary(
    String name,
    String title,
    String settings,
    OptionalLong recordedAddresses,
    long contradictions,
    boolean isConfirmed) {

  /** {@return the allocator and its settings, such as {@code a BFC allocator with its defaults}} */
  public String text() {
    return title + " with " + (settings.isEmpty() ? "its defaults" : settings);
  }
}
