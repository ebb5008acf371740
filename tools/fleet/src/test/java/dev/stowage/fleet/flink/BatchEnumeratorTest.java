package dev.stowage.fleet.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.core.fs.Path;
import org.apache.flink.metrics.groups.SplitEnumeratorMetricGroup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BatchEnumeratorTest {

  static LongStream seeds() {
    return Seeds.of(200);
  }

  @TempDir java.nio.file.Path folder;

  /** Subtasks take, commit and die in any order; each batch is committed once, and all end. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anySubtasks_thatDieAtAnyTime_commitEachBatchOnce(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    List<Batch> batches = batches(1 + random.nextInt(20));
    Subtasks subtasks = new Subtasks(1 + random.nextInt(4));
    BatchEnumerator enumerator = new BatchEnumerator(subtasks, batches, parts());
    enumerator.start();
    int deaths = random.nextInt(8);
    Set<Integer> idle = new TreeSet<>(subtasks.all);
    List<Batch> committed = new ArrayList<>();
    while (!subtasks.ended.containsAll(subtasks.all)) {
      List<Integer> alive = subtasks.all.stream().filter(i -> !subtasks.ended.contains(i)).toList();
      int subtask = alive.get(random.nextInt(alive.size()));
      if (deaths > 0 && random.nextInt(4) == 0) {
        deaths--;
        subtasks.lose(subtask, enumerator);
        idle.add(subtask);
      } else if (subtasks.running.containsKey(subtask)) {
        Batch batch = subtasks.running.remove(subtask);
        commit(batch);
        committed.add(batch);
        if (random.nextInt(5) > 0) {
          enumerator.handleSplitRequest(subtask, "localhost");
        } else {
          // The part is committed, but the subtask dies before it asks again.
          subtasks.lose(subtask, enumerator);
          idle.add(subtask);
        }
      } else if (idle.remove(subtask)) {
        enumerator.handleSplitRequest(subtask, "localhost");
      }
    }
    assertThat(committed).containsExactlyInAnyOrderElementsOf(batches);
    assertThat(enumerator.snapshotState(1)).isEmpty();
  }

  @Test
  void handleSplitRequest_noBatchWaits_parksTheSubtaskUntilNoneRuns() throws IOException {
    Subtasks subtasks = new Subtasks(2);
    BatchEnumerator enumerator = new BatchEnumerator(subtasks, batches(1), parts());
    enumerator.handleSplitRequest(0, "a");
    enumerator.handleSplitRequest(1, "b");
    assertThat(subtasks.ended).isEmpty();

    subtasks.lose(0, enumerator);

    assertThat(subtasks.running).containsOnly(Map.entry(1, batches(1).get(0)));
    subtasks.running.clear();
    commit(batches(1).get(0));
    enumerator.handleSplitRequest(1, "b");
    assertThat(subtasks.ended).containsExactly(1);
  }

  @Test
  void addSplitsBack_batchLostTenTimes_failsWithItsItems() {
    Subtasks subtasks = new Subtasks(1);
    BatchEnumerator enumerator = new BatchEnumerator(subtasks, batches(1), parts());
    for (int i = 1; i < BatchEnumerator.MOST_LOSSES; i++) {
      enumerator.handleSplitRequest(0, "a");
      subtasks.lose(0, enumerator);
    }
    enumerator.handleSplitRequest(0, "a");

    assertThatThrownBy(() -> subtasks.lose(0, enumerator))
        .isInstanceOf(SweepException.class)
        .hasMessage(
            "10 task managers were lost while they ran the 3 items at byte 0 of the file of items:"
                + " leave them out, or give the task managers more memory");
  }

  private static List<Batch> batches(int count) {
    return IntStream.range(0, count).mapToObj(i -> new Batch(i, 10L * i, 10L * i + 10, 3)).toList();
  }

  private PartsFolder parts() {
    return new PartsFolder(new Path(folder.toUri()), "test");
  }

  private void commit(Batch batch) throws IOException {
    PartName part = new PartName(batch.number(), batch.itemCount(), 0, 0);
    java.nio.file.Path file = java.nio.file.Path.of(parts().file(part).toUri());
    Files.createDirectories(file.getParent());
    Files.createFile(file);
  }

  /** The subtasks as the enumerator sees them. */
  private static final class Subtasks implements SplitEnumeratorContext<Batch> {

    private final Set<Integer> all = new TreeSet<>();
    private final Set<Integer> ended = new HashSet<>();
    private final Map<Integer, Batch> running = new HashMap<>();
    private final Map<Integer, List<Batch>> assigned = new HashMap<>();

    Subtasks(int count) {
      for (int i = 0; i < count; i++) {
        all.add(i);
      }
    }

    /** Gives back all batches of a subtask since its start, as Flink does. */
    void lose(int subtask, BatchEnumerator enumerator) {
      running.remove(subtask);
      List<Batch> batches = assigned.put(subtask, new ArrayList<>());
      enumerator.addSplitsBack(batches == null ? List.of() : batches, subtask);
    }

    @Override
    public void assignSplits(SplitsAssignment<Batch> assignment) {
      assignment
          .assignment()
          .forEach((subtask, batches) -> {
            assertThat(batches).hasSize(1);
            assertThat(running.put(subtask, batches.get(0))).isNull();
            assigned.computeIfAbsent(subtask, i -> new ArrayList<>()).addAll(batches);
          });
    }

    @Override
    public void signalNoMoreSplits(int subtask) {
      assertThat(running).isEmpty();
      assertThat(ended.add(subtask)).isTrue();
    }

    @Override
    public Map<Integer, ReaderInfo> registeredReaders() {
      Map<Integer, ReaderInfo> readers = new HashMap<>();
      all.forEach(subtask -> readers.put(subtask, new ReaderInfo(subtask, "localhost")));
      return readers;
    }

    @Override
    public int currentParallelism() {
      return all.size();
    }

    @Override
    public SplitEnumeratorMetricGroup metricGroup() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void sendEventToSourceReader(int subtask, SourceEvent event) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <T> void callAsync(Callable<T> callable, BiConsumer<T, Throwable> handler) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <T> void callAsync(
        Callable<T> callable, BiConsumer<T, Throwable> handler, long delay, long period) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void runInCoordinatorThread(Runnable runnable) {
      throw new UnsupportedOperationException();
    }
  }
}
