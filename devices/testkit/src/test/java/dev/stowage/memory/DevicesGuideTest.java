package dev.stowage.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.device.DeviceEvent;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.pool.CloseResult;
import dev.stowage.memory.pool.DevicePool;
import dev.stowage.memory.pool.GrowingMemory;
import dev.stowage.memory.pool.MemoryPool;
import dev.stowage.memory.pool.PoolBudget;
import dev.stowage.memory.pool.PoolRequest;
import dev.stowage.memory.synced.CopyCounts;
import dev.stowage.memory.synced.DeviceData;
import dev.stowage.memory.synced.DeviceMemory;
import dev.stowage.memory.synced.SyncedHead;
import dev.stowage.memory.synced.SyncedMemory;
import dev.stowage.memory.tensor.Blob;
import dev.stowage.memory.tensor.DataType;
import dev.stowage.memory.tensor.Tensor;
import dev.stowage.memory.tensor.TensorShape;
import dev.stowage.testkit.SimulatedDevice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Runs the examples of docs/devices.md. */
class DevicesGuideTest {

  private static final Path ROOT = Path.of(System.getProperty("stowage.root", ".."));
  private static final Path GUIDE = ROOT.resolve("docs/devices.md");

  /** The examples are parts of these files; the projects of consumers are built and tested, too. */
  private static final List<String> SOURCES =
      List.of(
          "devices/testkit/src/test/java/dev/stowage/memory/DevicesGuideTest.java",
          "quality/consumers/src/it/consumers/device/src/main/java/com/example/device/HeapDevice.java",
          "quality/consumers/src/it/consumers/device/src/test/java/com/example/device/HeapDeviceTest.java");

  /** The output of the examples. */
  private final List<String> printed = new ArrayList<>();

  private void print(@Nullable Object text) {
    printed.add(String.valueOf(text));
  }

  /** {@return a text in one line, as the page may break it elsewhere} */
  private static String unbroken(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }

  private static List<String> blocks(String guide, String language) {
    Matcher matcher =
        Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(guide);
    return matcher.results().map(block -> block.group(1)).toList();
  }

  private static String unindented(String code) {
    return String.join("\n", code.lines().map(String::strip).toList());
  }

  @Test
  void guide_everyExample_runsAndPrintsItsOutput() throws Exception {
    SimulatedDevice device = new SimulatedDevice("gpu", 4 << 20);
    copyAndFill(device);
    share(device);
    grow();
    queue(device);
    try (BfcAllocator allocator = new BfcAllocator("gpu", device, BfcOptions.expandable())) {
      DeviceMemory gpu = new DeviceMemory(device, allocator);
      sync(device, gpu);
      share(device, gpu);
      pool(device);
      stage(device);
      fail(device, gpu);
      assertThat(allocator.statistics().bytesInUse()).isZero();
    }
    device.close();

    String guide = Files.readString(GUIDE);
    StringBuilder tested = new StringBuilder();
    for (String source : SOURCES) {
      tested.append(unindented(Files.readString(ROOT.resolve(source))));
    }
    assertThat(blocks(guide, "java")).isNotEmpty();
    for (String example : blocks(guide, "java")) {
      assertThat(tested).contains(unindented(example));
    }
    assertThat(blocks(guide, "text").stream().map(DevicesGuideTest::unbroken))
        .isEqualTo(printed.stream().map(DevicesGuideTest::unbroken).toList());
  }

