package dev.stowage.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mappings and their owners. */
class AttributionTest {

  private static final long KIB = 1024;
  private static final long MIB = 1024 * KIB;

  private final StringBuilder smaps = new StringBuilder();

  private void map(long start, long end, String permissions, String path, long residentKib) {
    smaps.append(
        String.format(
            Locale.ROOT,
            "%x-%x %s 00000000 00:00 0                          %s%n"
                + "Size: 4 kB%nRss:                %d kB%nPss: 1 kB%n",
            start,
            end,
            permissions,
            path,
            residentKib));
  }

  private Map<MemoryOwner, OwnedMemory> parts(String... namesAndTexts) {
    Map<String, String> texts = new HashMap<>(Map.of(ProcessDump.SMAPS, smaps.toString()));
    for (int i = 0; i < namesAndTexts.length; i += 2) {
      texts.put(namesAndTexts[i], namesAndTexts[i + 1]);
    }
    List<OwnedMemory> parts = new MemoryByOwner(new ProcessDump(texts)).parts();
    assertThat(parts).isSortedAccordingTo((one, other) -> Long.compare(other.bytes(), one.bytes()));
    return parts.stream().collect(Collectors.toMap(OwnedMemory::owner, part -> part));
  }

  private static OwnedMemory part(Map<MemoryOwner, OwnedMemory> parts, MemoryOwner owner) {
    return Objects.requireNonNull(parts.get(owner), owner.toString());
  }

  @Test
  void parts_ofFiles_areLibrariesFilesAndTheHeap() {
    map(0x1000, 0x2000, "r-xp", "/usr/lib/libm.so.6", 4);
    map(0x2000, 0x3000, "rw-p", "/usr/lib/libm.so.6", 4);
    map(0x3000, 0x9000, "r--s", "/data/index.bin (deleted)", 24);
    map(0x10000, 0x20000, "rw-p", "[heap]", 60);
    map(0x20000, 0x30000, "rw-p", "[stack]", 8);
    map(0x40000000000L, 0x40000100000L, "rw-s", "/memfd:java_heap (deleted)", 512);
    map(0x50000000000L, 0x50000100000L, "rw-s", "/dev/shm/x", 16);

    assertThat(parts().values())
        .extracting(part -> part.owner() + " " + part.bytes() / KIB)
        .containsExactlyInAnyOrder(
            "LIBRARIES 8",
            "MAPPED_FILES 24",
            "C_HEAP 60",
            "THREAD_STACKS 8",
            "JAVA_HEAP 512",
            "SHARED_MEMORY 16");
    assertThat(part(parts(), MemoryOwner.MAPPED_FILES).details())
        .containsExactly(new OwnedMemory.Detail("/data/index.bin (deleted)", 24 * KIB));
  }

  @Test
  void parts_ofAnonymousMappings_areDerivedFromTheirShape() {
    long arena = 0x7f0000000000L;
    map(arena, arena + MIB, "rw-p", "", 700);
    map(arena + MIB, arena + 64 * MIB, "---p", "", 0);
    long guard = 0x7f1000000000L;
    map(guard, guard + 16 * KIB, "---p", "", 0);
    map(guard + 16 * KIB, guard + MIB, "rw-p", "", 100);
    map(0x7f2000000000L, 0x7f2000000000L + 64 * MIB, "rwxp", "", 2048);
    map(0x7f3000001000L, 0x7f3000001000L + 300 * MIB, "rw-p", "", 300 * KIB);

    Map<MemoryOwner, OwnedMemory> parts =
        parts(
            ProcessDump.NATIVE_HEAP,
            """
            <heap nr="0"></heap>
            <heap nr="1"><total type="rest" count="1" size="5"/></heap>
            <total type="fast" count="0" size="0"/>
            <total type="rest" count="63" size="409600"/>
            <total type="mmap" count="34" size="209715200"/>
            <system type="current" size="1048576"/>
            """);
    assertThat(part(parts, MemoryOwner.C_HEAP).bytes()).isEqualTo(700 * KIB);
    assertThat(part(parts, MemoryOwner.C_HEAP).details())
        .containsExactly(
            new OwnedMemory.Detail("in use in 2 arenas", 638976),
            new OwnedMemory.Detail("free, some of it not resident", 409600),
            new OwnedMemory.Detail("free pages that malloc_trim returns", 0));
    assertThat(part(parts, MemoryOwner.THREAD_STACKS).bytes()).isEqualTo(100 * KIB);
    assertThat(part(parts, MemoryOwner.THREAD_STACKS).isEstimate()).isTrue();
    assertThat(part(parts, MemoryOwner.CODE_CACHE).bytes()).isEqualTo(2048 * KIB);
    assertThat(part(parts, MemoryOwner.LARGE_BLOCKS).bytes()).isEqualTo(200 * MIB);
    assertThat(part(parts, MemoryOwner.NOT_ATTRIBUTED).bytes()).isEqualTo(100 * MIB);
  }

