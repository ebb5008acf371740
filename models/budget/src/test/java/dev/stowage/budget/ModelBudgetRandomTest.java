package dev.stowage.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.SizeExpression;
import dev.stowage.testing.Seeds;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random budgets, as text and back, compared with a naive sum over the corners of the grid. */
class ModelBudgetRandomTest {

  /** A part of the naive model: the coefficient of a product of all dimensions, or a grid. */
  private record NaivePart(
      PartUnit unit, PartPhase phase, long coefficient, Map<List<Long>, Long> grid) {

    BigDecimal bytes(List<List<Long>> points, List<Long> shape) {
      if (grid.isEmpty()) {
        return shape.stream()
            .map(BigDecimal::valueOf)
            .reduce(BigDecimal.valueOf(coefficient), BigDecimal::multiply);
      }
      BigDecimal sum = BigDecimal.ZERO;
      for (Map.Entry<List<Long>, Long> corner : grid.entrySet()) {
        BigDecimal weight = BigDecimal.ONE;
        for (int i = 0; i < shape.size(); i++) {
          weight = weight.multiply(hat(points.get(i), corner.getKey().get(i), shape.get(i)));
        }
        sum = sum.add(weight.multiply(BigDecimal.valueOf(corner.getValue())));
      }
      return sum;
    }

    /** {@return 1 at a point, 0 at all other points, and linear between them} */
    private static BigDecimal hat(List<Long> points, long point, long size) {
      int index = points.indexOf(point);
      if (size == point) {
        return BigDecimal.ONE;
      }
      int neighbour = size < point ? index - 1 : index + 1;
      if (neighbour < 0 || neighbour == points.size()) {
        return BigDecimal.ZERO;
      }
      long other = points.get(neighbour);
      return Math.min(point, other) < size && size < Math.max(point, other)
          ? BigDecimal.valueOf(Math.abs(size - other))
              .divide(BigDecimal.valueOf(Math.abs(point - other)), MathContext.DECIMAL128)
          : BigDecimal.ZERO;
    }

    long count(int sessions, int threads) {
      return switch (unit) {
        case PROCESS -> 1;
        case SESSION -> sessions;
        case FURTHER_SESSION -> sessions - 1;
        case THREAD -> (long) sessions * threads - sessions;
      };
    }
  }

  static LongStream seeds() {
    return Seeds.of(300);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void at_anyShapeSessionsAndThreads_agreesWithTheNaiveSum(long seed) {
    Random random = new Random(seed);
    List<List<Long>> points = new ArrayList<>();
    List<SampleAxis> axes = new ArrayList<>();
    List<DimensionRange> ranges = new ArrayList<>();
    StringBuilder factors = new StringBuilder();
    int dimensionCount = random.nextInt(4);
    for (int i = 0; i < dimensionCount; i++) {
      List<Long> of =
          random.longs(1 + random.nextInt(4), 1, 60).sorted().distinct().boxed().toList();
      points.add(of);
      axes.add(new SampleAxis("d " + i, of));
      ranges.add(new DimensionRange("d " + i, of.getFirst(), of.getLast()));
      factors.append("*'d ").append(i).append("'");
    }
    List<NaivePart> naive = new ArrayList<>();
    List<BudgetPart> parts = new ArrayList<>();
    int partCount = random.nextInt(8);
    for (int i = 0; i < partCount; i++) {
      PartUnit unit = List.of(PartUnit.values()).get(random.nextInt(4));
      PartPhase phase = List.of(PartPhase.values()).get(random.nextInt(3));
      PartBytes bytes;
      if (random.nextBoolean()) {
        long coefficient = random.nextInt(1000);
        naive.add(new NaivePart(unit, phase, coefficient, Map.of()));
        bytes = PartBytes.of(SizeExpression.parse(coefficient + factors.toString()));
      } else {
        Map<List<Long>, Long> grid = grid(points, random);
        naive.add(new NaivePart(unit, phase, 0, grid));
        bytes =
            PartBytes.sampled(axes, grid.values().stream().mapToLong(Long::longValue).toArray());
      }
      parts.add(new BudgetPart("part " + i, PartSource.COMPUTED, unit, phase, bytes));
    }
    ModelBudget budget = new ModelBudget("m", new DimensionRanges(ranges), parts);
    assertThat(ModelBudget.parse(budget.toProfile())).isEqualTo(budget);

    for (int i = 0; i < 10; i++) {
      Map<String, Long> shape = new LinkedHashMap<>();
      ranges.forEach(
          range -> shape.put(range.name(), random.nextLong(range.first(), range.last() + 1)));
      int sessions = 1 + random.nextInt(5);
      int threads = 1 + random.nextInt(4);
      MemoryBudget memory = budget.at(DimensionValues.of(shape), sessions, threads);
      long loading = 0;
      long running = 0;
      for (int k = 0; k < partCount; k++) {
        NaivePart part = naive.get(k);
        BigDecimal one = part.bytes(points, List.copyOf(shape.values()));
        long count = part.count(sessions, threads);
        MemoryPart found = memory.parts().get(k);
        check(found.loadingBytes(), one, loadingCount(part, count), dimensionCount);
        check(
            found.runningBytes(),
            one,
            part.phase() == PartPhase.LOADING ? 0 : count,
            dimensionCount);
        loading += found.loadingBytes();
        running += found.runningBytes();
      }
      assertThat(memory.loadingBytes()).isEqualTo(loading);
      assertThat(memory.runningBytes()).isEqualTo(running);
      assertThat(memory.highestBytes()).isEqualTo(Math.max(loading, running));
    }
  }

  private static long loadingCount(NaivePart part, long count) {
    return switch (part.phase()) {
      case ALWAYS -> count;
      case LOADING -> 1;
      case RUNNING -> 0;
    };
  }

  /** The bytes of one unit are rounded up, once for each dimension. */
  private static void check(long found, BigDecimal one, long count, int dimensionCount) {
    BigDecimal exact = one.multiply(BigDecimal.valueOf(count));
    BigDecimal epsilon = new BigDecimal("0.000001");
    assertThat(BigDecimal.valueOf(found)).isGreaterThanOrEqualTo(exact.subtract(epsilon));
    assertThat(BigDecimal.valueOf(found))
        .isLessThanOrEqualTo(
            exact.add(BigDecimal.valueOf((long) dimensionCount * count)).add(epsilon));
  }

  private static Map<List<Long>, Long> grid(List<List<Long>> points, Random random) {
    List<List<Long>> corners = List.of(List.of());
    for (List<Long> of : points) {
      List<List<Long>> more = new ArrayList<>();
      for (List<Long> corner : corners) {
        for (long point : of) {
          List<Long> next = new ArrayList<>(corner);
          next.add(point);
          more.add(next);
        }
      }
      corners = more;
    }
    Map<List<Long>, Long> grid = new LinkedHashMap<>();
    corners.forEach(corner -> grid.put(corner, (long) random.nextInt(1_000_000)));
    return grid;
  }
}