  private void copyAndFill(SimulatedDevice device) {
    long address = device.allocate(1 << 20).orElseThrow();
    device.fill(address, 1 << 20, (byte) 7);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment host = device.allocateStaging(1000, arena);
      device.copyToHost(address, host);
      print(host.get(ValueLayout.JAVA_BYTE, 999));
    }
    device.free(address, 1 << 20);
  }

  private void share(SimulatedDevice device) {
    BfcOptions half = BfcOptions.forDevice(device, 0.5, true);
    print(half.limitBytes() + " of " + device.totalBytes());
  }

  private void grow() {
    try (HostMemory host = HostMemory.open();
        GrowingMemory cache = GrowingMemory.open("layer 0", host, 1L << 30)) {
      MemorySegment prompt = cache.grow(100_000); // at least so many bytes, in whole pages
      MemorySegment more = cache.grow(200_000);
      print("moved by " + (more.address() - prompt.address()) + " bytes");
    }
  }

  private void queue(SimulatedDevice device) {
    long address = device.allocate(2000).orElseThrow();
    try (Arena arena = Arena.ofShared();
        DeviceStream uploads = device.openStream();
        DeviceStream work = device.openStream()) {
      MemorySegment input = device.allocateStaging(1000, arena).fill((byte) 3);
      uploads.copyFromHost(input, address);
      try (DeviceEvent uploaded = uploads.record()) {
        work.waitFor(uploaded);
      }
      work.copy(address, address + 1000, 1000);
      work.synchronize(); // both copies are done
    }
    device.free(address, 2000);
  }

  private void sync(SimulatedDevice device, DeviceMemory gpu) {
    SyncedMemory weights = SyncedMemory.of("weights", 4000, gpu); // allocates nothing
    weights.mutableCpuData().fill((byte) 1); // allocates on the host
    DeviceData data = weights.gpuData(); // allocates on the device, and copies there
    print(weights + ", for kernels at 0x" + Long.toHexString(data.addressOn(device)));

    weights.mutableGpuData().fill((byte) 2); // copies nothing
    byte first = weights.cpuData().get(ValueLayout.JAVA_BYTE, 0); // copies back
    byte second = weights.cpuData().get(ValueLayout.JAVA_BYTE, 1); // copies nothing
    print(first + ", " + second + ", " + weights.copies());

    CopyCounts before = weights.copies();
    weights.mutableCpuData(0, 400).fill((byte) 3);
    weights.gpuData();
    print(weights.copies().bytesToDevices() - before.bytesToDevices() + " bytes copied");

    MemorySegment kept = weights.cpuData();
    weights.mutableGpuData().fill((byte) 4);
    try {
      kept.get(ValueLayout.JAVA_BYTE, 0);
    } catch (IllegalStateException e) {
      print(e.getMessage());
    }
    try {
      weights.checkLive(kept);
    } catch (IllegalStateException e) {
      print(e.getMessage());
    }

    try (DeviceStream stream = device.openStream()) {
      weights.mutableCpuData().fill((byte) 5);
      weights.asyncGpuPush(stream); // returns while the copy is queued
      data = weights.gpuData(); // waits for it
    }
    weights.close();
    assertThat(data.isLive()).isFalse();
  }

  private void share(SimulatedDevice device, DeviceMemory gpu) {
    TensorShape shape = TensorShape.of(2, 3);
    try (Blob conv = Blob.of("conv1", DataType.FLOAT32, shape, gpu);
        Blob relu = Blob.of("relu1", DataType.FLOAT32, shape, gpu)) {
      relu.shareData(conv); // works in place
      conv.data().setFloat(1.5f, 1, 2);
      try (Tensor row = relu.data().slice(1, 2)) {
        print(row + " has " + row.getFloat(0, 2));
      }
      DeviceData values = relu.gpuData();
      assertThat(values.addressOn(device)).isNotZero();
    }
  }

  private void pool(SimulatedDevice device) throws InterruptedException {
    try (DevicePool pool = DevicePool.open("scratch", device, BfcOptions.expandable());
        DeviceStream work = device.openStream();
        DeviceStream other = device.openStream()) {
      long scratch = pool.allocate(1 << 20, work);
      work.fill(scratch, 1 << 20, (byte) 0);
      pool.free(scratch, work); // while the fill is queued
      print(pool.queuedBytes() + " bytes are free once the stream has done its work");

      long elsewhere = pool.allocate(1 << 20, other); // the fill could overwrite data at scratch
      long again = pool.allocate(1 << 20, work); // this stream runs later work after the fill
      print(elsewhere == scratch);
      print(again == scratch);
      pool.free(elsewhere);
      pool.free(again, work);

      try (PoolBudget requests = pool.openBudget("requests", 2 << 20);
          PoolBudget request = requests.child("request 7", 0, 1 << 20)) {
        PoolRequest keys = PoolRequest.of(1 << 18).withAlignment(4096).chargedTo(request);
        long cache = pool.allocateOrWait(keys, work, Duration.ofSeconds(10));
        print(requests.usedBytes() + " of " + requests.limitBytes());
        pool.free(cache);
      }

      CloseResult closed = pool.closeWithin(Duration.ofSeconds(10));
      print(closed.isClosed() ? "closed" : closed.obstacle().get());
    }
  }

  private void stage(SimulatedDevice device) {
    try (MemoryPool pinned = MemoryPool.openStaging("pinned", device, BfcOptions.growing());
        Arena batch = pinned.openArena()) {
      MemorySegment images = batch.allocate(400_000, 64);
      MemorySegment labels = batch.allocate(4_000, 64);
      print(pinned.statistics().reservedBytes() + " bytes by one call of the driver");
      assertThat(images.byteSize() + labels.byteSize()).isEqualTo(404_000);
    }
  }

  private void fail(SimulatedDevice device, DeviceMemory gpu) {
    try (SyncedMemory large = SyncedMemory.of("large", 8 << 20, gpu)) {
      large.mutableCpuData().fill((byte) 1);
      try {
        large.gpuData();
      } catch (BfcOutOfMemoryException e) {
        print(e.getMessage());
      }
      print(large.head());
    }

    try (SyncedMemory weights = SyncedMemory.of("weights", 4000, gpu)) {
      weights.mutableCpuData().fill((byte) 1);
      device.failAt(1); // the next call: the copy
      try {
        weights.gpuData();
      } catch (DeviceException e) {
        print(e.getMessage());
      }
      weights.gpuData(); // works: nothing was lost
    }
  }

  /** The page's table, made by calling. */
  @Test
  void guide_tableOfCopies_isRight() throws Exception {
    StringBuilder table = new StringBuilder("| head | ");
    List<String> names = List.of("cpuData", "mutableCpuData", "gpuData", "mutableGpuData");
    List<Consumer<SyncedMemory>> calls =
        List.of(
            SyncedMemory::cpuData,
            SyncedMemory::mutableCpuData,
            SyncedMemory::gpuData,
            SyncedMemory::mutableGpuData);
    table.append(names.stream().map(name -> "`" + name + "()`").collect(Collectors.joining(" | ")));
    table.append(" |\n|---|---|---|---|---|\n");
    SimulatedDevice device = new SimulatedDevice("gpu", 1 << 20);
    try (BfcAllocator allocator = new BfcAllocator("gpu", device, BfcOptions.growing())) {
      DeviceMemory gpu = new DeviceMemory(device, allocator);
      for (SyncedHead head : SyncedHead.values()) {
        table.append("| `").append(head).append("` |");
        calls.forEach(call -> table.append(' ').append(cell(gpu, head, call)).append(" |"));
        table.append('\n');
      }
    }
    assertThat(Files.readString(GUIDE)).contains(table);
  }

  private static String cell(DeviceMemory gpu, SyncedHead head, Consumer<SyncedMemory> call) {
    try (SyncedMemory buffer = SyncedMemory.of("x", 100, gpu)) {
      switch (head) {
        case UNINITIALIZED -> {}
        case HEAD_AT_CPU -> buffer.cpuData();
        case HEAD_AT_GPU -> buffer.gpuData();
        case SYNCED -> {
          buffer.cpuData();
          buffer.gpuData();
        }
      }
      assertThat(buffer.head()).isEqualTo(head);
      CopyCounts before = buffer.copies();
      call.accept(buffer);
      String copied =
          buffer.copies().toDevices() > before.toDevices()
              ? "to the device"
              : buffer.copies().toHost() > before.toHost() ? "to the host" : "none";
      return "%s → `%s`".formatted(copied, buffer.head());
    }
  }
}
