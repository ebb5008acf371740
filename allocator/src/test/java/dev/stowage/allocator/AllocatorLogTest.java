package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The messages of an allocator for System.Logger. */
class AllocatorLogTest {

  /** Regions at 1 MiB, 2 MiB and so on. */
  private static final class Regions implements SubAllocator {

    private long next = 1 << 20;

    @Override
    public OptionalLong allocate(long bytes) {
      long address = next;
      next += 1 << 20;
      return OptionalLong.of(address);
    }

    @Override
    public void free(long address, long bytes) {}
  }

  private static final BfcOptions OPTIONS =
      BfcOptions.growing().withFirstRegion(4096).withLimit(8192);

  private BfcAllocator allocator(CollectedLog log) {
    return BfcAllocator.logging("test", new Regions(), OPTIONS, log);
  }

  private static void failTimes(BfcAllocator allocator, int times) {
    for (int i = 0; i < times; i++) {
      assertThatThrownBy(() -> allocator.allocate(8193))
          .isInstanceOf(BfcOutOfMemoryException.class);
    }
  }

  @Test
  void regions_atLevelDebug_areLogged() {
    CollectedLog log = new CollectedLog(Level.DEBUG, () -> {});
    BfcAllocator allocator = allocator(log);
    long address = allocator.allocate(1000);
    allocator.free(address);
    allocator.trim();
    assertThat(log.messages())
        .containsExactly(
            "DEBUG allocator 'test' grew by 4 KiB (4,096 bytes) at 0x100000: 4 KiB reserved.",
            "DEBUG allocator 'test' returned 4 KiB (4,096 bytes) at 0x100000: 0 bytes reserved.");
  }

  @Test
  void regions_ofSlabs_areLogged() {
    CollectedLog log = new CollectedLog(Level.DEBUG, () -> {});
    allocator(log).internals().tryAllocateSlab(1024);
    assertThat(log.messages())
        .containsExactly(
            "DEBUG allocator 'test' grew by 4 KiB (4,096 bytes) at 0x100000: 4 KiB reserved.");
  }

  @Test
  void regions_atLevelInfo_areNotLogged() {
    CollectedLog log = new CollectedLog(Level.INFO, () -> {});
    try (BfcAllocator allocator = allocator(log)) {
      allocator.free(allocator.allocate(1000));
    }
    assertThat(log.messages()).isEmpty();
  }

  @Test
  void failures_atLevelInfo_areWarningsAtPowersOfTwo() {
    CollectedLog log = new CollectedLog(Level.INFO, () -> {});
    BfcAllocator allocator = allocator(log);
    failTimes(allocator, 100);
    assertThat(allocator.failedRequests()).isEqualTo(100);
    assertThat(log.messages())
        .extracting(message -> message.lines().reduce((_, last) -> last).orElseThrow())
        .containsExactly(
            "This is failure 1 of the allocator; the next warning is failure 2.",
            "This is failure 2 of the allocator; the next warning is failure 4.",
            "This is failure 4 of the allocator; the next warning is failure 8.",
            "This is failure 8 of the allocator; the next warning is failure 16.",
            "This is failure 16 of the allocator; the next warning is failure 32.",
            "This is failure 32 of the allocator; the next warning is failure 64.",
            "This is failure 64 of the allocator; the next warning is failure 128.");
  }

  @Test
  void failures_betweenPowersOfTwo_areOneLineAtLevelDebug() {
    CollectedLog log = new CollectedLog(Level.DEBUG, () -> {});
    failTimes(allocator(log), 3);
    assertThat(log.messages().getLast())
        .isEqualTo(
            "DEBUG allocator 'test' is out of memory: 8 KiB (8,193 bytes) requested, rounded up"
                + " to 8.25 KiB. The request is 256 bytes more than the limit. The request would have"
                + " passed with a limit higher by 256 bytes. In use: 0 bytes; reserved: 0 bytes;"
                + " limit: 8 KiB (8,192 bytes).");
  }

  @Test
  void failure_withAReport_hasTheReport() {
    CollectedLog log = new CollectedLog(Level.WARNING, () -> {});
    BfcAllocator allocator = allocator(log);
    AllocationTag.of("weights").run(() -> allocator.allocate(1000));
    assertThatThrownBy(() -> allocator.allocate(8193));
    assertThat(log.messages().getFirst().lines())
        .startsWith(
            "WARNING allocator 'test' is out of memory: 8 KiB (8,193 bytes) requested, rounded up to"
                + " 8.25 KiB. The request and the memory in use are 1.25 KiB more than the limit. The"
                + " request would have passed with a limit higher by 4.25 KiB (4,352 bytes). In use: 1"
                + " KiB; reserved: 4 KiB; limit: 8 KiB (8,192 bytes).")
        .containsSubsequence(allocator.report().toString().lines().toList());
  }

  @Test
  void handler_thatUsesTheAllocator_isServed() {
    List<BfcAllocator> used = new ArrayList<>();
    CollectedLog log =
        new CollectedLog(Level.DEBUG, () -> used.forEach(one -> one.free(one.allocate(100))));
    BfcAllocator allocator = allocator(log);
    used.add(allocator);
    allocator.allocate(1000);
    failTimes(allocator, 1);
    allocator.internals().checkInvariants();
    assertThat(log.messages()).hasSize(2);
  }

  @Test
  void simulatedAllocator_logsNothing() {
    CollectedLog collected = new CollectedLog(Level.DEBUG, () -> {});
    AllocatorLog log = new AllocatorLog("test", collected, false);
    log.grew(1 << 20, 4096);
    log.writeNotes();
    failTimes(BfcAllocator.unrecorded("test", new Regions(), OPTIONS), 1);
    assertThat(collected.messages()).isEmpty();
  }
}
