package dev.stowage.memory.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.SubAllocator;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The memory that mapped pages take and return, according to Linux. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "/proc tells what is resident, on Linux alone")
class MappedRegionsTest {

  private static final long MIB = 1 << 20;

  /** The size of the entry of each page in /proc/self/pagemap. */
  private static final int PAGEMAP_ENTRY_BYTES = 8;

  /** The highest bit of an entry. */
  private static final int PAGE_IS_PRESENT = 63;

  private static final AddressSpace NO_LIMIT =
      new AddressSpace(Path.of("none"), 4096, OptionalLong.empty());

  @Test
  void allocate_reservationOfAllTheMachineHas_takesNoMemory() throws Exception {
    try (HostMemory host = HostMemory.open()) {
      long address = host.allocate(4096).orElseThrow();
      long reserved = Math.min(1L << 38, MachineMemory.usableBytes()) & -4096;
      assertThat(resident(address, reserved)).isZero();
      host.segment(address, 4096).fill((byte) 1);
      assertThat(resident(address, reserved)).isEqualTo(4096);
      host.free(address, 4096);
    }
  }

  /** The properties have the addresses of the regions, so that other programs know their owner. */
  @Test
  void allocate_aRegion_isASystemPropertyUntilItIsFreed() {
    try (HostMemory host = HostMemory.open(HostMemoryOptions.fixed())) {
      long address = host.allocate(MIB).orElseThrow();
      String name = "dev.stowage.region." + Long.toHexString(address);
      assertThat(Long.parseLong(System.getProperty(name), 16)).isEqualTo(address + MIB);
      host.free(address, MIB);
      assertThat(System.getProperty(name)).isNull();
    }
  }

  @Test
  void allocate_pagesThatAreNotTouched_takeNoMemory() throws Exception {
    try (HostMemory host = HostMemory.open(HostMemoryOptions.fixed())) {
      long bytes = 1024 * MIB;
      long address = host.allocate(bytes).orElseThrow();
      assertThat(resident(address, bytes)).isZero();
      host.free(address, bytes);
      assertThat(mappings(address, bytes)).isEmpty();
    }
  }

  @Test
  void resize_growAndShrink_keepsContentsAndGivesPagesBack() throws Exception {
    try (HostMemory host = HostMemory.open()) {
      long address = host.allocate(4 * MIB).orElseThrow();
      host.segment(address, 4 * MIB).fill((byte) 5);
      assertThat(host.resize(address, 4 * MIB, 64 * MIB)).isTrue();
      assertThat(resident(address, 64 * MIB)).isEqualTo(4 * MIB);
      MemorySegment grown = host.segment(address, 64 * MIB);
      grown.asSlice(4 * MIB).fill((byte) 6);
      assertThat(resident(address, 64 * MIB)).isEqualTo(64 * MIB);
      long pss = statmResident();

      assertThat(host.resize(address, 64 * MIB, 2 * MIB)).isTrue();
      assertThat(resident(address, 64 * MIB)).isEqualTo(2 * MIB);
      assertThat(statmResident()).isLessThan(pss - 32 * MIB);
      assertThatIllegalStateException().isThrownBy(() -> grown.get(ValueLayout.JAVA_BYTE, 0));
      MemorySegment left = host.segment(address, 2 * MIB);
      assertThat(left.get(ValueLayout.JAVA_BYTE, 2 * MIB - 1)).isEqualTo((byte) 5);

      assertThat(host.resize(address, 2 * MIB, 4 * MIB)).isTrue();
      MemorySegment again = host.segment(address, 4 * MIB);
      assertThat(again.get(ValueLayout.JAVA_BYTE, 2 * MIB - 1)).isEqualTo((byte) 5);
      assertThat(again.get(ValueLayout.JAVA_BYTE, 2 * MIB)).isZero();
      host.free(address, 4 * MIB);
      assertThat(mappings(address, 64 * MIB)).isEmpty();
    }
  }

