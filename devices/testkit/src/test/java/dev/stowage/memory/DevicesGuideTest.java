package dev.stowage.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.pool.DevicePool;
import dev.stowage.memory.synced.CopyCounts;
import dev.stowage.memory.synced.SyncedHead;
import dev.stowage.memory.synced.SyncedMemory;
import dev.stowage.testing.GuideExamples;
import dev.stowage.testing.GuideProgram;
import dev.stowage.testkit.SimulatedDevice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the example of docs/devices.md, and the table of SyncedHead. */
class DevicesGuideTest {

  @Test
  void guide_example_compilesAndPrintsItsOutput(@TempDir Path folder) throws Exception {
    GuideProgram program = GuideProgram.of("docs/devices.md");
    String printed = program.run(folder);
    assertThat(program.text()).isEqualTo(printed);
  }

  /** The table in the Javadoc, made by calling. */
  @Test
  void syncedHead_tableOfCopies_isRight() throws IOException {
    StringBuilder table = new StringBuilder();
    List<Consumer<SyncedMemory>> calls =
        List.of(
            SyncedMemory::cpuData,
            SyncedMemory::mutableCpuData,
            SyncedMemory::gpuData,
            SyncedMemory::mutableGpuData);
    SimulatedDevice device = new SimulatedDevice("gpu", 1 << 20);
    try (DevicePool gpu = DevicePool.open("gpu", device, BfcOptions.growing())) {
      for (SyncedHead head : SyncedHead.values()) {
        StringBuilder row = new StringBuilder("* %-14s".formatted(head));
        calls.forEach(call -> row.append(" %-20s".formatted(cell(gpu, head, call))));
        table.append(row.toString().strip()).append('\n');
      }
    }
    String source = "memory/src/main/java/dev/stowage/memory/synced/SyncedHead.java";
    assertThat(GuideExamples.source(source)).contains(table);
  }

  private static String cell(DevicePool gpu, SyncedHead head, Consumer<SyncedMemory> call) {
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
              ? ", to GPU"
              : buffer.copies().toHost() > before.toHost() ? ", to CPU" : "";
      return buffer.head() + copied;
    }
  }
}
