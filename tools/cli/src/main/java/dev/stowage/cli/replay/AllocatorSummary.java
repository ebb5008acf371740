package dev.stowage.cli.replay;

import dev.stowage.trace.replay.Confidence;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The allocator of a replay, as it was in the end.
 *
 * @param name the name on the command line
 * @param title the name in sentences, such as {@code a BFC allocator}
 * @param settings the settings in effect: those of PyTorch, or options as on the command line;
 *     empty for the defaults
 * @param defaults the words for empty settings, such as {@code its defaults}
 * @param rules the version of the original whose rules these are; empty if it has one only
 * @param phases other settings that hold from an event on, such as {@code from event 400 on with
 *     its defaults}
 * @param unknownSettings the names of recorded settings of PyTorch that are not known
 * @param limitBytes the most bytes that the allocator may hold, or with settings of XLA the memory
 *     of the device; empty for any number
 * @param agreement how the replay agrees with the recording
 * @param confidence how well the replay is known to agree with the original
 */
public record AllocatorSummary(
    String name,
    String title,
    String settings,
    String defaults,
    String rules,
    List<String> phases,
    List<String> unknownSettings,
    OptionalLong limitBytes,
    Agreement agreement,
    Confidence confidence) {

  /**
   * How a replay agrees with a recording.
   *
   * @param addresses the number of recorded allocations at their recorded addresses, if the
   *     allocator decides addresses of a device and the trace has them
   * @param logged the number of recorded allocations whose address a log has; empty if the trace is
   *     not a log
   * @param contradictions the number of recorded events that do not agree with the segments of the
   *     snapshot from which the allocator started
   * @param isMissed true if the replay is so far from the recording that no settings are compared
   */
  public record Agreement(
      OptionalLong addresses, OptionalLong logged, long contradictions, boolean isMissed) {

    /** {@return the number of allocations whose address is recorded} */
    public long addressed(long allocations) {
      return logged.orElse(allocations);
    }
  }

  /** {@return true if placements have addresses of a device} */
  public boolean decidesAddresses() {
    return name.equals("pytorch") || name.equals("xla");
  }

  /** {@return the allocator and its settings, such as {@code a BFC allocator with its defaults}} */
  public String text() {
    String first = title + " with " + (settings.isEmpty() ? defaults : settings);
    Stream<String> by =
        rules.isEmpty()
            ? Stream.of()
            : Stream.of(name.equals("netty") ? "in " + rules : "by the rules of " + rules);
    return Stream.of(Stream.of(first), phases.stream(), by)
        .flatMap(parts -> parts)
        .collect(Collectors.joining(", "));
  }
}
