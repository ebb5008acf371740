package dev.stowage.cli.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The pairs of records in two versions of an input. */
class TensorPairsTest {

  private static LongStream seeds() {
    return Seeds.of(400);
  }

  private static TensorPairs.Tensor record(String name, long size, long firstTask, long lastTask) {
    return new TensorPairs.Tensor(name, size, firstTask, lastTask);
  }

  private static List<String> pairs(List<TensorPairs.Tensor> before, List<TensorPairs.Tensor> now) {
    return new TensorPairs(before, now)
        .all().stream().map(pair -> text(pair.before()) + " -> " + text(pair.now())).toList();
  }

  private static String text(Optional<TensorPairs.Tensor> record) {
    return record.map(it -> it.name() + ":" + it.size()).orElse("none");
  }

  @Test
  void all_sameName_isAPairWhateverTheSize() {
    assertThat(
            pairs(
                List.of(record("a", 4, 0, 1), record("b", 8, 0, 1)),
                List.of(record("b", 9, 3, 7), record("a", 4, 0, 1))))
        .containsExactly("b:8 -> b:9", "a:4 -> a:4");
  }

  @Test
  void all_otherNameWithTheSameSizeAndLength_isRenamed() {
    assertThat(
            pairs(
                List.of(record("a", 4, 0, 1), record("b", 8, 0, 1)),
                List.of(record("c", 8, 5, 6), record("d", 4, 0, 2))))
        .containsExactly("b:8 -> c:8", "none -> d:4", "a:4 -> none");
  }

  @Test
  void all_indicesAfterAnInsertedTensor_arePairsBySize() {
    // A new tensor 0 shifts all others.
    assertThat(
            pairs(
                List.of(record("0", 4, 0, 1), record("1", 8, 1, 2), record("2", 6, 2, 3)),
                List.of(
                    record("0", 2, 0, 1),
                    record("1", 4, 1, 2),
                    record("2", 8, 2, 3),
                    record("3", 6, 3, 4))))
        .containsExactly("none -> 0:2", "0:4 -> 1:4", "1:8 -> 2:8", "2:6 -> 3:6");
  }

  @Test
  void all_indexWithAnotherSize_isAPair() {
    assertThat(
            pairs(
                List.of(record("0", 4, 0, 1), record("1", 4, 1, 2), record("2", 4, 2, 3)),
                List.of(record("0", 4, 0, 1), record("1", 9, 1, 2), record("2", 4, 2, 3))))
        .containsExactly("0:4 -> 0:4", "1:4 -> 1:9", "2:4 -> 2:4");
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void all_randomRecords_areThoseOfANaiveSearch(long seed) {
    Random random = new Random(seed);
    List<String> names =
        random.nextBoolean() ? List.of("a", "b", "c", "d") : List.of("0", "1", "x");
    List<TensorPairs.Tensor> before = records(random, names);
    List<TensorPairs.Tensor> now = records(random, names);
    assertThat(pairs(before, now)).isEqualTo(naive(before, now));
  }

  private static List<TensorPairs.Tensor> records(Random random, List<String> names) {
    List<TensorPairs.Tensor> records = new ArrayList<>();
    int count = random.nextInt(9);
    for (int i = 0; i < count; i++) {
      long first = random.nextInt(4);
      records.add(
          record(
              names.get(random.nextInt(names.size())),
              random.nextInt(3),
              first,
              first + random.nextInt(3)));
    }
    return records;
  }

  private static boolean isNumber(TensorPairs.Tensor record) {
    return record.name().matches("[0-9]+");
  }

  private static boolean isAlike(TensorPairs.Tensor a, TensorPairs.Tensor b) {
    return a.size() == b.size() && a.furtherTasks() == b.furtherTasks();
  }

  /** {@return the pairs of four searches, each for the first record left that fits} */
  private static List<String> naive(List<TensorPairs.Tensor> before, List<TensorPairs.Tensor> now) {
    List<BiPredicate<TensorPairs.Tensor, TensorPairs.Tensor>> steps =
        List.of(
            (a, b) -> a.name().equals(b.name()) && !isNumber(a),
            (a, b) -> a.name().equals(b.name()) && isAlike(a, b),
            TensorPairsTest::isAlike,
            (a, b) -> a.name().equals(b.name()));
    int[] former = new int[now.size()];
    Arrays.fill(former, -1);
    boolean[] isPaired = new boolean[before.size()];
    for (BiPredicate<TensorPairs.Tensor, TensorPairs.Tensor> step : steps) {
      for (int i : byFirstTask(now)) {
        for (int j : byFirstTask(before)) {
          if (former[i] < 0 && !isPaired[j] && step.test(before.get(j), now.get(i))) {
            former[i] = j;
            isPaired[j] = true;
          }
        }
      }
    }
    List<String> pairs = new ArrayList<>();
    for (int i = 0; i < former.length; i++) {
      pairs.add(
          (former[i] < 0 ? "none" : text(Optional.of(before.get(former[i]))))
              + " -> "
              + text(Optional.of(now.get(i))));
    }
    for (int j = 0; j < isPaired.length; j++) {
      if (!isPaired[j]) {
        pairs.add(text(Optional.of(before.get(j))) + " -> none");
      }
    }
    return pairs;
  }

  private static List<Integer> byFirstTask(List<TensorPairs.Tensor> records) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      order.add(i);
    }
    order.sort(Comparator.comparingLong(i -> records.get(i).firstTask()));
    return order;
  }
}
