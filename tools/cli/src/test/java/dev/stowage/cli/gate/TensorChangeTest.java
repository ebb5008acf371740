package dev.stowage.cli.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The records that are responsible for growth. */
class TensorChangeTest {

  private static BaselineRecord record(String name, long size, long firstTask, long lastTask) {
    return new BaselineRecord(name, size, firstTask, lastTask);
  }

  /** {@return the names of the records with a change, if {@code peak} are the live ones} */
  private static List<String> names(
      List<BaselineRecord> before, List<BaselineRecord> now, int... peak) {
    return TensorChange.between(before, now, IntStream.of(peak).mapToObj(now::get).toList())
        .stream()
        .map(change -> change.record().name())
        .toList();
  }

  @Test
  void between_newRecord_namesIt() {
    assertThat(
            names(
                List.of(record("a", 1, 0, 1)),
                List.of(record("a", 1, 0, 1), record("b", 2, 1, 2)),
                0,
                1))
        .containsExactly("b");
  }

  @Test
  void between_largerRecordAtAnotherPeakThanBefore_namesIt() {
    //  before: a a . .   peak at 0      now: a a . .
    //          . . b c                       . . B c   peak at 3
    List<BaselineRecord> before =
        List.of(record("a", 9, 0, 1), record("b", 1, 2, 3), record("c", 2, 3, 3));
    List<BaselineRecord> now =
        List.of(record("a", 9, 0, 1), record("b", 8, 2, 3), record("c", 2, 3, 3));

    assertThat(names(before, now, 1, 2)).containsExactly("b");
  }

  @Test
  void between_recordThatEndsLater_namesIt() {
    List<BaselineRecord> before = List.of(record("a", 5, 0, 1), record("b", 7, 2, 3));
    List<BaselineRecord> now = List.of(record("a", 5, 0, 2), record("b", 7, 2, 3));

    assertThat(names(before, now, 0, 1)).containsExactly("a");
  }

  @Test
  void between_operatorInsertedBefore_namesOnlyTheNewRecord() {
    List<BaselineRecord> before = List.of(record("a", 5, 0, 1), record("b", 7, 1, 2));
    List<BaselineRecord> now =
        List.of(record("x", 20, 0, 1), record("a", 5, 1, 2), record("b", 7, 2, 3));

    assertThat(names(before, now, 0, 1)).containsExactly("x");
  }

  @Test
  void between_renamedRecords_namesNone() {
    List<BaselineRecord> before = List.of(record("a", 5, 0, 1), record("b", 7, 1, 2));
    List<BaselineRecord> now = List.of(record("a2", 5, 0, 1), record("b2", 7, 1, 2));

    assertThat(names(before, now, 0, 1)).isEmpty();
  }

  @Test
  void between_equalRecordsOfWhichOneIsNew_namesOne() {
    List<BaselineRecord> before = List.of(record("", 5, 0, 1));
    List<BaselineRecord> now = List.of(record("", 5, 0, 1), record("", 5, 0, 1));

    assertThat(names(before, now, 0, 1)).containsExactly("");
  }

  @Test
  void between_unchangedPeak_comparesAllRecords() {
    List<BaselineRecord> before = List.of(record("a", 9, 0, 0), record("b", 1, 1, 1));
    List<BaselineRecord> now = List.of(record("a", 9, 0, 0), record("b", 3, 1, 1));

    assertThat(names(before, now, 0)).containsExactly("b");
  }
}
