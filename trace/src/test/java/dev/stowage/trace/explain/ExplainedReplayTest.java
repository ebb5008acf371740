package dev.stowage.trace.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.testing.Seeds;
import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.MemoryUse;
import dev.stowage.trace.replay.Placement;
import dev.stowage.trace.replay.PlacementConsumer;
import dev.stowage.trace.replay.PytorchRules;
import dev.stowage.trace.replay.ReservedMemory;
import dev.stowage.trace.replay.ReservedPart;
import dev.stowage.trace.replay.SimulatedAllocator;
import dev.stowage.trace.replay.TraceReplay;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Explanations agree with a replay that is observed after each event. */
class ExplainedReplayTest {

  static LongStream seeds() {
    return Seeds.of(600);
  }

  private static AllocatorRules rules(Random random) {
    OptionalLong limit =
        random.nextBoolean()
            ? OptionalLong.empty()
            : OptionalLong.of(1L << (12 + random.nextInt(14)));
    return switch (random.nextInt(3)) {
      case 0 -> PytorchRules.asRecorded().withLimit(limit);
      case 1 -> AllocatorRules.rmm(0, limit);
      default ->
          AllocatorRules.bfc(
              BfcOptions.growing()
                  .withLimit(limit.orElse(Long.MAX_VALUE))
                  .withFirstRegion(256L << random.nextInt(12))
                  .withSplitThreshold(256L << random.nextInt(12)));
    };
  }