  /**
   * The second mapping has 4 MiB of a region, and 4 MiB of a large request, of which 2 are used.
   */
  @Test
  void parts_ofRegionsOfStowage_haveTheirAddresses() {
    map(0x7f1000000000L, 0x7f1000000000L + 8 * MIB, "rw-p", "", 3 * KIB);
    map(0x7f1000000000L + 8 * MIB, 0x7f1000000000L + 64 * MIB, "---p", "", 0);
    map(0x7f2000000000L, 0x7f2000000000L + 8 * MIB, "rw-p", "", 6 * KIB);

    Map<MemoryOwner, OwnedMemory> parts =
        parts(
            ProcessDump.PROPERTIES,
            """
            user.name=x
            dev.stowage.region.7f1000000000=7f1004000000
            dev.stowage.region.7f2000000000=7f2000400000
            """);
    assertThat(part(parts, MemoryOwner.STOWAGE).bytes()).isEqualTo(7 * MIB);
    assertThat(part(parts, MemoryOwner.NOT_ATTRIBUTED).bytes()).isEqualTo(2 * MIB);
    assertThat(part(parts, MemoryOwner.NOT_ATTRIBUTED).details())
        .containsExactly(new OwnedMemory.Detail("7f2000000000-7f2000800000 rw-p", 6 * MIB));
    assertThat(parts).doesNotContainKey(MemoryOwner.C_HEAP);
  }

  /** A library's data that its file does not have, and the heap of another allocator. */
  @Test
  void parts_ofAnotherAllocator_areTheCHeap() {
    map(0x7f2000000000L, 0x7f2000001000L, "rw-p", "/usr/lib/x86_64-linux-gnu/libjemalloc.so.2", 4);
    map(0x7f2000001000L, 0x7f2000003000L, "rw-p", "", 8);
    map(0x7f3000001000L, 0x7f3000001000L + 300 * MIB, "rw-p", "", 300 * KIB);

    Map<MemoryOwner, OwnedMemory> parts = parts();
    assertThat(part(parts, MemoryOwner.LIBRARIES).bytes()).isEqualTo(12 * KIB);
    assertThat(part(parts, MemoryOwner.C_HEAP).isEstimate()).isTrue();
    assertThat(part(parts, MemoryOwner.C_HEAP).details())
        .containsExactly(new OwnedMemory.Detail("heap of jemalloc", 300 * MIB));
  }

  /** Small requests lie in the C heap, beside a smaller part of large blocks. */
  @ParameterizedTest
  @CsvSource({"60, C_HEAP, LARGE_BLOCKS", "1, LARGE_BLOCKS, C_HEAP"})
  void parts_withTracking_detailRequestsWhereMostAre(
      long inUseMib, MemoryOwner with, MemoryOwner without) {
    map(0x1000000, 0x1000000 + 64 * MIB, "rw-p", "[heap]", 64 * KIB);
    map(0x7f3000001000L, 0x7f3000001000L + 2 * MIB, "rw-p", "", 2 * KIB);

    Map<MemoryOwner, OwnedMemory> parts =
        parts(
            ProcessDump.TRACKING,
            "- Other (reserved=1KB, committed=1KB)\n  (malloc=61440KB #1)\n",
            ProcessDump.NATIVE_HEAP,
            String.format(
                Locale.ROOT,
                """
                <heap nr="0">
                </heap>
                <total type="rest" count="1" size="%d"/>
                <total type="mmap" count="1" size="2097152"/>
                <system type="current" size="67108864"/>
                """,
                (64 - inUseMib) * MIB));
    OwnedMemory.Detail requests = new OwnedMemory.Detail(TrackedMemory.BUFFER_PURPOSE, 60 * MIB);
    assertThat(part(parts, with).details()).contains(requests);
    assertThat(part(parts, without).details()).doesNotContain(requests);
  }

