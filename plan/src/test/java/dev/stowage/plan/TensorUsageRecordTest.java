package dev.stowage.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.time.LiveRange;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class TensorUsageRecordTest {

  @Test
  void of_negativeSize_isRefused() { // if bytes < 0
    assertRefused(() -> TensorUsageRecord.of(-4, 0, 0), "bytes must not be negative: bytes=-4");
  }

  @Test
  void of_negativeFirstTask_isRefused() { // firstTask < 0
    assertRefused(
        () -> TensorUsageRecord.of(4, -1, 0), "the first task must not be negative: first task=-1");
  }

  @Test
  void of_endBeforeStart_isRefused() { // firstTask > lastTask
    assertRefused(
        () -> TensorUsageRecord.of(4, 3, 2),
        "the first task must not be after the last task: first task=3, last task=2");
  }

  @Test
  void withAlignment_belowOne_isRefused() { // alignment < 1
    assertRefused(
        () -> TensorUsageRecord.of(4, 0, 0).withAlignment(0),
        "alignment must be positive: alignment=0");
  }

  @Test
  void withAlignment_misalignedPin_isRefused() { // the pinned offset is not a multiple of it
    assertRefused(
        () -> TensorUsageRecord.of(4, 0, 0).pinnedAt(6).withAlignment(4),
        "a pinned offset must be a multiple of the alignment: offset=6, alignment=4");
  }

  @Test
  void pinnedAt_negativeOffset_isRefused() { // offset < 0
    assertRefused(
        () -> TensorUsageRecord.of(4, 0, 0).pinnedAt(-8),
        "a pinned offset must not be negative: offset=-8");
  }

  @Test
  void pinnedAt_misalignedOffset_isRefused() { // offset % alignment != 0
    assertRefused(
        () -> TensorUsageRecord.of(4, 0, 0).withAlignment(3).pinnedAt(8),
        "a pinned offset must be a multiple of the alignment: offset=8, alignment=3");
  }

  @Test
  void withGaps_gapOutsideTheLifetime_isRefused() { // a gap is not within the lifetime
    TensorUsageRecord record = TensorUsageRecord.of(4, 2, 5);
    assertRefused(
        () -> record.withGaps(List.of(Gap.of(1, 3))),
        "a gap must lie within the lifetime: gap 1 to 3, lifetime 2 to 5");
    assertRefused(
        () -> record.withGaps(List.of(Gap.of(4, 6))),
        "a gap must lie within the lifetime: gap 4 to 6, lifetime 2 to 5");
  }

  @Test
  void withGaps_overlappingGaps_isRefused() { // or overlaps another
    assertRefused(
        () -> TensorUsageRecord.of(4, 2, 8).withGaps(List.of(Gap.of(5, 6), Gap.of(3, 5))),
        "gaps must not overlap: tasks 3 to 5 and 5 to 6");
    long end = Long.MAX_VALUE;
    assertRefused(
        () -> TensorUsageRecord.of(4, 2, end).withGaps(List.of(Gap.of(3, end), Gap.of(end, end))),
        "gaps must not overlap: tasks 3 to 9223372036854775807 and"
            + " 9223372036854775807 to 9223372036854775807");
  }

  @Test
  void withGaps_windowBeyondTheBytes_isRefused() { // a window is not within the bytes
    assertRefused(
        () -> TensorUsageRecord.of(4, 2, 8).withGaps(List.of(new Gap(3, 5, 2, 5))),
        "the window of a gap must lie within the record: end of the window=5, bytes=4");
  }

  @Test
  void gap_endBeforeStart_isRefused() { // if firstTask > lastTask
    assertRefused(() -> Gap.of(4, 3), "a gap ends before it starts: first task=4, last task=3");
  }

  @Test
  void gap_invalidWindow_isRefused() { // windowStart < 0 or windowStart > windowEnd
    assertRefused(
        () -> new Gap(0, 0, -1, 3),
        "the window of a gap must not start below 0 or after its end: start=-1, end=3");
    assertRefused(
        () -> new Gap(0, 0, 4, 3),
        "the window of a gap must not start below 0 or after its end: start=4, end=3");
  }

  @Test
  void gap_windowBytes_areTheWindows() {
    assertThat(Gap.of(2, 3).windowBytes()).isZero();
    assertThat(new Gap(2, 3, 4, 9).windowBytes()).isEqualTo(5);
  }

  @Test
  void withMethods_oneAfterTheOther_keepTheOtherComponents() {
    List<Gap> gaps = List.of(Gap.of(2, 3));
    TensorUsageRecord record =
        TensorUsageRecord.of(10, 1, 4)
            .withAlignment(4)
            .withName("conv1/out")
            .pinnedAt(8)
            .withHint(-3)
            .withGaps(gaps)
            .withLifetime(1, 5)
            .withAlignment(2);
    TensorUsageRecord inOtherOrder =
        TensorUsageRecord.of(9, 1, 5)
            .withBytes(10)
            .withGaps(gaps)
            .withHint(-3)
            .withAlignment(2)
            .pinnedAt(8)
            .withName("conv1/out");

    assertThat(record).isEqualTo(inOtherOrder).hasSameHashCodeAs(inOtherOrder);
    assertThat(record).isNotEqualTo(inOtherOrder.withHint(-2)).isNotEqualTo(record.withName(""));
    assertThat(record.alignment()).isEqualTo(2);
    assertThat(record.pinnedOffset()).hasValue(8);
    assertThat(record.hint()).hasValue(-3);
    assertThat(record.gaps()).isEqualTo(gaps);
    assertThat(record)
        .hasToString(
            "TensorUsageRecord[bytes=10, firstTask=1, lastTask=5, name=conv1/out,"
                + " constraints=PlacementConstraints[alignment=2, pinnedOffset=OptionalLong[8],"
                + " hint=OptionalLong[-3], gaps=[Gap[firstTask=2, lastTask=3, windowStart=0,"
                + " windowEnd=0]]]]");
  }

  @Test
  void label_withAndWithoutAName_hasTheIndex() {
    TensorUsageRecord record = TensorUsageRecord.of(10, 1, 4);

    assertThat(record.label(3)).isEqualTo("record 3");
    assertThat(record.withName("conv1/out").label(3)).isEqualTo("record 3 'conv1/out'");
    assertThat(record.withName("\u001b[31m").label(3)).isEqualTo("record 3 '?[31m'");
  }

  @Test
  void withLifetime_shorterThanAGap_isRefused() { // a gap is not within the lifetime
    TensorUsageRecord record = TensorUsageRecord.of(10, 1, 4).withGaps(List.of(Gap.of(2, 3)));

    assertThatThrownBy(() -> record.withLifetime(1, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a gap must lie within the lifetime: gap 2 to 3, lifetime 1 to 2");
  }

  @Test
  void withGaps_unsortedAndChangedLater_keepsASortedCopy() {
    List<Gap> gaps = new ArrayList<>(List.of(Gap.of(6, 7), Gap.of(2, 3)));
    TensorUsageRecord record = TensorUsageRecord.of(10, 1, 8).withGaps(gaps);
    gaps.clear();
    assertThat(record.gaps()).containsExactly(Gap.of(2, 3), Gap.of(6, 7));
    assertThatThrownBy(() -> record.gaps().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  /*
   *   task       2   3   4   5   6   7
   *   bytes 0    #   .   .   .   #   .
   *         4    #   .   #   #   #   .        gap at 3: no bytes; gap at 4 to 5: bytes 4 to 8
   *         9    #   .   .   .   #   .
   */
  @Test
  void liveRanges_adjacentGapsAndAGapAtTheEnd_areExcluded() {
    TensorUsageRecord record =
        TensorUsageRecord.of(10, 2, 7)
            .withGaps(List.of(Gap.of(3, 3), new Gap(4, 5, 4, 9), Gap.of(7, 7)));
    assertThat(LiveRange.of(record))
        .containsExactly(
            new LiveRange(2, 2, 0, 10), new LiveRange(4, 5, 4, 9), new LiveRange(6, 6, 0, 10));
  }

  @Test
  void liveRanges_gapOverTheWholeLifetime_areOnlyItsWindow() {
    TensorUsageRecord record = TensorUsageRecord.of(10, 0, 7);
    assertThat(LiveRange.of(record.withGaps(List.of(Gap.of(0, 7))))).isEmpty();
    assertThat(LiveRange.of(record.withGaps(List.of(new Gap(0, 7, 1, 2)))))
        .containsExactly(new LiveRange(0, 7, 1, 2));
  }

  private static void assertRefused(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }
}
