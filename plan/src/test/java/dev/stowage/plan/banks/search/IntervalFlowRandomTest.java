package dev.stowage.plan.banks.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.base.StepCounter;
import dev.stowage.plan.cases.RandomRecords;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The flow after each change of a profit, compared with all ways to keep the intervals. */
class IntervalFlowRandomTest {

  static LongStream seeds() {
    return RandomRecords.seeds(1000);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void setProfit_anyChanges_isTheBestOfAllFlows(long seed) {
    Random random = new Random(seed);
    int ranks = 1 + random.nextInt(4);
    int count = 1 + random.nextInt(4);
    int[] from = new int[count];
    int[] to = new int[count];
    long[] units = new long[count];
    for (int i = 0; i < count; i++) {
      from[i] = random.nextInt(ranks);
      to[i] = from[i] + 1 + random.nextInt(ranks - from[i]);
      units[i] = 1L + random.nextInt(3);
    }
    long[] capacity = new long[ranks];
    long[] maxFree = new long[ranks];
    for (int t = 0; t < ranks; t++) {
      capacity[t] = random.nextInt(6);
      maxFree[t] = random.nextInt(3) == 0 ? random.nextInt(6) : capacity[t];
    }
    long overflowCost = 1_000;
    IntervalFlow flow =
        new IntervalFlow(
            from, to, units, capacity, maxFree, overflowCost, new StepCounter(() -> false));
    long[] profit = new long[count];
    for (int change = 0; change < 4 * count; change++) {
      int i = change < count ? change : random.nextInt(count);
      profit[i] = random.nextInt(20) - 5L;
      flow.setProfit(i, profit[i]);
      flow.checkInvariants(capacity);
      if (change >= count - 1) {
        long[] kept = new long[count];
        Arrays.setAll(kept, flow::kept);
        assertThat(value(from, to, kept, profit, capacity, maxFree, overflowCost))
            .isEqualTo(
                best(from, to, units, profit, capacity, maxFree, overflowCost, new long[count], 0));
      }
    }
  }

  private static long best(
      int[] from,
      int[] to,
      long[] units,
      long[] profit,
      long[] capacity,
      long[] maxFree,
      long overflowCost,
      long[] kept,
      int next) {
    if (next == kept.length) {
      return value(from, to, kept, profit, capacity, maxFree, overflowCost);
    }
    long best = Long.MIN_VALUE;
    for (kept[next] = 0; kept[next] <= units[next]; kept[next]++) {
      best =
          Math.max(
              best, best(from, to, units, profit, capacity, maxFree, overflowCost, kept, next + 1));
    }
    kept[next] = 0;
    return best;
  }

  /** {@return the profit less the cost of overflow; the smallest number if it does not fit} */
  private static long value(
      int[] from,
      int[] to,
      long[] kept,
      long[] profit,
      long[] capacity,
      long[] maxFree,
      long overflowCost) {
    long value = 0;
    for (int i = 0; i < kept.length; i++) {
      value += kept[i] * profit[i];
    }
    for (int t = 0; t < capacity.length; t++) {
      long free = capacity[t];
      for (int i = 0; i < kept.length; i++) {
        free -= from[i] <= t && t < to[i] ? kept[i] : 0;
      }
      if (free < 0) {
        return Long.MIN_VALUE;
      }
      value -= Math.max(0, free - maxFree[t]) * overflowCost;
    }
    return value;
  }
}
