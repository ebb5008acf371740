package dev.stowage.plan.greedy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.cases.RandomRecords;
import java.util.ArrayList;
import java.util.Comparator;
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

  private record Lifetime(long first, long last, int step) {}

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void objectLifetimes_disjointLifetimes_agreeWithAList(long seed) {
    Random random = new Random(seed);
    int tasks = 1 + random.nextInt(200);
    int longest = 1 + random.nextInt(20);
    ObjectLifetimes lifetimes = new ObjectLifetimes();
    List<Lifetime> model = new ArrayList<>();
    Lifetime none = new Lifetime(Long.MIN_VALUE, -1, -1);
    for (int step = 0; step < 60; step++) {
      long first = random.nextLong(tasks);
      long last = first + random.nextLong(longest);
      if (model.stream().noneMatch(t -> t.first <= last && first <= t.last)) {
        Lifetime before =
            model.stream()
                .filter(t -> t.last < first)
                .max(Comparator.comparingLong(Lifetime::last))
                .orElse(none);
        Lifetime after =
            model.stream()
                .filter(t -> t.first > last)
                .min(Comparator.comparingLong(Lifetime::first))
                .orElse(none);
        assertThat(lifetimes.stepBefore(first)).isEqualTo(before.step);
        assertThat(lifetimes.stepAfter(last)).isEqualTo(after.step);
        assertThat(lifetimes.freeFrom(first)).isEqualTo(before.last + 1);
        assertThat(lifetimes.freeUntil(last)).isEqualTo(after.first - 1); // MAX_VALUE if none
        lifetimes.add(first, last, step);
        model.add(new Lifetime(first, last, step));
      }
    }
  }
}
