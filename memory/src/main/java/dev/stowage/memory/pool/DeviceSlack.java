package dev.stowage.memory.pool;

import dev.stowage.allocator.Allocation;
import dev.stowage.memory.device.Device;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * The slack after the allocations of a {@link DevicePool} in debug mode, which no caller may write;
 * guarded by the lock of the pool.
 */
final class DeviceSlack {

  /*
   * The host may be unable to access the memory, so that the device fills the slack and copies it to the
   * host. Each costs a call of the driver, for at most 271 bytes.
   *
   *   | allocation 17: 1000 bytes | ssss |   up to a multiple of 256, at least 16 bytes
   */

  private final Device device;
  private final IllegalWrites illegalWrites;

  /** The allocations in use, by their address. */
  private final Map<Long, Slack> slacks = new TreeMap<>();

  /**
   * The slack of an allocation.
   *
   * @param block the allocation, with its slack
   * @param blockBytes the bytes of it that the caller requested
   */
  private record Slack(Allocation block, long blockBytes) {

    private long address() {
      return block.address() + blockBytes;
    }

    private int bytes() {
      return (int) (SlackBytes.end(block) - address());
    }
  }

  DeviceSlack(String pool, Device device) {
    this.device = device;
    this.illegalWrites = new IllegalWrites(pool);
  }

  /**
   * Fills the slack of a new allocation.
   *
   * @param allocation an allocation of {@link SlackBytes#addTo} bytes
   * @param bytes the bytes that the caller requested
   */
  void add(Allocation allocation, long bytes) {
    Slack slack = new Slack(allocation, bytes);
    device.fill(slack.address(), slack.bytes(), SlackBytes.PATTERN);
    slacks.put(allocation.address(), slack);
  }

  /** Checks the slack of an allocation that is about to be freed. */
  void checkAndRemove(long address) {
    Slack slack = slacks.remove(address);
    if (slack != null) {
      check(slack);
    }
  }

  /** Checks the slack of all allocations in use. */
  void checkAll() {
    for (Slack slack : slacks.values()) {
      if (check(slack)) {
        device.fill(slack.address(), slack.bytes(), SlackBytes.PATTERN); // is reported once
      }
    }
  }

  /** Ends all checks, when the memory is returned. */
  void clear() {
    slacks.clear();
  }

  /** {@return true if the slack was written to} */
  private boolean check(Slack slack) {
    byte[] expected = new byte[slack.bytes()];
    Arrays.fill(expected, SlackBytes.PATTERN);
    byte[] found = new byte[slack.bytes()];
    device.copyToHost(slack.address(), MemorySegment.ofArray(found));
    int mismatch = Arrays.mismatch(found, expected);
    if (mismatch >= 0) {
      illegalWrites.addSlack(
          slack.block(),
          slack.blockBytes(),
          slack.blockBytes() + mismatch,
          MemorySegment.ofArray(found).asSlice(mismatch),
          SlackBytes.PATTERN);
    }
    return mismatch >= 0;
  }

  /**
   * Throws the illegal writes since the last call, if there are any.
   *
   * @throws IllegalStateException if slack was written to
   */
  void throwFindings() {
    illegalWrites.throwAll();
  }
}
