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
            new MemoryFinding.Remedy("-Xmx32m", "and a limit of 520 MiB for the container", true));
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
                MemoryOwner.NOT_ATTRIBUTED,
                "130 MiB are not attributed. They can be of large requests to the C library, tables"
                    + " of the collector or native libraries.",
                0,
                List.of(
                    SAMPLES,
                    TRACKING,
                    new MemoryFinding.Remedy("JDK 24 or newer", "which lists its mappings", true))),
            new MemoryFinding(
                MemoryOwner.C_HEAP,
                "70 MiB are in the C heap, in use or free. They can be of direct buffers, arenas of the"
                    + " FFM API, the virtual machine or native libraries.",
                0,
                List.of(SAMPLES, TRACKING)));
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

  private static Map<String, String> engine(String... more) {
    Map<String, String> sections = vm(more);
    sections.put(
        ProcessDump.SMAPS,
        "7f0000000000-7f0000100000 r-xp 0 00:00 0 /tmp/a/libonnxruntime.so\nSize: 4 kB\nRss: 4 kB\n");
    return sections;
  }

  /** Direct buffers have 37 of 482 MiB, for which a limit is no remedy. */
  @Test
  void of_aServiceWithOnnxRuntime_namesTheEngineOnly() {
    Map<String, String> sections =
        engine(ProcessDump.TRACKING, tracked("Other", 37), ProcessDump.FLAGS, "-XX:+UseG1GC");

    List<MemoryFinding> findings =
        findings(sections, part(MemoryOwner.LARGE_BLOCKS, 302), part(MemoryOwner.LIBRARIES, 180));
    assertThat(findings)
        .extracting(MemoryFinding::sentence)
        .containsExactly(
            "ONNX Runtime is loaded, and its arenas keep the memory of the largest request. 265 MiB of"
                + " native memory that Java does not count can be of its models and arenas.");
    assertThat(findings.getFirst().remedies())
        .extracting(MemoryFinding.Remedy::setting)
        .containsExactly(
            "stowage budget model.onnx --remedies",
            "setCPUArenaAllocator(false)",
            "memory.enable_memory_arena_shrinkage=cpu:0",
            "an allocator of Stowage");
  }

  /** The engine concerns 300 MiB, and garbage of direct buffers 100 MiB. */
  @Test
  void of_severalFindings_startsWithTheOneOfTheMostBytes() {
    Map<String, String> sections =
        engine(ProcessDump.TRACKING, tracked("Other", 100), ProcessDump.FLAGS, "-XX:+UseG1GC");

    assertThat(findings(sections, part(MemoryOwner.LARGE_BLOCKS, 400)))
        .extracting(finding -> finding.sentence().substring(0, 12))
        .containsExactly("ONNX Runtime", "Direct buffe");
  }

  /** paketo spring-boot#472: 65,536 bytes were refused. */
  @Test
  void of_aLimitOfDirectBuffersThatIsNearlyUsedUp_findsTheOneThatFits() {
    Map<String, String> sections =
        vm(
            ProcessDump.FLAGS,
            "-XX:+UseG1GC -XX:MaxDirectMemorySize=20971520",
            ProcessDump.BEANS,
            "20931426 0 direct buffers\n");

    assertThat(findings(sections, part(MemoryOwner.JAVA_HEAP, 600)))
        .containsExactly(
            new MemoryFinding(
                MemoryOwner.LARGE_BLOCKS,
                "Direct buffers and arenas have 20 MiB, and the limit of direct buffers is 20 MiB, so"
                    + " that the next request may fail.",
                0,
                List.of(new MemoryFinding.Remedy("-XX:MaxDirectMemorySize=25m", "", true))));
  }

  /** One batch needs twice 12 MiB, and a collection leaves none of them. */
  @Test
  void of_buffersAfterACollection_limitsThemByThoseBefore() {
    Map<String, String> sections =
        vm(
            ProcessDump.FLAGS,
            "-XX:+UseG1GC",
            ProcessDump.TRACKING,
            tracked("Other", 24),
            ProcessDump.COLLECTED_TRACKING,
            tracked("Other", 0));

    assertThat(findings(sections, part(MemoryOwner.LARGE_BLOCKS, 24)))
        .flatExtracting(MemoryFinding::remedies)
        .containsExactly(
            new MemoryFinding.Remedy("stowage who 7 --every 1s --for 10m", "finds the peak", false),
            new MemoryFinding.Remedy("-XX:MaxDirectMemorySize=30m", "", true));
  }

  /** vcell#1899: 36 MiB are live, and 1,600 MiB and those outside of the heap exceed 2,000 MiB. */
  @Test
  void of_aHeapOfGarbageInAContainer_startsWithTheShareThatFits() {
    Map<String, String> sections = new HashMap<>(limited(1600, 2000));
    sections.put(ProcessDump.HEAP, " garbage-first heap   total 1233920K, used 756736K [0x1\n");
    sections.put(
        ProcessDump.COLLECTED_HEAP, " garbage-first heap   total 126976K, used 36864K [0x1\n");

    List<MemoryFinding> findings =
        findings(sections, part(MemoryOwner.JAVA_HEAP, 1205), part(MemoryOwner.MAPPED_FILES, 700));
    assertThat(findings.getFirst().sentence())
        .isEqualTo(
            "The heap may grow to 1,600 MiB. With 700 MiB outside of it, that is 300 MiB more than the"
                + " limit of the container (2,000 MiB).");
    assertThat(findings.getFirst().remedies().getFirst().setting())
        .isEqualTo("-XX:MaxRAMPercentage=56");
  }

  /** monitee-agent#272: 675 MB, of which a trim returned 160 MB. */
  @Test
  void of_freePagesOfTheCLibrary_findsTrimsArenasAndAnotherAllocator() {
    List<MemoryFinding> findings =
        findings(
            vm(ProcessDump.NATIVE_HEAP, trimmed(160)),
            part(MemoryOwner.C_HEAP, 400),
            part(MemoryOwner.JAVA_HEAP, 275));

    assertThat(findings.getFirst().remedies())
        .extracting(MemoryFinding.Remedy::setting)
        .containsExactly(
            "stowage who 7 --trim",
            "-XX:TrimNativeHeapInterval=60000",
            "MALLOC_ARENA_MAX=2",
            "LD_PRELOAD=libjemalloc.so.2");
  }

  private static String trimmed(long mebibytes) {
    return String.format(
        Locale.ROOT,
        """
        <heap nr="0">
        <size from="1048577" to="2097152" total="%d" count="1"/>
        </heap>
        <total type="rest" count="1" size="%d"/>
        <system type="current" size="%d"/>
        """,
        mebibytes * MIB,
        mebibytes * MIB,
        400 * MIB);
  }
}
