package dev.stowage.memory.synced;

import static dev.stowage.memory.lifetime.Invariants.check;

import dev.stowage.allocator.internal.Failures;
import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.memory.pool.DevicePool;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The sides of a buffer; guarded by the lock of the buffer. */
final class Sides {

  /*
   *   Y1  a side without memory is not current, and stale in whole;
   *   Y2  no side has memory, or at least one side is current;
   *   Y3  a side has readers only while it is current, and writers only while no other side is;
   *   Y4  a current side is stale nowhere, and any other side equals it outside its stale ranges.
   *
   * A change first allocates memory, which can fail and is then undone. Then it ends data of
   * callers. Then it copies to stale ranges; if a copy fails, the contents of stale ranges do not
   * matter. At last, it marks sides as current.
   */

  private final String buffer;
  private final long bufferBytes;
  private final HostSide host;
  private final List<DeviceSide> devices;
  private final SideCopies copies;

  Sides(String buffer, long bufferBytes, HostSource source, List<DevicePool> memories) {
    this.buffer = buffer;
    this.bufferBytes = bufferBytes;
    host = new HostSide(buffer, bufferBytes, source);
    devices = memories.stream().map(memory -> new DeviceSide(buffer, bufferBytes, memory)).toList();
    copies = new SideCopies(buffer);
    if (devices().stream().distinct().count() < devices.size()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "buffer '%s' must not have a device twice: devices=%s",
              buffer,
              deviceNames()));
    }
  }

  HostSide host() {
    return host;
  }

  DeviceSide side(Device device) {
    return devices.stream()
        .filter(side -> side.device().equals(device))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                String.format(
                    Locale.ROOT,
                    "buffer '%s' cannot be used on device '%s': its devices are %s; name all devices when you make the buffer",
                    buffer,
                    device.name(),
                    deviceNames())));
  }

  List<Device> devices() {
    return devices.stream().map(DeviceSide::device).toList();
  }

  Device firstDevice() {
    if (devices.isEmpty()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT, "buffer '%s' has no device: name one when you make the buffer", buffer));
    }
    return devices.getFirst().device();
  }

  private String deviceNames() {
    return devices.stream()
        .map(side -> "'" + side.device().name() + "'")
        .collect(Collectors.joining(", ", "[", "]"));
  }

  /** {@return all sides; first the host, where native calls can prevent an end} */
  private Stream<Side> all() {
    return Stream.concat(Stream.of(host), devices.stream());
  }

  private List<Side> allBut(Side side) {
    return all().filter(other -> other != side).toList();
  }

  SyncedHead head() {
    boolean onDevice = devices.stream().anyMatch(Side::isCurrent);
    if (host.isCurrent()) {
      return onDevice ? SyncedHead.SYNCED : SyncedHead.HEAD_AT_CPU;
    }
    return onDevice ? SyncedHead.HEAD_AT_GPU : SyncedHead.UNINITIALIZED;
  }

  CopyCounts copies() {
    return copies.counts();
  }

  /** Makes a side current for reading, or changes nothing. */
  void updateForRead(Side side) {
    update(side, false);
  }

  /** Makes a side current for writing, and the others stale in a range; or changes nothing. */
  void updateForWrite(Side side, long offset, long bytes) {
    update(side, true);
    allBut(side).forEach(other -> other.freshness().outdate(offset, bytes));
  }

  private void update(Side side, boolean writing) {
    awaitPushesBefore(side, writing);
    Optional<DeviceSide> peer = peer(side);
    List<Side> path = peer.isPresent() ? List.of(side) : path(side);
    withMemory(
        path,
        () -> {
          endOthers(side, writing);
          fill(path, peer);
        });
    path.forEach(each -> each.freshness().becomeCurrent());
  }

  private void awaitPushesBefore(Side side, boolean writing) {
    switch (side) {
      case DeviceSide device -> {
        boolean readsDevices = !device.isCurrent() && !host.isCurrent();
        devices.stream()
            .filter(
                other -> other == device || readsDevices || (writing && other.isPushedFrom(device)))
            .forEach(DeviceSide::awaitPushes);
      }
      case HostSide _ -> {
        if (writing || !host.isCurrent()) {
          devices.forEach(DeviceSide::awaitPushes);
        }
      }
    }
  }

  /** {@return a current device that a stale one can copy from; empty if the host is current} */
  private Optional<DeviceSide> peer(Side side) {
    return switch (side) {
      case HostSide _ -> Optional.empty();
      case DeviceSide target when target.isCurrent() || host.isCurrent() -> Optional.empty();
      case DeviceSide target ->
          devices.stream()
              .filter(Side::isCurrent)
              .filter(source -> target.device().canCopyFrom(source.device()))
              .findFirst();
    };
  }

  /** {@return the sides to update for a side, in order; the host is first if the copy needs it} */
  private List<Side> path(Side side) {
    if (side.isCurrent()) {
      return List.of();
    }
    boolean throughHost = side != host && head() == SyncedHead.HEAD_AT_GPU;
    return throughHost ? List.of(host, side) : List.of(side);
  }

  /** Runs an action with memory on sides; if it fails, frees the memory that was allocated. */
  private static void withMemory(List<? extends Side> sides, Runnable action) {
    List<Side> allocated = new ArrayList<>();
    try {
      for (Side side : sides) {
        if (!side.isAllocated()) {
          side.allocate();
          allocated.add(side);
        }
      }
      action.run();
    } catch (RuntimeException | Error failed) {
      Failures undoing = new Failures();
      allocated.reversed().forEach(side -> undoing.attempt(side::release));
      undoing.suppressIn(failed);
      throw failed;
    }
  }

  /** Ends the data of other sides that would be stale. */
  private void endOthers(Side side, boolean writing) {
    for (Side other : allBut(side)) {
      if (writing) {
        other.endAll(Lease.End.WRITTEN_ELSEWHERE);
      } else if (!side.isCurrent()) {
        other.endWriters(Lease.End.READ_ELSEWHERE);
      }
    }
  }

  private void fill(List<Side> path, Optional<DeviceSide> peer) {
    if (head() == SyncedHead.UNINITIALIZED) {
      path.forEach(copies::zero);
      return;
    }
    for (Side side : path) {
      switch (side) {
        case HostSide _ -> copies.copyToHost(currentDevice(), host);
        case DeviceSide device when peer.isPresent() -> copies.copy(peer.get(), device);
        case DeviceSide device -> copies.copyToDevice(host, device);
      }
    }
  }

  private DeviceSide currentDevice() {
    return devices.stream().filter(Side::isCurrent).findFirst().orElseThrow();
  }

  /**
   * Makes a side in memory of the caller the only current side.
   *
   * @param wrap sets this memory; can fail when it returns the buffer's own memory
   */
  void wrap(Side side, Runnable wrap) {
    awaitPushesBefore(side, true);
    all()
        .forEach(
            each -> each.endAll(each == side ? Lease.End.REPLACED : Lease.End.WRITTEN_ELSEWHERE));
    try {
      wrap.run();
    } finally {
      side.freshness().becomeCurrent();
      allBut(side).forEach(other -> other.freshness().outdateAll());
    }
  }

  /** Queues the copy to the device of a stream, and makes it current. */
  void push(DeviceStream stream) {
    DeviceSide side = side(stream.device());
    Optional<DeviceSide> peer = peer(side);
    if (side.isCurrent() || (!host.isCurrent() && peer.isEmpty())) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "buffer '%s' cannot be pushed to device '%s': head=%s; push only if the device is stale, and the host or a device with direct copies is current",
              buffer,
              side.device().name(),
              head()));
    }
    awaitPushesBefore(side, false);
    Side source = peer.isPresent() ? peer.get() : host;
    withMemory(
        List.of(side),
        () -> {
          source.endWriters(Lease.End.READ_ELSEWHERE);
          copies.push(source, side, stream);
        });
    side.freshness().becomeCurrent();
  }

  /** Checks Y1 to Y4, without the contents. */
  void checkInvariants() {
    List<Side> current = all().filter(Side::isCurrent).toList();
    for (Side side : all().toList()) {
      List<ByteRanges.ByteRange> stale = side.freshness().stale();
      if (!side.isAllocated()) {
        check(!side.isCurrent(), "Y1 a side without memory is current", this::describe);
        long staleBytes = stale.stream().mapToLong(ByteRanges.ByteRange::bytes).sum();
        check(staleBytes == bufferBytes, "Y1 a side without memory is not stale", this::describe);
      }
      check(!side.isAllocated() || !current.isEmpty(), "Y2 no side is current", this::describe);
      check(!side.hasReaders() || side.isCurrent(), "Y3 a stale side has readers", this::describe);
      check(
          !side.hasWriters() || current.equals(List.of(side)),
          "Y3 a side has writers, and another is current",
          this::describe);
      check(!side.isCurrent() || stale.isEmpty(), "Y4 a current side is stale", this::describe);
    }
  }

  private String describe() {
    return String.format(Locale.ROOT, "buffer '%s', %s", buffer, head());
  }

  /** Ends the data of devices and frees all memory, then throws the first failure. */
  void close() {
    Failures failures = new Failures();
    devices.forEach(side -> failures.attempt(() -> side.endAll(Lease.End.CLOSED)));
    devices.forEach(side -> failures.attempt(side::awaitPushes));
    devices.forEach(side -> failures.attempt(side::release));
    failures.attempt(host::release);
    failures.throwFirst();
  }
}
