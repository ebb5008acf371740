package dev.stowage.trace.pytorch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * The allocations of one device, with the events that allocate and free them, and the blocks that
 * are older than the recording.
 *
 * <p>Allocations have numbers from 0. The older blocks come first: blocks that the recording frees
 * but does not allocate, in the order of their frees; then blocks without an event that are active
 * in a segment, by ascending address. The recorded allocations follow, with the requests that
 * failed, in the order of their events.
 */
public final class SnapshotHistory {

  /** The number of an event that concerns no allocation. */
  public static final int NONE = -1;

  private final DeviceSnapshot device;
  private final List<OlderBlock> older;
  private final int[] allocations;
  private final Map<Integer, Integer> ended;
  private final int allocationCount;
  private final int failedCount;

  private SnapshotHistory(Derivation derivation) {
    device = derivation.device;
    older = List.copyOf(derivation.older);
    allocations = derivation.allocations;
    ended = Map.copyOf(derivation.ended);
    allocationCount = derivation.allocationCount;
    failedCount = derivation.failedCount;
  }

  /**
   * {@return the allocations of a device}
   *
   * @param device the device
   */
  public static SnapshotHistory of(DeviceSnapshot device) {
    Derivation derivation = new Derivation(device);
    derivation.run();
    return new SnapshotHistory(derivation);
  }

  /** {@return the device} */
  public DeviceSnapshot device() {
    return device;
  }

  /** {@return the older blocks; the number of an allocation is its index} */
  public List<OlderBlock> older() {
    return older;
  }

  /** {@return the requested bytes of all older blocks, at most {@link Long#MAX_VALUE}} */
  public long olderBytes() {
    long sum = 0;
    for (OlderBlock block : older) {
      sum += Math.min(block.requestedBytes(), Long.MAX_VALUE - sum);
    }
    return sum;
  }

  /** {@return the number of allocations, including the older blocks and failed requests} */
  public int allocationCount() {
    return allocationCount;
  }

  /** {@return the number of recorded allocations, without the older blocks and failed requests} */
  public int recordedCount() {
    return allocationCount - older.size() - failedCount;
  }

  /**
   * {@return the number of the allocation of an event}
   *
   * <p>This is the new allocation for {@link SnapshotAction#ALLOC}, the request that failed for
   * {@link SnapshotAction#OOM}, and the live allocation at the address for {@link
   * SnapshotAction#FREE_REQUESTED} and {@link SnapshotAction#FREE_COMPLETED}; it is {@link #NONE}
   * if there is none. It is {@link #NONE} for other actions.
   *
   * @param event the index of the event
   */
  public int allocation(int event) {
    return allocations[event];
  }

  /**
   * {@return the number of the allocation that a {@link SnapshotAction#ALLOC} ends, because it was
   * live at the same address; {@link #NONE} if there was none}
   *
   * @param event the index of the event
   */
  public int ended(int event) {
    Objects.checkIndex(event, allocations.length);
    return ended.getOrDefault(event, NONE);
  }

  /** The derivation of the numbers, in two passes over the events. */
  private static final class Derivation {

    private final DeviceSnapshot device;
    private final SnapshotEvents events;
    private final List<OlderBlock> older = new ArrayList<>();
    private final Map<Integer, Integer> ended = new HashMap<>();
    private final int[] allocations;
    private int allocationCount;
    private int failedCount;

    /**
     * The live allocation at each address that has an event or an older block, or {@link #NONE}.
     */
    private final LongIntMap live = new LongIntMap();

    private static final int UNKNOWN = -2;

    Derivation(DeviceSnapshot device) {
      this.device = device;
      events = device.events();
      allocations = new int[events.count()];
    }

    void run() {
      for (int event = 0; event < events.count(); event++) {
        findOlder(event);
      }
      for (SnapshotSegment segment : device.segments()) {
        segment.blocks().forEach(block -> findOlder(segment, block));
      }
      allocationCount = older.size();
      for (int event = 0; event < events.count(); event++) {
        allocations[event] = number(event);
      }
    }

    private void findOlder(int event) {
      SnapshotAction action = events.action(event);
      boolean isFree = action == SnapshotAction.FREE_COMPLETED;
      boolean isOfBlock = isFree || action == SnapshotAction.ALLOC;
      if (!isOfBlock || live.get(events.address(event), UNKNOWN) != UNKNOWN) {
        return;
      }
      live.put(events.address(event), isFree ? older.size() : NONE);
      if (isFree) {
        older.add(
            new OlderBlock(
                events.address(event),
                events.bytes(event),
                OptionalLong.empty(),
                events.stream(event),
                events.pool(event),
                // The stack of a free is the stack of the caller that frees.
                StackTable.NONE));
      }
    }

    private void findOlder(SnapshotSegment segment, SnapshotBlock block) {
      if (block.state().isActive() && live.get(block.address(), UNKNOWN) == UNKNOWN) {
        live.put(block.address(), older.size());
        older.add(
            new OlderBlock(
                block.address(),
                block.requestedBytes(),
                OptionalLong.of(block.bytes()),
                segment.lane().stream(),
                segment.lane().pool(),
                block.stack()));
      }
    }

    private int number(int event) {
      long address = events.address(event);
      return switch (events.action(event)) {
        case ALLOC -> {
          int before = live.get(address, NONE);
          if (before != NONE) {
            ended.put(event, before);
          }
          live.put(address, allocationCount);
          yield allocationCount++;
        }
        case OOM -> {
          failedCount++;
          yield allocationCount++;
        }
        case FREE_REQUESTED -> live.get(address, NONE);
        case FREE_COMPLETED -> {
          int freed = live.get(address, NONE);
          live.put(address, NONE);
          yield freed;
        }
        default -> NONE;
      };
    }
  }
}
