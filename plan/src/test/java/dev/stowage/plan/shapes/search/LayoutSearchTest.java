package dev.stowage.plan.shapes.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.LayoutChecker;
import dev.stowage.plan.shapes.LayoutOffset;
import dev.stowage.plan.shapes.SizeExpression;
import dev.stowage.plan.shapes.SymbolicProblem;
import dev.stowage.plan.shapes.SymbolicRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LayoutSearchTest {

  private static final LayoutOptions NO_TIME_LIMIT =
      LayoutOptions.defaults().withTimeLimit(Duration.ofDays(1)).withNodeLimit(20_000);

  private static SymbolicRecord record(String bytes, long firstTask, long lastTask) {
    return SymbolicRecord.of(SizeExpression.parse(bytes), firstTask, lastTask);
  }

  /*
   * The best plans of small and of large n differ:
   *
   *   task      0  1  2
   *   10        x  x
   *   n            x  x
   *   5 or n       x        lies between them, or above or below both
   */
  private static SymbolicProblem chain(long last) {
    return new SymbolicProblem(
        List.of(
            record("10", 0, 1), record("n", 1, 2), record("max(n, 5)", 2, 3), record("7", 3, 3)),
        DimensionRanges.of(new DimensionRange("n", 1, last)),
        1);
  }

  @Test
  void run_chain_findsALayoutWithoutExcess() {
    LayoutSearchResult result = LayoutSearch.of(chain(100), NO_TIME_LIMIT).run();

    assertThat(result.layoutExcess()).isEqualTo(new Excess(0, 0));
    assertThat(result.bestPlanExcess()).isEqualTo(new Excess(0, 0));
    assertThat(result.provedCount()).isEqualTo(100);
    assertThat(result.maximum().arenaBytes()).isEqualTo(200);
    assertThat(result.buckets()).hasSize(1);
    assertThat(result.buckets().getFirst().arenaBytes()).isEqualTo(200);
    assertThat(result.hasAllShapes()).isTrue();
  }

  @Test
  void run_noRecords_hasNoBytes() {
    SymbolicProblem empty =
        new SymbolicProblem(List.of(), DimensionRanges.of(new DimensionRange("n", 1, 10)), 64);
    LayoutSearchResult result = LayoutSearch.of(empty, NO_TIME_LIMIT.withBuckets(3)).run();

    assertThat(result.maximum().arenaBytes()).isZero();
    assertThat(result.layoutExcess()).isEqualTo(new Excess(0, 0));
    assertThat(result.layout().offsets(DimensionValues.of("n", 4))).isEmpty();
  }

  @Test
  void run_noDimensions_isAPlan() {
    SymbolicProblem fixed =
        new SymbolicProblem(
            List.of(record("10", 0, 1), record("20", 1, 2)), DimensionRanges.of(), 1);
    LayoutSearchResult result = LayoutSearch.of(fixed, NO_TIME_LIMIT.withBuckets(3)).run();

    assertThat(result.shapes()).hasSize(1);
    assertThat(result.layout().totalBytes(DimensionValues.of(Map.of()))).isEqualTo(30);
  }

  @Test
  void run_hugeRanges_comparesASampleWithTheCorners() {
    DimensionRanges ranges =
        DimensionRanges.of(
            new DimensionRange("a", 1, 1_000_000_000), new DimensionRange("b", 3, 1_000_000));
    SymbolicProblem problem =
        new SymbolicProblem(List.of(record("a*b", 0, 1), record("8*a + b", 1, 2)), ranges, 1);
    LayoutSearchResult result = LayoutSearch.of(problem, NO_TIME_LIMIT.withBuckets(5)).run();

    assertThat(result.hasAllShapes()).isFalse();
    assertThat(result.shapes()).hasSize(1_000);
    assertThat(result.shapes())
        .extracting(ComparedShape::shape)
        .contains(
            ranges.first(),
            ranges.last(),
            ranges.first().with("a", 1_000_000_000),
            ranges.first().with("b", 1_000_000))
        .allMatch(ranges::contains)
        .doesNotHaveDuplicates();
    assertThat(result.buckets()).hasSize(5);
    assertThat(ranges.firstOutside(result.buckets().stream().map(LayoutBucket::ranges).toList()))
        .isEmpty();
    for (LayoutBucket bucket : result.buckets()) {
      assertThat(LayoutChecker.violation(bucket.layout(), bucket.arenaBytes())).isEmpty();
    }
  }

  @Test
  void run_manyDimensions_isFeasible() {
    List<DimensionRange> ranges = new ArrayList<>();
    StringBuilder product = new StringBuilder("1");
    for (int i = 0; i < 9; i++) {
      ranges.add(new DimensionRange("d" + i, 1, 20));
      product.append("*d").append(i);
    }
    SymbolicProblem problem =
        new SymbolicProblem(
            List.of(record(product.toString(), 0, 1), record("d0 + d8", 1, 2)),
            new DimensionRanges(ranges),
            1);
    LayoutSearchResult result = LayoutSearch.of(problem, NO_TIME_LIMIT.withBuckets(8)).run();

    assertThat(result.layoutExcess()).isEqualTo(new Excess(0, 0));
    assertThat(result.bucketArenaExcess().average()).isLessThan(result.maximumExcess().average());
  }

  @Test
  void run_nonMonotoneSizes_haveTheArenaOfTheWorstShape() {
    SymbolicProblem problem =
        new SymbolicProblem(
            List.of(record("n*(20 - n)", 0, 1), record("max(n, 19 - n)", 1, 2)),
            DimensionRanges.of(new DimensionRange("n", 1, 19)),
            1);
    LayoutSearchResult result = LayoutSearch.of(problem, NO_TIME_LIMIT).run();

    long worst =
        LongStream.rangeClosed(1, 19)
            .map(n -> result.layout().totalBytes(DimensionValues.of("n", n)))
            .max()
            .orElseThrow();
    assertThat(result.buckets().getFirst().arenaBytes()).isEqualTo(worst);
    assertThat(LayoutChecker.violation(result.layout(), worst)).isEmpty();
    assertThat(LayoutChecker.violation(result.layout(), worst - 1)).isPresent();
  }

  @Test
  void run_shortOffsets_areExpressions() {
    LayoutSearchResult result = LayoutSearch.of(chain(100), NO_TIME_LIMIT).run();

    assertThat(result.layout().offsets())
        .filteredOn(offset -> offset.below().isEmpty())
        .extracting(LayoutOffset::toString)
        .contains("0");
  }

  /** The best division into four buckets is none, because the arena of each part is the same. */
  @Test
  void run_bucketsWithoutAGain_areTheOneLayoutAndItsArena() {
    SymbolicProblem problem =
        new SymbolicProblem(
            List.of(record("28*(65 - n)", 0, 2), record("12*(65 - n)", 1, 3), record("20*n", 2, 2)),
            DimensionRanges.of(new DimensionRange("n", 1, 64)),
            64);
    LayoutSearchResult result = LayoutSearch.of(problem, NO_TIME_LIMIT.withBuckets(4)).run();

    assertThat(result.buckets()).hasSize(1);
    LayoutBucket bucket = result.buckets().getFirst();
    assertThat(bucket.layout()).isSameAs(result.layout());
    assertThat(LayoutChecker.violation(bucket.layout(), bucket.arenaBytes())).isEmpty();
  }

  @Test
  void run_timeIsOver_returnsTheFirstOrderWithoutShortFormulas() {
    LongSupplier clock = LongStream.iterate(0, nanos -> nanos + 1_000_000_000).iterator()::next;
    LayoutOptions options =
        LayoutOptions.defaults().withTimeLimit(Duration.ofNanos(1)).withBuckets(4);
    LayoutSearchResult result = LayoutSearch.of(chain(100), options, clock).run();

    assertThat(result.isComplete()).isTrue();
    assertThat(result.buckets()).hasSizeGreaterThan(1);
    for (LayoutBucket bucket : result.buckets()) {
      assertThat(LayoutChecker.violation(bucket.layout(), bucket.arenaBytes())).isEmpty();
      assertThat(bucket.layout().offsets())
          .allMatch(offset -> offset.base().equals(SizeExpression.of(0)));
    }
  }

  @Test
  void run_cancelled_returnsValidLayouts() {
    LayoutSearch search = LayoutSearch.of(chain(100), NO_TIME_LIMIT.withBuckets(4));
    search.cancel();
    LayoutSearchResult result = search.run();

    assertThat(LayoutChecker.violation(result.layout())).isEmpty();
    assertThat(result.isComplete()).isFalse();
    assertThat(result.buckets()).hasSize(1);
    assertThatIllegalStateException()
        .isThrownBy(search::run)
        .withMessage("a search runs only once: create another LayoutSearch");
  }

  @Test
  void options_wrongValues_areErrors() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LayoutOptions.defaults().withBuckets(65))
        .withMessage("buckets must be from 1 to 64: buckets=65");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LayoutOptions.defaults().withNodeLimit(-1))
        .withMessage("nodeLimit must not be negative: nodeLimit=-1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LayoutOptions.defaults().withTimeLimit(Duration.ofSeconds(-1)))
        .withMessage("timeLimit must not be negative: timeLimit=PT-1S");
  }

  @Test
  void of_tooManyRecords_isAnError() {
    SymbolicRecord record = record("n", 0, 1);
    SymbolicProblem large =
        new SymbolicProblem(
            Collections.nCopies(20_001, record),
            DimensionRanges.of(new DimensionRange("n", 1, 2)),
            1);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> LayoutSearch.of(large, NO_TIME_LIMIT))
        .withMessage("a search for layouts supports up to 20,000 records: records=20,001");
  }

  @Test
  void bucketOf_shapeOutside_isAnError() {
    LayoutSearchResult result = LayoutSearch.of(chain(10), NO_TIME_LIMIT.withBuckets(2)).run();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> result.bucketOf(DimensionValues.of("n", 11)))
        .withMessage("the shape is in no bucket: shape n=11");
  }
}
