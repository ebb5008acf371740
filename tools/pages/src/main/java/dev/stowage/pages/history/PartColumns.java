package dev.stowage.pages.history;

import dev.stowage.trace.replay.ReservedBytes;
import java.util.ArrayList;
import java.util.List;

/**
 * The parts of the reserved memory over the events, in columns. In a long history, a column is a
 * group of events, with the parts at one of them: that with the most reserved bytes.
 */
public final class PartColumns {

  /*
   * Above MAX_COLUMNS, columns are merged in groups of 2 events, then of 4, 8 and so on, so that adding takes
   * amortized O(1).
   */

  static final int MAX_COLUMNS = 1 << 13;

  /**
   * The parts from an event until the next column.
   *
   * @param firstEvent the first event
   * @param event the event after which the parts are these: of the events with the most reserved
   *     bytes, the first one with the most requested bytes
   * @param stream the stream of this event, whose free memory is not that of another stream
   * @param bytes the parts
   */
  public record Column(long firstEvent, long event, long stream, ReservedBytes bytes) {

    private boolean isBelow(Column other) {
      long reserved = bytes.reservedBytes();
      long otherReserved = other.bytes.reservedBytes();
      return reserved == otherReserved
          ? bytes.requestedBytes() < other.bytes.requestedBytes()
          : reserved < otherReserved;
    }

    private Column startingAt(long first) {
      return new Column(first, event, stream, bytes);
    }
  }

  private List<Column> columns = new ArrayList<>();
  private long groupEvents = 1;

  /** Adds the parts after an event, which is not earlier than the last one. */
  void add(long event, long stream, ReservedBytes bytes) {
    Column next = new Column(event, event, stream, bytes);
    if (!columns.isEmpty() && columns.getLast().event() == event) {
      columns.set(columns.size() - 1, next.startingAt(columns.getLast().firstEvent()));
      return;
    }
    put(next, columns);
    while (columns.size() > MAX_COLUMNS) {
      groupEvents *= 2;
      List<Column> merged = new ArrayList<>();
      columns.forEach(column -> put(column, merged));
      columns = merged;
    }
  }

  private void put(Column next, List<Column> to) {
    if (!to.isEmpty()
        && to.getLast().firstEvent() / groupEvents == next.firstEvent() / groupEvents) {
      Column last = to.getLast();
      if (last.isBelow(next)) {
        to.set(to.size() - 1, next.startingAt(last.firstEvent()));
      }
    } else {
      to.add(next);
    }
  }

  /** {@return the columns by ascending event} */
  public List<Column> columns() {
    return List.copyOf(columns);
  }

  /** {@return the number of events in a group; 1 if there is a column for each event} */
  public long groupEvents() {
    return groupEvents;
  }
}
