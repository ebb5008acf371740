package dev.stowage.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.allocator.internal.OutOfMemoryNumbers;
import dev.stowage.allocator.internal.OutOfMemoryNumbers.Quantity;
import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.AllocationEvent.Allocate;
import dev.stowage.trace.format.AllocationEvent.Free;
import dev.stowage.trace.format.TraceOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

final class TraceReplayTest {

  private final List<Placement> placements = new ArrayList<>();

  private static Allocate allocate(String id, long bytes) {
    return new Allocate(id, bytes, 0, 0);
  }

  private static Free free(String id) {
    return new Free(id, 0, 0);
  }

  private ReplayResult replay(BfcOptions options, AllocationEvent... events) {
    TraceReplay replay = new TraceReplay(options, placements::add);
    for (AllocationEvent event : events) {
      replay.accept(event);
    }
    return replay.result();
  }

  private static Placement at(String id, long bytes, int region, long offset) {
    return new Placement(id, bytes, Optional.of(new Placement.Spot(region, offset)));
  }

  private static Placement nowhere(String id, long bytes) {
    return new Placement(id, bytes, Optional.empty());
  }

  /*
   * One region of 1024. a takes [0, 256), b [256, 768), which is the peak: 768 of 1024 in use.
   * After a is freed, there are two holes of 256, into which d of 512 does not fit.
   */
  @Test
  void replay_oneRegion_placesAndCounts() {
    ReplayResult result =
        replay(
            BfcOptions.oneRegion(1024).withSplitThreshold(256),
            allocate("a", 100),
            allocate("b", 400),
            free("a"),
            allocate("d", 512),
            free("d"),
            allocate("e", 0),
            free("e"),
            allocate("a", 1));

    assertThat(placements)
        .containsExactly(
            at("a", 100, 0, 0),
            at("b", 400, 0, 256),
            nowhere("d", 512),
            nowhere("e", 0),
            at("a", 1, 0, 0));
    assertThat(values(result))
        .containsExactly(
            8L,
            5L,
            3L,
            1L,
            Optional.of(
                new ReplayResult.Failure(
                    4,
                    new AllocationEvent.Allocate("d", 512, 0, 0),
                    OutOfMemoryVerdict.FRAGMENTED,
                    OutOfMemoryNumbers.ofRequest(512)
                        .with(Quantity.IN_USE, 512)
                        .with(Quantity.CACHED, 512)
                        .with(Quantity.WASTE, 112)
                        .with(Quantity.LIMIT, 1024)
                        .with(Quantity.LARGEST_HOLE, 256),
                    new MemoryUse(400, 512, 1024, 256),
                    false,
                    "allocator 'replay' is out of memory: 512 bytes requested. Enough bytes are free,"
                        + " but no hole is large enough: of 512 bytes, the largest free chunk has 256"
                        + " bytes, 256 bytes too few. The request would have passed with a limit higher"
                        + " by 512 bytes, or without allocation 2 of 400 bytes, and might have passed with"
                        + " a limit higher by 256 bytes from the start. In use: 512 bytes;"
                        + " reserved: 1 KiB; limit: 1 KiB (1,024 bytes).")),
            500L,
            768L,
            1024L,
            401L,
            1024L,
            List.of(1024L),
            0.0,
            1 - 500 / 768.0);
  }

  /** {@return all values of a result} */
  private static List<Object> values(ReplayResult result) {
    return List.of(
        result.events(),
        result.allocations(),
        result.frees(),
        result.failures(),
        result.firstFailure(),
        result.peakRequestedBytes(),
        result.peakInUseBytes(),
        result.reservedBytes(),
        result.neverFreedBytes(),
        result.peakReservedBytes(),
        result.regionBytes(),
        result.externalFragmentation(),
        result.internalFragmentation());
  }

  @Test
  void replay_growth_countsRegionsFromTheFirst() {
    ReplayResult result =
        replay(
            BfcOptions.growing().withFirstRegion(1024),
            allocate("a", 1024),
            allocate("b", 2048),
            allocate("c", 256),
            free("b"));

    assertThat(placements)
        .containsExactly(at("a", 1024, 0, 0), at("b", 2048, 1, 0), at("c", 256, 2, 0));
    assertThat(result.regionBytes()).containsExactly(1024L, 2048L, 4096L);
    assertThat(result.peakRequestedBytes()).isEqualTo(3328);
    assertThat(result.externalFragmentation()).isZero();
  }

  @Test
  void replay_fragmentation_isThatOfThePeak() {
    ReplayResult result =
        replay(
            BfcOptions.oneRegion(2048).withSplitThreshold(256),
            allocate("a", 256),
            allocate("b", 1024),
            free("a"),
            allocate("c", 512),
            free("b"));

    // At the peak, after c, 256 bytes are free before b and 256 after c.
    assertThat(result.peakInUseBytes()).isEqualTo(1536);
    assertThat(result.externalFragmentation()).isEqualTo(0.5);
    assertThat(result.internalFragmentation()).isZero();
  }

  @Test
  void regions_someGivenBack_keepTheirIndices() {
    TraceReplay replay =
        new TraceReplay(
            BfcOptions.growing().withFirstRegion(1024).withLimit(6144).withGarbageCollection(),
            PlacementConsumer.none());
    replay.accept(allocate("a", 1024));
    replay.accept(allocate("b", 2048));
    assertThat(replay.regions()).containsExactly(new HeldRegion(0, 1024), new HeldRegion(1, 2048));
    assertThat(replay.use().reservedBytes()).isEqualTo(3072);

    replay.accept(free("a"));
    replay.accept(allocate("c", 4096));

    assertThat(replay.regions()).containsExactly(new HeldRegion(1, 2048), new HeldRegion(2, 4096));
    assertThat(replay.use().requestedBytesInUse()).isEqualTo(6144);
  }

  @Test
  void replay_nothing_isAllZero() {
    assertThat(values(replay(BfcOptions.growing())))
        .containsExactly(0L, 0L, 0L, 0L, Optional.empty(), 0L, 0L, 0L, 0L, 0L, List.of(), 0.0, 0.0);
  }

  @Test
  void accept_impossibleEvents_areTheCallersMistake() {
    TraceReplay replay = new TraceReplay(BfcOptions.growing(), PlacementConsumer.none());
    replay.accept(allocate("a", 1));

    assertThatThrownBy(() -> replay.accept(allocate("a", 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("allocation 'a' is already live");
    assertThatThrownBy(() -> replay.accept(free("b")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("allocation 'b' is not live");
    assertThatThrownBy(() -> allocate("a", -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("allocation 'a' has a negative size: bytes=-1");
    Assertions.assertThatThrownBy(() -> TraceOptions.strict().withDevice(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("deviceIndex must not be negative: deviceIndex=-1");
  }
}
