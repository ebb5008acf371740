package dev.stowage.trace.tune;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.RegionGrowth;
import dev.stowage.trace.replay.AllocatorRules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/** The options of a best-fit allocator with coalescing that a search tries. */
final class BfcSpace implements SettingsSpace {

  /*
   * Regions that double, from each of the first sizes, or one expandable region, each with all split
   * thresholds. With a limit, also one region of the limit, and regions that are returned before a
   * request fails.
   */

  private static final long MIB = 1 << 20;
  private static final long DEFAULT_FIRST = MIB;
  private static final long DEFAULT_SPLIT = 128 * MIB;
  private static final long[] SPLITS = {
    DEFAULT_SPLIT, 32 * MIB, 8 * MIB, MIB, 64 << 10, 4 << 10, 256
  };

  private final OptionalLong limitBytes;

  BfcSpace(OptionalLong limitBytes) {
    this.limitBytes = limitBytes;
  }

  @Override
  public List<Candidate> candidates(TunedTrace trace) {
    List<Long> firstSizes = new ArrayList<>(List.of(DEFAULT_FIRST));
    firstSizes.addAll(FirstSizes.of(trace, limitBytes));
    Map<String, Candidate> all = new LinkedHashMap<>();
    add(limited(BfcOptions.growing()), all);
    // First those that are usually the best, so that a search that is cut has tried them.
    for (long split : SPLITS) {
      add(limited(BfcOptions.expandable()).withTrimThreshold(1).withSplitThreshold(split), all);
      if (limitBytes.isPresent()) {
        add(BfcOptions.oneRegion(limitBytes.getAsLong()).withSplitThreshold(split), all);
      }
    }
    for (long firstRegion : firstSizes) {
      for (long split : SPLITS) {
        BfcOptions options =
            limited(BfcOptions.growing()).withFirstRegion(firstRegion).withSplitThreshold(split);
        add(options, all);
        if (limitBytes.isPresent()) {
          add(options.withGarbageCollection(), all);
        }
      }
    }
    return List.copyOf(all.values());
  }

  private BfcOptions limited(BfcOptions options) {
    return limitBytes.isPresent() ? options.withLimit(limitBytes.getAsLong()) : options;
  }

  private static void add(BfcOptions options, Map<String, Candidate> all) {
    List<String> given = new ArrayList<>();
    switch (options.growth()) {
      case DOUBLING -> {
        if (options.firstRegionBytes() != DEFAULT_FIRST) {
          given.add("--first-region " + options.firstRegionBytes());
        }
      }
      case EXPANDABLE -> given.add("--expandable");
      case ONE_REGION -> given.add("--no-growth");
    }
    if (options.splitThresholdBytes() != DEFAULT_SPLIT) {
      given.add("--max-dead " + options.splitThresholdBytes());
    }
    if (options.hasGarbageCollection()) {
      given.add("--garbage-collect");
    }
    String settings = String.join(" ", given);
    all.putIfAbsent(
        settings,
        new Candidate(settings, java(options), given.size(), AllocatorRules.bfc(options)));
  }

  /** {@return an expression of Java with all options that differ from the options of its start} */
  private static String java(BfcOptions options) {
    BfcOptions start =
        switch (options.growth()) {
          case DOUBLING -> BfcOptions.growing();
          case EXPANDABLE -> BfcOptions.expandable();
          case ONE_REGION -> BfcOptions.oneRegion(options.limitBytes());
        };
    StringBuilder text = new StringBuilder("BfcOptions.");
    text.append(
        switch (options.growth()) {
          case DOUBLING -> "growing()";
          case EXPANDABLE -> "expandable()";
          case ONE_REGION -> call("oneRegion", options.limitBytes());
        });
    if (options.limitBytes() != start.limitBytes()) {
      text.append('.').append(call("withLimit", options.limitBytes()));
    }
    if (options.growth() == RegionGrowth.DOUBLING
        && options.firstRegionBytes() != start.firstRegionBytes()) {
      text.append('.').append(call("withFirstRegion", options.firstRegionBytes()));
    }
    if (options.splitThresholdBytes() != start.splitThresholdBytes()) {
      text.append('.').append(call("withSplitThreshold", options.splitThresholdBytes()));
    }
    if (options.trimThresholdBytes() != start.trimThresholdBytes()) {
      text.append('.').append(call("withTrimThreshold", options.trimThresholdBytes()));
    }
    if (options.hasGarbageCollection()) {
      text.append(".withGarbageCollection()");
    }
    return text.toString();
  }

  private static String call(String method, long bytes) {
    return String.format(Locale.ROOT, "%s(%dL)", method, bytes);
  }
}
