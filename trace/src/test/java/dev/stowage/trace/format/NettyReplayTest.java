package dev.stowage.trace.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.stowage.trace.netty.NettyAgreement;
import dev.stowage.trace.netty.NettyEngine;
import dev.stowage.trace.netty.NettyLimit;
import dev.stowage.trace.netty.NettyRules;
import dev.stowage.trace.netty.NettyRun;
import dev.stowage.trace.netty.NettyRun.Change;
import dev.stowage.trace.netty.NettyRunException;
import dev.stowage.trace.netty.NettySettings;
import dev.stowage.trace.replay.PoolNumber;
import dev.stowage.trace.replay.SimulatedAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Replays of runs that a test writes instead of a process with Netty. */
final class NettyReplayTest {

  private static final long LOOP = 30;
  private static final long OTHER = 31;
  private static final int CHUNK = 4096;

  private final NettyScript script = new NettyScript();
  private final List<Change> changes = new ArrayList<>();
  private final List<String> runs = new ArrayList<>();
  private final long[] results = new long[8 * NettyRun.NUMBERS];

  private RecordedProgram program(long recordedBytes, long recordedChunks) {
    return new RecordedProgram(
        "-Xmx1000 -Dio.netty.allocator.type=adaptive",
        Optional.empty(),
        recordedBytes == 0 ? OptionalLong.empty() : OptionalLong.of(recordedBytes),
        recordedChunks,
        script.complete(Set.of(LOOP), Set.of()));
  }

  /** An engine that refuses nothing. */
  private NettyEngine engine() {
    return new NettyEngine() {
      @Override
      public NettyRun run(RecordedProgram program, NettySettings settings) {
        runs.add(String.join(" ", settings.arguments()));
        return new NettyRun("Netty 9", program.script(), results, changes);
      }

      @Override
      public boolean knows(RecordedProgram program, String property) {
        return !property.endsWith(".lowMemory");
      }
    };
  }

  private SimulatedAllocator started(RecordedProgram program) {
    SimulatedAllocator allocator =
        new NettyRules(engine(), Optional.empty(), OptionalLong.empty()).start(Optional.empty());
    allocator.noteProgram(program);
    return allocator;
  }

  private void allocated(long thread, int requested, long address, long chunk, long slot) {
    int operation = script.count();
    script.allocate(thread, requested);
    results[operation * NettyRun.NUMBERS] = address;
    results[operation * NettyRun.NUMBERS + 1] = chunk;
    results[operation * NettyRun.NUMBERS + 2] = slot;
  }

  private static long allocate(SimulatedAllocator allocator, long requested) {
    return allocator.allocate(requested, LOOP, PoolNumber.DEFAULT);
  }

  @Test
  void replay_chunksWithAddresses_holdTheirBuffers() {
    allocated(LOOP, 100, 5000, 0, 128);
    changes.add(new Change(0, true, 5000, CHUNK));
    allocated(OTHER, 50, 20_000, 0, 64);
    changes.add(new Change(1, true, 20_000, 2 * CHUNK));
    script.free(LOOP, 0);
    script.end(LOOP);
    changes.add(new Change(3, false, 5000, CHUNK));
    allocated(OTHER, 60, 20_064, 0, 64);
    SimulatedAllocator allocator = started(program(3 * CHUNK, 2));

    long first = allocate(allocator, 100);
    long second = allocate(allocator, 50);
    assertThat(allocator.bytesInUse()).isEqualTo(128 + 64);
    assertThat(allocator.regionOf(first).index()).isZero();
    allocator.free(first, LOOP);
    assertThat(allocator.reservedBytes()).isEqualTo(3 * CHUNK);
    long third = allocate(allocator, 60);

    // The end of the thread is between the free and the last allocation.
    assertThat(allocator.regions())
        .extracting(SimulatedAllocator.Region::index, SimulatedAllocator.Region::bytes)
        .containsExactly(tuple(1, 2L * CHUNK));
    assertThat(third - second).isEqualTo(64);
    assertThat(allocator.peakReservedBytes()).isEqualTo(3 * CHUNK);
    assertThat(allocator.deviceCalls()).isEqualTo(3);
    assertThat(allocator.ranges())
        .extracting(SimulatedAllocator.Range::bytes, SimulatedAllocator.Range::isInUse)
        .containsExactly(tuple(64L, true), tuple(64L, true), tuple(2L * CHUNK - 128, false));
    assertThat(allocator.doubts())
        .containsExactly(
            "With the recorded settings, Netty 9 holds 12,288 bytes of chunks at the peak, as"
                + " recorded.");
  }

  @Test
  void replay_chunkWithoutAddress_liesWhereItsBuffersSay() {
    allocated(LOOP, 100, 5200, 5000, 128);
    changes.add(new Change(0, true, 0, CHUNK));
    allocated(LOOP, 100, 5000, 5000, 128);
    script.free(LOOP, 0);
    script.free(LOOP, 1);
    changes.add(new Change(3, false, 0, CHUNK));
    SimulatedAllocator allocator = started(program(0, 0));

    long first = allocate(allocator, 100);
    long second = allocate(allocator, 100);
    assertThat(first - second).isEqualTo(200);
    assertThat(allocator.regions()).hasSize(1);
    allocator.free(first, LOOP);
    allocator.free(second, LOOP);
    assertThat(allocator.regions()).isEmpty();
  }

  @Test
  void replay_bufferWithoutChunk_isARegionOfItsOwn() {
    allocated(LOOP, 100, 5000, 0, 100);
    script.free(LOOP, 0);
    SimulatedAllocator allocator = started(program(0, 0));

    long address = allocate(allocator, 100);
    assertThat(allocator.reservedBytes()).isEqualTo(100);
    allocator.free(address, LOOP);
    assertThat(allocator.reservedBytes()).isZero();
  }

