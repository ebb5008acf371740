package dev.stowage.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.base.UnsupportedProblemException;
import dev.stowage.plan.strategy.MemoryStrategy;
import dev.stowage.plan.textures.TextureExtent;
import dev.stowage.plan.textures.TextureObjectsAssignment;
import dev.stowage.plan.textures.TextureUsageRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Assignments, graphs and textures as values. */
class AssignmentValuesTest {

  @Test
  void objectsAssignment_unknownObject_isRefused() { // negative or >= objectBytes.length
    assertRefused(
        () -> ObjectsAssignment.of(new int[] {0, 2}, new long[] {8, 8}),
        "record 1 has object 2, but there are 2 objects");
    assertRefused(
        () -> ObjectsAssignment.of(new int[] {-1}, new long[] {8}),
        "record 0 has object -1, but there are 1 objects");
  }

  @Test
  void objectsAssignment_arraysChangedLater_areCopies() {
    int[] ids = {1, 0, 1};
    long[] bytes = {8, 16};
    ObjectsAssignment objects = ObjectsAssignment.of(ids, bytes);
    ids[0] = 0;
    bytes[0] = 9;
    objects.objectIds()[1] = 7;
    objects.objectBytes()[1] = 7;
    assertThat(objects.objectIds()).containsExactly(1, 0, 1);
    assertThat(objects.objectBytes()).containsExactly(8, 16);
    assertThat(objects.objectId(0)).isEqualTo(1);
    assertThat(objects.objectBytes(1)).isEqualTo(16);
    assertThat(objects.recordCount()).isEqualTo(3);
    assertThat(objects.objectCount()).isEqualTo(2);
    assertThat(objects.totalBytes()).isEqualTo(24);
  }

  @Test
  void objectsAssignment_equality_isThatOfIdsAndBytes() {
    ObjectsAssignment objects = ObjectsAssignment.of(new int[] {0}, new long[] {8, 9});
    ObjectsAssignment same = ObjectsAssignment.of(new int[] {0}, new long[] {8, 9});
    assertThat(objects).isEqualTo(same).hasSameHashCodeAs(same);
    assertThat(objects)
        .isNotEqualTo(ObjectsAssignment.of(new int[] {1}, new long[] {8, 9}))
        .isNotEqualTo(ObjectsAssignment.of(new int[] {0}, new long[] {8, 8}))
        .isNotEqualTo(OffsetsAssignment.of(new long[] {0}, 8))
        .hasToString("ObjectsAssignment[objectIds=[0], objectBytes=[8, 9]]");
  }

  @Test
  void offsetsAssignment_arraysChangedLater_areCopies() {
    long[] given = {4, 0};
    OffsetsAssignment offsets = OffsetsAssignment.of(given, 12);
    given[0] = 5;
    offsets.offsets()[1] = 7;
    assertThat(offsets.offsets()).containsExactly(4, 0);
    assertThat(offsets.offset(0)).isEqualTo(4);
    assertThat(offsets.recordCount()).isEqualTo(2);
    assertThat(offsets.totalBytes()).isEqualTo(12);
  }

  @Test
  void offsetsAssignment_equality_isThatOfOffsetsAndTotal() {
    OffsetsAssignment offsets = OffsetsAssignment.of(new long[] {4, 0}, 12);
    OffsetsAssignment same = OffsetsAssignment.of(new long[] {4, 0}, 12);
    assertThat(offsets).isEqualTo(same).hasSameHashCodeAs(same);
    assertThat(offsets)
        .isNotEqualTo(OffsetsAssignment.of(new long[] {0, 4}, 12))
        .isNotEqualTo(OffsetsAssignment.of(new long[] {4, 0}, 13))
        .isNotEqualTo(ObjectsAssignment.of(new int[] {0}, new long[] {12}))
        .hasToString("OffsetsAssignment[totalBytes=12, offsets=[4, 0]]");
  }

