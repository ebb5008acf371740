package dev.stowage.cli.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.stowage.cli.netty.NettyRun.Call;
import dev.stowage.cli.netty.NettyRun.Change;
import dev.stowage.trace.pytorch.SnapshotBlock;
import dev.stowage.trace.replay.PoolNumber;
import dev.stowage.trace.replay.SimulatedAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Replays of runs that a test writes instead of a process with Netty. */
final class NettyAllocatorTest {

  private static final long THREAD = 30;
  private static final int CHUNK = 4096;

  private final List<Call> calls = new ArrayList<>();
  private final NettyAllocator allocator =
      new NettyAllocator(new ChildNetty(Optional.empty()), Optional.empty(), OptionalLong.empty());

  private void called(long address, long chunk, long bytes, Change... changes) {
    calls.add(new Call(List.of(changes), address, chunk, bytes));
  }

  private void freed(Change... changes) {
    called(0, 0, 0, changes);
  }

  private void walk() {
    allocator.walk(new NettyRun("Netty 9", calls));
  }

  private long allocate(long requested) {
    return allocator.allocate(requested, THREAD, PoolNumber.DEFAULT);
  }

  @Test
  void allocate_chunksWithAddresses_holdTheirBuffers() {
    called(5000, 0, 128, new Change(5000, CHUNK));
    called(20_000, 0, 64, new Change(20_000, 2 * CHUNK));
    freed();
    called(20_064, 0, 64, new Change(5000, -CHUNK));
    walk();

    long first = allocate(100);
    long second = allocate(50);
    assertThat(allocator.bytesInUse()).isEqualTo(128 + 64);
    assertThat(allocator.regionOf(first).index()).isZero();
    allocator.free(first, THREAD);
    assertThat(allocator.reservedBytes()).isEqualTo(3 * CHUNK);
    long third = allocate(60);

    assertThat(allocator.regions())
        .extracting(SimulatedAllocator.Region::index, SimulatedAllocator.Region::bytes)
        .containsExactly(tuple(1, 2L * CHUNK));
    assertThat(third - second).isEqualTo(64);
    assertThat(allocator.peakReservedBytes()).isEqualTo(3 * CHUNK);
    assertThat(allocator.deviceCalls()).isEqualTo(3);
    assertThat(allocator.ranges())
        .extracting(SimulatedAllocator.Range::bytes, SimulatedAllocator.Range::isInUse)
        .containsExactly(tuple(64L, true), tuple(64L, true), tuple(2L * CHUNK - 128, false));
    assertThat(allocator.segments(true).getFirst().blocks())
        .extracting(SnapshotBlock::bytes, SnapshotBlock::requestedBytes)
        .containsExactly(tuple(64L, 50L), tuple(64L, 60L), tuple(2L * CHUNK - 128, 0L));
    assertThat(new NettyRun("", calls).peak()).isEqualTo(new NettyRun.Peak(3 * CHUNK, 2 * CHUNK));
  }

  @Test
  void allocate_chunkWithoutAddress_liesWhereItsBuffersSay() {
    called(5200, 5000, 128, new Change(0, CHUNK));
    called(5000, 5000, 128);
    freed();
    freed(new Change(0, -CHUNK));
    walk();

    long first = allocate(100);
    long second = allocate(100);
    assertThat(first - second).isEqualTo(200);
    assertThat(allocator.regions()).hasSize(1);
    allocator.free(first, THREAD);
    allocator.free(second, THREAD);
    assertThat(allocator.regions()).isEmpty();
  }

  @Test
  void allocate_noChunk_makesARegionOfTheBuffer() {
    called(5000, 0, 100);
    freed();
    walk();

    long address = allocate(100);
    assertThat(allocator.reservedBytes()).isEqualTo(100);
    allocator.free(address, THREAD);
    assertThat(allocator.reservedBytes()).isZero();
  }

  @Test
  void refusal_ofABuffer_namesTheBytesOfTheChunk() {
    called(-1, 0, CHUNK);
    called(5000, 0, 70);
    freed();
    walk();

    assertThat(allocate(100)).isEqualTo(SimulatedAllocator.REFUSED);
    assertThat(allocator.refusal(100, THREAD, 0).reason())
        .startsWith(
            "out of memory: 100 bytes requested on thread 30, which needs a new chunk of 4 KiB.");
    allocator.free(allocate(70), THREAD);
    assertThat(allocator.bytesInUse()).isZero();
  }
}
