package dev.stowage.plan.greedy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.cases.RandomRecords;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The lifetimes of an object, compared with an unsorted list. */
class ObjectLifetimesRandomTest {

  static LongStream seeds() {
    return RandomRecords.seeds(200);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void objectLifetimes_disjointLifetimes_agreeWithAList(long seed) {
    Random random = new Random(seed);
    int tasks = 1 + random.nextInt(200);
    int longest = 1 + random.nextInt(20);
    ObjectLifetimes lifetimes = new ObjectLifetimes();
    List<long[]> model = new ArrayList<>();
    for (int step = 0; step < 60; step++) {
      long first = random.nextLong(tasks);
      long last = first + random.nextLong(longest);
      boolean conflicts = model.stream().anyMatch(t -> t[0] <= last && first <= t[1]);
      long distance =
          conflicts
              ? ObjectLifetimes.NONE
              : model.stream()
                  .mapToLong(t -> t[1] < first ? first - t[1] : t[0] - last)
                  .min()
                  .orElse(ObjectLifetimes.NONE);
      assertThat(lifetimes.conflicts(first, last)).isEqualTo(conflicts);
      assertThat(lifetimes.distance(first, last)).isEqualTo(distance);
      if (!conflicts) {
        lifetimes.add(first, last, 0);
        model.add(new long[] {first, last});
      }
    }
  }
}
