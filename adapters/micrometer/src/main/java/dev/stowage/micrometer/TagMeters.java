package dev.stowage.micrometer;

import dev.stowage.allocator.AllocatorReport;
import dev.stowage.allocator.AllocatorReport.Holder;
import dev.stowage.allocator.AllocatorStatistics;
import dev.stowage.allocator.MonitoredAllocator;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The meters for each tag of a pool. Safe for use by many threads. */
final class TagMeters {

  /*
   * A registry reads each meter alone, and a report costs a walk over all chunks. All meters therefore
   * share a report for a second of the registry's clock, so that their sums agree.
   *
   * Metric systems keep a series for each tag that they have ever seen. A tag that has a meter
   * keeps it, so that the number of series stays within the bound for the life of the program. The
   * scrape that finds a tag may miss its new meter, so the tag counts with the others until the
   * next report.
   */

  private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final String NO_TAG = "(none)";
  private static final String OTHER_TAGS = "(others)";

  /** The bytes and the number of allocations with a tag. */
  private record Held(long bytes, long allocations) {

    private static final Held NOTHING = new Held(0, 0);

    private Held plus(Held other) {
      return new Held(bytes + other.bytes, allocations + other.allocations);
    }
  }

  private final MonitoredAllocator pool;
  private final BoundMeters meters;
  private final Clock clock;
  private final int maxTags;
  private final int tagDepth;

  /** The memory of each tag with a meter, and the sum of the other tags. */
  private final Map<String, Held> heldByTag = new HashMap<>();

  private Held others = Held.NOTHING;
  private Optional<AllocatorStatistics> statistics = Optional.empty();
  private int tagsInUse;
  private long readNanos;

  TagMeters(MonitoredAllocator pool, BoundMeters meters, int maxTags, int tagDepth) {
    this.pool = pool;
    this.meters = meters;
    this.clock = meters.clock();
    this.maxTags = maxTags;
    this.tagDepth = tagDepth;
  }

  /** Adds the meters. */
  synchronized void bind() {
    meters.add(
        Gauge.builder(BoundMeters.name("tags"), this, TagMeters::tagsInUse)
            .description("Different tags of the allocations in use"));
    bind(OTHER_TAGS);
    tagsInUse();
    readNanos -= MAX_AGE_NANOS; // the first scrape has a report of its own
  }

  private void bind(String tag) {
    meters.add(
        Gauge.builder(BoundMeters.name("held"), this, held -> held.held(tag).bytes())
            .tag("tag", tag)
            .baseUnit(BaseUnits.BYTES)
            .description("Bytes of the chunks in use with a tag"));
    meters.add(
        Gauge.builder(
                BoundMeters.name("held.allocations"), this, held -> held.held(tag).allocations())
            .tag("tag", tag)
            .description("Allocations in use with a tag"));
  }

  /** {@return the statistics of the shared report} */
  synchronized AllocatorStatistics statistics() {
    readIfOld();
    return statistics.orElseThrow();
  }

  private synchronized int tagsInUse() {
    readIfOld();
    return tagsInUse;
  }

  private synchronized Held held(String tag) {
    readIfOld();
    return tag.equals(OTHER_TAGS) ? others : heldByTag.getOrDefault(tag, Held.NOTHING);
  }

  private void readIfOld() {
    long now = clock.monotonicTime();
    if (statistics.isEmpty() || now - readNanos >= MAX_AGE_NANOS) {
      AllocatorReport report = pool.report();
      read(report.holders());
      statistics = Optional.of(report.statistics());
      readNanos = now;
    }
  }

  private void read(List<Holder> holders) {
    Map<String, Held> read = new TreeMap<>();
    others = Held.NOTHING;
    for (Holder holder : holders) {
      Held held = new Held(holder.bytes(), holder.allocations());
      if (held.allocations() == 0) { // free slots
        others = others.plus(held);
      } else {
        read.merge(label(holder.tag()), held, Held::plus);
      }
    }
    heldByTag.replaceAll((tag, _) -> read.getOrDefault(tag, Held.NOTHING));
    read.entrySet().stream()
        .filter(entry -> !heldByTag.containsKey(entry.getKey()))
        .sorted(Comparator.comparingLong(entry -> -entry.getValue().bytes()))
        .forEach(entry -> addNew(entry.getKey(), entry.getValue()));
    tagsInUse = read.size();
  }

  private void addNew(String tag, Held held) {
    boolean hasMeter = heldByTag.size() < maxTags && !tag.equals(OTHER_TAGS);
    boolean isFirstReport = statistics.isEmpty(); // of no scrape
    if (hasMeter) {
      heldByTag.put(tag, isFirstReport ? held : Held.NOTHING);
      bind(tag);
    }
    if (!hasMeter || !isFirstReport) {
      others = others.plus(held);
    }
  }

  /** {@return the first names of a tag} */
  private String label(String tag) {
    return tag.isEmpty()
        ? NO_TAG
        : Stream.of(tag.split("/")).limit(tagDepth).collect(Collectors.joining("/"));
  }
}
