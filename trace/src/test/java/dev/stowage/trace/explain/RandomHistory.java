package dev.stowage.trace.explain;

import dev.stowage.trace.format.AllocationEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A random history with stacks, tags and streams, some of which are missing. */
final class RandomHistory {

  private RandomHistory() {}

  private static final List<List<String>> STACKS =
      List.of(
          List.of(),
          List.of("at::_ops::mm", "forward at model.py:12", "main at train.py:3"),
          List.of("linear at /env/site-packages/torch/functional.py:7", "forward at model.py:12"),
          List.of("at::_ops::mm", "forward at model.py:13", "main at train.py:3"),
          List.of("at::_ops::add"));

  static List<AllocationEvent> of(Random random) {
    List<AllocationEvent> events = new ArrayList<>();
    List<String> live = new ArrayList<>();
    int count = random.nextInt(120);
    int most = 1 + random.nextInt(40);
    long largest = 1L << (8 + random.nextInt(18));
    for (int i = 0; i < count; i++) {
      long stream = random.nextInt(3) - 1L;
      if (!live.isEmpty() && (live.size() >= most || random.nextInt(3) == 0)) {
        String freed = live.remove(random.nextInt(live.size()));
        events.add(new AllocationEvent.Free(freed, stream, i));
      } else {
        String id = "n" + i % 50;
        if (live.contains(id)) {
          continue;
        }
        live.add(id);
        events.add(
            new AllocationEvent.Allocate(
                id,
                random.nextInt(8) == 0 ? 0 : 1 + random.nextLong(largest),
                stream,
                i,
                STACKS.get(random.nextInt(STACKS.size())),
                random.nextBoolean() ? "" : "tag" + random.nextInt(3)));
      }
    }
    return events;
  }
}
