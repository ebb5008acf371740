package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import org.junit.jupiter.api.Test;

class AllocationHistoryTest {

  /** The address of the first region of the simulated device. */
  private static final long BASE = 1L << 40;

  private static final long MIB = 1 << 20;

  private static BfcAllocator allocator(int length) {
    return new BfcAllocator(
        "gpu",
        ScriptedRegions.ascending(),
        BfcOptions.growing().withLimit(MIB).withHistory(length));
  }

  private static HistoryEvent event(
      HistoryEvent.Kind kind, long id, long address, long bytes, String tag) {
    return new HistoryEvent(kind, id, address, bytes, tag);
  }

  @Test
  void history_ofLengthZero_isEmpty() {
    BfcAllocator allocator = allocator(0);
    allocator.free(allocator.allocate(1));
    assertThat(allocator.history()).isEmpty();
  }

  @Test
  void history_everything_isInOrder() {
    BfcAllocator allocator = allocator(100);
    AllocationTag.of("weights")
        .run(() -> {
          allocator.allocate(1000);
          assertThat(allocator.tryAllocate(2 * MIB, 256)).isEmpty();
        });
    allocator.free(BASE);
    allocator.trim();
    assertThat(allocator.history())
        .containsExactly(
            event(HistoryEvent.Kind.GREW, 0, BASE, MIB, ""),
            event(HistoryEvent.Kind.ALLOCATED, 1, BASE, 1000, "weights"),
            event(HistoryEvent.Kind.FAILED, 0, 0, 2 * MIB, "weights"),
            event(HistoryEvent.Kind.FREED, 1, BASE, 1000, "weights"),
            event(HistoryEvent.Kind.SHRANK, 0, BASE, MIB, ""));
  }

  @Test
  void history_longer_isTheLastEvents() {
    BfcAllocator allocator = allocator(3);
    for (int i = 0; i < 1000; i++) {
      allocator.free(allocator.allocate(i + 1));
    }
    List<HistoryEvent> events = allocator.history();
    assertThat(events)
        .containsExactly(
            event(HistoryEvent.Kind.FREED, 999, BASE, 999, ""),
            event(HistoryEvent.Kind.ALLOCATED, 1000, BASE, 1000, ""),
            event(HistoryEvent.Kind.FREED, 1000, BASE, 1000, ""));
    allocator.allocate(1);
    assertThat(events)
        .hasSize(3)
        .last()
        .isEqualTo(event(HistoryEvent.Kind.FREED, 1000, BASE, 1000, ""));
  }

  @Test
  void free_twice_saysWhatWasFreedThere() {
    BfcAllocator allocator = allocator(100);
    AllocationTag.of("encoder").run(() -> allocator.allocate(1000));
    long second = allocator.allocate(100);
    allocator.free(BASE);
    assertThatIllegalStateException()
        .isThrownBy(() -> allocator.free(BASE))
        .withMessage(
            "allocator 'gpu' has nothing to free at 1099511627776: already free, inside free"
                + " chunk [1099511627776, 1099511628800); allocation 1 'encoder' of 1,000 bytes was"
                + " freed there 1 event ago");
    allocator.free(second);
    allocator.trim();
    assertThatIllegalStateException()
        .isThrownBy(() -> allocator.free(BASE + 999))
        .withMessage(
            "allocator 'gpu' has nothing to free at 1099511628775: it lies in none of its 0"
                + " regions; allocation 1 'encoder' of 1,000 bytes was freed there 3 events ago");
  }

  @Test
  void free_twiceAndSeveralFreedThere_saysTheLast() {
    BfcAllocator allocator = allocator(100);
    allocator.free(allocator.allocate(1000));
    allocator.free(allocator.allocate(500));
    allocator.allocate(20_000);
    allocator.free(BASE);
    allocator.free(allocator.allocate(100));
    assertThatIllegalStateException()
        .isThrownBy(() -> allocator.free(BASE + 100))
        .withMessageEndingWith(
            "allocation 3 of 19.5 KiB (20,000 bytes) was freed there 3 events ago");
    assertThatIllegalStateException()
        .isThrownBy(() -> allocator.free(BASE + 99))
        .withMessageEndingWith("allocation 4 of 100 bytes was freed there 1 event ago");
  }

  @Test
  void free_twiceAndLongAgo_saysNothingOfIt() {
    BfcAllocator allocator = allocator(2);
    allocator.free(allocator.allocate(1000));
    allocator.free(allocator.allocate(10));
    assertThatIllegalStateException()
        .isThrownBy(() -> allocator.free(BASE + 512))
        .withMessage(
            "allocator 'gpu' has nothing to free at 1099511628288: already free, inside free chunk"
                + " [1099511627776, 1099512676352)");
  }
}
