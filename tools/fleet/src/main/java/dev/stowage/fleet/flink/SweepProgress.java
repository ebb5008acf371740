package dev.stowage.fleet.flink;

import java.util.Collection;

/**
 * The committed results of a sweep.
 *
 * @param resultCount the items with a result
 * @param failedCount those of them that are errors
 * @param cachedCount those of them that are from the cache
 */
public record SweepProgress(long resultCount, long failedCount, long cachedCount) {

  static SweepProgress of(Collection<PartName> parts) {
    return new SweepProgress(
        parts.stream().mapToLong(PartName::itemCount).sum(),
        parts.stream().mapToLong(PartName::failedCount).sum(),
        parts.stream().mapToLong(PartName::cachedCount).sum());
  }
}
