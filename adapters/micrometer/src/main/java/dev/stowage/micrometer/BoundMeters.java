package dev.stowage.micrometer;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;

/** The meters of one pool in one registry. Safe for use by many threads. */
final class BoundMeters {

  private final MeterRegistry registry;
  private final Tags tags;
  private final List<Meter> meters = new ArrayList<>();
  private boolean isRemoved;

  BoundMeters(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
  }

  /** {@return the full name of a meter} */
  static String name(String last) {
    return "stowage.pool." + last;
  }

  Clock clock() {
    return registry.config().clock();
  }

  synchronized void add(Gauge.Builder<?> gauge) {
    if (!isRemoved) { // a read may find a tag meanwhile
      meters.add(gauge.tags(tags).strongReference(true).register(registry));
    }
  }

  synchronized void add(FunctionCounter.Builder<?> counter) {
    meters.add(counter.tags(tags).register(registry));
  }

  synchronized void removeAll() {
    isRemoved = true;
    meters.forEach(registry::remove);
    meters.clear();
  }
}
