package dev.stowage.trace.tune;

import dev.stowage.trace.format.AllocationEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Events of a small program whose sizes, lifetimes and streams depend on a seed. */
record RandomTrace(List<AllocationEvent> events) {

  static RandomTrace of(long seed) {
    Random random = new Random(seed);
    int count = 20 + random.nextInt(120);
    long unit = 1L << (4 + random.nextInt(20));
    double freeRate = 0.2 + 0.4 * random.nextDouble();
    int streams = 1 + random.nextInt(2);
    List<AllocationEvent> events = new ArrayList<>();
    List<String> live = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (!live.isEmpty() && random.nextDouble() < freeRate) {
        String id = live.remove(random.nextInt(live.size()));
        events.add(new AllocationEvent.Free(id, random.nextInt(streams), i));
      } else {
        long bytes =
            random.nextInt(20) == 0 ? 0 : 1 + (long) (unit * Math.exp(3 * random.nextGaussian()));
        String id = "r" + i;
        events.add(
            new AllocationEvent.Allocate(
                id, Math.min(bytes, 1L << 36), random.nextInt(streams), i));
        live.add(id);
      }
    }
    return new RandomTrace(events);
  }

  TunedTrace tuned() {
    TunedTrace trace = new TunedTrace();
    events.forEach(trace::accept);
    return trace;
  }

  /** {@return the largest sum of bytes in use, by the definition} */
  long peakRequestedBytes() {
    long peak = 0;
    for (int end = 1; end <= events.size(); end++) {
      Map<String, Long> live = new HashMap<>();
      for (AllocationEvent event : events.subList(0, end)) {
        if (event instanceof AllocationEvent.Allocate allocate) {
          live.put(allocate.id(), allocate.bytes());
        } else {
          live.remove(event.id());
        }
      }
      peak = Math.max(peak, live.values().stream().mapToLong(Long::longValue).sum());
    }
    return peak;
  }
}
