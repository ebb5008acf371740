package dev.stowage.trace.tune;

import dev.stowage.trace.replay.AllocatorRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** The initial sizes of a pool of RAPIDS Memory Manager that a search tries. */
final class RmmSpace implements SettingsSpace {

  private static final long ALIGNMENT = 256;

  private final OptionalLong limitBytes;

  RmmSpace(OptionalLong limitBytes) {
    this.limitBytes = limitBytes;
  }

  @Override
  public List<Candidate> candidates(TunedTrace trace) {
    List<Candidate> all = new ArrayList<>();
    all.add(candidate(0));
    FirstSizes.of(trace, limitBytes).forEach(bytes -> all.add(candidate(bytes)));
    return all;
  }

  private Candidate candidate(long initialBytes) {
    String most =
        limitBytes.isPresent()
            ? ", maximum_pool_size=" + (limitBytes.getAsLong() & -ALIGNMENT)
            : "";
    return new Candidate(
        initialBytes == 0 ? "" : "--first-region " + initialBytes,
        String.format(
            Locale.ROOT,
            "rmm.reinitialize(pool_allocator=True, initial_pool_size=%d%s)",
            initialBytes,
            most),
        initialBytes == 0 ? 0 : 1,
        AllocatorRules.rmm(initialBytes, limitBytes));
  }
}
