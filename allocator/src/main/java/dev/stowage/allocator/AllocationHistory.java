package dev.stowage.allocator;

import dev.stowage.allocator.internal.ByteCount;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The last events of an allocator. */
final class AllocationHistory {

  private final int length;
  private final ArrayDeque<HistoryEvent> events = new ArrayDeque<>();

  AllocationHistory(int length) {
    this.length = length;
  }

  void add(HistoryEvent event) {
    if (length > 0) {
      if (events.size() == length) {
        events.removeFirst();
      }
      events.addLast(event);
    }
  }

  void add(HistoryEvent.Kind kind, Allocation allocation) {
    add(
        new HistoryEvent(
            kind,
            allocation.id(),
            allocation.address(),
            allocation.requestedBytes(),
            allocation.tag()));
  }

  /** {@return the events, the oldest first} */
  List<HistoryEvent> events() {
    return List.copyOf(events);
  }

  /** {@return a description of the last free around an address, if there is one} */
  Optional<String> lastFreedAround(long address) {
    int age = 0;
    for (Iterator<HistoryEvent> latest = events.descendingIterator(); latest.hasNext(); ) {
      HistoryEvent event = latest.next();
      age++;
      if (event.kind() == HistoryEvent.Kind.FREED
          && address >= event.address()
          && address - event.address() < event.bytes()) {
        String tag = event.tag().isEmpty() ? "" : " '" + event.tag() + "'";
        return Optional.of(
            String.format(
                Locale.ROOT,
                "allocation %d%s of %s was freed there %d %s ago",
                event.allocationId(),
                tag,
                ByteCount.exact(event.bytes()),
                age,
                age == 1 ? "event" : "events"));
      }
    }
    return Optional.empty();
  }
}
