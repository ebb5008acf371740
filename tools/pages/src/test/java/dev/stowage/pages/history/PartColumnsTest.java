package dev.stowage.pages.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.PlacementConsumer;
import dev.stowage.trace.replay.ReservedBytes;
import dev.stowage.trace.replay.TraceReplay;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class PartColumnsTest {

  private final PartColumns columns = new PartColumns();
  private final List<ReservedBytes> all = new ArrayList<>();

  private void replay(int eventCount) {
    Random random = new Random(eventCount);
    TraceReplay replay =
        new TraceReplay(
            AllocatorRules.bfc(BfcOptions.expandable().withTrimThreshold(1)),
            PlacementConsumer.none());
    List<String> live = new ArrayList<>();
    for (int event = 0; event < eventCount; event++) {
      if (live.size() == 20 || (!live.isEmpty() && random.nextInt(3) == 0)) {
        String freed = live.remove(random.nextInt(live.size()));
        replay.accept(new AllocationEvent.Free(freed, 0, 0));
      } else {
        live.add(String.valueOf(event));
        replay.accept(
            new AllocationEvent.Allocate(
                live.getLast(), 1 + random.nextInt(100_000), 0, 0, List.of()));
      }
      all.add(replay.reservedBytes(0));
      columns.add(event, event % 3, all.getLast());
    }
  }

  private void checkEach(int groupEvents) {
    List<PartColumns.Column> found = columns.columns();
    for (int i = 0; i < found.size(); i++) {
      PartColumns.Column column = found.get(i);
      assertThat(column.firstEvent()).isEqualTo((long) i * groupEvents);
      int first = (int) column.firstEvent();
      int best = first;
      for (int event = first; event < Math.min(all.size(), first + groupEvents); event++) {
        long difference = all.get(event).reservedBytes() - all.get(best).reservedBytes();
        boolean isMore = all.get(event).requestedBytes() > all.get(best).requestedBytes();
        best = difference > 0 || (difference == 0 && isMore) ? event : best;
      }
      assertThat(column.event()).isEqualTo(best);
      assertThat(column.stream()).isEqualTo(best % 3);
      assertThat(column.bytes()).isSameAs(all.get(best));
    }
  }

  @Test
  void add_fewEvents_hasAColumnForEach() {
    replay(PartColumns.MAX_COLUMNS);
    assertThat(columns.groupEvents()).isEqualTo(1);
    assertThat(columns.columns()).hasSize(PartColumns.MAX_COLUMNS);
    checkEach(1);
  }

  @Test
  void add_manyEvents_keepsTheMostReservedBytesOfEachGroup() {
    replay(5 * PartColumns.MAX_COLUMNS + 3);
    assertThat(columns.groupEvents()).isEqualTo(8);
    checkEach(8);
  }

  @Test
  void add_sameEventAgain_replacesItsParts() {
    replay(2);
    columns.add(1, 7, all.getFirst());
    assertThat(columns.columns()).hasSize(2);
    assertThat(columns.columns().getLast().stream()).isEqualTo(7);
    assertThat(columns.columns().getLast().bytes()).isSameAs(all.getFirst());
  }
}
