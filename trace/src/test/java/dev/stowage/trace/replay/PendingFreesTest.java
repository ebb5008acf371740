package dev.stowage.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PendingFreesTest {

  private final List<String> freed = new ArrayList<>();

  @Test
  void complete_withoutShift_freesAtTheRecordedEvent() {
    PendingFrees pending = new PendingFrees(0, freed::add);
    pending.add("a", 1);
    pending.request();
    pending.request();
    assertThat(freed).isEmpty();
    assertThat(pending.complete("a")).isTrue();
    assertThat(pending.hasWaited()).isTrue();
  }

  @Test
  void request_laterByTwo_freesTwoRequestsAfterTheRecordedOne() {
    PendingFrees pending = new PendingFrees(2, freed::add);
    pending.add("a", 1);
    pending.request();
    assertThat(pending.complete("a")).isFalse();
    pending.request();
    pending.request();
    assertThat(freed).isEmpty();
    pending.request();
    assertThat(freed).containsExactly("a");
  }

  @Test
  void request_earlierThanTheNextRequest_freesAtThatRequest() {
    PendingFrees pending = new PendingFrees(-3, freed::add);
    pending.add("a", 1);
    pending.request();
    assertThat(freed).containsExactly("a");
    assertThat(pending.complete("a")).isTrue();
  }

  @Test
  void completeAll_ofARetry_freesAllAtOnce() {
    PendingFrees pending = new PendingFrees(4, freed::add);
    pending.add("a", 1);
    pending.add("b", 9);
    pending.completeAll();
    assertThat(freed).containsExactly("a", "b");
    pending.request();
    assertThat(freed).hasSize(2);
  }
}
