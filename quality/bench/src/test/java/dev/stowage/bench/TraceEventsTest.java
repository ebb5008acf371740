package dev.stowage.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceEventsTest {

  @Test
  void of_trace_reusesSlotsAndEndsWithNothingLive(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("trace.csv");
    Files.writeString(
        file,
        """
        op,id,bytes,stream,t
        a,x,300,0,1
        a,nothing,0,0,2
        a,y,500,0,3
        f,x,,0,4
        a,z,700,0,5
        f,nothing,,0,6
        """);
    TraceEvents events = TraceEvents.of(file.toString());
    List<String> calls = new ArrayList<>();
    events.replay(
        new PeerAllocator() {
          @Override
          public void allocate(int slot, long bytes) {
            calls.add("allocate " + slot + " " + bytes);
          }

          @Override
          public void free(int slot) {
            calls.add("free " + slot);
          }
        });
    assertThat(calls)
        .containsExactly(
            "allocate 0 300", "allocate 1 500", "free 0", "allocate 0 700", "free 0", "free 1");
    assertThat(events.slotCount()).isEqualTo(2);
    assertThat(events.totalBytes()).isEqualTo(1_500);
    assertThat(events.count()).isEqualTo(6);
  }

  @Test
  void of_network_allocatesInFreeSlotsAndFreesUsedOnes() throws IOException {
    TraceEvents events = TraceEvents.of("network-1000");
    Set<Integer> live = new HashSet<>();
    events.replay(
        new PeerAllocator() {
          @Override
          public void allocate(int slot, long bytes) {
            assertThat(slot).isLessThan(events.slotCount());
            assertThat(live.add(slot)).isTrue();
          }

          @Override
          public void free(int slot) {
            assertThat(live.remove(slot)).isTrue();
          }
        });
    assertThat(live).isEmpty();
    assertThat(events.count()).isEqualTo(2_000);
  }
}
