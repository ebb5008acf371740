package dev.stowage.plan.search.offsets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.StepCounter;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.search.OffsetsSearch;
import dev.stowage.plan.search.SearchEnd;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.search.SearchResult;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Runs the steps of docs/search.md. */
class SearchGuideTest {

  private static final Path GUIDE =
      Path.of(System.getProperty("stowage.root", ".."), "docs/search.md");

  private static final String NAMES = "ABCDEFGHIJ";
  private static final int LAST_TASK = 8;

  private static final PlanProblem PROBLEM =
      PlanProblem.of(
          List.of(
              TensorUsageRecord.of(2, 0, 3),
              TensorUsageRecord.of(4, 0, 0),
              TensorUsageRecord.of(3, 1, 1),
              TensorUsageRecord.of(1, 1, 4),
              TensorUsageRecord.of(1, 2, 3),
              TensorUsageRecord.of(2, 2, 5),
              TensorUsageRecord.of(3, 4, 4),
              TensorUsageRecord.of(4, 5, 5),
              TensorUsageRecord.of(3, 6, 7),
              TensorUsageRecord.of(2, 7, 8)));

  private static final int[] FIRST_PARTITION = IntStream.range(0, 8).toArray();

  private static Partition firstPartition() {
    long[] offsets = MemoryStrategy.GREEDY_BY_SIZE.planOffsets(PROBLEM).offsets();
    return Partition.of(
        PROBLEM, FIRST_PARTITION, new int[0], offsets, new StepCounter(() -> false));
  }

  private static String names(IntStream records) {
    return records
        .sorted()
        .mapToObj(i -> NAMES.substring(i, i + 1))
        .collect(Collectors.joining(" "));
  }

  @Test
  void problem_ofTheGuide_isThatOfThisTest() throws Exception {
    StringBuilder table = new StringBuilder();
    row(table, "record ", i -> NAMES.substring(i, i + 1));
    row(table, "bytes  ", i -> Long.toString(record(i).bytes()));
    row(table, "tasks  ", i -> record(i).firstTask() + "-" + record(i).lastTask());
    assertThat(withoutSpaces(Files.readString(GUIDE))).contains(withoutSpaces(table.toString()));
    assertThat(LowerBounds.of(PROBLEM).offsetsBytes()).isEqualTo(6);
  }

  private static TensorUsageRecord record(int index) {
    return PROBLEM.records().get(index);
  }

  private static void row(
      StringBuilder table, String title, java.util.function.IntFunction<String> cell) {
    String cells =
        IntStream.range(0, NAMES.length()).mapToObj(cell).collect(Collectors.joining(" "));
    table.append(title).append(cells).append('\n');
  }

  private static String withoutSpaces(String text) {
    return text.replaceAll(" +", " ");
  }

  @Test
  void quickPlans_needEightBytes() throws Exception {
    OffsetsAssignment plan = MemoryStrategy.GREEDY_BY_SIZE.planOffsets(PROBLEM);
    assertThat(plan.totalBytes()).isEqualTo(8);
    assertThat(MemoryStrategy.TFLM_GREEDY.planOffsets(PROBLEM).totalBytes()).isEqualTo(8);
    assertThat(Files.readString(GUIDE)).contains("need 8 bytes");
    SearchOptions quickOnly = SearchOptions.defaults().withNodeLimit(0);
    // A further strategy may find the plan of the search.
    assertThat(OffsetsSearch.of(PROBLEM, quickOnly).run().assignment().totalBytes())
        .isBetween(7L, 8L);
  }

  @Test
  void sections_areFive() throws Exception {
    Partition part = firstPartition();
    List<String> sections = new ArrayList<>();
    for (int[] members : part.members) {
      sections.add(names(Arrays.stream(members).map(member -> part.records[member])));
    }
    assertThat(sections).containsExactly("A B", "A C D", "A D E F", "D F G", "F H");
  }

  @Test
  void placements_ofTheGuide_leaveTheOffsetsOfItsTable() throws Exception {
    Partition part = firstPartition();
    PartialPlacement placement = new PartialPlacement(part, new SectionWeights(part));
    assertThat(placement.start(6, () -> false)).isTrue();
    String guide = Files.readString(GUIDE);
    String order = "AHGBC";
    for (int step = 0; step < order.length(); step++) {
      int placed = member(part, order.charAt(step));
      long offset = placement.lowest(placed);
      boolean fits = placement.place(placed, 0, part.sectionCount() - 1);
      String start =
          "| "
              + (step + 1)
              + " | "
              + order.charAt(step)
              + " at "
              + offset
              + " | "
              + lowestOffsets(part, placement);
      assertThat(guide).contains(start);
      assertThat(fits).isEqualTo(step < order.length() - 1);
      if (fits) {
        placement.leaveSections(placed);
      }
    }
  }

