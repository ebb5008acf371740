package dev.stowage.testkit;

import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceEvent;
import dev.stowage.memory.device.DeviceStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** A device and its model, with parameters from a seed. */
final class RandomRun implements AutoCloseable {

  /*
   * Work goes to one of several streams, or is executed at once. Each stream waits for the previous
   * one, so that all work runs in the order of the model. The model determines the result of a read
   * when it is queued; the test compares it after it has waited for the read.
   */

  private final Device device;
  private final Random random;
  private final int maxBytes;
  private final boolean staged;
  private final int switches;
  private final List<DeviceStream> streams = new ArrayList<>();
  private final List<Region> regions = new ArrayList<>();
  private final List<Read> reads = new ArrayList<>();
  private Arena arena = Arena.ofShared();

  /** The last used stream; the number of streams if no work is queued. */
  private int last;

  private static final class Region {

    private final long address;
    private byte[] contents;

    Region(long address, byte[] contents) {
      this.address = address;
      this.contents = contents;
    }
  }

  /** A queued read and its expected result. */
  private static final class Read {

    private final MemorySegment target;
    private final byte[] expected;

    Read(MemorySegment target, byte[] expected) {
      this.target = target;
      this.expected = expected;
    }
  }

  /** A range of a region. */
  private record Part(Region region, int offset, int count) {

    long address() {
      return region.address + offset;
    }

    byte[] contents() {
      return Arrays.copyOfRange(region.contents, offset, offset + count);
    }

    void set(byte[] contents) {
      System.arraycopy(contents, 0, region.contents, offset, count);
    }
  }

  RandomRun(Device device, long seed) {
    this.device = device;
    random = new Random(seed);
    maxBytes = 1 << random.nextInt(17);
    staged = random.nextBoolean();
    switches = random.nextInt(101);
    int streamCount = 1 + random.nextInt(3);
    for (int i = 0; i < streamCount; i++) {
      streams.add(device.openStream());
    }
    last = streams.size();
  }

  void step() {
    int dice = random.nextInt(100);
    if (regions.isEmpty() || (dice < 8 && regions.size() < 6)) {
      allocate();
    } else if (dice < 12) {
      free(regions.get(random.nextInt(regions.size())));
    } else if (dice < 17) {
      resize(regions.get(random.nextInt(regions.size())));
    } else if (dice < 22) {
      finish();
    } else {
      work(dice);
    }
  }

  private void work(int dice) {
    Part part = part();
    boolean atOnce = random.nextInt(4) == 0;
    if (atOnce) {
      finish();
    } else {
      next();
    }
    if (dice < 45) {
      write(part, atOnce);
    } else if (dice < 65) {
      read(part, atOnce);
    } else if (dice < 80) {
      fill(part, atOnce);
    } else {
      copy(part, atOnce);
    }
  }

  private void write(Part part, boolean atOnce) {
    byte[] contents = new byte[part.count];
    random.nextBytes(contents);
    if (atOnce) {
      device.copyFromHost(MemorySegment.ofArray(contents), part.address());
    } else {
      MemorySegment source = host(part.count).copyFrom(MemorySegment.ofArray(contents));
      streams.get(last).copyFromHost(source, part.address());
    }
    part.set(contents);
  }

  private void read(Part part, boolean atOnce) {
    if (atOnce) {
      Contents.check(device, part.address(), part.contents());
    } else {
      MemorySegment target = host(part.count);
      streams.get(last).copyToHost(part.address(), target);
      reads.add(new Read(target, part.contents()));
    }
  }

  private void fill(Part part, boolean atOnce) {
    byte value = (byte) random.nextInt();
    if (atOnce) {
      device.fill(part.address(), part.count, value);
    } else {
      streams.get(last).fill(part.address(), part.count, value);
    }
    byte[] contents = new byte[part.count];
    Arrays.fill(contents, value);
    part.set(contents);
  }

  private void copy(Part first, boolean atOnce) {
    Part second = part();
    int count = Math.min(first.count, second.count);
    if (first.region == second.region && Math.abs(first.offset - second.offset) < count) {
      return;
    }
    if (atOnce) {
      device.copy(first.address(), second.address(), count);
    } else {
      streams.get(last).copy(first.address(), second.address(), count);
    }
    new Part(second.region, second.offset, count)
        .set(new Part(first.region, first.offset, count).contents());
  }

  private Part part() {
    Region region = regions.get(random.nextInt(regions.size()));
    int count = random.nextInt(Math.min(maxBytes, region.contents.length) + 1);
    return new Part(region, random.nextInt(region.contents.length - count + 1), count);
  }

  private MemorySegment host(long bytes) {
    return staged ? device.allocateStaging(bytes, arena) : arena.allocate(bytes);
  }

  /** Selects a stream, which waits for the previous one. */
  private void next() {
    int stream = last;
    if (last == streams.size() || random.nextInt(100) < switches) {
      stream = random.nextInt(streams.size());
    }
    if (last != streams.size() && stream != last) {
      try (DeviceEvent event = streams.get(last).record()) {
        streams.get(stream).waitFor(event);
      }
    }
    last = stream;
  }

  /** Waits for all work. */
  private void finish() {
    if (last == streams.size()) {
      return;
    }
    if (random.nextBoolean()) {
      streams.get(last).synchronize();
    } else {
      try (DeviceEvent event = streams.get(last).record()) {
        event.await();
      }
    }
    last = streams.size();
    for (Read read : reads) {
      Contents.checkSame(Contents.read(read.target), read.expected);
    }
    reads.clear();
    arena.close();
    arena = Arena.ofShared();
  }

  private long anyRegionBytes() {
    return Contents.regionBytes(device) * (1 + random.nextInt(4));
  }

  private void allocate() {
    long bytes = anyRegionBytes();
    long address = Contents.zeros(device, bytes);
    regions.add(new Region(address, new byte[Math.toIntExact(bytes)]));
  }

  private void free(Region region) {
    finish();
    Contents.check(device, region.address, region.contents);
    device.free(region.address, region.contents.length);
    regions.remove(region);
  }

  private void resize(Region region) {
    finish();
    int bytes = region.contents.length;
    long newBytes = anyRegionBytes();
    if (device.resize(region.address, bytes, newBytes)) {
      region.contents = Arrays.copyOf(region.contents, Math.toIntExact(newBytes));
      if (newBytes > bytes) {
        device.fill(region.address + bytes, newBytes - bytes, (byte) 0);
      }
    }
    Contents.check(device, region.address, region.contents);
  }

  @Override
  public void close() {
    finish();
    while (!regions.isEmpty()) {
      free(regions.getLast());
    }
    streams.forEach(DeviceStream::close);
    arena.close();
  }
}
