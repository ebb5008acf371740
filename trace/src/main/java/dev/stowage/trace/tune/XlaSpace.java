package dev.stowage.trace.tune;

import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.ReplayResult;
import dev.stowage.trace.replay.XlaRules;
import dev.stowage.trace.replay.XlaSettings;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The settings of XLA's BFC allocator that a search tries. */
final class XlaSpace implements SettingsSpace {

  /*
   * With the memory of the device: preallocation and growth, each with the default fraction and with
   * all hundredths that hold the requested peak. Without it, both with the recorded limit, or the
   * recorded region and growth. Other allocators, such as platform, are left out: JAX advises against
   * them, because they are slow.
   *
   * A log has no settings, but some have the limit. A log without a limit was recorded with growth,
   * if growth without a limit gives its regions, and otherwise with a limit that is the sum of its
   * regions. The fraction is the shortest number with this limit.
   *
   * Growth with a limit that it does not reach has the same effect as without one.
   */

  private static final long REGION_UNIT = 256;
  private static final int HUNDREDTHS = 100;
  private static final int MOST_DECIMALS = 4;

  private static final XlaSettings GROWTH = XlaSettings.defaults().withPreallocation(false);

  private static final String KEEPS_FRACTION = "unset XLA_PYTHON_CLIENT_PREALLOCATE";

  private static final Candidate AS_RECORDED = keepingFraction(new XlaRules(OptionalLong.empty()));

  private final OptionalLong deviceBytes;
  private final Map<TunedTrace, ReplayResult> grown = new HashMap<>();

  XlaSpace(OptionalLong deviceBytes) {
    this.deviceBytes = deviceBytes;
  }

  @Override
  public List<Candidate> candidates(TunedTrace trace) {
    Map<String, Candidate> all = new LinkedHashMap<>();
    OptionalLong limit = trace.limitBytes();
    if (deviceBytes.isEmpty() && limit.isPresent()) {
      return within(limit.getAsLong());
    }
    if (deviceBytes.isEmpty()) {
      if (isPreallocated(trace)) {
        all.put("", AS_RECORDED);
      }
      add(GROWTH, all);
      return List.copyOf(all.values());
    }
    add(XlaSettings.defaults(), all);
    add(GROWTH, all);
    recorded(trace).ifPresent(settings -> add(settings, all));
    for (double fraction : fractions(trace)) {
      add(XlaSettings.defaults().withMemoryFraction(fraction), all);
      add(GROWTH.withMemoryFraction(fraction), all);
    }
    return List.copyOf(all.values());
  }

  /** {@return preallocation and growth with a limit, which the fraction of the job gives} */
  private static List<Candidate> within(long limitBytes) {
    return List.of(
        keepingFraction(XlaSettings.defaults().rulesWithin(limitBytes)),
        candidate(GROWTH, GROWTH.rulesWithin(limitBytes)));
  }

  /** {@return preallocation, with the fraction that the job has} */
  private static Candidate keepingFraction(AllocatorRules rules) {
    return new Candidate("", KEEPS_FRACTION, 0, rules);
  }

  private Set<Double> fractions(TunedTrace trace) {
    Set<Double> fractions = new LinkedHashSet<>();
    for (int hundredths = 1; hundredths <= HUNDREDTHS; hundredths++) {
      double fraction = (double) hundredths / HUNDREDTHS;
      long limitBytes = GROWTH.withMemoryFraction(fraction).limitBytes(deviceBytes.getAsLong());
      if (limitBytes >= trace.peakRequestedBytes()) {
        fractions.add(fraction);
      }
    }
    return fractions;
  }

  private void add(XlaSettings settings, Map<String, Candidate> all) {
    all.putIfAbsent(settings.toString(), candidate(settings, settings.rules(deviceBytes)));
  }

  private static Candidate candidate(XlaSettings settings, AllocatorRules rules) {
    String text = settings.toString();
    return new Candidate(
        text, settings.exportLine(), text.isEmpty() ? 0 : text.split(" ", -1).length, rules);
  }

  private ReplayResult grown(TunedTrace trace) {
    return grown.computeIfAbsent(
        trace, known -> known.replayed(GROWTH.rules(OptionalLong.empty())));
  }

  private boolean isGrown(TunedTrace trace) {
    return trace.regionBytes().stream()
        .sorted()
        .toList()
        .equals(grown(trace).regionBytes().stream().sorted().toList());
  }

  private boolean isPreallocated(TunedTrace trace) {
    List<Long> regions = trace.regionBytes();
    return regions.size() == 1
        && (trace.limitBytes().isPresent()
            ? regions.getFirst() == (trace.limitBytes().getAsLong() & -REGION_UNIT)
            : !isGrown(trace));
  }

  /** {@return the settings that give a recorded log its regions, if they are known} */
  private Optional<XlaSettings> recorded(TunedTrace trace) {
    long bytes = trace.regionBytes().stream().mapToLong(Long::longValue).sum();
    if (bytes == 0) {
      return Optional.empty();
    }
    if (trace.limitBytes().isPresent()) {
      XlaSettings settings = isPreallocated(trace) ? XlaSettings.defaults() : GROWTH;
      long limit = trace.limitBytes().getAsLong();
      return settings.limitBytes(deviceBytes.getAsLong()) == limit
          ? Optional.of(settings)
          : withLimit(settings, limit);
    }
    if (isGrown(trace) && GROWTH.limitBytes(deviceBytes.getAsLong()) >= bytes) {
      return Optional.of(GROWTH);
    }
    return withLimit(isPreallocated(trace) ? XlaSettings.defaults() : GROWTH, bytes);
  }

  private Optional<XlaSettings> withLimit(XlaSettings settings, long limitBytes) {
    double share = (double) limitBytes / deviceBytes.getAsLong();
    double scale = 1;
    for (int decimals = 0; decimals <= MOST_DECIMALS; decimals++) {
      for (double digits : new double[] {Math.floor(share * scale), Math.ceil(share * scale)}) {
        double fraction = digits / scale;
        if (fraction > 0 && fraction <= 1) {
          XlaSettings limited = settings.withMemoryFraction(fraction);
          if (limited.limitBytes(deviceBytes.getAsLong()) == limitBytes) {
            return Optional.of(limited);
          }
        }
      }
      scale *= 10;
    }
    return Optional.empty();
  }

  @Override
  public Candidate baseline(List<Candidate> candidates, TunedTrace trace) {
    String recorded =
        deviceBytes.isPresent()
            ? recorded(trace).map(XlaSettings::toString).orElse("")
            : isPreallocated(trace) ? "" : GROWTH.toString();
    return Candidate.withSettings(candidates, recorded);
  }

  @Override
  public Object effect(Candidate candidate, TunedTrace trace) {
    if (deviceBytes.isEmpty()) {
      return candidate.settings();
    }
    XlaSettings settings = XlaSettings.parse(candidate.settings());
    long limitBytes = settings.limitBytes(deviceBytes.getAsLong());
    return settings.preallocates()
        ? List.of(true, limitBytes)
        : List.of(false, mostBytes(trace, limitBytes));
  }

  /** {@return the bytes above which a limit has no effect; a failed request may need any more} */
  private long mostBytes(TunedTrace trace, long limitBytes) {
    return trace.hasFailures()
        ? limitBytes
        : Math.min(limitBytes, grown(trace).peakReservedBytes());
  }
}
