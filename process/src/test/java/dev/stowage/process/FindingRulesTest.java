package dev.stowage.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules on dumps of small size; {@link RemedyTest} has those on processes. */
class FindingRulesTest {

  private static final long MIB = 1L << 20;
  private static final String UNTRACKED = "NMT is disabled\n";
  private static final MemoryFinding.Remedy SAMPLES =
      new MemoryFinding.Remedy(
          "stowage who 7 --every 10s --for 10m", "tells whether they grow", false);
  private static final MemoryFinding.Remedy TRACKING =
      new MemoryFinding.Remedy("-XX:NativeMemoryTracking=summary", "tells their purpose", true);

  private static List<MemoryFinding> findings(Map<String, String> sections, OwnedMemory... parts) {
    ProcessDump dump = new ProcessDump(sections);
    return FindingRules.of(dump, new DumpFigures(dump), List.of(parts));
  }

  private static OwnedMemory part(MemoryOwner owner, long mebibytes) {
    return new OwnedMemory(owner, mebibytes * MIB, false, List.of());
  }

  private static Map<String, String> limited(long heapMebibytes, long limitMebibytes) {
    return Map.of(
        ProcessDump.FLAGS,
        "-XX:CICompilerCount=2 -XX:MaxHeapSize=" + heapMebibytes * MIB + " -XX:+UseG1GC",
        "memory.current",
        "1000\n",
        "memory.max",
        limitMebibytes * MIB + "\n");
  }

  @Test
  void of_aHeapThatFitsIntoTheContainer_findsNothing() {
    assertThat(
            findings(
                limited(600, 1024),
                part(MemoryOwner.JAVA_HEAP, 300),
                part(MemoryOwner.MAPPED_FILES, 400)))
        .isEmpty();
  }

  /** Of 1,024 MiB, 500 MiB are for 400 MiB outside of the heap and their reserve. */
  @Test
  void of_aHeapThatMayExceedTheContainer_findsTheShareForIt() {
    assertThat(
            findings(
                limited(768, 1024),
                part(MemoryOwner.JAVA_HEAP, 300),
                part(MemoryOwner.MAPPED_FILES, 400)))
        .containsExactly(
            new MemoryFinding(
                MemoryOwner.JAVA_HEAP,
                "The heap may grow to 768 MiB. With 400 MiB outside of it, that is 144 MiB more"
                    + " than the limit of the container (1,024 MiB).",
                144 * MIB,
                List.of(
                    new MemoryFinding.Remedy("-XX:MaxRAMPercentage=51", "without -Xmx", true))));
  }

  @Test
  void of_aContainerWithoutRoomForAHeap_findsALargerLimit() {
    assertThat(
            findings(
                limited(100, 400),
                part(MemoryOwner.JAVA_HEAP, 10),
                part(MemoryOwner.MAPPED_FILES, 390)))
        .flatExtracting(MemoryFinding::remedies)
        .containsExactly(
            new MemoryFinding.Remedy("a limit of 520 MiB", "for the container, and -Xmx32m", true));
  }

  @Test
  void of_freeMemoryOfAnAllocator_findsItsTrim() {
    assertThat(
            findings(
                Map.of(
                    ProcessDump.BEANS,
                    "0 0 direct buffers\n209715200 104857600 allocator my requests\n"),
                part(MemoryOwner.STOWAGE, 200)))
        .containsExactly(
            new MemoryFinding(
                MemoryOwner.STOWAGE,
                "The allocator 'my requests' holds 100 MiB that are not in use.",
                100 * MIB,
                List.of(
                    new MemoryFinding.Remedy(
                        "trim()", "of the allocator, or its operation by JMX", false))));
  }

  /** The virtual machine would not make a heap of 20 % of 300 MiB. */
  @Test
  void of_aSmallContainer_findsASizeInsteadOfAShare() {
    assertThat(
            findings(
                limited(600, 300),
                part(MemoryOwner.JAVA_HEAP, 10),
                part(MemoryOwner.MAPPED_FILES, 190)))
        .flatExtracting(MemoryFinding::remedies)
        .containsExactly(new MemoryFinding.Remedy("-Xmx62m", "", true));
  }

  /** {@return the sections of a virtual machine, with more sections and their texts} */
  private static Map<String, String> vm(String... more) {
    Map<String, String> sections = new HashMap<>();
    sections.put(ProcessDump.STATUS, "Name:\tjava\nPid:\t7\n");
    sections.put(ProcessDump.FLAGS, "-XX:+UseG1GC -XX:MaxDirectMemorySize=999999999");
    for (int i = 0; i < more.length; i += 2) {
      sections.put(more[i], more[i + 1]);
    }
    return sections;
  }

  private static String nativeHeap(long inUse, long free) {
    return String.format(
        Locale.ROOT,
        """
        <heap nr="0">
        </heap>
        <total type="rest" count="1" size="%d"/>
        <system type="current" size="%d"/>
        """,
        free * MIB,
        (inUse + free) * MIB);
  }

  private static String tracked(String category, long mebibytes) {
    return String.format(
        Locale.ROOT,
        "- %s (reserved=1KB, committed=1KB)\n  (malloc=%dKB #1)\n",
        category,
        mebibytes << 10);
  }