  /**
   * Without figures of the C library, requests beyond the C heap lie in mappings without an owner.
   */
  @ParameterizedTest
  @CsvSource({"60, C_HEAP", "65, NOT_ATTRIBUTED"})
  void parts_ofAnOlderVm_detailRequestsWhereTheyFit(long trackedMib, MemoryOwner with) {
    map(0x1000000, 0x1000000 + 64 * MIB, "rw-p", "[heap]", 64 * KIB);
    map(0x7f3000001000L, 0x7f3000001000L + 90 * MIB, "rw-p", "", 90 * KIB);

    Map<MemoryOwner, OwnedMemory> parts =
        parts(
            ProcessDump.TRACKING,
            String.format(
                Locale.ROOT,
                "- Other (reserved=1KB, committed=1KB)\n  (malloc=%dKB #1)\n",
                trackedMib * KIB));
    assertThat(part(parts, with).details())
        .contains(new OwnedMemory.Detail(TrackedMemory.BUFFER_PURPOSE, trackedMib * MIB));
  }

  /** An arena of 64 MiB that is full is one mapping with the next one. */
  @Test
  void parts_ofMergedArenas_areTheCHeap() {
    long arena = 0x7f0000000000L;
    map(arena, arena + 70 * MIB, "rw-p", "", 70 * KIB);
    map(arena + 70 * MIB, arena + 128 * MIB, "---p", "", 0);
    map(arena + 128 * MIB, arena + 129 * MIB, "r-xp", "/usr/lib/x86_64-linux-gnu/libc.so.6", 0);

    OwnedMemory heap = part(parts(), MemoryOwner.C_HEAP);
    assertThat(heap.bytes()).isEqualTo(70 * MIB);
    assertThat(heap.isEstimate()).isTrue();
  }

  /** The heap of a program in Go is in arenas of 64 MiB, too. */
  @ParameterizedTest
  @CsvSource({
    "'', NOT_ATTRIBUTED",
    "/lib/ld-musl-x86_64.so.1, NOT_ATTRIBUTED",
    "/lib/libc.musl-x86_64.so.1, NOT_ATTRIBUTED",
    "/usr/lib64/libc-2.31.so, C_HEAP",
    "/usr/lib/x86_64-linux-gnu/libc.so.6, C_HEAP"
  })
  void parts_ofAnotherHeapInTheShapeOfArenas_areNotTheCHeapForSure(String library, String owner) {
    map(0xc000000000L, 0xc000000000L + 4 * MIB, "rw-p", "", 3 * KIB);
    map(0xc000000000L + 4 * MIB, 0xc000000000L + 64 * MIB, "---p", "", 0);
    if (!library.isEmpty()) {
      map(0x7f0000000000L, 0x7f0000000000L + MIB, "r-xp", library, 100);
    }

    OwnedMemory part = part(parts(), MemoryOwner.valueOf(owner));
    assertThat(part.bytes()).isEqualTo(3 * MIB);
    assertThat(part.isEstimate()).isEqualTo(part.owner() == MemoryOwner.C_HEAP);
  }

  /** A large request whose mapping looks like arenas, of which malloc_info knows only 1 MiB. */
  @Test
  void parts_ofARequestThatLooksLikeAnArena_areLargeBlocks() {
    map(0x7f0000000000L, 0x7f0000000000L + 64 * MIB, "rw-p", "", 64 * KIB);

    Map<MemoryOwner, OwnedMemory> parts =
        parts(
            ProcessDump.NATIVE_HEAP,
            """
            <heap nr="0"></heap>
            <total type="mmap" count="1" size="67104768"/>
            <system type="current" size="1048576"/>
            """);
    assertThat(part(parts, MemoryOwner.C_HEAP).bytes()).isEqualTo(MIB);
    assertThat(part(parts, MemoryOwner.LARGE_BLOCKS).bytes()).isEqualTo(63 * MIB);
  }

