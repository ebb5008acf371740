package dev.stowage.memory.synced;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.internal.ByteCount;
import dev.stowage.memory.device.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Optional;

/** The copy on the host; guarded by the lock of the buffer. */
final class HostSide implements Side {

  private final String buffer;
  private final long bufferBytes;
  private final HostSource source;
  private final Freshness freshness;
  private Optional<Memory> memory = Optional.empty();

  /** Memory of this side. */
  private sealed interface Memory {
    MemorySegment segment();
  }

  /** The buffer's own memory, and the segments of callers. */
  private record Owned(MemorySegment segment, Arena arena, HostViews views) implements Memory {}

  /** The caller's memory. */
  private record Wrapped(MemorySegment segment) implements Memory {}

  HostSide(String buffer, long bufferBytes, HostSource source) {
    this.buffer = buffer;
    this.bufferBytes = bufferBytes;
    this.source = source;
    this.freshness = new Freshness(bufferBytes);
  }

  @Override
  public Freshness freshness() {
    return freshness;
  }

  @Override
  public boolean isAllocated() {
    return memory.isPresent();
  }

  @Override
  public void allocate() {
    try {
      memory = Optional.of(AllocationTag.of(buffer).call(this::allocateMemory));
    } catch (DeviceException failed) {
      throw new DeviceException(
          String.format(
              Locale.ROOT,
              "buffer '%s' has no host memory for its %s; close other buffers, or use a MemoryPool, which reports the owners",
              buffer,
              ByteCount.exact(bufferBytes)),
          failed);
    }
  }

  private Memory allocateMemory() {
    Arena arena = source.openArena();
    try {
      MemorySegment segment = source.allocate(bufferBytes, arena);
      HostViews views =
          new HostViews(buffer, () -> AllocationTag.of(buffer).call(source::openArena));
      return new Owned(segment, arena, views);
    } catch (RuntimeException | Error failed) {
      arena.close();
      throw failed;
    }
  }

  /** Rejects memory of the caller that the buffer cannot wrap. */
  void checkWrappable(MemorySegment data) {
    if (data.byteSize() != bufferBytes) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "buffer '%s' has %d bytes and cannot wrap memory of another size: byteSize=%d",
              buffer,
              bufferBytes,
              data.byteSize()));
    }
    if (!data.isNative()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "buffer '%s' cannot wrap memory of the Java heap, because devices cannot copy from it: data=%s",
              buffer,
              data));
    }
    if (data.isReadOnly()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "buffer '%s' cannot wrap read-only memory, because copies from devices write to it; copy it into mutableCpuData() instead",
              buffer));
    }
    if (!data.scope().isAlive()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT, "buffer '%s' cannot wrap memory that has ended: data=%s", buffer, data));
    }
    if (!data.isAccessibleBy(Thread.currentThread())) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "buffer '%s' cannot wrap memory of a confined arena that thread '%s' cannot access; allocate it from Arena.ofShared(): data=%s",
              buffer,
              Thread.currentThread().getName(),
              data));
    }
    if (owns(data)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "buffer '%s' cannot wrap its own host memory, which would then be freed: data=%s",
              buffer,
              data));
    }
  }

  /** {@return true if the caller's memory overlaps the buffer's own memory} */
  private boolean owns(MemorySegment data) {
    return memory.isPresent()
        && memory.get() instanceof Owned owned
        && Math.abs(data.address() - owned.segment().address()) < bufferBytes;
  }

  /** Wraps the caller's memory, even if returning the buffer's own memory then fails. */
  void wrap(MemorySegment segment) {
    replace(Optional.of(new Wrapped(segment)));
  }

  @Override
  public void release() {
    replace(Optional.empty());
  }

  private void replace(Optional<Memory> next) {
    Optional<Memory> last = memory;
    memory = next;
    if (last.isPresent() && last.get() instanceof Owned owned) {
      close(owned.arena());
    }
  }

  private void close(Arena arena) {
    try {
      arena.close();
    } catch (DeviceException failed) {
      throw Side.named(
          String.format(Locale.ROOT, "returning host memory of buffer '%s'", buffer), failed);
    } catch (IllegalStateException failed) {
      if (arena.scope().isAlive()) {
        throw failed;
      }
      // The pool was closed before, or another thread is closing it.
    }
  }

  /** {@return the memory, for copies} */
  MemorySegment segment() {
    MemorySegment segment = memory.orElseThrow().segment();
    if (!segment.scope().isAlive()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "host memory of buffer '%s' has ended: its pool, or the arena of the memory that setCpuData wrapped, was closed; close the buffer first, or wrap other memory",
              buffer));
    }
    if (!segment.isAccessibleBy(Thread.currentThread())) {
      throw new WrongThreadException(
          String.format(
              Locale.ROOT,
              "host memory of buffer '%s' belongs to a confined arena that thread '%s' cannot access; wrap memory of Arena.ofShared() for many threads",
              buffer,
              Thread.currentThread().getName()));
    }
    return segment;
  }

  /** {@return a range of the memory for the caller} */
  MemorySegment view(long offset, long bytes, boolean writing) {
    MemorySegment part = segment().asSlice(offset, bytes);
    return switch (memory.orElseThrow()) {
      case Owned owned -> owned.views().open(part, writing);
      case Wrapped _ -> writing ? part : part.asReadOnly();
    };
  }

  @Override
  public boolean hasReaders() {
    return memory.isPresent() && memory.get() instanceof Owned owned && owned.views().hasReaders();
  }

  @Override
  public boolean hasWriters() {
    return memory.isPresent() && memory.get() instanceof Owned owned && owned.views().hasWriters();
  }

  @Override
  public void zero() {
    segment().fill((byte) 0);
  }

  @Override
  public void endWriters(Lease.End why) {
    memory.ifPresent(each -> {
      if (each instanceof Owned owned) {
        owned.views().endWriters();
      }
    });
  }

  @Override
  public void endAll(Lease.End why) {
    memory.ifPresent(each -> {
      if (each instanceof Owned owned) {
        owned.views().endAll();
      }
    });
  }
}
