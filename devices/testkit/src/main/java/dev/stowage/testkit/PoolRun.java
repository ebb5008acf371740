package dev.stowage.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceEvent;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.memory.pool.CloseResult;
import dev.stowage.memory.pool.DevicePool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Chunks of a pool that two or three streams use and free, with parameters from a seed. */
final class PoolRun implements AutoCloseable {

  /*
   * The users of a chunk are its last writer and the streams that read it since; the chunk is freed
   * with them. A writer waits for all users, and a reader for the writer. So the result of a read
   * is known when the read is queued; the test compares all reads at the end.
   *
   * There are no other waits, such as for the streams of other chunks or before a free. The pool must
   * not reuse a chunk before its users have completed.
   */

  private static final int MAX_CHUNKS = 8;

  private final Device device;
  private final Random random;
  private final int maxBytes;
  private final DevicePool pool;
  private final List<DeviceStream> streams = new ArrayList<>();
  private final List<Chunk> chunks = new ArrayList<>();
  private final List<Read> reads = new ArrayList<>();
  private final Arena arena = Arena.ofShared();

  private static final class Chunk {

    private final long address;
    private final byte[] contents;
    private DeviceStream writer;
    private final List<DeviceStream> users = new ArrayList<>();

    Chunk(long address, byte[] contents, DeviceStream writer) {
      this.address = address;
      this.contents = contents;
      this.writer = writer;
    }
  }

  private record Read(MemorySegment target, MemorySegment expected) {

    void check() {
      assertThat(target.mismatch(expected)).isEqualTo(-1);
    }
  }

  PoolRun(Device device, long seed) {
    this.device = device;
    random = new Random(seed);
    maxBytes = 256 << random.nextInt(9);
    long unit = Contents.regionBytes(device);
    BfcOptions scarce = BfcOptions.oneRegion(Math.max(unit, 2L * maxBytes + unit));
    BfcOptions options =
        List.of(scarce, BfcOptions.growing().withFirstRegion(unit), BfcOptions.expandable())
            .get(random.nextInt(3));
    pool = DevicePool.open("seed " + seed, device, options.withSplitThreshold(256));
    int streamCount = 2 + random.nextInt(2);
    for (int i = 0; i < streamCount; i++) {
      streams.add(device.openStream());
    }
  }

  void step() {
    int dice = random.nextInt(100);
    if (chunks.isEmpty() || (dice < 30 && chunks.size() < MAX_CHUNKS)) {
      allocate();
    } else if (dice < 55) {
      free();
    } else if (dice < 70) {
      write(chunks.get(random.nextInt(chunks.size())), anyStream());
    } else if (dice < 93) {
      read(chunks.get(random.nextInt(chunks.size())), anyStream());
    } else if (dice < 97) {
      anyStream().synchronize();
    } else if (dice < 98) {
      replaceStream();
    } else {
      pool.trim();
    }
  }

  private DeviceStream anyStream() {
    return streams.get(random.nextInt(streams.size()));
  }

  private void allocate() {
    DeviceStream stream = anyStream();
    byte[] contents = new byte[1 + random.nextInt(maxBytes)];
    try {
      long address = pool.allocate(contents.length, stream);
      if (random.nextInt(10) == 0) {
        pool.free(address); // never used
        return;
      }
      Chunk chunk = new Chunk(address, contents, stream);
      chunks.add(chunk);
      write(chunk, stream);
    } catch (BfcOutOfMemoryException noRoom) {
      assertThat(chunks).isNotEmpty();
      free();
    }
  }

  private void free() {
    Chunk chunk = chunks.remove(random.nextInt(chunks.size()));
    if (random.nextInt(8) == 0) {
      chunk.users.forEach(DeviceStream::synchronize);
      pool.free(chunk.address);
    } else {
      pool.free(chunk.address, chunk.users.toArray(DeviceStream[]::new));
    }
  }

  private void write(Chunk chunk, DeviceStream stream) {
    chunk.users.forEach(user -> wait(stream, user));
    if (random.nextBoolean()) {
      random.nextBytes(chunk.contents);
      MemorySegment source = arena.allocate(chunk.contents.length);
      source.copyFrom(MemorySegment.ofArray(chunk.contents));
      stream.copyFromHost(source, chunk.address);
    } else {
      byte value = (byte) random.nextInt();
      MemorySegment.ofArray(chunk.contents).fill(value);
      stream.fill(chunk.address, chunk.contents.length, value);
    }
    chunk.users.clear();
    chunk.users.add(stream);
    chunk.writer = stream;
  }

  private void read(Chunk chunk, DeviceStream stream) {
    wait(stream, chunk.writer);
    if (!chunk.users.contains(stream)) {
      chunk.users.add(stream);
    }
    MemorySegment target = arena.allocate(chunk.contents.length);
    stream.copyToHost(chunk.address, target);
    reads.add(new Read(target, MemorySegment.ofArray(chunk.contents.clone())));
  }

  private static void wait(DeviceStream stream, DeviceStream before) {
    if (!stream.equals(before)) {
      try (DeviceEvent event = before.record()) {
        stream.waitFor(event);
      }
    }
  }

  /** Closes a stream while its freed chunks wait for its events, and opens another one. */
  private void replaceStream() {
    DeviceStream ended = streams.remove(random.nextInt(streams.size()));
    for (Chunk chunk : List.copyOf(chunks)) {
      if (chunk.users.contains(ended) || chunk.writer.equals(ended)) {
        chunks.remove(chunk);
        pool.free(chunk.address, chunk.users.toArray(DeviceStream[]::new));
      }
    }
    ended.close();
    streams.add(device.openStream());
  }

  @Override
  public void close() {
    while (!chunks.isEmpty()) {
      free();
    }
    closePool();
    reads.forEach(Read::check); // the pool has waited for all that uses its memory
    streams.forEach(DeviceStream::close);
    arena.close();
  }

  private void closePool() {
    try {
      CloseResult result = pool.closeWithin(Duration.ofDays(1));
      assertThat(result.obstacle()).isEmpty();
    } catch (InterruptedException interrupted) {
      throw new AssertionError("the test is interrupted", interrupted);
    }
  }
}