  @Test
  void parts_withoutTracking_findTheMetaspace() {
    map(0x52000000L, 0x52100000L, "rw-p", "", 1016);
    map(0x7f6b6c000000L, 0x7f6b6c600000L, "rw-p", "", 5000);
    map(0x7f6b6c800000L, 0x7f6b6cc00000L, "rw-p", "", 400);

    Map<MemoryOwner, OwnedMemory> parts =
        parts(
            ProcessDump.METASPACE,
            """
            Metaspace        used 5766K, committed 6016K, reserved 1114112K
             class space     used 778K, committed 1016K, reserved 1048576K
            """);
    assertThat(part(parts, MemoryOwner.METASPACE).bytes()).isEqualTo(5000 * KIB);
    assertThat(part(parts, MemoryOwner.CLASS_SPACE).bytes()).isEqualTo(1016 * KIB);
    assertThat(part(parts, MemoryOwner.NOT_ATTRIBUTED).bytes()).isEqualTo(400 * KIB);
  }

  @Test
  void arenas_ofTheCLibrary_haveTheirFreeBytes() {
    assertThat(
            NativeHeap.of(
                    """
                    <heap nr="0">
                    <total type="rest" count="2" size="10"/>
                    <system type="current" size="100"/>
                    </heap>
                    <heap nr="1">
                    <total type="fast" count="1" size="5"/>
                    <total type="rest" count="2" size="20"/>
                    <system type="current" size="200"/>
                    </heap>
                    <system type="current" size="300"/>
                    """)
                .orElseThrow()
                .arenas())
        .containsExactly(new MallocArena(0, 100, 10), new MallocArena(1, 200, 25));
  }

  @ParameterizedTest
  @CsvSource({
    "' garbage-first heap   total 262144K, used 3241K [0x00000000e0000000, 0x0000000100000000)'",
    "' def new generation   total 9792K, used 3241K [0x00000000e0000000, 0x00000000e0aa0000)'",
    "' 400M max, 400M soft max, 379M committed, 3241K used'",
    "'ZHeap           used 3241K, capacity 600M, max capacity 600M'",
  })
  void heap_ofAnyVirtualMachine_hasItsUse(String line) {
    String text =
        line + "\n  region size 1024K, used 9K\n Metaspace       used 628K, committed 768K\n";
    assertThat(HeapInfo.objectBytes(text)).hasValue(3241 * KIB);
    assertThat(HeapInfo.metaspaceBytes(text)).isEqualTo(768 * KIB);
  }

  @Test
  void parts_withoutTracking_takeTheAddressesOfHeapAndCode() {
    map(0xe0000000L, 0xe1000000L, "rw-p", "", 16 * KIB);
    map(0x7f0d27ec7000L, 0x7f0d28137000L, "rwxp", "", 100);

    Map<MemoryOwner, OwnedMemory> parts =
        parts(
            ProcessDump.HEAP,
            "garbage-first heap   total reserved 524288K, committed 389120K, used 2927K"
                + " [0x00000000e0000000, 0x0000000100000000)\n region size 1024K, used 9K\n",
            ProcessDump.CODE,
            "CodeHeap 'profiled': size=1Kb\n bounds [0x00007f0d27ec7000, 0x00007f0d28137000,"
                + " 0x00007f0d2f400000]\n");
    assertThat(part(parts, MemoryOwner.JAVA_HEAP).details())
        .containsExactly(
            new OwnedMemory.Detail("objects, live or garbage", 2927 * KIB),
            new OwnedMemory.Detail("free", 16 * MIB - 2927 * KIB));
    assertThat(part(parts, MemoryOwner.CODE_CACHE).isEstimate()).isFalse();
    assertThat(part(parts, MemoryOwner.CODE_CACHE).bytes()).isEqualTo(100 * KIB);
  }

