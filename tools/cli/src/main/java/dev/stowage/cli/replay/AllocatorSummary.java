package dev.stowage.cli.replay;

import dev.stowage.trace.replay.Confidence;
import java.util.List;
import java.util.OptionalLong;

/**
 * The allocator of a replay, as it was in the end.
 *
 * @param kind its kind
 * @param text the allocator and its settings, such as {@code a BFC allocator with its defaults}
 * @param settings the settings in effect: PyTorch's, or options as on the command line; empty for
 *     the defaults
 * @param rules the version of the original allocator that has these rules; empty if the rules have
 *     no versions
 * @param unknownSettings the names of recorded settings of PyTorch that are not known
 * @param limitBytes the most bytes that the allocator may hold, or with settings of XLA the memory
 *     of the device; empty for any number
 * @param agreement how the replay agrees with the recording
 * @param confidence how well the replay is known to agree with the original
 */
public record AllocatorSummary(
    AllocatorKind kind,
    String text,
    String settings,
    String rules,
    List<String> unknownSettings,
    OptionalLong limitBytes,
    Agreement agreement,
    Confidence confidence) {

  /**
   * How a replay agrees with a recording.
   *
   * @param addresses the number of recorded allocations at their recorded addresses, if the
   *     allocator decides addresses of a device and the trace has them
   * @param logged the number of recorded allocations with an address in the log; empty if the trace
   *     is not a log
   * @param contradictions the number of recorded events that contradict the segments of the
   *     snapshot
   * @param isMissed true if the replay is so far from the recording that no settings are compared
   */
  public record Agreement(
      OptionalLong addresses, OptionalLong logged, long contradictions, boolean isMissed) {

    /** {@return the number of allocations with a recorded address} */
    public long addressed(long allocations) {
      return logged.orElse(allocations);
    }
  }

  /** {@return true if placements have addresses of a device} */
  public boolean decidesAddresses() {
    return kind == AllocatorKind.pytorch || kind == AllocatorKind.xla;
  }
}