  @Test
  void of_requestsWithoutTracking_findsWaysToTheirPurpose() {
    Map<String, String> sections =
        vm(ProcessDump.MAP, UNTRACKED, ProcessDump.NATIVE_HEAP, nativeHeap(70, 10));

    assertThat(
            findings(
                sections,
                part(MemoryOwner.C_HEAP, 80),
                part(MemoryOwner.LARGE_BLOCKS, 20),
                part(MemoryOwner.LIBRARIES, 100)))
        .containsExactly(
            new MemoryFinding(
                MemoryOwner.C_HEAP,
                "Requests to the C library have 90 MiB. They can be of direct buffers, arenas of the"
                    + " FFM API, the virtual machine or native libraries.",
                0,
                List.of(SAMPLES, TRACKING)));
  }

  /** Settings for the next start are left. */
  @Test
  void of_aProcessThatHasEnded_findsNoCommandForIt() {
    Map<String, String> sections =
        vm(ProcessDump.MAP, UNTRACKED, ProcessDump.NATIVE_HEAP, nativeHeap(100, 0));
    ProcessDump dump = new ProcessDump(sections).ended();

    assertThat(FindingRules.of(dump, new DumpFigures(dump), List.of(part(MemoryOwner.C_HEAP, 100))))
        .flatExtracting(MemoryFinding::remedies)
        .containsExactly(TRACKING);
    String mappings = "== smaps\n1-2 r--p 0 0 0 x\nRss: 4 kB\n";
    assertThat(ProcessDump.parse(dump.text() + mappings).hasEnded()).isTrue();
  }

  /** 64 MiB are too few, and so is a quarter of the resident bytes. */
  @ParameterizedTest
  @CsvSource({"64, 64, 0", "65, 64, 1", "100, 300, 0", "101, 300, 1"})
  void of_requests_findsThoseOfAQuarterAndMore(long requests, long others, int count) {
    Map<String, String> sections =
        vm(ProcessDump.MAP, UNTRACKED, ProcessDump.NATIVE_HEAP, nativeHeap(requests, 0));

    assertThat(
            findings(
                sections, part(MemoryOwner.C_HEAP, requests), part(MemoryOwner.LIBRARIES, others)))
        .hasSize(count);
  }

  @Test
  void of_requestsThatTrackingCounts_findsTheOthersOnly() {
    Map<String, String> sections =
        vm(
            ProcessDump.NATIVE_HEAP,
            nativeHeap(200, 0),
            ProcessDump.TRACKING,
            tracked("Other", 20) + tracked("Compiler", 10));

    assertThat(findings(sections, part(MemoryOwner.C_HEAP, 200)))
        .containsExactly(
            new MemoryFinding(
                MemoryOwner.C_HEAP,
                "Requests to the C library have 200 MiB. Native Memory Tracking counts 30 MiB of them. The"
                    + " others can be of native libraries.",
                0,
                List.of(SAMPLES)));
    sections.put(ProcessDump.TRACKING, tracked("Other", 190));
    assertThat(findings(sections, part(MemoryOwner.C_HEAP, 200))).isEmpty();
  }

  /** The process itself tells its direct buffers. */
  @Test
  void of_requestsOfTheOwnProcess_doesNotFindDirectBuffers() {
    Map<String, String> sections =
        vm(
            ProcessDump.MAP,
            UNTRACKED,
            ProcessDump.NATIVE_HEAP,
            nativeHeap(200, 0),
            ProcessDump.BEANS,
            "10485760 0 direct buffers\n");

    assertThat(findings(sections, part(MemoryOwner.C_HEAP, 200)))
        .extracting(MemoryFinding::sentence)
        .containsExactly(
            "Requests to the C library have 200 MiB. Direct buffers have 10 MiB of them. The others can be of"
                + " arenas of the FFM API, the virtual machine or native libraries.");
  }

  /** A virtual machine before JDK 24. */
  @Test
  void of_mappingsThatAreNotListed_findsTheVersionThatListsThem() {
    assertThat(findings(vm(), part(MemoryOwner.NOT_ATTRIBUTED, 130), part(MemoryOwner.C_HEAP, 70)))
        .containsExactly(
            new MemoryFinding(
                MemoryOwner.C_HEAP,
                "70 MiB are in the C heap, in use or free. They can be of direct buffers, arenas of the"
                    + " FFM API, the virtual machine or native libraries.",
                0,
                List.of(SAMPLES, TRACKING)),
            new MemoryFinding(
                MemoryOwner.NOT_ATTRIBUTED,
                "130 MiB are not attributed. They can be of large requests to the C library, tables"
                    + " of the collector or native libraries.",
                0,
                List.of(
                    SAMPLES,
                    TRACKING,
                    new MemoryFinding.Remedy(
                        "JDK 24 or newer", "which lists its mappings", true))));
  }

  @Test
  void of_mappingsThatAreNotListed_subtractsCountedRequests() {
    Map<String, String> sections = vm(ProcessDump.TRACKING, tracked("Other", 190));

    assertThat(
            findings(sections, part(MemoryOwner.NOT_ATTRIBUTED, 190), part(MemoryOwner.C_HEAP, 10)))
        .isEmpty();
  }

  /** The owner of other processes' memory is the concern of their own tools. */
  @Test
  void of_aProcessWithoutAVirtualMachine_findsNothing() {
    assertThat(findings(Map.of(), part(MemoryOwner.C_HEAP, 200))).isEmpty();
  }
}