  /** Of the 64 MiB of the mapping, at most 40 MiB are tables of the collector. */
  @Test
  void parts_withTracking_divideMergedMappings() {
    map(0x7f336c000000L, 0x7f3370000000L, "rw-p", "", 32 * KIB);
    map(0x7f3380000000L, 0x7f338c800000L, "rw-p", "", 200 * KIB);

    Map<MemoryOwner, OwnedMemory> parts =
        parts(
            ProcessDump.MAP,
            "0x00007f336c000000-0x00007f3370000000     67108864 rw-p     33554432            0 4K   com"
                + "              GC                                    -\n",
            ProcessDump.TRACKING,
            """
            -                        GC (reserved=47491KB, committed=44851KB)
                                        (malloc=4411KB tag=GC #2069) (at peak)
                                        (mmap: reserved=43080KB, committed=40960KB, at peak)

            -                     Other (reserved=256000KB, committed=256000KB)
                                        (malloc=225280KB tag=Other #25) (at peak)
            """,
            ProcessDump.NATIVE_HEAP,
            "<heap nr=\"0\"></heap><total type=\"mmap\" count=\"34\" size=\"230686720\"/>");
    assertThat(part(parts, MemoryOwner.GC_STRUCTURES).bytes()).isEqualTo(12 * MIB);
    assertThat(part(parts, MemoryOwner.GC_STRUCTURES).isEstimate()).isTrue();
    assertThat(part(parts, MemoryOwner.LARGE_BLOCKS).bytes()).isEqualTo(220 * MIB);
    assertThat(part(parts, MemoryOwner.LARGE_BLOCKS).details())
        .containsExactly(
            new OwnedMemory.Detail("direct buffers and FFM arenas", 220 * MIB),
            new OwnedMemory.Detail("GC of the VM", 4411 * KIB));
    assertThat(parts).doesNotContainKey(MemoryOwner.NOT_ATTRIBUTED);
  }

  @Test
  void parts_ofZgc_doNotTakeMemoryOfTheSameSizeForTheHeap() {
    map(0x40000000L, 0x40000000L + 16 * MIB, "rw-s", "/memfd:java_heap (deleted)", 16 * KIB);
    map(0x7f3000000000L, 0x7f3000000000L + 64 * MIB, "rw-p", "", 64 * KIB);

    Map<MemoryOwner, OwnedMemory> parts =
        parts(
            ProcessDump.TRACKING,
            """
            - Java Heap (reserved=65536KB, committed=16384KB)
              (mmap: reserved=65536KB, committed=16384KB)
            """);
    assertThat(part(parts, MemoryOwner.JAVA_HEAP).bytes()).isEqualTo(16 * MIB);
  }

  /**
   * A virtual machine before JDK 21, in whose memory requests of a library are the largest part.
   */
  @Test
  void parts_ofAnOlderVm_haveTheShapesOfRequestsTablesAndTheHeap() {
    map(0xe0000000L, 0xf0000000L, "rw-p", "", 100 * KIB);
    map(0xf0000000L, 0x100000000L, "---p", "", 0);
    map(0x7f2000000000L, 0x7f2000000000L + 8 * MIB, "rw-p", "", 8 * KIB);
    map(0x7f2000000000L + 8 * MIB, 0x7f2000000000L + 32 * MIB, "---p", "", 0);
    map(0x7f3000001000L, 0x7f3000001000L + 200 * MIB, "rw-p", "", 200 * KIB);
    map(0x7f8000000000L, 0x7f8000100000L, "rw-p", "/jdk/lib/server/libjvm.so", 192);
    map(0x7f8000100000L, 0x7f800015a000L, "rw-p", "", 312);
    map(0x7f9000000000L, 0x7f9000100000L, "r-xp", "/usr/lib/libc.so.6", 100);
    map(0x7f9000100000L, 0x7f9000104000L, "rw-p", "/usr/lib/libc.so.6", 8);
    map(0x7f9000104000L, 0x7f9000204000L, "rw-p", "", 1000);

    Map<MemoryOwner, OwnedMemory> parts =
        parts(
            ProcessDump.TRACKING,
            """
            - Java Heap (reserved=524288KB, committed=262144KB)
              (mmap: reserved=524288KB, committed=262144KB)
            - GC (reserved=32768KB, committed=8192KB)
              (mmap: reserved=32768KB, committed=8192KB)
            """);
    assertThat(part(parts, MemoryOwner.JAVA_HEAP).bytes()).isEqualTo(100 * MIB);
    assertThat(part(parts, MemoryOwner.GC_STRUCTURES).bytes()).isEqualTo(8 * MIB);
    assertThat(part(parts, MemoryOwner.LARGE_BLOCKS).bytes()).isEqualTo(200 * MIB + 1000 * KIB);
    assertThat(part(parts, MemoryOwner.LARGE_BLOCKS).isEstimate()).isTrue();
    assertThat(part(parts, MemoryOwner.OTHER_VM).bytes()).isEqualTo(312 * KIB);
    assertThat(part(parts, MemoryOwner.LIBRARIES).bytes()).isEqualTo(300 * KIB);
    assertThat(parts).doesNotContainKey(MemoryOwner.NOT_ATTRIBUTED);
  }
}
