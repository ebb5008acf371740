package dev.stowage.memory.synced;

import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.DeviceStream;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/** The copies between the sides of a buffer, with counts and named failures. */
final class SideCopies {

  private final String buffer;
  private CopyCounts counts = CopyCounts.NONE;

  SideCopies(String buffer) {
    this.buffer = buffer;
  }

  CopyCounts counts() {
    return counts;
  }

  void zero(Side side) {
    try {
      side.zero();
    } catch (DeviceException failed) {
      throw Side.named(String.format(Locale.ROOT, "zeroing buffer '%s'", buffer), failed);
    }
  }

  /** Copies the stale ranges of the host. */
  void copyToHost(DeviceSide from, HostSide to) {
    MemorySegment target = to.segment();
    for (ByteRanges.ByteRange range : to.freshness().stale()) {
      try {
        from.device()
            .copyToHost(
                from.address() + range.offset(), target.asSlice(range.offset(), range.bytes()));
      } catch (DeviceException failed) {
        throw Side.named(
            String.format(Locale.ROOT, "%s from device '%s'", copyOf(range), from.device().name()),
            failed);
      }
      counts = counts.plusToHost(range.bytes());
    }
  }

  /** Copies the stale ranges of a device. */
  void copyToDevice(HostSide from, DeviceSide to) {
    MemorySegment source = from.segment();
    for (ByteRanges.ByteRange range : to.freshness().stale()) {
      try {
        to.device()
            .copyFromHost(
                source.asSlice(range.offset(), range.bytes()), to.address() + range.offset());
      } catch (DeviceException failed) {
        throw Side.named(
            String.format(Locale.ROOT, "%s to device '%s'", copyOf(range), to.device().name()),
            failed);
      }
      counts = counts.plusToDevices(range.bytes());
    }
  }

  /** Copies the stale ranges of a device from another one, without the host. */
  void copy(DeviceSide from, DeviceSide to) {
    for (ByteRanges.ByteRange range : to.freshness().stale()) {
      try {
        to.device()
            .copyFrom(
                from.device(),
                from.address() + range.offset(),
                to.address() + range.offset(),
                range.bytes());
      } catch (DeviceException failed) {
        throw Side.named(
            String.format(
                Locale.ROOT,
                "%s from device '%s' to device '%s'",
                copyOf(range),
                from.device().name(),
                to.device().name()),
            failed);
      }
      counts = counts.plusBetweenDevices(range.bytes());
    }
  }

  private String copyOf(ByteRanges.ByteRange range) {
    return String.format(
        Locale.ROOT, "copying bytes [%d, %d) of buffer '%s'", range.offset(), range.end(), buffer);
  }

  /** Queues the copies of the stale ranges of a device; if one fails, waits for the others. */
  void push(Side from, DeviceSide to, DeviceStream stream) {
    CopyCounts pushed = counts;
    try {
      for (ByteRanges.ByteRange range : to.freshness().stale()) {
        pushed = push(from, to, range, stream, pushed);
        to.pushed(from, stream.record());
      }
    } catch (DeviceException failed) {
      DeviceException named = Side.named(to.pushDescription(), failed);
      abandonPush(to, stream, named);
      throw named;
    } catch (RuntimeException | Error failed) {
      abandonPush(to, stream, failed);
      throw failed;
    }
    counts = pushed;
  }

  private static CopyCounts push(
      Side from,
      DeviceSide to,
      ByteRanges.ByteRange range,
      DeviceStream stream,
      CopyCounts before) {
    long target = to.address() + range.offset();
    return switch (from) {
      case HostSide host -> {
        stream.copyFromHost(host.segment().asSlice(range.offset(), range.bytes()), target);
        yield before.plusToDevices(range.bytes());
      }
      case DeviceSide peer -> {
        stream.copyFrom(peer.device(), peer.address() + range.offset(), target, range.bytes());
        yield before.plusBetweenDevices(range.bytes());
      }
    };
  }

  /** Waits for the queued copies of a failed push, which would overwrite later contents. */
  private static void abandonPush(DeviceSide side, DeviceStream stream, Throwable failed) {
    try {
      stream.synchronize();
      side.awaitPushes();
    } catch (DeviceException | IllegalStateException alsoFailed) {
      failed.addSuppressed(alsoFailed);
    }
  }
}
