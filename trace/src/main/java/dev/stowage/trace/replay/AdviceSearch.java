package dev.stowage.trace.replay;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.allocator.RegionGrowth;
import dev.stowage.trace.format.AllocationEvent;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A search, by replays, for options with which no request of a history fails. */
public final class AdviceSearch {

  /*
   * The first limit that passes is the peak size of all regions in a replay without a limit: it
   * never restricts the allocator, so that the placements are the same. An allocator with one
   * region has no replay without a limit; its limit doubles until the history passes.
   */

  private static final long QUANTUM_BYTES = 256;

  /** The maximum number of events that are replayed, which takes some seconds. */
  public static final long MAX_EVENTS = 4_000_000;

  private final List<AllocationEvent> events;
  private final BfcOptions options;
  private final boolean regionsLengthen;
  private long eventsLeft;

  /**
   * @param regionsLengthen true if the simulated device can lengthen regions
   * @param mostEvents the maximum number of events to replay, summed over all replays
   */
  AdviceSearch(
      List<AllocationEvent> events, BfcOptions options, boolean regionsLengthen, long mostEvents) {
    this.events = events;
    this.options = options;
    this.regionsLengthen = regionsLengthen;
    this.eventsLeft = mostEvents;
  }

  /**
   * {@return changes with which a failed history passes}
   *
   * <p>Takes about thirty replays, limited to {@link #MAX_EVENTS} events in total. A longer history
   * is not replayed.
   *
   * @param events the history
   * @param options the options with which a request fails
   * @param verdict the verdict on the first failure
   */
  public static ReplayAdvice find(
      List<AllocationEvent> events, BfcOptions options, OutOfMemoryVerdict verdict) {
    return new AdviceSearch(events, options, true, MAX_EVENTS).run(verdict);
  }

  ReplayAdvice run(OutOfMemoryVerdict verdict) {
    OptionalLong passing = firstPassingLimit();
    boolean isTight = false;
    if (passing.isPresent()) {
      long failing = options.limitBytes() & -QUANTUM_BYTES;
      long least = passing.getAsLong();
      while (least - failing > QUANTUM_BYTES && mayReplay()) {
        long middle = failing + ((least - failing) / 2 & -QUANTUM_BYTES);
        if (passes(options.withLimit(middle))) {
          least = middle;
        } else {
          failing = middle;
        }
      }
      passing = OptionalLong.of(least);
      isTight = least - failing <= QUANTUM_BYTES;
    }
    boolean passesPreallocated = passesPreallocated();
    return new ReplayAdvice(
        passing,
        isTight,
        verdict == OutOfMemoryVerdict.FRAGMENTED ? passingSplitThreshold() : OptionalLong.empty(),
        passesPreallocated,
        Optional.empty());
  }

  /**
   * {@return expandable segments, if no request of a recording of PyTorch fails with them; costs
   * one replay}
   *
   * @param recording the recording
   * @param rules the rules with which a request fails
   * @param settings the settings with which it fails, in the syntax of PyTorch
   */
  public static ReplayAdvice find(PytorchRecording recording, PytorchRules rules, String settings) {
    PytorchSettings before = PytorchSettings.parse(settings);
    PytorchSettings expandable = before.withExpandable(true);
    TraceReplay replay = new TraceReplay(rules.withSettings(expandable), PlacementConsumer.none());
    replay.start(recording);
    recording.passEvents(replay);
    return new ReplayAdvice(
        OptionalLong.empty(),
        false,
        OptionalLong.empty(),
        false,
        before.equals(expandable) || replay.hasFailed()
            ? Optional.empty()
            : Optional.of(expandable.toString()));
  }

  /** {@return true if one region of the limit passes, in place of regions that grow} */
  private boolean passesPreallocated() {
    return options.growth() == RegionGrowth.DOUBLING
        && options.limitBytes() < Long.MAX_VALUE
        && mayReplay()
        && passes(
            BfcOptions.oneRegion(options.limitBytes())
                .withSplitThreshold(options.splitThresholdBytes()));
  }

  private OptionalLong passingSplitThreshold() {
    long bytes = Long.highestOneBit(options.splitThresholdBytes() - 1);
    while (bytes >= QUANTUM_BYTES && mayReplay()) {
      if (passes(options.withSplitThreshold(bytes))) {
        return OptionalLong.of(bytes);
      }
      bytes /= 2;
    }
    return OptionalLong.empty();
  }

  private OptionalLong firstPassingLimit() {
    if (options.growth() != RegionGrowth.ONE_REGION) {
      if (!mayReplay()) {
        return OptionalLong.empty();
      }
      TraceReplay unlimited = replay(options.withLimit(Long.MAX_VALUE));
      return unlimited.hasFailed() ? OptionalLong.empty() : verified(unlimited.peakReservedBytes());
    }
    OptionalLong passing = OptionalLong.empty();
    long limit = options.limitBytes() & -QUANTUM_BYTES;
    while (passing.isEmpty() && limit <= Long.MAX_VALUE / 4 && mayReplay()) {
      limit *= 2;
      passing = verified(limit);
    }
    return passing;
  }

  private OptionalLong verified(long limit) {
    return limit > options.limitBytes() && mayReplay() && passes(options.withLimit(limit))
        ? OptionalLong.of(limit)
        : OptionalLong.empty();
  }

  private boolean mayReplay() {
    return eventsLeft >= events.size();
  }

  private boolean passes(BfcOptions changed) {
    return !replay(changed).hasFailed();
  }

  /** Replays the history up to its first failure and {@return the replay} */
  private TraceReplay replay(BfcOptions changed) {
    eventsLeft -= events.size();
    TraceReplay replay = new TraceReplay(changed, PlacementConsumer.none(), regionsLengthen);
    for (AllocationEvent event : events) {
      replay.accept(event);
      if (replay.hasFailed()) {
        break;
      }
    }
    return replay;
  }
}
