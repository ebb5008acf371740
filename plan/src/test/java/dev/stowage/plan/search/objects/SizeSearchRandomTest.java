package dev.stowage.plan.search.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.time.PositionalMaximums;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The search over the sizes of objects, compared with all partitions of few records. */
class SizeSearchRandomTest {

  private static final long ALL = Long.MAX_VALUE / 4;

  static LongStream seeds() {
    return RandomRecords.seeds(5_000);
  }

  /** {@return two to nine records, of small sizes times a common factor} */
  private static PlanProblem fewRecords(Random random) {
    int tasks = 2 + random.nextInt(10);
    int longest = 1 + random.nextInt(tasks);
    int largest = 1 + random.nextInt(random.nextBoolean() ? 4 : 40);
    long factor = 1L << (random.nextBoolean() ? 0 : random.nextInt(52));
    List<TensorUsageRecord> records = new ArrayList<>();
    int count = 2 + random.nextInt(8);
    for (int i = 0; i < count; i++) {
      int first = random.nextInt(tasks);
      long bytes = (1 + random.nextInt(largest)) * factor;
      records.add(TensorUsageRecord.of(bytes, first, first + random.nextInt(longest)));
    }
    return PlanProblem.of(records);
  }

  private static boolean share(ObjectRecords records, int a, int b) {
    return records.firstRanks()[a] <= records.lastRanks()[b]
        && records.firstRanks()[b] <= records.lastRanks()[a];
  }

  /** {@return the bytes of a plan, which must be valid} */
  private static long bytes(ObjectRecords records, int[] objectIds) {
    long[] sizes = new long[records.count()];
    for (int a = 0; a < objectIds.length; a++) {
      for (int b = 0; b < a; b++) {
        assertThat(objectIds[a] == objectIds[b] && share(records, a, b)).isFalse();
      }
      sizes[objectIds[a]] = Math.max(sizes[objectIds[a]], records.bytes()[a]);
    }
    return Arrays.stream(sizes).sum();
  }

  /** Keeps in {@code best} the smallest plan whose first records have the given objects. */
  private static void findBest(
      ObjectRecords records, int[] objectIds, int next, int objectCount, int[][] best) {
    if (next == objectIds.length) {
      best[0] = bytes(records, objectIds) < bytes(records, best[0]) ? objectIds.clone() : best[0];
      return;
    }
    for (int object = 0; object <= objectCount; object++) {
      int tried = object;
      if (IntStream.range(0, next)
          .noneMatch(i -> objectIds[i] == tried && share(records, i, next))) {
        objectIds[next] = object;
        findBest(records, objectIds, next + 1, Math.max(objectCount, object + 1), best);
      }
    }
  }

  private static int[] bestObjectIds(ObjectRecords records) {
    int[][] best = {IntStream.range(0, records.count()).toArray()};
    findBest(records, new int[records.count()], 0, 0, best);
    return best[0];
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void search_inSlices_provesTheBestOfAllPartitions(long seed) {
    Random random = new Random(seed);
    PlanProblem problem = fewRecords(random);
    ObjectRecords records = ObjectRecords.of(problem);
    long least = bytes(records, bestObjectIds(records));
    long start = random.nextBoolean() ? least : problem.naiveBytes();
    SizeSearch search = SizeSearch.of(records).orElseThrow();
    long bound = 0;
    for (int slice = 0; slice < 1_000 && search.boundBytes() < search.bestBytes(); slice++) {
      search.search(start, 0, 1 + random.nextInt(500), () -> false);
      assertThat(search.boundBytes()).as("%s", problem.records()).isBetween(bound, least);
      assertThat(search.bestBytes()).as("%s", problem.records()).isBetween(least, start);
      bound = search.boundBytes();
    }
    assertThat(search.boundBytes()).as("%s", problem.records()).isEqualTo(least);
    assertThat(search.bestBytes()).as("%s", problem.records()).isEqualTo(least);
    if (least < start) {
      assertThat(bytes(records, search.objectIds().orElseThrow())).isEqualTo(least);
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void search_stoppedAnywhere_keepsValidBounds(long seed) {
    Random random = new Random(seed);
    PlanProblem problem = fewRecords(random);
    ObjectRecords records = ObjectRecords.of(problem);
    long least = bytes(records, bestObjectIds(records));
    SizeSearch search = SizeSearch.of(records).orElseThrow();
    for (int slice = 0; slice < 5; slice++) {
      int[] asksLeft = {random.nextInt(5)};
      search.search(problem.naiveBytes(), least, ALL, () -> asksLeft[0]-- <= 0);
      assertThat(search.boundBytes()).as("%s", problem.records()).isLessThanOrEqualTo(least);
      assertThat(search.bestBytes()).as("%s", problem.records()).isGreaterThanOrEqualTo(least);
    }
  }

  /** Any weights give a bound, and no choice of the best plan is closed. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void tighten_anyWeights_keepsTheBestPlan(long seed) {
    Random random = new Random(seed);
    PlanProblem problem = fewRecords(random);
    ObjectRecords records = ObjectRecords.of(problem);
    int[] best = bestObjectIds(records);
    long least = bytes(records, best);
    SizedRecords sized = new SizedRecords(records);
    SizeChoices choices = SizeChoices.all(sized);
    SizeCliques cliques = new SizeCliques(sized, choices);
    SizeBounds bounds = new SizeBounds(sized);
    long positional = bounds.tighten(bounds.positionalPrices(), choices, cliques, least);
    assertThat(positional).isBetween(PositionalMaximums.sum(problem), least);
    for (int round = 0; round < 3; round++) {
      double[][] weights = randomWeights(sized, cliques, random);
      long bound =
          bounds.tighten(bounds.prices(weights, choices, cliques), choices, cliques, least);
      assertThat(bound).as("%s", problem.records()).isLessThanOrEqualTo(least);
    }
    for (int r = 0; r < best.length; r++) {
      int object = best[r];
      long objectBytes =
          IntStream.range(0, best.length)
              .filter(i -> best[i] == object)
              .mapToLong(i -> records.bytes()[i])
              .max()
              .orElseThrow();
      int record = r;
      assertThat(
              Arrays.stream(choices.open(r)).mapToLong(c -> sized.sizes[choices.size(record, c)]))
          .as("%s", problem.records())
          .contains(objectBytes);
    }
  }

  /** {@return weights; their sums may be too large, and some are no numbers} */
  private static double[][] randomWeights(
      SizedRecords records, SizeCliques cliques, Random random) {
    double[][] weights = new double[records.sizes.length][];
    for (int size = 0; size < weights.length; size++) {
      double scale = records.units(size) * random.nextDouble();
      weights[size] = new double[cliques.count(size)];
      for (int c = 0; c < weights[size].length; c++) {
        weights[size][c] = random.nextInt(50) == 0 ? Double.NaN : scale * random.nextGaussian();
      }
    }
    return weights;
  }
}
