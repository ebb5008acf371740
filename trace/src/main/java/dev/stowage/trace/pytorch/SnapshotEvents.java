package dev.stowage.trace.pytorch;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The events of one device in the order in which they happened.
 *
 * <p>They are columns: an event takes about 37 bytes and has no object of its own. All methods with
 * an index throw {@link IndexOutOfBoundsException} if there is no event with that index.
 */
public final class SnapshotEvents {

  /*
   * The columns are split into pages, so that they grow without copies. Streams and pools are few: a
   * lane is the index of a pair of them.
   */

  /** The free bytes of a device that an event {@link SnapshotAction#OOM} does not have. */
  public static final long UNKNOWN = -1;

  private static final int MOST_UNKNOWN = 16;
  private static final int PAGE_BITS = 14;
  private static final int PAGE_EVENTS = 1 << PAGE_BITS;

  private final List<Page> pages;
  private final List<Lane> lanes;
  private final Map<Integer, String> problems;
  private final SortedMap<String, Integer> unknownActions;
  private final int count;

  private SnapshotEvents(Builder builder) {
    pages = List.copyOf(builder.pages);
    lanes = List.copyOf(builder.lanes);
    problems = Map.copyOf(builder.problems);
    unknownActions = Collections.unmodifiableSortedMap(new TreeMap<>(builder.unknownActions));
    count = builder.count;
  }

  /** The columns of {@link #PAGE_EVENTS} events. */
  private static final class Page {

    private final byte[] actions = new byte[PAGE_EVENTS];
    private final long[] addresses = new long[PAGE_EVENTS];
    private final long[] bytes = new long[PAGE_EVENTS];
    private final long[] micros = new long[PAGE_EVENTS];
    private final int[] lanes = new int[PAGE_EVENTS];
    private final int[] stacks = new int[PAGE_EVENTS];
  }

  private record Lane(long stream, PoolId pool) {}

  /** {@return the number of events} */
  public int count() {
    return count;
  }

  /**
   * {@return the action of an event}
   *
   * @param event the index of the event
   */
  public SnapshotAction action(int event) {
    return SnapshotAction.at(page(event).actions[index(event)]);
  }

  /**
   * {@return the address of an event, an unsigned number; the free bytes of the device, or {@link
   * #UNKNOWN}, for {@link SnapshotAction#OOM}}
   *
   * @param event the index of the event
   */
  public long address(int event) {
    return page(event).addresses[index(event)];
  }

  /**
   * {@return the bytes of an event: the requested bytes of a block, or the bytes of a segment}
   *
   * @param event the index of the event
   */
  public long bytes(int event) {
    return page(event).bytes[index(event)];
  }

  /**
   * {@return the stream of an event}
   *
   * @param event the index of the event
   */
  public long stream(int event) {
    return lanes.get(page(event).lanes[index(event)]).stream();
  }

  /**
   * {@return the pool of an event; {@link PoolId#SHARED} if the snapshot does not name pools in
   * events}
   *
   * @param event the index of the event
   */
  public PoolId pool(int event) {
    return lanes.get(page(event).lanes[index(event)]).pool();
  }

  /**
   * {@return the time of an event in microseconds; 0 if the snapshot does not contain it}
   *
   * @param event the index of the event
   */
  public long micros(int event) {
    return page(event).micros[index(event)];
  }

  /**
   * {@return the stack of an event, in the {@link StackTable} of the snapshot}
   *
   * @param event the index of the event
   */
  public int stack(int event) {
    return page(event).stacks[index(event)];
  }

  /**
   * {@return the problem of an entry that is not a valid event; such an entry has the action {@link
   * SnapshotAction#OTHER}}
   *
   * @param event the index of the event
   */
  public Optional<String> problem(int event) {
    Objects.checkIndex(event, count);
    return Optional.ofNullable(problems.get(event));
  }

  /**
   * {@return the names of actions that are not known, with the numbers of their entries; at most 16
   * names}
   */
  public SortedMap<String, Integer> unknownActions() {
    return unknownActions;
  }

  private Page page(int event) {
    Objects.checkIndex(event, count);
    return pages.get(event >>> PAGE_BITS);
  }

  private static int index(int event) {
    return event & (PAGE_EVENTS - 1);
  }

  /** {@return a builder without events} */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder of events. */
  public static final class Builder {

    private final List<Page> pages = new ArrayList<>();
    private final List<Lane> lanes = new ArrayList<>(List.of(new Lane(0, PoolId.SHARED)));
    private final Map<Lane, Integer> laneNumbers = new HashMap<>(Map.of(lanes.getFirst(), 0));
    private final Map<Integer, String> problems = new HashMap<>();
    private final SortedMap<String, Integer> unknownActions = new TreeMap<>();
    private int count;
    private int lastLane;

    private Builder() {}

    /**
     * Adds an event.
     *
     * @param action the action
     * @param address the address; the free bytes of the device, or {@link #UNKNOWN}, for {@link
     *     SnapshotAction#OOM}
     * @param bytes the bytes, as {@link SnapshotEvents#bytes} defines them
     * @param stream the stream
     * @param pool the pool
     * @param micros the time in microseconds
     * @param stack the stack, in the {@link StackTable} of the snapshot
     * @return this builder
     * @throws IllegalStateException if there are {@link Integer#MAX_VALUE} events
     */
    public Builder add(
        SnapshotAction action,
        long address,
        long bytes,
        long stream,
        PoolId pool,
        long micros,
        int stack) {
      if (count == Integer.MAX_VALUE) {
        throw new IllegalStateException(
            String.format(Locale.ROOT, "there are too many events: count=%d", count));
      }
      int index = index(count);
      if (index == 0) {
        pages.add(new Page());
      }
      Page page = pages.getLast();
      page.actions[index] = action.code();
      page.addresses[index] = address;
      page.bytes[index] = bytes;
      page.micros[index] = micros;
      page.lanes[index] = lane(stream, pool);
      page.stacks[index] = stack;
      count++;
      return this;
    }

    /**
     * Adds an entry that is not a valid event.
     *
     * @param problem the problem, such as {@code has no number 'addr'}
     * @return this builder
     */
    public Builder addInvalid(String problem) {
      problems.put(count, problem);
      return add(SnapshotAction.OTHER, 0, 0, 0, PoolId.SHARED, 0, StackTable.NONE);
    }

    /** Counts an entry with an action that is not known, which {@link #add} adds. */
    void noteUnknown(String action) {
      if (unknownActions.size() < MOST_UNKNOWN || unknownActions.containsKey(action)) {
        unknownActions.merge(action, 1, Integer::sum);
      }
    }

    private int lane(long stream, PoolId pool) {
      Lane last = lanes.get(lastLane);
      if (last.stream() != stream || !last.pool().equals(pool)) {
        lastLane =
            laneNumbers.computeIfAbsent(
                new Lane(stream, pool),
                lane -> {
                  lanes.add(lane);
                  return lanes.size() - 1;
                });
      }
      return lastLane;
    }

    /** {@return the number of events so far} */
    public int count() {
      return count;
    }

    /** {@return the events; the builder is not used afterwards} */
    public SnapshotEvents build() {
      return new SnapshotEvents(this);
    }
  }
}