  /*
   *   object 0      pad   object 1   pad  object 2
   *   0 to 5        6     6 to 10    12   12 to 13       objects at multiples of 2, 6 and 4
   */
  @Test
  void toOffsets_alignments_placeEachObjectAtTheNextMultipleOfAll() {
    PlanProblem problem =
        PlanProblem.of(
                List.of(
                    TensorUsageRecord.of(5, 0, 0),
                    TensorUsageRecord.of(4, 0, 0).withAlignment(3),
                    TensorUsageRecord.of(1, 1, 1),
                    TensorUsageRecord.of(1, 0, 0).withAlignment(4)))
            .withAlignment(2);
    ObjectsAssignment objects = ObjectsAssignment.of(new int[] {0, 1, 1, 2}, new long[] {5, 4, 1});
    assertThat(objects.toOffsets(problem))
        .isEqualTo(OffsetsAssignment.of(new long[] {0, 6, 6, 12}, 13));
  }

  // the alignments of one object's records have no common multiple below 2^63
  @Test
  void toOffsets_alignmentsWithoutACommonMultiple_isRefused() {
    PlanProblem problem =
        PlanProblem.of(
            List.of(
                TensorUsageRecord.of(1, 0, 0).withAlignment((1L << 32) - 1),
                TensorUsageRecord.of(1, 1, 1).withAlignment((1L << 32) + 1),
                TensorUsageRecord.of(1, 2, 2).withAlignment(1L << 32)));
    ObjectsAssignment objects = ObjectsAssignment.of(new int[] {0, 0, 0}, new long[] {1});
    String message = "the alignments of the records of object 0 have no common multiple below 2^63";
    assertThatThrownBy(() -> objects.toOffsets(problem))
        .isInstanceOf(UnsupportedProblemException.class)
        .hasMessage(message);
    assertThatThrownBy(() -> MemoryStrategy.EQUALITY.planOffsets(problem))
        .isInstanceOf(UnsupportedProblemException.class)
        .hasMessage(message);
    assertThat(MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem).totalBytes()).isEqualTo(1);
  }

  @Test
  void toOffsets_arenaAboveTheLargestLong_isRefused() { // the arena would exceed 2^63 - 1 bytes
    PlanProblem problem =
        PlanProblem.of(List.of(TensorUsageRecord.of(1, 0, 0).withAlignment(1L << 62)));
    ObjectsAssignment objects = ObjectsAssignment.of(new int[] {1}, new long[] {(1L << 62) + 1, 1});
    assertThatThrownBy(() -> objects.toOffsets(problem))
        .isInstanceOf(UnsupportedProblemException.class)
        .hasMessage("an arena of all objects needs more than 2^63 - 1 bytes");
  }

  @Test
  void objectsAssignment_invalidSizes_areRefused() { // a size is negative, or the sum too large
    assertRefused(
        () -> ObjectsAssignment.of(new int[] {0}, new long[] {10, -5}),
        "object 1 must not have a negative size or raise the total above 2^63 - 1 bytes: bytes=-5");
    assertRefused(
        () -> ObjectsAssignment.of(new int[] {0}, new long[] {Long.MAX_VALUE, 1}),
        "object 1 must not have a negative size or raise the total above 2^63 - 1 bytes: bytes=1");
  }

  @Test
  void offsetsAssignment_negativeArena_isRefused() { // totalBytes < 0
    assertRefused(
        () -> OffsetsAssignment.of(new long[0], -1),
        "totalBytes must not be negative: totalBytes=-1");
  }

  @Test
  void usageGraph_equalEdges_isEqual() {
    ReuseGraph graph = ReuseGraph.ofUsage(List.of(List.of(1), List.of()));
    assertThat(graph)
        .isEqualTo(ReuseGraph.ofUsage(List.of(List.of(1), List.of())))
        .hasSameHashCodeAs(ReuseGraph.ofUsage(List.of(List.of(1), List.of())))
        .isNotEqualTo(ReuseGraph.ofUsage(List.of(List.of(), List.of(0))))
        .hasToString("UsageGraph[[1], []]");
  }

  @Test
  void reallocationGraph_equalPairs_isEqual() {
    ReuseGraph graph = ReuseGraph.ofReallocation(List.of(List.of(1), List.of(0)));
    assertThat(graph)
        .isEqualTo(ReuseGraph.ofReallocation(new int[][] {{1}, {0}}))
        .hasSameHashCodeAs(ReuseGraph.ofReallocation(new int[][] {{1}, {0}}))
        .isNotEqualTo(ReuseGraph.ofReallocation(new int[][] {{}, {}}))
        .hasToString("ReallocationGraph[[1], [0]]");
  }

  @Test
  void textureExtent_negativeDimension_isRefused() { // a dimension is negative
    assertRefused(() -> TextureExtent.of(-1, 2), "a texture has a negative dimension: [-1, 2]");
    assertRefused(() -> TextureExtent.of(1, -2), "a texture has a negative dimension: [1, -2]");
    assertRefused(
        () -> TextureExtent.of(1, 2, -3), "a texture has a negative dimension: [1, 2, -3]");
  }

  @Test
  void textureExtent_tooManyTexels_isRefused() { // the volume exceeds Long.MAX_VALUE
    assertRefused(
        () -> TextureExtent.of(1L << 32, 1L << 31),
        "a texture has more than 2^63 - 1 texels: [4294967296, 2147483648]");
    assertRefused(
        () -> TextureExtent.of(1L << 31, 1L << 31, 2),
        "a texture has more than 2^63 - 1 texels: [2147483648, 2147483648, 2]");
    assertThat(TextureExtent.of(1L << 31, 1L << 31).volume()).isEqualTo(1L << 62);
  }

  @Test
  void textureExtent_holds_extentsSmallerInEveryDimension() {
    TextureExtent extent = TextureExtent.of(4, 3, 2);
    assertThat(extent.holds(extent)).isTrue();
    assertThat(extent.holds(TextureExtent.of(1, 1, 1))).isTrue();
    assertThat(extent.holds(TextureExtent.of(5, 1, 1))).isFalse();
    assertThat(extent.holds(TextureExtent.of(1, 4, 1))).isFalse();
    assertThat(extent.holds(TextureExtent.of(1, 1, 3))).isFalse();
    assertThat(extent.volume()).isEqualTo(24);
    assertThat(extent.depth()).isEqualTo(OptionalLong.of(2));
  }

  @Test
  void textureUsageRecord_invalidLifetime_isRefused() { // firstTask < 0 or > lastTask
    TextureExtent extent = TextureExtent.of(1, 1);
    assertRefused(
        () -> new TextureUsageRecord(extent, -1, 0),
        "the lifetime of a texture must not start below 0 or after its end: first task=-1, last task=0");
    assertRefused(
        () -> new TextureUsageRecord(extent, 2, 1),
        "the lifetime of a texture must not start below 0 or after its end: first task=2, last task=1");
  }

  @Test
  void textureObjectsAssignment_unknownTexture_isRefused() { // negative or >= size
    assertRefused(
        () -> new TextureObjectsAssignment(List.of(0, 1), List.of(TextureExtent.of(1, 1))),
        "record 1 has texture 1, but there are 1 textures");
    assertRefused(
        () -> new TextureObjectsAssignment(List.of(-1), List.of(TextureExtent.of(1, 1))),
        "record 0 has texture -1, but there are 1 textures");
  }

  @Test
  void textureObjectsAssignment_listsChangedLater_areCopies() {
    List<Integer> ids = new ArrayList<>(List.of(0));
    List<TextureExtent> extents = new ArrayList<>(List.of(TextureExtent.of(2, 3)));
    TextureObjectsAssignment textures = new TextureObjectsAssignment(ids, extents);
    ids.clear();
    extents.clear();
    assertThat(textures.objectIds()).containsExactly(0);
    assertThat(textures.objectExtents()).containsExactly(TextureExtent.of(2, 3));
    assertThat(textures.totalTexels()).isEqualTo(6);
  }

  @Test
  void totalTexels_beyondTheLargestLong_isTheLargestLong() {
    TextureExtent huge = TextureExtent.of(1L << 31, 1L << 31);
    assertThat(new TextureObjectsAssignment(List.of(), List.of(huge, huge)).totalTexels())
        .isEqualTo(Long.MAX_VALUE);
  }

  private static void assertRefused(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }
}