  @Test
  void resize_segmentsOfAGrowingRegion_stayAndAreBounded() {
    try (HostMemory host = HostMemory.open()) {
      long address = host.allocate(MIB).orElseThrow();
      MemorySegment before = host.segment(address, MIB);
      assertThat(host.resize(address, MIB, 2 * MIB)).isTrue();
      before.set(ValueLayout.JAVA_BYTE, MIB - 1, (byte) 3);
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> before.get(ValueLayout.JAVA_BYTE, MIB));
      assertThat(host.segment(address, 2 * MIB).get(ValueLayout.JAVA_BYTE, MIB - 1))
          .isEqualTo((byte) 3);
      host.free(address, 2 * MIB);
    }
  }

  @Test
  void resize_beyondTheReservation_isRefusedAndNothingChanges() {
    try (HostMemory host = HostMemory.open(HostMemoryOptions.expandable(8 * MIB))) {
      long address = host.allocate(MIB).orElseThrow();
      for (long bytes : new long[] {8 * MIB + 1, 1L << 60, Long.MAX_VALUE}) {
        assertThat(host.resize(address, MIB, bytes)).isFalse();
      }
      assertThat(host.heldBytes()).isEqualTo(MIB);
      assertThat(host.resize(address, MIB, 8 * MIB)).isTrue();
      host.free(address, 8 * MIB);
    }
  }

  @Test
  void resize_moreThanTheMachineHas_isRefusedAndTheRegionStays() {
    try (HostMemory host = HostMemory.open(HostMemoryOptions.expandable(1L << 43))) {
      long address = host.allocate(MIB).orElseThrow();
      host.segment(address, MIB).fill((byte) 9);
      // Where the system overcommits without any bound, it gives addresses for nothing.
      if (!host.resize(address, MIB, 1L << 43)) {
        assertThat(host.segment(address, MIB).get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 9);
        assertThat(host.heldBytes()).isEqualTo(MIB);
      }
      host.free(address, host.heldBytes());
    }
  }

  @Test
  void allocate_manyReservations_leavesAddressesForMore() {
    MappedRegions source =
        new MappedRegions(
            MappedRegions.Posix.LINUX, HostMemoryOptions.expandable(1L << 42), NO_LIMIT, 1L << 42);
    List<HostRegion> regions = new ArrayList<>();
    long left = 1L << 44;
    for (int i = 0; i < 100; i++) {
      HostRegion region = source.allocate(MIB, Long.MAX_VALUE).orElseThrow();
      assertThat(region.reservedBytes()).isEqualTo(left / 8 & -4096);
      left -= region.reservedBytes();
      regions.add(region);
    }
    assertThat(regions.getLast().reservedBytes()).isGreaterThan(1 << 20);
    assertThat(source.canLengthen(Long.MAX_VALUE)).isFalse();
    regions.forEach(source::free);
    assertThat(source.canLengthen(Long.MAX_VALUE)).isTrue();
    HostRegion again = source.allocate(MIB, Long.MAX_VALUE).orElseThrow();
    assertThat(again.reservedBytes()).isEqualTo(1L << 41);
    source.free(again);
  }

  @Test
  void allocate_machineOfLittleMemory_reservesNoMoreThanItHas() {
    MappedRegions source =
        new MappedRegions(
            MappedRegions.Posix.LINUX, HostMemoryOptions.expandable(), NO_LIMIT, 100 * MIB);
    assertThat(reservedBytes(source, MIB, Long.MAX_VALUE)).isEqualTo(100 * MIB);
    assertThat(reservedBytes(source, MIB, 10 * MIB)).isEqualTo(10 * MIB);
    assertThat(reservedBytes(source, MIB, 0)).isEqualTo(MIB);
    assertThat(reservedBytes(source, 200 * MIB, Long.MAX_VALUE)).isEqualTo(200 * MIB);
  }

  @Test
  void allocate_addressesLimited_reservesASixteenthOfTheRest(@TempDir Path folder)
      throws Exception {
    Path pages = Files.writeString(folder.resolve("statm"), "25600 0 0 0 0 0 0\n");
    AddressSpace limited = new AddressSpace(pages, 4096, OptionalLong.of(500 * MIB));
    MappedRegions source =
        new MappedRegions(
            MappedRegions.Posix.LINUX, HostMemoryOptions.expandable(), limited, 1L << 40);
    assertThat(reservedBytes(source, MIB, Long.MAX_VALUE)).isEqualTo(25 * MIB);
    assertThat(reservedBytes(source, 100 * MIB, Long.MAX_VALUE)).isEqualTo(100 * MIB);
    // Regions that grow only a little have no advantage over regions of doubled size.
    assertThat(source.canLengthen(Long.MAX_VALUE)).isFalse();
    assertThat(source.canLengthen(20 * MIB)).isTrue();
    assertThat(source.canLengthen(0)).isFalse();
  }

  @Test
  void limit_ofAProcess_isReadIfThereIsOne(@TempDir Path folder) throws Exception {
    String title = "Limit                     Soft Limit           Hard Limit           Units     ";
    Path limits = folder.resolve("limits");
    String line = "Max address space         8589934592           unlimited            bytes     ";
    Files.writeString(limits, title + "\n" + line + "\n");
    assertThat(AddressSpace.limit(limits)).hasValue(8L << 30);
    Files.writeString(limits, title + "\n" + line.replace("8589934592", "unlimited") + "\n");
    assertThat(AddressSpace.limit(limits)).isEmpty();
    assertThat(AddressSpace.limit(folder.resolve("none"))).isEmpty();
  }

  private static long reservedBytes(MappedRegions source, long bytes, long mostBytes) {
    HostRegion region = source.allocate(bytes, mostBytes).orElseThrow();
    source.free(region);
    return region.reservedBytes();
  }

  @Test
  void newSubAllocator_ofAnAllocatorsOptions_reservesBeyondItsLimit() throws Exception {
    try (HostMemory host = HostMemory.open()) {
      SubAllocator expandable = host.newSubAllocator(BfcOptions.expandable().withLimit(64 * MIB));
      assertThat(expandable.canLengthen()).isTrue();
      long address = expandable.allocate(MIB).orElseThrow();
      assertThat(expandable.resize(address, MIB, 64 * MIB)).isTrue();
      assertThat(expandable.resize(address, 64 * MIB, 1025 * MIB)).isFalse();
      expandable.free(address, 64 * MIB);
      SubAllocator doubling = host.newSubAllocator(BfcOptions.growing());
      assertThat(doubling.canLengthen()).isFalse();
      long other = doubling.allocate(MIB).orElseThrow();
      assertThat(doubling.resize(other, MIB, 2 * MIB)).isFalse();
      doubling.free(other, MIB);
    }
  }

  @Test
  void setLimit_higherThanTheFirstLimit_lengthensTheRegion() {
    BfcOptions options = BfcOptions.expandable().withLimit(MIB);
    try (HostMemory host = HostMemory.open();
        BfcAllocator allocator = new BfcAllocator("pool", host.newSubAllocator(options), options)) {
      allocator.free(allocator.allocate(MIB));
      assertThat(allocator.tryAllocate(8 * MIB, 256)).isEmpty();
      allocator.setLimit(8 * MIB);
      assertThat(allocator.tryAllocate(8 * MIB, 256)).isPresent();
      assertThat(allocator.regions()).hasSize(1);
      allocator.free(allocator.allocations().getFirst().address());
    }
  }

  @Test
  void allocate_expandablePoolsOnOneMemory_eachIsOneRegion() {
    try (HostMemory host = HostMemory.open()) {
      List<BfcAllocator> allocators = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        BfcOptions options = BfcOptions.expandable();
        BfcAllocator allocator =
            new BfcAllocator("pool " + i, host.newSubAllocator(options), options);
        allocators.add(allocator);
        for (int j = 0; j < 20; j++) {
          allocator.allocate(1000);
        }
        allocator.allocate(MIB);
        assertThat(allocator.regions()).hasSize(1);
      }
      allocators.forEach(BfcAllocator::close);
    }
  }

  @Test
  void allocate_hugePages_isAlignedAndAskedFor() throws Exception {
    try (HostMemory host = HostMemories.HUGE_PAGES.open()) {
      long bytes = 4 * host.granularityBytes();
      assertThat(host.granularityBytes()).isGreaterThanOrEqualTo(MIB);
      long address = host.allocate(bytes).orElseThrow();
      assertThat(address % host.granularityBytes()).isZero();
      List<Mapping> mappings = mappings(address, bytes);
      assertThat(mappings).hasSize(1);
      // A system without transparent huge pages says no, and the region is as good.
      if (Files.exists(Path.of("/sys/kernel/mm/transparent_hugepage/enabled"))) {
        assertThat(mappings.getFirst().flags()).contains(" hg");
      }
      host.segment(address, bytes).fill((byte) 1);
      host.free(address, bytes);
      assertThat(mappings(address, 1L << 30)).isEmpty();
    }
  }

  @Test
  void failure_ofTheSystem_hasItsCodeAndName() {
    DeviceException failure = Libc.munmap(1, 4096).exception("munmap of 4096 bytes at 0x1");
    assertThat(failure).hasMessage("munmap of 4096 bytes at 0x1 failed: EINVAL (22)");
    assertThat(failure.code()).isEqualTo(22);
    assertThat(failure.codeName()).isEqualTo("EINVAL");
    assertThat(new Libc.Answer(-1, Libc.ENOMEM).exception("munmap of 4096 bytes at 0x1"))
        .hasMessage(
            "too many mappings; raise vm.max_map_count of the system: munmap of 4096 bytes at 0x1 failed: ENOMEM (12)");
    assertThat(Libc.mmap(1L << 60, 0, 0x22).isOutOfMemory()).isTrue();
    assertThat(Libc.errnoName(4711)).isEqualTo("errno");
  }

  private record Mapping(long start, long end, String flags) {}

  /**
   * {@return the bytes of the resident pages of a range}
   *
   * <p>The system joins mappings of neighbours, such as those of the JVM, so that the sums in
   * /proc/self/smaps are of more than the range.
   */
  private static long resident(long address, long bytes) throws IOException {
    long pageBytes = Libc.pageBytes();
    long pages = 0;
    try (FileChannel pagemap = FileChannel.open(Path.of("/proc/self/pagemap"))) {
      for (Mapping mapping : mappings(address, bytes)) {
        long first = Math.max(address, mapping.start()) / pageBytes;
        long last = Math.min(address + bytes, mapping.end()) / pageBytes;
        ByteBuffer entries =
            ByteBuffer.allocate(Math.toIntExact((last - first) * PAGEMAP_ENTRY_BYTES));
        pagemap.read(entries, first * PAGEMAP_ENTRY_BYTES);
        assertThat(entries.hasRemaining()).isFalse();
        LongBuffer all = entries.flip().order(ByteOrder.nativeOrder()).asLongBuffer();
        while (all.hasRemaining()) {
          pages += all.get() >>> PAGE_IS_PRESENT;
        }
      }
    }
    return pages * pageBytes;
  }

  /** {@return the readable mappings that meet a range, in /proc/self/smaps} */
  private static List<Mapping> mappings(long address, long bytes) throws IOException {
    List<Mapping> found = new ArrayList<>();
    long start = 0;
    long end = 0;
    boolean readable = false;
    for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
      if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
        String[] words = line.split("[- ]", 4);
        start = Long.parseUnsignedLong(words[0], 16);
        end = Long.parseUnsignedLong(words[1], 16);
        readable = words[2].startsWith("r");
      } else if (line.startsWith("VmFlags:")
          && start < address + bytes
          && end > address
          && readable) {
        found.add(new Mapping(start, end, line));
      }
    }
    return found;
  }

  private static long statmResident() throws IOException {
    String pages = Files.readString(Path.of("/proc/self/statm")).split(" ", -1)[1];
    return Long.parseLong(pages) * Libc.pageBytes();
  }
}
