package dev.stowage.examples.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.jmx.AllocatorManagement;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.process.MemoryByOwner;
import dev.stowage.process.MemoryOwner;
import dev.stowage.process.OwnedMemory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A process in which an allocator of Stowage holds memory that is not in use. */
class ProcessFindingTest {

  private static final long BYTES = 128L << 20;

  private static long stowageBytes(MemoryByOwner memory) {
    return memory.parts().stream()
        .filter(part -> part.owner() == MemoryOwner.STOWAGE)
        .mapToLong(OwnedMemory::bytes)
        .sum();
  }

  @Test
  void trim_ofFreeMemoryThatIsFound_returnsIt() throws IOException {
    assumeTrue(Files.exists(Path.of("/proc/self/smaps")), "needs Linux (/proc/self/smaps)");
    try (HostMemory host = HostMemory.open();
        BfcAllocator allocator = new BfcAllocator("requests", host, BfcOptions.expandable());
        AllocatorManagement _ =
            AllocatorManagement.register(allocator, ManagementFactory.getPlatformMBeanServer())) {
      long address = allocator.allocate(BYTES);
      host.segment(address, BYTES).fill((byte) 1);
      MemoryByOwner used = MemoryByOwner.ofSelf();
      assertThat(stowageBytes(used)).isGreaterThanOrEqualTo(BYTES);
      assertThat(used.findings()).noneMatch(finding -> finding.owner() == MemoryOwner.STOWAGE);

      allocator.free(address);
      MemoryByOwner free = MemoryByOwner.ofSelf();
      assertThat(free.findings())
          .filteredOn(finding -> finding.owner() == MemoryOwner.STOWAGE)
          .singleElement()
          .satisfies(finding -> {
            assertThat(finding.sentence()).contains("'requests' holds 128 MiB");
            assertThat(finding.bytes()).isEqualTo(BYTES);
          });

      allocator.trim();
      assertThat(stowageBytes(free) - stowageBytes(MemoryByOwner.ofSelf()))
          .isGreaterThanOrEqualTo(BYTES);
    }
  }
}
