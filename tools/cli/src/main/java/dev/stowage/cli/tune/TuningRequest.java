package dev.stowage.cli.tune;

import dev.stowage.cli.netty.ChildNetty;
import dev.stowage.cli.netty.NettyAgreement;
import dev.stowage.cli.netty.NettyLimit;
import dev.stowage.cli.netty.NettySpace;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.replay.AllocatorKind;
import dev.stowage.trace.tune.Candidate;
import dev.stowage.trace.tune.SettingsSpace;
import dev.stowage.trace.tune.SettingsSpaces;
import dev.stowage.trace.tune.TraceTuning;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The search that is requested.
 *
 * @param allocator the allocator; empty for the usual one of each trace
 * @param limitBytes the memory of the device, if it is limited
 * @param emptiesCache true to release cached memory before each replay
 * @param timeLimit the limit of the search for a trace, if there is one
 * @param netty runs recordings of Netty
 */
public record TuningRequest(
    Optional<AllocatorKind> allocator,
    OptionalLong limitBytes,
    boolean emptiesCache,
    Optional<Duration> timeLimit,
    ChildNetty netty) {

  /** The number of best results that are complete. */
  private static final int KEPT = 10;

  /** {@return the allocator to tune for a trace} */
  public AllocatorKind allocatorOf(TuningInput input) {
    return allocator.orElseGet(input::usualAllocator);
  }

  /** {@return the settings to try for a trace} */
  List<Candidate> candidates(TuningInput input) {
    return space(input).candidates(input.trace());
  }

  /** {@return the search for a trace} */
  public TraceTuning tuning(TuningInput input) {
    return tuning(input, candidates(input));
  }

  /** {@return the search for a trace among some settings} */
  TraceTuning tuning(TuningInput input, List<Candidate> candidates) {
    return new TraceTuning(input.trace(), space(input), candidates, KEPT);
  }

  /**
   * {@return the limit for a trace: the memory of the device, or else the limit that its failed
   * requests show}
   */
  OptionalLong limitOf(TuningInput input) {
    return limitBytes.isPresent() || allocatorOf(input) == AllocatorKind.xla
        ? limitBytes // a log of XLA has the limit itself
        : input.recordedLimit();
  }

  /**
   * {@return the agreement of Netty with a recording; empty for other allocators}
   *
   * @throws InputRefusedException if it is so far from the recording that no settings can be
   *     compared
   */
  Optional<NettyAgreement> agreement(TuningInput input) {
    if (allocatorOf(input) != AllocatorKind.netty) {
      return Optional.empty();
    }
    Optional<NettyAgreement> agreement = input.trace().program().map(netty::agreement);
    if (agreement.filter(NettyAgreement::isMissed).isPresent()) {
      throw new InputRefusedException(
          "no settings are compared. " + agreement.orElseThrow().sentence());
    }
    return agreement;
  }

  /** {@return the smallest limit of direct memory with some settings of Netty} */
  Optional<NettyLimit> smallestLimit(TuningInput input, Candidate settings) {
    return allocatorOf(input) == AllocatorKind.netty && limitBytes.isEmpty()
        ? input
            .trace()
            .program()
            .flatMap(program -> netty.smallestLimit(program, settings.settings()))
        : Optional.empty();
  }

  private SettingsSpace space(TuningInput input) {
    OptionalLong limit = limitOf(input);
    return switch (allocatorOf(input)) {
      case bfc -> SettingsSpaces.bfc(limit);
      // A replay of a snapshot has the recorded limit by itself.
      case pytorch -> SettingsSpaces.pytorch(limitBytes, emptiesCache);
      case rmm -> SettingsSpaces.rmm(limit);
      case xla -> SettingsSpaces.xla(limitBytes);
      case netty -> new NettySpace(netty, limit);
    };
  }
}
