package dev.stowage.plan.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.cases.CutProblems;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The threads, limits, cancellation and progress reports of a search. */
class OffsetsSearchRunTest {

  private static final PlanProblem INTRACTABLE = CutProblems.intractable();

  /** The time limit only protects the build from an endless search. */
  private static final SearchOptions OPTIONS =
      SearchOptions.defaults().withTimeLimit(Duration.ofMinutes(2));

  static LongStream seeds() {
    return RandomRecords.seeds(60);
  }

  /** {@return the result of a search whose listener receives the search} */
  private static SearchResult<OffsetsAssignment> run(
      PlanProblem problem,
      SearchOptions options,
      BiConsumer<OffsetsSearch, SearchProgress> listener) {
    AtomicReference<OffsetsSearch> search = new AtomicReference<>();
    SearchOptions reports =
        options.withProgress(progress -> listener.accept(search.get(), progress));
    search.set(OffsetsSearch.of(problem, reports));
    SearchResult<OffsetsAssignment> result = search.get().run();
    assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
    assertThat(result.lowerBoundBytes()).isLessThanOrEqualTo(result.assignment().totalBytes());
    return result;
  }

  /** {@return the result of a search that is cancelled after a number of rounds} */
  private static SearchResult<OffsetsAssignment> runForRounds(
      PlanProblem problem, SearchOptions options, int rounds) {
    int[] reports = {0};
    return run(
        problem,
        options,
        (search, progress) -> {
          if (++reports[0] == rounds) {
            search.cancel();
          }
        });
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void run_anyNumberOfThreads_returnsTheSameResult(long seed) {
    Random random = new Random(seed);
    PlanProblem problem = CutProblems.of(random, 30 + random.nextInt(70));
    SearchResult<OffsetsAssignment> alone = runForRounds(problem, OPTIONS, 12);
    assertThat(alone.lowerBoundBytes()).isEqualTo(CutProblems.BYTES);
    for (int threads = 2; threads <= 3; threads++) {
      SearchResult<OffsetsAssignment> together =
          runForRounds(problem, OPTIONS.withThreads(threads), 12);
      assertThat(together.assignment()).as("%s", problem).isEqualTo(alone.assignment());
      assertThat(together.lowerBoundBytes()).isEqualTo(alone.lowerBoundBytes());
      assertThat(together.end()).isEqualTo(alone.end());
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void run_partitionsOfAnyDifficulty_sameResultOnAnyNumberOfThreads(long seed) {
    Random random = new Random(seed);
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int part = 0; part < 4; part++) {
      long firstTask = 1000L * part;
      for (TensorUsageRecord record : CutProblems.of(random, 10 + random.nextInt(25)).records()) {
        TensorUsageRecord shifted =
            TensorUsageRecord.of(
                record.bytes(), firstTask + record.firstTask(), firstTask + record.lastTask());
        records.add(random.nextInt(9) == 0 ? shifted.withAlignment(48) : shifted);
      }
    }
    PlanProblem problem = PlanProblem.of(records);
    SearchResult<OffsetsAssignment> alone = runForRounds(problem, OPTIONS, 8);
    SearchResult<OffsetsAssignment> together = runForRounds(problem, OPTIONS.withThreads(2), 8);
    assertThat(together.assignment()).as("%s", problem).isEqualTo(alone.assignment());
    assertThat(together.lowerBoundBytes()).isEqualTo(alone.lowerBoundBytes());
    assertThat(together.end()).isEqualTo(alone.end());
  }

  @Test
  void run_noTime_returnsAValidPlan() {
    SearchOptions noTime = OPTIONS.withTimeLimit(Duration.ZERO);
    SearchResult<OffsetsAssignment> result = OffsetsSearch.of(INTRACTABLE, noTime).run();
    assertThat(AssignmentChecker.violation(INTRACTABLE, result.assignment())).isEmpty();
    assertThat(result.end()).isEqualTo(SearchEnd.TIME_LIMIT);
    assertThat(result.isOptimal()).isFalse();
    assertThat(result.nodes()).isZero();
  }

  @Test
  void run_noTimeAndOptimalFirstPlan_isOptimal() {
    PlanProblem problem = PlanProblem.of(List.of(TensorUsageRecord.of(8, 0, 1)));
    SearchResult<OffsetsAssignment> result =
        OffsetsSearch.of(problem, OPTIONS.withTimeLimit(Duration.ZERO)).run();
    assertThat(result.end()).isEqualTo(SearchEnd.OPTIMAL);
  }

  @Test
  void run_limitAboveTheLargestLongInNanoseconds_isNoLimit() {
    PlanProblem problem = PlanProblem.of(List.of(TensorUsageRecord.of(8, 0, 1)));
    SearchOptions unlimited = OPTIONS.withTimeLimit(Duration.ofSeconds(Long.MAX_VALUE));
    assertThat(OffsetsSearch.of(problem, unlimited).run().isOptimal()).isTrue();
    assertThat(runForRounds(INTRACTABLE, unlimited, 6).end()).isEqualTo(SearchEnd.CANCELLED);
  }

  @Test
  void run_capacityOfTheFirstPlan_endsWithIt() {
    SearchResult<OffsetsAssignment> first = runForRounds(INTRACTABLE, OPTIONS, 1);
    long enough = first.assignment().totalBytes();
    SearchResult<OffsetsAssignment> result =
        OffsetsSearch.of(INTRACTABLE, OPTIONS.withCapacity(enough)).run();
    assertThat(result.end()).isEqualTo(SearchEnd.CAPACITY_REACHED);
    assertThat(result.assignment().totalBytes()).isLessThanOrEqualTo(enough);
    assertThat(result.isOptimal()).isFalse();
    assertThat(OffsetsSearch.of(INTRACTABLE, OPTIONS.withCapacity(Long.MAX_VALUE)).run().end())
        .isEqualTo(SearchEnd.CAPACITY_REACHED);
  }

  @Test
  void run_capacityThatNeedsASearch_endsWithAPlanThatFits() {
    PlanProblem problem = CutProblems.of(new Random(14), 74);
    long enough = CutProblems.BYTES + 40;
    assertThat(OffsetsSearch.of(problem, OPTIONS.withTimeLimit(Duration.ZERO)).run().assignment())
        .satisfies(plan -> assertThat(plan.totalBytes()).isGreaterThan(enough));
    SearchResult<OffsetsAssignment> result =
        OffsetsSearch.of(problem, OPTIONS.withCapacity(enough)).run();
    assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
    assertThat(result.assignment().totalBytes()).isLessThanOrEqualTo(enough);
    assertThat(result.end()).isIn(SearchEnd.CAPACITY_REACHED, SearchEnd.OPTIMAL);
  }

  @Test
  void run_capacityBelowTheLoad_returnsTheSmallestPlan() {
    PlanProblem problem = CutProblems.of(new Random(14), 74);
    SearchOptions below = OPTIONS.withCapacity(CutProblems.BYTES - 1);
    SearchResult<OffsetsAssignment> result = run(problem, below, (search, progress) -> {});
    assertThat(result.end()).isEqualTo(SearchEnd.OPTIMAL);
    assertThat(result.assignment().totalBytes()).isEqualTo(CutProblems.BYTES);
  }

  @Test
  void run_capacityBelowTheLoadAndNoTime_endsWithTheTimeLimit() {
    SearchOptions below = OPTIONS.withTimeLimit(Duration.ZERO).withCapacity(1);
    SearchResult<OffsetsAssignment> result = OffsetsSearch.of(INTRACTABLE, below, () -> 0).run();
    assertThat(result.end()).isEqualTo(SearchEnd.TIME_LIMIT);
    assertThat(result.lowerBoundBytes()).isGreaterThan(1);
  }

  @Test
  void run_capacityDecisionBelowTheLoad_doesNotSearch() {
    long load = LowerBounds.of(INTRACTABLE).offsetsBytes();
    SearchOptions below =
        OPTIONS
            .withCapacityDecision(load - 1)
            .withProgress(progress -> {
              throw new AssertionError("it searched: " + progress);
            });
    SearchResult<OffsetsAssignment> result = OffsetsSearch.of(INTRACTABLE, below, () -> 0).run();
    assertThat(result.lowerBoundBytes()).isEqualTo(load);
    assertThat(AssignmentChecker.violation(INTRACTABLE, result.assignment())).isEmpty();
    assertThat(result.nodes()).isZero();
  }

  @Test
  void run_limitOfNodes_sameResultOnAnyNumberOfThreads() {
    SearchOptions limited = OPTIONS.withNodeLimit(50_000);
    SearchResult<OffsetsAssignment> alone = OffsetsSearch.of(INTRACTABLE, limited, () -> 0).run();
    assertThat(alone.end()).isEqualTo(SearchEnd.NODE_LIMIT);
    assertThat(alone.nodes()).isGreaterThanOrEqualTo(50_000);
    assertThat(OffsetsSearch.of(INTRACTABLE, limited.withThreads(2), () -> 0).run())
        .isEqualTo(alone);
    SearchResult<OffsetsAssignment> none =
        OffsetsSearch.of(INTRACTABLE, OPTIONS.withNodeLimit(0), () -> 0).run();
    assertThat(none.end()).isEqualTo(SearchEnd.NODE_LIMIT);
    assertThat(none.nodes()).isZero();
  }

  @Test
  void run_cancelledBefore_returnsTheFirstPlan() {
    OffsetsSearch search = OffsetsSearch.of(INTRACTABLE, OPTIONS);
    search.cancel();
    SearchResult<OffsetsAssignment> result = search.run();
    assertThat(AssignmentChecker.violation(INTRACTABLE, result.assignment())).isEmpty();
    assertThat(result.assignment()).isEqualTo(MemoryStrategy.TFLM_GREEDY.planOffsets(INTRACTABLE));
    assertThat(result.end()).isEqualTo(SearchEnd.CANCELLED);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void cancel_fromAnotherThread_endsTheSearch(int threads) throws InterruptedException {
    CountDownLatch searching = new CountDownLatch(10);
    AtomicReference<OffsetsSearch> cancelled = new AtomicReference<>();
    Thread canceller =
        new Thread(() -> {
          try {
            searching.await();
            cancelled.get().cancel();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    canceller.start();
    SearchResult<OffsetsAssignment> result =
        run(
            INTRACTABLE,
            OPTIONS.withThreads(threads),
            (search, progress) -> {
              cancelled.set(search);
              searching.countDown();
            });
    canceller.join();
    assertThat(result.end()).isEqualTo(SearchEnd.CANCELLED);
    assertThat(result.nodes()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void run_interruptedByAnotherThread_endsAndStaysInterrupted(int threads)
      throws InterruptedException {
    CountDownLatch searching = new CountDownLatch(10);
    Thread caller = Thread.currentThread();
    Thread interrupter =
        new Thread(() -> {
          try {
            searching.await();
            caller.interrupt();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    interrupter.start();
    SearchResult<OffsetsAssignment> result =
        run(INTRACTABLE, OPTIONS.withThreads(threads), (search, progress) -> searching.countDown());
    assertThat(Thread.interrupted()).isTrue();
    interrupter.join();
    assertThat(result.end()).isEqualTo(SearchEnd.CANCELLED);
    assertThat(result.nodes()).isPositive();
  }

  static Stream<Arguments> threadsAndRounds() {
    return Stream.of(1, 2)
        .flatMap(threads -> Stream.of(1, 2, 7).map(rounds -> Arguments.of(threads, rounds)));
  }

  @ParameterizedTest
  @MethodSource("threadsAndRounds")
  void run_interruptedThread_endsAndStaysInterrupted(int threads, int rounds) {
    int[] reports = {0};
    SearchResult<OffsetsAssignment> result =
        run(
            INTRACTABLE,
            OPTIONS.withThreads(threads),
            (search, progress) -> {
              if (++reports[0] == rounds) {
                Thread.currentThread().interrupt();
              }
            });
    assertThat(Thread.interrupted()).isTrue();
    assertThat(result.end()).isEqualTo(SearchEnd.CANCELLED);
    assertThat(reports[0]).isEqualTo(rounds);
  }

  @Test
  void run_interruptedBefore_endsAndStaysInterrupted() {
    Thread.currentThread().interrupt();
    SearchResult<OffsetsAssignment> result = run(INTRACTABLE, OPTIONS, (search, progress) -> {});
    assertThat(Thread.interrupted()).isTrue();
    assertThat(result.end()).isEqualTo(SearchEnd.CANCELLED);
  }

  @Test
  void run_progress_isMonotonic() {
    List<SearchProgress> reports = new ArrayList<>();
    PlanProblem problem = CutProblems.of(new Random(86), 78);
    Thread caller = Thread.currentThread();
    SearchResult<OffsetsAssignment> result =
        run(
            problem,
            OPTIONS.withThreads(2),
            (search, progress) -> {
              assertThat(Thread.currentThread()).isSameAs(caller);
              reports.add(progress);
              if (reports.size() == 15) {
                search.cancel();
              }
            });
    for (int k = 1; k < reports.size(); k++) {
      SearchProgress before = reports.get(k - 1);
      SearchProgress after = reports.get(k);
      assertThat(after.bestBytes()).isBetween(after.lowerBoundBytes(), before.bestBytes());
      assertThat(after.lowerBoundBytes()).isGreaterThanOrEqualTo(before.lowerBoundBytes());
      assertThat(after.nodes()).isGreaterThanOrEqualTo(before.nodes());
      assertThat(after.elapsed()).isGreaterThanOrEqualTo(before.elapsed());
    }
    assertThat(result.assignment().totalBytes()).isEqualTo(reports.getLast().bestBytes());
    assertThat(result.lowerBoundBytes()).isEqualTo(reports.getLast().lowerBoundBytes());
    assertThat(result.nodes()).isEqualTo(reports.getLast().nodes());
  }

  @Test
  void run_oneThread_startsNone() {
    SearchResult<OffsetsAssignment> result =
        run(
            INTRACTABLE,
            OPTIONS,
            (search, progress) -> {
              assertThat(searchThreads()).isEmpty();
              search.cancel();
            });
    assertThat(result.end()).isEqualTo(SearchEnd.CANCELLED);
  }

  @Test
  void run_aSecondTime_isRejected() {
    OffsetsSearch search = OffsetsSearch.of(INTRACTABLE, OPTIONS.withNodeLimit(0));
    SearchResult<OffsetsAssignment> result = search.run();
    assertThatThrownBy(search::run)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a search runs only once: create another OffsetsSearch");
    assertThatThrownBy(() -> search.offer(result.assignment()))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void run_longAfterTheSearchWasCreated_hasItsFullTime() {
    long[] nanos = {0};
    SearchOptions second = OPTIONS.withTimeLimit(Duration.ofSeconds(1)).withNodeLimit(20_000);
    OffsetsSearch search = OffsetsSearch.of(INTRACTABLE, second, () -> nanos[0]);
    nanos[0] = Duration.ofHours(1).toNanos();
    assertThat(search.run().end()).isEqualTo(SearchEnd.NODE_LIMIT);
  }

  @Test
  void run_threads_endAfterIt() throws InterruptedException {
    List<Thread> seen = new ArrayList<>();
    SearchResult<OffsetsAssignment> result =
        run(
            INTRACTABLE,
            OPTIONS.withThreads(3),
            (search, progress) -> {
              seen.addAll(searchThreads());
              search.cancel();
            });
    assertThat(result.end()).isEqualTo(SearchEnd.CANCELLED);
    assertThat(seen).isNotEmpty();
    assertAllEnd(seen);
  }

  @Test
  void run_listenerThatThrows_leavesNoThread() throws InterruptedException {
    List<Thread> seen = new ArrayList<>();
    IllegalStateException thrown = new IllegalStateException("thrown by the listener");
    OffsetsSearch search =
        OffsetsSearch.of(
            INTRACTABLE,
            OPTIONS
                .withThreads(2)
                .withProgress(progress -> {
                  seen.addAll(searchThreads());
                  throw thrown;
                }));
    assertThatThrownBy(search::run).isSameAs(thrown);
    assertThat(seen).isNotEmpty();
    assertAllEnd(seen);
  }

  private static List<Thread> searchThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("stowage-search-"))
        .toList();
  }

  private static void assertAllEnd(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      assertThat(thread.isDaemon()).isTrue();
      assertThat(thread.join(Duration.ofMinutes(1))).isTrue();
    }
  }
}
