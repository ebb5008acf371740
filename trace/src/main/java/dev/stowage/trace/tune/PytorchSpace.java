package dev.stowage.trace.tune;

import dev.stowage.trace.pytorch.SnapshotAction;
import dev.stowage.trace.pytorch.SnapshotEvents;
import dev.stowage.trace.pytorch.SnapshotSegment;
import dev.stowage.trace.replay.PytorchRecording;
import dev.stowage.trace.replay.PytorchRules;
import dev.stowage.trace.replay.PytorchSettings;
import dev.stowage.trace.replay.SegmentSizes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The settings of PyTorch's caching allocator that a search tries. */
final class PytorchSpace implements SettingsSpace {

  /*
   * All combinations of the values below, except those that PyTorch rejects or that have no effect
   * by definition. Values near the defaults come first, because the first of equal results is the
   * best. A garbage collection needs a memory fraction and the memory of the device.
   *
   * Settings without effect on a trace (see effect): a rounding that changes no request; a size of
   * large segments, if no segment has it; a split limit above all blocks; and a limit of the rounding
   * of blocks that are not split, if no request reaches the split limit. The settings of a recording
   * are never merged with others, because a replay with them also follows the recorded releases.
   */

  private static final long MIB = 1 << 20;
  private static final long[] LARGE_SEGMENT_MIB = {20, 64};
  private static final long[] MAX_SPLIT_MIB = {0, 2048, 1024, 512, 256, 128, 64, 32};
  private static final long[] MAX_NON_SPLIT_ROUNDING_MIB = {20, 128};
  private static final int[] ROUNDUP_DIVISIONS = {0, 2, 4, 8, 16};
  private static final int ROUNDUP_SIZES = 16;
  private static final double[] COLLECTION_THRESHOLDS = {0, 0.6, 0.8};
  private static final double COLLECTING_FRACTION = 0.95;

  /**
   * The sizes of the blocks of a trace.
   *
   * @param haveSetting true if a block needs a segment of the size of the setting
   * @param largest the bytes of the largest block
   * @param areThoseOfDefaults true if the rounding changes no block
   */
  private record BlockSizes(boolean haveSetting, long largest, boolean areThoseOfDefaults) {

    static BlockSizes of(PytorchSettings settings, List<Long> requests) {
      PytorchSettings defaults = PytorchSettings.defaults();
      boolean haveSetting = false;
      long largest = 0;
      boolean areThoseOfDefaults = true;
      for (long request : requests) {
        long block = settings.blockBytes(request);
        haveSetting = haveSetting || SegmentSizes.isOfTheSetting(block);
        largest = Math.max(largest, block);
        areThoseOfDefaults = areThoseOfDefaults && block == defaults.blockBytes(request);
      }
      return new BlockSizes(haveSetting, largest, areThoseOfDefaults);
    }
  }

  private final OptionalLong limitBytes;
  private final boolean emptiesCache;

  /** The sizes of the blocks of each trace, by settings that have only a rounding. */
  private final Map<TunedTrace, Map<PytorchSettings, BlockSizes>> sizes = new HashMap<>();

  PytorchSpace(OptionalLong limitBytes, boolean emptiesCache) {
    this.limitBytes = limitBytes;
    this.emptiesCache = emptiesCache;
  }

  @Override
  public List<Candidate> candidates(TunedTrace trace) {
    Set<PytorchSettings> all = new LinkedHashSet<>();
    all.add(PytorchSettings.defaults());
    Optional<PytorchRecording> recording = trace.recording();
    recording.ifPresent(known -> all.add(known.settings()));
    addGrid(all);
    return all.stream().map(this::candidate).toList();
  }

  private void addGrid(Set<PytorchSettings> all) {
    for (double threshold : limitBytes.isPresent() ? COLLECTION_THRESHOLDS : new double[] {0}) {
      PytorchSettings collecting =
          threshold == 0
              ? PytorchSettings.defaults()
              : PytorchSettings.defaults()
                  .withMemoryFraction(COLLECTING_FRACTION)
                  .withGarbageCollection(threshold);
      for (int divisions : ROUNDUP_DIVISIONS) {
        int[] forAllSizes = new int[ROUNDUP_SIZES];
        Arrays.fill(forAllSizes, divisions);
        for (boolean expandable : new boolean[] {false, true}) {
          addSizes(
              divisions == 0
                  ? collecting.withExpandable(expandable)
                  : collecting.withExpandable(expandable).withRoundup(forAllSizes),
              all);
        }
      }
    }
  }

  private static void addSizes(PytorchSettings base, Set<PytorchSettings> all) {
    for (long large : LARGE_SEGMENT_MIB) {
      PytorchSettings segments = base.withLargeSegment(large * MIB);
      for (long split : MAX_SPLIT_MIB) {
        if (split == 0) {
          all.add(segments);
        } else if (split >= large) {
          for (long rounding : MAX_NON_SPLIT_ROUNDING_MIB) {
            if (rounding >= large || rounding == 20) {
              all.add(segments.withMaxSplit(split * MIB).withMaxNonSplitRounding(rounding * MIB));
            }
          }
        }
      }
    }
  }