  @Test
  void replay_growingBuffer_allocatesBeforeItFrees() {
    allocated(LOOP, 100, 5000, 0, 100);
    int operation = script.count();
    script.grow(LOOP, 0, 300);
    results[operation * NettyRun.NUMBERS] = 6000;
    results[operation * NettyRun.NUMBERS + 2] = 300;
    SimulatedAllocator allocator = started(program(0, 0));

    long first = allocate(allocator, 100);
    long second = allocate(allocator, 300);
    assertThat(allocator.bytesInUse()).isEqualTo(400);
    allocator.free(first, LOOP);
    assertThat(allocator.usedBytes(second).bytes()).isEqualTo(300);
    assertThat(allocator.bytesInUse()).isEqualTo(300);
  }

  @Test
  void replay_refusedBuffer_hasNoFree() {
    allocated(LOOP, 100, -1, 0, CHUNK);
    allocated(LOOP, 70, 5000, 0, 70);
    script.free(LOOP, 0);
    script.free(LOOP, 1);
    SimulatedAllocator allocator = started(program(0, 0));

    assertThat(allocate(allocator, 100)).isEqualTo(SimulatedAllocator.REFUSED);
    assertThat(allocator.refusal(100, LOOP, 0).reason())
        .startsWith(
            "out of memory: 100 bytes requested on thread 30, which needs a new chunk of 4 KiB.");
    long second = allocate(allocator, 70);
    allocator.free(second, LOOP);
    assertThat(allocator.bytesInUse()).isZero();
  }

  @Test
  void allocate_noProgram_namesTheReason() {
    SimulatedAllocator allocator =
        new NettyRules(engine(), Optional.empty(), OptionalLong.empty()).start(Optional.empty());

    assertThatThrownBy(() -> allocate(allocator, 1))
        .isInstanceOf(NettyRunException.class)
        .hasMessage("is no recording of Netty, which alone runs in Netty");
  }

  @Test
  void settings_ofAReplay_keepTheMachineOfTheRecording() {
    allocated(LOOP, 100, 5000, 0, 100);
    SimulatedAllocator allocator =
        new NettyRules(
                engine(),
                Optional.of(NettySettings.parse("-Dio.netty.allocator.maxOrder=4")),
                OptionalLong.of(77))
            .start(Optional.empty());
    allocator.noteProgram(program(0, 0));

    assertThat(runs)
        .containsExactly(
            "-Dio.netty.allocator.type=adaptive -Xmx1000",
            "-Dio.netty.allocator.maxOrder=4 -Dio.netty.allocator.type=adaptive"
                + " -XX:MaxDirectMemorySize=77 -Xmx1000");
    assertThat(allocator.settings()).isEqualTo("-Dio.netty.allocator.maxOrder=4");
  }

  @Test
  void settings_unknownToTheVersion_areNamed() {
    allocated(LOOP, 100, 5000, 0, 100);
    SimulatedAllocator allocator =
        new NettyRules(
                engine(),
                Optional.of(
                    NettySettings.parse(
                        "-Dio.netty.allocator.lowMemory=true -Dio.netty.allocator.maxOrder=4")),
                OptionalLong.empty())
            .start(Optional.empty());
    allocator.noteProgram(program(0, 0));

    assertThat(allocator.doubts())
        .endsWith(
            "This version of Netty has no io.netty.allocator.lowMemory, which changes nothing.")
        .hasSize(2);
  }

  @Test
  void agreement_farFromTheRecording_namesLikelyReasons() {
    allocated(LOOP, 100, 5000, 0, 100);
    allocated(OTHER, 100, 5100, 0, 100);
    changes.add(new Change(0, true, 5000, CHUNK));
    NettyAgreement agreement = NettyAgreement.of(engine(), program(2 * CHUNK, 9));

    assertThat(agreement.isMissed()).isTrue();
    assertThat(agreement.sentence())
        .isEqualTo(
            "With the recorded settings, Netty 9 holds 4,096 bytes of chunks at the peak, 50.0 % less"
                + " than the recorded 8,192. Likely reasons: another version of Netty made the"
                + " recording (it has 9 chunks, the replay 1; --engine selects a version); or threads"
                + " competed for chunks, which a replay of one event after the other does not"
                + " repeat.");
    assertThat(new NettyAgreement(program(4000, 1), agreement.run()).sentence())
        .isEqualTo(
            "With the recorded settings, Netty 9 holds 4,096 bytes of chunks at the peak, 2.4 % more"
                + " than the recorded 4,000; other settings are as uncertain.");
    assertThat(new NettyAgreement(program(0, 0), agreement.run()).sentence())
        .isEqualTo(
            "The recording does not have the chunks from the start of the program, so that no"
                + " recorded peak confirms the figures.");
  }

  @Test
  void limit_runsWithOneChunkLess() {
    allocated(LOOP, 100, 5000, 0, 100);
    changes.add(new Change(0, true, 5000, CHUNK));
    changes.add(new Change(0, true, 10_000, CHUNK));
    NettyEngine free = engine();
    NettyEngine limited =
        new NettyEngine() {
          @Override
          public NettyRun run(RecordedProgram program, NettySettings settings) {
            NettyRun run = free.run(program, settings);
            boolean isShort = runs.getLast().contains("Size=8192");
            return isShort ? new NettyRun("", script, new long[] {-1, 0, 1}, changes) : run;
          }

          @Override
          public boolean knows(RecordedProgram program, String property) {
            return true;
          }
        };

    assertThat(NettyLimit.find(limited, program(0, 0), NettySettings.defaults()))
        .isEqualTo(new NettyLimit(3 * CHUNK, CHUNK));
  }
}
