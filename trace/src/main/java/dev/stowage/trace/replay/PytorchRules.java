package dev.stowage.trace.replay;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * The rules of PyTorch's caching allocator, with its settings and the conditions of a replay.
 *
 * <p>With a recording, an allocator starts in the state of the recorded one.
 */
public final class PytorchRules implements AllocatorRules {

  private static final int[] COMPLETION_SHIFTS = {-1, 1, 2, 4};

  private final Optional<PytorchSettings> settings;
  private final NavigableMap<Long, PytorchSettings> phases;
  private final OptionalLong limitBytes;
  private final boolean startsWithCache;
  private final Chance chance;

  private PytorchRules(
      Optional<PytorchSettings> settings,
      NavigableMap<Long, PytorchSettings> phases,
      OptionalLong limitBytes,
      boolean startsWithCache,
      Chance chance) {
    this.settings = settings;
    this.phases = phases;
    this.limitBytes = limitBytes;
    this.startsWithCache = startsWithCache;
    this.chance = chance;
  }

  /** {@return the rules with the settings of the recording, or the defaults without one} */
  public static PytorchRules asRecorded() {
    return new PytorchRules(
        Optional.empty(), new TreeMap<>(), OptionalLong.empty(), true, Chance.USUAL);
  }

  /**
   * {@return these rules with settings}
   *
   * @param chosen the settings
   */
  public PytorchRules withSettings(PytorchSettings chosen) {
    return new PytorchRules(Optional.of(chosen), phases, limitBytes, startsWithCache, chance);
  }

  /**
   * {@return these rules with settings that hold from an event on, for a job that changes its
   * settings while it runs}
   *
   * @param event the number of the event, from 1
   * @param chosen the settings
   */
  public PytorchRules withPhase(long event, PytorchSettings chosen) {
    NavigableMap<Long, PytorchSettings> more = new TreeMap<>(phases);
    more.put(event, chosen);
    return new PytorchRules(settings, more, limitBytes, startsWithCache, chance);
  }

  /**
   * {@return these rules with a limit, as {@code set_per_process_memory_fraction} sets it}
   *
   * @param bytes the most bytes of all segments together; empty for any number
   */
  public PytorchRules withLimit(OptionalLong bytes) {
    return new PytorchRules(settings, phases, bytes, startsWithCache, chance);
  }

  /**
   * {@return these rules for an allocator that starts without cached memory: it holds only segments
   * with older blocks}
   *
   * <p>The segments that the recorded allocator had cached depend on its settings. Without them,
   * replays with different settings are comparable.
   */
  public PytorchRules withoutCache() {
    return new PytorchRules(settings, phases, limitBytes, false, chance);
  }

  private PytorchRules with(Chance other) {
    return new PytorchRules(settings, phases, limitBytes, startsWithCache, other);
  }

  @Override
  public SimulatedAllocator start(Optional<PytorchRecording> recording) {
    PytorchAllocator allocator =
        new PytorchAllocator(first(recording), phases, limitBytes, recording, chance);
    if (!startsWithCache) {
      allocator.dropCache();
    }
    return allocator;
  }

  @Override
  public Optional<AllocatorRules> original(PytorchRecording recording) {
    boolean hasItsPhases =
        !phases.isEmpty() && phases.lastEntry().getValue().equals(recording.settings());
    return Optional.of(
        new PytorchRules(
            hasItsPhases ? settings : Optional.empty(),
            hasItsPhases ? phases : new TreeMap<>(),
            OptionalLong.empty(),
            true,
            Chance.USUAL));
  }

  @Override
  public boolean isOriginal(PytorchRecording recording) {
    PytorchSettings last =
        phases.isEmpty() ? settings.orElse(recording.settings()) : phases.lastEntry().getValue();
    return startsWithCache && limitBytes.isEmpty() && last.equals(recording.settings());
  }

  @Override
  public List<AllocatorRules> variants(boolean hasAddresses, boolean hasCompletions) {
    List<AllocatorRules> variants = new ArrayList<>();
    if (hasAddresses) {
      AddressOrder.OTHERS.forEach(order -> variants.add(with(new Chance(order, 0))));
    }
    if (hasCompletions) {
      for (int shift : COMPLETION_SHIFTS) {
        variants.add(with(new Chance(AddressOrder.USUAL, shift)));
      }
    }
    return variants;
  }

  @Override
  public List<String> doubts(Optional<PytorchRecording> recording) {
    List<String> doubts = new ArrayList<>();
    if (recording.isEmpty()) {
      doubts.add(
          "The trace is not a recording of PyTorch's allocator: segments that were held before"
              + " it, private pools, waiting frees and calls of empty_cache are not known.");
    }
    Set<String> unknown = new LinkedHashSet<>(first(recording).unknownNames());
    phases.values().forEach(phase -> unknown.addAll(phase.unknownNames()));
    if (!unknown.isEmpty()) {
      doubts.add("Stowage does not know the effect of " + String.join(", ", unknown) + ".");
    }
    return doubts;
  }

  private PytorchSettings first(Optional<PytorchRecording> recording) {
    return settings.orElseGet(
        () -> recording.map(PytorchRecording::settings).orElse(PytorchSettings.defaults()));
  }

  /**
   * {@return the settings with expandable segments, if no request of a recording fails with them;
   * costs a replay}
   *
   * @param recording the recording
   * @param settings the settings with which a request fails, in the syntax of PyTorch
   */
  public Optional<String> passingExpandable(PytorchRecording recording, String settings) {
    PytorchSettings before = PytorchSettings.parse(settings);
    PytorchSettings expandable = before.withExpandable(true);
    TraceReplay replay = new TraceReplay(withSettings(expandable), PlacementConsumer.none());
    replay.start(recording);
    recording.passEvents(replay);
    return before.equals(expandable) || replay.failures() > 0
        ? Optional.empty()
        : Optional.of(expandable.toString());
  }
}