  private static int member(Partition part, char name) {
    return IntStream.range(0, part.recordCount())
        .filter(member -> NAMES.charAt(part.records[member]) == name)
        .findFirst()
        .orElseThrow();
  }

  /** {@return the unplaced records by their lowest offsets, such as "C, E: 2; D: 3"} */
  private static String lowestOffsets(Partition part, PartialPlacement placement) {
    TreeMap<Long, List<String>> byOffset = new TreeMap<>();
    for (int record : FIRST_PARTITION) {
      String name = NAMES.substring(record, record + 1);
      int member = member(part, name.charAt(0));
      if (!placement.isPlaced(member)) {
        byOffset.computeIfAbsent(placement.lowest(member), offset -> new ArrayList<>()).add(name);
      }
    }
    return byOffset.entrySet().stream()
        .map(entry -> String.join(", ", entry.getValue()) + ": " + entry.getKey())
        .collect(Collectors.joining("; "));
  }

  @Test
  void capacities_sixAndSeven_areRefutedAndReached() throws Exception {
    Partition part = firstPartition();
    SectionWeights weights = new SectionWeights(part);
    int[] order = RecordPriority.AREA.order(part, weights);
    assertThat(Arrays.stream(order).map(member -> part.records[member]).toArray())
        .containsExactly(0, 5, 1, 7, 2, 3, 6, 4);
    PlacementSearch search = new PlacementSearch(part, weights);
    assertThat(search.search(6, order, Long.MAX_VALUE, () -> false))
        .isEqualTo(CapacitySearch.Outcome.INFEASIBLE);
    assertThat(search.nodes()).isEqualTo(78);
    assertThat(search.search(7, order, Long.MAX_VALUE, () -> false))
        .isEqualTo(CapacitySearch.Outcome.FOUND);
    assertThat(search.nodes()).isEqualTo(8);
    assertThat(Files.readString(GUIDE)).contains("tries 78 placements within 6 bytes");
  }

  @Test
  void search_ofTheProblem_isOptimalWithSevenBytes() throws Exception {
    SearchResult<OffsetsAssignment> result =
        OffsetsSearch.of(PROBLEM, SearchOptions.defaults()).run();
    assertThat(result.assignment().totalBytes()).isEqualTo(7);
    assertThat(result.lowerBoundBytes()).isEqualTo(7);
    assertThat(result.end()).isEqualTo(SearchEnd.OPTIMAL);
    OffsetsAssignment ofGuide = OffsetsAssignment.of(offsetsOfGuide(), 7);
    assertThat(AssignmentChecker.violation(PROBLEM, ofGuide)).isEmpty();
    assertThat(Files.readString(GUIDE)).contains(picture(ofGuide));
  }

  /** {@return the lowest row of each letter in the picture of the guide, which has seven} */
  private static long[] offsetsOfGuide() throws IOException {
    List<String> rows =
        Files.readString(GUIDE).lines().dropWhile(it -> !it.startsWith("byte 6")).toList();
    long[] offsets = new long[NAMES.length()];
    for (int b = 6; b >= 0; b--) {
      for (char letter : rows.get(6 - b).substring(6).replaceAll("[ .]", "").toCharArray()) {
        offsets[NAMES.indexOf(letter)] = b;
      }
    }
    return offsets;
  }

  /** {@return a plan as letters: a row for each byte, a column for each task} */
  private static String picture(OffsetsAssignment plan) {
    StringBuilder picture = new StringBuilder();
    for (long b = plan.totalBytes() - 1; b >= 0; b--) {
      picture.append(b == plan.totalBytes() - 1 ? "byte " : "     ").append(b).append(' ');
      for (int task = 0; task <= LAST_TASK; task++) {
        picture.append("  ").append(userOf(b, task, plan));
      }
      picture.append('\n');
    }
    return picture.toString();
  }

  private static char userOf(long b, int task, OffsetsAssignment plan) {
    for (int i = 0; i < NAMES.length(); i++) {
      if (record(i).bytesNeededAt(task) > 0
          && plan.offset(i) <= b
          && b < plan.offset(i) + record(i).bytes()) {
        return NAMES.charAt(i);
      }
    }
    return '.';
  }
}