  private Candidate candidate(PytorchSettings settings) {
    String text = settings.toString();
    PytorchRules warm = PytorchRules.asRecorded().withSettings(settings).withLimit(limitBytes);
    return new Candidate(
        text,
        text.isEmpty()
            ? "unset PYTORCH_CUDA_ALLOC_CONF PYTORCH_ALLOC_CONF"
            : "PYTORCH_CUDA_ALLOC_CONF=" + shellWord(text),
        text.isEmpty() ? 0 : changes(text),
        emptiesCache ? warm.withoutCache() : warm);
  }

  /** {@return settings as a word of a shell, for which brackets have a meaning} */
  private static String shellWord(String text) {
    return text.contains("[") ? "'" + text + "'" : text;
  }

  /** {@return the number of settings in a text; lists in brackets contain further commas} */
  private static int changes(String text) {
    return text.replaceAll("\\[[^]]*]", "").split(",", -1).length;
  }

  @Override
  public Candidate baseline(List<Candidate> candidates, TunedTrace trace) {
    String recorded = trace.recording().map(known -> known.settings().toString()).orElse("");
    return Candidate.withSettings(candidates, recorded);
  }

  @Override
  public Object effect(Candidate candidate, TunedTrace trace) {
    PytorchSettings settings = PytorchSettings.parse(candidate.settings());
    Optional<PytorchRecording> recording = trace.recording();
    if (recording.isPresent() && settings.equals(recording.get().settings())) {
      // A String, which equals no settings.
      return candidate.settings();
    }
    BlockSizes sizes = sizes(settings, trace);
    PytorchSettings effective = settings;
    if (!settings.isExpandable() && !sizes.haveSetting()) {
      effective = effective.withLargeSegment(PytorchSettings.defaults().largeSegmentBytes());
    }
    if (sizes.largest() < settings.maxSplitBytes()) {
      effective =
          effective.withMaxNonSplitRounding(PytorchSettings.defaults().maxNonSplitRoundingBytes());
    }
    if (!settings.isExpandable()
        && largestSegment(settings, sizes.largest(), recording) < settings.maxSplitBytes()) {
      effective = effective.withMaxSplit(PytorchSettings.UNLIMITED);
    }
    if (sizes.areThoseOfDefaults()) {
      effective = effective.withRoundup(new int[ROUNDUP_SIZES]);
    }
    return effective;
  }

  /**
   * {@return the sizes of the blocks of a trace, in O(n) for n requests and the first settings of
   * each rounding}
   */
  private BlockSizes sizes(PytorchSettings settings, TunedTrace trace) {
    PytorchSettings defaults = PytorchSettings.defaults();
    PytorchSettings rounding =
        settings
            .withMaxSplit(PytorchSettings.UNLIMITED)
            .withMaxNonSplitRounding(defaults.maxNonSplitRoundingBytes())
            .withLargeSegment(defaults.largeSegmentBytes())
            .withExpandable(false)
            .withMemoryFraction(1)
            .withGarbageCollection(0);
    return sizes
        .computeIfAbsent(trace, _ -> new HashMap<>())
        .computeIfAbsent(rounding, _ -> BlockSizes.of(settings, trace.requests()));
  }

  /** A replay with the recorded settings follows the recorded segments, others do not. */
  @Override
  public Optional<SplitLimit> splitLimit(Candidate candidate, TunedTrace trace) {
    PytorchSettings settings = PytorchSettings.parse(candidate.settings());
    if (trace.recording().filter(known -> known.settings().equals(settings)).isPresent()) {
      return Optional.empty();
    }
    PytorchSettings others =
        settings
            .withMaxSplit(PytorchSettings.UNLIMITED)
            .withMaxNonSplitRounding(PytorchSettings.defaults().maxNonSplitRoundingBytes());
    return Optional.of(new SplitLimit(others, settings.maxSplitBytes()));
  }

  /** {@return an upper bound for the bytes of all blocks, if segments do not grow} */
  private static long largestSegment(
      PytorchSettings settings, long largestBlock, Optional<PytorchRecording> recording) {
    long largest = Math.max(settings.largeSegmentBytes(), largestBlock + 2 * MIB);
    if (recording.isPresent()) {
      for (SnapshotSegment segment : recording.get().history().device().segments()) {
        if (segment.isExpandable()) {
          return Long.MAX_VALUE;
        }
        largest = Math.max(largest, segment.bytes());
      }
      SnapshotEvents events = recording.get().history().device().events();
      for (int event = 0; event < events.count(); event++) {
        SnapshotAction action = events.action(event);
        if (action == SnapshotAction.SEGMENT_MAP || action == SnapshotAction.SEGMENT_UNMAP) {
          return Long.MAX_VALUE;
        }
        if (action == SnapshotAction.SEGMENT_ALLOC || action == SnapshotAction.SEGMENT_FREE) {
          largest = Math.max(largest, events.bytes(event));
        }
      }
    }
    return largest;
  }
}
