package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The calls that visitors of regions receive. */
class RegionVisitorTest {

  /** The address of the first region of the simulated device. */
  private static final long BASE = 1L << 40;

  private final ScriptedRegions device = ScriptedRegions.ascending().resizing();

  private record Seen(String who, List<String> events) implements RegionVisitor {

    @Override
    public void added(long address, long bytes) {
      events.add(who + " +" + bytes + " at " + (address - BASE));
    }

    @Override
    public void removed(long address, long bytes) {
      events.add(who + " -" + bytes + " at " + (address - BASE));
    }
  }

  private static SubAllocator visitedByTwo(SubAllocator regions, List<String> events) {
    return new VisitedSubAllocator(
        new VisitedSubAllocator(regions, new Seen("first", events)), new Seen("last", events));
  }

  @Test
  void visitors_several_seeMemoryComeInOrderAndGoTheOtherWayRound() {
    List<String> events = new ArrayList<>();
    BfcAllocator visited =
        new BfcAllocator("gpu", visitedByTwo(device, events), BfcOptions.expandable());
    visited.allocate(1024);
    visited.allocate(512);
    visited.free(BASE + 1024);
    visited.trim();
    visited.close();
    assertThat(events)
        .containsExactly(
            "first +1024 at 0",
            "last +1024 at 0",
            "first +512 at 1024",
            "last +512 at 1024",
            "last -512 at 1024",
            "first -512 at 1024",
            "last -1024 at 0",
            "first -1024 at 0");
  }

  @Test
  void visitors_refusedCalls_seeOnlyKeptMemoryAgain() {
    List<String> events = new ArrayList<>();
    boolean[] gives = {true};
    ScriptedRegions moody = ScriptedRegions.giving(bytes -> gives[0]).resizing();
    BfcAllocator visited =
        new BfcAllocator("gpu", visitedByTwo(moody, events), BfcOptions.expandable());
    visited.allocate(1024);
    visited.free(visited.allocate(512));
    events.clear();
    gives[0] = false;
    assertThat(visited.tryAllocate(2048, 256)).isEmpty();
    assertThat(events).isEmpty();
    visited.trim();
    assertThat(events)
        .containsExactly(
            "last -512 at 1024", "first -512 at 1024", "first +512 at 1024", "last +512 at 1024");
  }

  @Test
  void granularity_visited_isTheSubAllocators() {
    SubAllocator visited =
        new VisitedSubAllocator(device.withGranularity(4096), new Seen("", List.of()));
    assertThat(visited.granularityBytes()).isEqualTo(4096);
  }

  @Test
  void close_severalRegions_allAreGivenBack() {
    ScriptedRegions fixed = ScriptedRegions.ascending();
    List<String> events = new ArrayList<>();
    try (BfcAllocator visited =
        new BfcAllocator(
            "gpu",
            new VisitedSubAllocator(fixed, new Seen("it", events)),
            BfcOptions.expandable())) {
      Stream.of(256L, 512L, 1024L).map(visited::allocate).toList().forEach(visited::free);
    }
    assertThat(fixed.held()).isEmpty();
    assertThat(events).hasSize(6);
  }
}
