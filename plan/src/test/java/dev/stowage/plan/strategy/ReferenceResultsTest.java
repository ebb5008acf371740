package dev.stowage.plan.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.cases.NaivePlanners;
import dev.stowage.plan.cases.ReferenceData;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.textures.TextureChecker;
import dev.stowage.plan.textures.TextureObjectsAssignment;
import dev.stowage.plan.textures.TexturePlanner;
import dev.stowage.plan.textures.TextureUsageRecord;
import dev.stowage.plan.time.PositionalMaximums;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Compares every plan with that of the reference programs, including tie-breaks. */
class ReferenceResultsTest {

  /** The reference programs return overlapping plans for records not sorted by first task. */
  private static final Set<MemoryStrategy> NEED_SORTED_RECORDS =
      EnumSet.of(
          MemoryStrategy.EQUALITY, MemoryStrategy.GREEDY_IN_ORDER, MemoryStrategy.MINCOSTFLOW);

  static Stream<Arguments> generatedRecords() {
    return Stream.concat(
        ReferenceData.lines("tflite_1d.jsonl"),
        ReferenceData.lines("tflite_1d_realloc_graph.jsonl"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("generatedRecords")
  void planObjects_generatedRecords_isTheReferencePlan(String name, JsonNode reference) {
    PlanProblem problem = PlanProblem.of(ReferenceData.records(reference.get("records")));
    for (Map.Entry<String, JsonNode> plan : reference.get("objects").properties()) {
      MemoryStrategy strategy = MemoryStrategy.valueOf(plan.getKey());
      ObjectsAssignment objects = strategy.planObjects(problem);
      OffsetsAssignment offsets = objects.toOffsets(problem);
      assertThat(AssignmentChecker.violation(problem, objects)).as("%s", strategy).isEmpty();
      assertThat(AssignmentChecker.violation(problem, offsets)).as("%s", strategy).isEmpty();
      if (strategy.derivesOffsets()) {
        assertThat(strategy.planOffsets(problem)).isEqualTo(offsets);
      }
      if (isSorted(problem) || !NEED_SORTED_RECORDS.contains(strategy)) {
        JsonNode expected = plan.getValue();
        assertThat(objects).as("%s", strategy).isEqualTo(objects(expected, "ids", "sizes"));
        assertThat(objects.totalBytes()).isEqualTo(expected.get("total").longValue());
        assertThat(offsets).as("%s", strategy).isEqualTo(offsets(expected, "offsets", "total"));
      }
    }
  }

  private static boolean isSorted(PlanProblem problem) {
    List<TensorUsageRecord> sorted = new ArrayList<>(problem.records());
    sorted.sort(Comparator.comparingLong(TensorUsageRecord::firstTask));
    return sorted.equals(problem.records());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("generatedRecords")
  void planOffsets_generatedRecords_isTheReferencePlan(String name, JsonNode reference) {
    PlanProblem problem = PlanProblem.of(ReferenceData.records(reference.get("records")));
    for (Map.Entry<String, JsonNode> plan : reference.get("offsets_greedy_by_size").properties()) {
      PlanProblem aligned = problem.withAlignment(Long.parseLong(plan.getKey()));
      assertThat(MemoryStrategy.GREEDY_BY_SIZE.planOffsets(aligned))
          .as("alignment %s", plan.getKey())
          .isEqualTo(offsets(plan.getValue(), "offsets", "total"));
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("generatedRecords")
  void lowerBounds_generatedRecords_areTheReferenceBounds(String name, JsonNode reference) {
    PlanProblem problem = PlanProblem.of(ReferenceData.records(reference.get("records")));
    long[] maximums = ReferenceData.longs(reference.get("positional_max"));
    assertThat(PositionalMaximums.of(problem)).containsExactly(maximums);
    assertThat(LowerBounds.of(problem))
        .isEqualTo(
            new LowerBounds(
                Arrays.stream(ReferenceData.longs(reference.get("breadths"))).max().orElse(0),
                Arrays.stream(maximums).sum()));
  }

  static Stream<Arguments> generatedGraphs() {
    return ReferenceData.lines("tflite_1d_realloc_graph.jsonl");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("generatedGraphs")
  void planObjects_usageGraph_isTheReferencePlan(String name, JsonNode reference) {
    ReuseGraph graph = graph(reference.get("deps"));
    assertEdges(graph.reallocationGraph(), reference.get("realloc"));
    PlanProblem problem =
        PlanProblem.of(ReferenceData.records(reference.get("records"))).withReuseGraph(graph);
    ObjectsAssignment objects = MemoryStrategy.GREEDY_IN_ORDER.planObjects(problem);
    JsonNode expected = reference.get("in_order_realloc");
    assertThat(expected.get("ok").booleanValue()).isTrue();
    if (isSorted(problem)) {
      assertThat(objects).isEqualTo(objects(expected, "ids", "sizes"));
    }
    assertThat(AssignmentChecker.violation(problem, objects)).isEmpty();
  }

  static Stream<Arguments> publishedGraphs() {
    return ReferenceData.cases(ReferenceData.file("tflite_expected.json").get("types_test"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("publishedGraphs")
  void reallocationGraph_publishedGraph_isTheReferenceGraph(String name, JsonNode reference) {
    assertEdges(
        graph(reference.get("deps")).reallocationGraph(), reference.get("reallocation_graph"));
  }

  private static ReuseGraph graph(JsonNode dependents) {
    return ReuseGraph.ofUsage(
        ReferenceData.elements(dependents)
            .map(list -> Arrays.stream(ReferenceData.ints(list)).boxed().toList())
            .toList());
  }

  private static void assertEdges(ReuseGraph graph, JsonNode expected) {
    assertThat(graph.recordCount()).isEqualTo(expected.size());
    for (int i = 0; i < graph.recordCount(); i++) {
      assertThat(graph.partners(i)).containsExactly(ReferenceData.ints(expected.get(i)));
    }
  }

  static Stream<Arguments> generatedTextures() {
    return Stream.concat(
        ReferenceData.lines("tflite_2d_textures.jsonl"),
        ReferenceData.lines("tflite_3d_textures.jsonl"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("generatedTextures")
  void planTextures_generatedRecords_isTheReferencePlan(String name, JsonNode reference) {
    assertTextures(reference, "ids", "sizes");
  }

  private static void assertTextures(JsonNode reference, String ids, String extents) {
    List<TextureUsageRecord> records = ReferenceData.textures(reference.get("records"));
    for (Map.Entry<String, JsonNode> plan : reference.get("objects").properties()) {
      TextureObjectsAssignment textures =
          TexturePlanner.planTextures(MemoryStrategy.valueOf(plan.getKey()), records);
      JsonNode expected = plan.getValue();
      assertThat(textures)
          .as("%s", plan.getKey())
          .isEqualTo(
              new TextureObjectsAssignment(
                  Arrays.stream(ReferenceData.ints(expected.get(ids))).boxed().toList(),
                  ReferenceData.elements(expected.get(extents))
                      .map(extent -> ReferenceData.extent(ReferenceData.longs(extent)))
                      .toList()));
      assertThat(TextureChecker.violation(records, textures)).isEmpty();
    }
  }

  static Stream<Arguments> publishedCases() {
    return ReferenceData.cases(
        ReferenceData.file("tflite_expected.json").get("memory_management_test"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("publishedCases")
  void plan_publishedCase_isTheReferencePlan(String name, JsonNode reference) {
    if (reference.has("api")) {
      assertThat(reference.get("api").stringValue()).isEqualTo("ObjectsToOffsets");
      assertObjectsToOffsets(reference);
      return;
    }
    switch (reference.get("type").stringValue()) {
      case "size_t" -> assertPlain(reference);
      case "uint2", "uint3" -> assertTextures(reference, "object_ids", "object_sizes");
      case "BHWC" -> assertByShape(reference);
      default -> throw new AssertionError("a type without a test: " + reference.get("type"));
    }
  }

  private static void assertObjectsToOffsets(JsonNode reference) {
    ObjectsAssignment objects = objects(reference, "object_ids", "object_sizes");
    PlanProblem problem =
        PlanProblem.of(
            IntStream.of(objects.objectIds())
                .mapToObj(_ -> TensorUsageRecord.of(0, 0, 0))
                .toList());
    assertThat(objects.toOffsets(problem))
        .isEqualTo(offsets(reference.get("expected"), "offsets", "total_size"));
  }

  private static void assertPlain(JsonNode reference) {
    PlanProblem problem = PlanProblem.of(ReferenceData.records(reference.get("records")));
    for (Map.Entry<String, JsonNode> plan : reference.path("objects").properties()) {
      ObjectsAssignment objects = MemoryStrategy.valueOf(plan.getKey()).planObjects(problem);
      assertThat(objects)
          .as("%s", plan.getKey())
          .isEqualTo(objects(plan.getValue(), "object_ids", "object_sizes"));
      assertThat(objects.totalBytes()).isEqualTo(plan.getValue().get("total").longValue());
    }
    JsonNode expected = reference.get("offsets").get("GREEDY_BY_SIZE");
    PlanProblem aligned = problem.withAlignment(expected.get("align").longValue());
    assertThat(MemoryStrategy.GREEDY_BY_SIZE.planOffsets(aligned))
        .isEqualTo(offsets(expected, "offsets", "total_size"));
  }

  /** Represents each shape by a different size, since the strategy only compares for equality. */
  private static void assertByShape(JsonNode reference) {
    List<JsonNode> shapes = new ArrayList<>();
    List<TensorUsageRecord> records = new ArrayList<>();
    for (JsonNode record : reference.get("records")) {
      if (!shapes.contains(record.get(0))) {
        shapes.add(record.get(0));
      }
      records.add(
          TensorUsageRecord.of(
              shapes.indexOf(record.get(0)), record.get(1).longValue(), record.get(2).longValue()));
    }
    for (Map.Entry<String, JsonNode> plan : reference.get("objects").properties()) {
      ObjectsAssignment objects =
          MemoryStrategy.valueOf(plan.getKey()).planObjects(PlanProblem.of(records));
      assertThat(objects.objectIds())
          .containsExactly(ReferenceData.ints(plan.getValue().get("object_ids")));
      assertThat(Arrays.stream(objects.objectBytes()).mapToObj(bytes -> shapes.get((int) bytes)))
          .containsExactlyElementsOf(plan.getValue().get("object_sizes"));
    }
  }

  static Stream<Arguments> publishedProfiles() {
    return ReferenceData.cases(ReferenceData.file("tflite_expected.json").get("internal_test"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("publishedProfiles")
  void positionalMaximums_publishedCase_areTheReferenceMaximums(String name, JsonNode reference) {
    List<TensorUsageRecord> records = ReferenceData.records(reference.get("records"));
    assertThat(PositionalMaximums.of(PlanProblem.of(records)))
        .containsExactly(ReferenceData.longs(reference.get("positional_maximums")));
    for (int task = 0; task < reference.get("task_profiles").size(); task++) {
      assertThat(NaivePlanners.profile(records, task).stream().mapToInt(i -> i))
          .containsExactly(
              Arrays.stream(ReferenceData.ints(reference.get("task_profiles").get(task)))
                  .boxed()
                  .toArray(Integer[]::new));
    }
  }

  @Test
  void planOffsets_exampleOfThePaper_takesTheSameBytes() {
    JsonNode reference = ReferenceData.file("tflite_expected.json").get("paper_example_offset");
    PlanProblem problem = PlanProblem.of(ReferenceData.records(reference.get("records")));
    assertThat(MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem).totalBytes())
        .isEqualTo(reference.get("greedy_by_size_offset_total").longValue());
  }

  static Stream<Arguments> tflmCases() {
    return Stream.concat(
        ReferenceData.lines("tflm_greedy.jsonl"),
        ReferenceData.casesWith(
            "buffers", ReferenceData.file("other_expected.json").get("tflm_greedy")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tflmCases")
  void planOffsets_tflmBuffers_isTheReferencePlan(String name, JsonNode reference) {
    PlanProblem problem = PlanProblem.of(ReferenceData.records(reference.get("buffers")));
    OffsetsAssignment plan = MemoryStrategy.TFLM_GREEDY.planOffsets(problem);
    if (reference.has("offsets")) {
      assertThat(plan.offsets()).containsExactly(ReferenceData.longs(reference.get("offsets")));
    }
    if (reference.has("max")) {
      assertThat(plan.totalBytes()).isEqualTo(reference.get("max").longValue());
    }
    if (reference.has("sum")) {
      assertThat(plan.totalBytes()).isLessThan(reference.get("sum").longValue());
    }
    assertThat(AssignmentChecker.violation(problem, plan)).isEmpty();
    assertThat(AssignmentChecker.pinnedOverlap(problem).isPresent())
        .isEqualTo(reference.path("overlap").booleanValue(false));
  }

  static Stream<Arguments> tflmPinnedCases() {
    return ReferenceData.cases(
        ReferenceData.file("other_expected.json").get("tflm_offline_metadata_cases"));
  }

  /** A tensor is live from its producer, or from 0, to its last reader. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("tflmPinnedCases")
  void planOffsets_tflmPinnedTensors_isTheReferencePlan(String name, JsonNode reference) {
    int count = reference.get("tensors").intValue();
    long[] firstTasks = new long[count];
    long[] lastTasks = new long[count];
    long task = 0;
    for (JsonNode operator : reference.get("ops")) {
      task++;
      for (int input : ReferenceData.ints(operator.get(0))) {
        lastTasks[input] = task;
      }
      for (int output : ReferenceData.ints(operator.get(1))) {
        firstTasks[output] = task;
        lastTasks[output] = task;
      }
    }
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long pin = reference.get("metadata").get(3 + i).longValue();
      TensorUsageRecord record =
          TensorUsageRecord.of(
              reference.get("tensor_bytes").longValue(), firstTasks[i], lastTasks[i]);
      records.add(pin < 0 ? record : record.pinnedAt(pin));
    }
    assertThat(MemoryStrategy.TFLM_GREEDY.planOffsets(PlanProblem.of(records)).offsets())
        .containsExactly(ReferenceData.longs(reference.get("offsets")));
  }

  private static ObjectsAssignment objects(JsonNode plan, String ids, String bytes) {
    return ObjectsAssignment.of(
        ReferenceData.ints(plan.get(ids)), ReferenceData.longs(plan.get(bytes)));
  }

  private static OffsetsAssignment offsets(JsonNode plan, String offsets, String totalBytes) {
    return OffsetsAssignment.of(
        ReferenceData.longs(plan.get(offsets)), plan.get(totalBytes).longValue());
  }
}