  private static ReplayExplanation explain(
      AllocatorRules rules, List<AllocationEvent> events, OptionalLong at) {
    TraceReplay replay = new TraceReplay(rules, PlacementConsumer.none());
    ExplainedReplay explained = new ExplainedReplay(rules, replay, replay);
    events.forEach(explained::accept);
    return explained.explain(at);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void explanation_ofAnyHistory_agreesWithTheReplay(long seed) {
    Random random = new Random(seed);
    AllocatorRules rules = rules(random);
    List<AllocationEvent> events = RandomHistory.of(random);
    List<Placement> placements = new ArrayList<>();
    TraceReplay replay = new TraceReplay(rules, placements::add);
    List<MemoryUse> uses = new ArrayList<>(List.of(replay.use()));
    long worstEvent = 0;
    long worstBytes = 0;
    List<SimulatedAllocator.Range> rangesAtWorst = List.of();
    for (int i = 0; i < events.size(); i++) {
      replay.accept(events.get(i));
      uses.add(replay.use());
      checkRanges(replay);
      if (events.get(i) instanceof AllocationEvent.Allocate request
          && request.bytes() > worstBytes
          && placements.getLast().spot().isEmpty()) {
        worstBytes = request.bytes();
        worstEvent = i + 1L;
        rangesAtWorst = replay.ranges();
      }
    }
    int peakEvent = 0;
    for (int i = 0; i < uses.size(); i++) {
      if (uses.get(i).requestedBytesInUse() > uses.get(peakEvent).requestedBytesInUse()) {
        peakEvent = i;
      }
    }
    ReplayExplanation atPeak = explain(rules, events, OptionalLong.empty());
    assertThat(atPeak.moment().event()).isEqualTo(peakEvent);
    assertThat(atPeak.isPeak()).isTrue();
    int event = random.nextInt(uses.size());
    for (ReplayExplanation explanation :
        List.of(atPeak, explain(rules, events, OptionalLong.of(event)))) {
      MemoryUse use = uses.get((int) explanation.moment().event());
      assertThat(explanation.moment().use()).isEqualTo(use);
      explanation
          .holders()
          .values()
          .forEach(holders -> assertThat(holders.bytes()).isEqualTo(use.requestedBytesInUse()));
      assertThat(explanation.failure().isPresent()).isEqualTo(worstEvent > 0);
      if (worstEvent > 0) {
        checkFailure(explanation.failure().orElseThrow(), worstEvent, worstBytes, rangesAtWorst);
      }
      checkPins(explanation);
      checkReserved(explanation);
    }
  }

  private static void checkReserved(ReplayExplanation explanation) {
    ReservedMemory memory = explanation.reserved();
    MemoryUse use = explanation.moment().use();
    assertThat(memory.requestedBytes()).isEqualTo(use.requestedBytesInUse());
    assertThat(memory.bytes().values().stream().mapToLong(bytes -> bytes).sum())
        .isEqualTo(use.reservedBytes() - use.requestedBytesInUse());
  }

  private static void checkRanges(TraceReplay replay) {
    MemoryUse use = replay.use();
    List<SimulatedAllocator.Range> ranges = replay.ranges();
    long usedBytes = 0;
    long freeBytes = 0;
    long largest = 0;
    for (int i = 0; i < ranges.size(); i++) {
      SimulatedAllocator.Range range = ranges.get(i);
      assertThat(range.bytes()).isPositive();
      if (i > 0) {
        assertThat(range.address())
            .isGreaterThanOrEqualTo(ranges.get(i - 1).address() + ranges.get(i - 1).bytes());
      }
      usedBytes += range.isInUse() ? range.bytes() : 0;
      freeBytes += range.isInUse() ? 0 : range.bytes();
      largest = range.isInUse() ? largest : Math.max(largest, range.bytes());
    }
    assertThat(usedBytes).isEqualTo(use.bytesInUse());
    assertThat(freeBytes).isEqualTo(use.freeBytes());
    assertThat(largest).isEqualTo(use.largestFreeBytes());
  }

  private static void checkFailure(
      WorstFailure failure, long event, long bytes, List<SimulatedAllocator.Range> ranges) {
    assertThat(failure.event()).isEqualTo(event);
    assertThat(failure.request().bytes()).isEqualTo(bytes);
    List<Long> holes =
        ranges.stream()
            .filter(range -> !range.isInUse())
            .map(SimulatedAllocator.Range::bytes)
            .sorted((a, b) -> Long.compare(b, a))
            .toList();
    assertThat(failure.free().holeCount()).isEqualTo(holes.size());
    assertThat(failure.free().bytes()).isEqualTo(holes.stream().mapToLong(hole -> hole).sum());
    assertThat(failure.free().holes())
        .extracting(Hole::bytes)
        .isEqualTo(holes.subList(0, Math.min(10, holes.size())));
    for (Hole hole : failure.free().holes()) {
      hole.below()
          .ifPresent(block ->
              assertThat(ranges)
                  .anyMatch(range ->
                      range.isInUse()
                          && range.region() == hole.region()
                          && range.address() == block.address()
                          && range.bytes() == block.bytes()));
      hole.above().ifPresent(block -> assertThat(block.event()).isBetween(1L, event));
    }
  }

  private static void checkPins(ReplayExplanation explanation) {
    assertThat(explanation.pins().largest().stream().map(PinnedRegion::freeBytes).toList())
        .isSortedAccordingTo((a, b) -> Long.compare(b, a));
    assertThat(explanation.pins().count())
        .isGreaterThanOrEqualTo(explanation.pins().largest().size());
    for (PinnedRegion pin : explanation.pins().largest()) {
      assertThat(pin.freeBytes()).isBetween(1L, explanation.moment().use().freeBytes());
      assertThat(pin.blocks()).isGreaterThanOrEqualTo(pin.largest().size());
      assertThat(pin.largest()).isNotEmpty();
    }
  }

  private static AllocationEvent.Allocate request(String id, long bytes, String line) {
    return new AllocationEvent.Allocate(id, bytes, 0, 0, List.of(line));
  }

  @Test
  void explain_requestThatFindsOnlyHoles_namesTheirNeighbours() {
    List<AllocationEvent> events =
        List.of(
            request("a", 256, "f at a.py:1"),
            request("b", 256, "f at a.py:2"),
            request("c", 256, "f at a.py:3"),
            request("d", 256, "f at a.py:4"),
            new AllocationEvent.Free("b", 0, 0),
            new AllocationEvent.Free("d", 0, 0),
            request("e", 512, "f at a.py:5"));
    ReplayExplanation explanation =
        explain(
            AllocatorRules.bfc(BfcOptions.oneRegion(1024).withSplitThreshold(256)),
            events,
            OptionalLong.of(7));
    WorstFailure failure = explanation.failure().orElseThrow();
    assertThat(failure.event()).isEqualTo(7);
    assertThat(failure.request().frames()).containsExactly("f at a.py:5");
    assertThat(failure.free().holes()).hasSize(2);
    Hole first = failure.free().holes().getFirst();
    assertThat(first.offset()).isEqualTo(256);
    assertThat(first.below().orElseThrow().line()).isEqualTo("f at a.py:1");
    assertThat(first.above().orElseThrow().line()).isEqualTo("f at a.py:3");
    Hole last = failure.free().holes().getLast();
    assertThat(last.below().orElseThrow().event()).isEqualTo(3);
    assertThat(last.above()).isEmpty();
    assertThat(explanation.pins().largest())
        .singleElement()
        .satisfies(pin -> {
          assertThat(pin.bytes()).isEqualTo(1024);
          assertThat(pin.freeBytes()).isEqualTo(512);
          assertThat(pin.blocks()).isEqualTo(2);
        });
  }

  /*
   * regions   |    4096     |     2048     |
   * blocks    | a | b |     | c |          |   a and c are requested in line 1
   */
  @Test
  void explain_holesInTwoRegions_areAllFreeBytes() {
    List<AllocationEvent> events =
        List.of(
            request("a", 256, "f at a.py:1"),
            request("b", 512, "f at a.py:2"),
            request("x", 3328, "f at a.py:3"),
            request("c", 256, "f at a.py:1"),
            new AllocationEvent.Free("x", 0, 0));
    ReplayExplanation explanation =
        explain(
            AllocatorRules.bfc(BfcOptions.growing().withFirstRegion(4096).withSplitThreshold(256)),
            events,
            OptionalLong.of(5));
    long holeBytes = explanation.reserved().bytes(ReservedPart.HOLES);
    assertThat(holeBytes).isEqualTo(explanation.moment().use().freeBytes());
  }

  @Test
  void explain_eventThatDoesNotExist_isRejected() {
    AllocatorRules rules = AllocatorRules.rmm(0, OptionalLong.empty());
    assertThatThrownBy(() -> explain(rules, List.of(), OptionalLong.of(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("event must be from 0 to 0: event=1");
    assertThat(explain(rules, List.of(), OptionalLong.empty()).moment().use().reservedBytes())
        .isZero();
  }
}
