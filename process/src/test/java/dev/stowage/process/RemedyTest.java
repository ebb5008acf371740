package dev.stowage.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.opentest4j.TestAbortedException;

/** Programs with a symptom, and the same programs with the remedy. */
@Tag("full")
class RemedyTest {

  private static final long MIB = 1L << 20;
  private static final String TRACKING = "-XX:NativeMemoryTracking=summary";

  /** Heaps whose first size is an option, which holds also for a remedy, and one without. */
  private static final String FIXED = "-Xms600m -Xmx600m";

  private static final String GROWING = "-XX:InitialHeapSize=600m -XX:MinHeapSize=8m -Xmx600m";

  /** The samples after which a remedy that takes effect later has failed. */
  private static final int MOST_SAMPLES = 2000;

  @BeforeEach
  void needsLinux() {
    assumeTrue(Files.exists(Path.of("/proc/self/smaps")), "needs Linux (/proc/self/smaps)");
  }

  private static MemoryFinding finding(RunningCulprit culprit, MemoryOwner owner, String remedy)
      throws IOException {
    List<MemoryFinding> findings =
        new MemoryByOwner(ProcessDump.ofCollected(culprit.pid(), AttachedVm.WORK_LIMIT)).findings();
    return withRemedy(findings, owner, remedy);
  }

  private static MemoryFinding withRemedy(
      List<MemoryFinding> findings, MemoryOwner owner, String remedy) {
    assertThat(findings)
        .anyMatch(finding ->
            finding.owner() == owner
                && finding.remedies().stream().anyMatch(each -> each.setting().startsWith(remedy)));
    return findings.stream().filter(each -> each.owner() == owner).findFirst().orElseThrow();
  }

  private static List<String> words(String options) {
    return List.of(options.split(" ", -1));
  }

  private static List<String> tracked(String heap) {
    return words(heap + " " + TRACKING);
  }

  /**
   * {@return the options of a process with the setting of a remedy behind them, as in a script}
   *
   * @param start the start of the setting
   */
  private static List<String> applied(String options, MemoryFinding finding, String start) {
    MemoryFinding.Remedy remedy =
        finding.remedies().stream()
            .filter(each -> each.setting().startsWith(start))
            .findFirst()
            .orElseThrow();
    List<String> applied = new ArrayList<>(words(options));
    if (remedy.advice().contains("without -Xmx")) {
      applied.removeIf(option -> option.startsWith("-Xmx"));
    }
    applied.addAll(words(remedy.setting().replace("=60000", "=100")));
    return applied;
  }

  /** A heap of twice the live objects saves what the finding tells. */
  @ParameterizedTest
  @ValueSource(strings = {FIXED, GROWING})
  void heapOfGarbage_smallerHeap_savesTheBytesOfTheFinding(String heap) throws IOException {
    MemoryFinding finding;
    long before;
    try (RunningCulprit culprit = RunningCulprit.start("litter", tracked(heap))) {
      // The collection that finds the garbage may also make the heap smaller.
      before = culprit.bytes(MemoryOwner.JAVA_HEAP);
      finding = finding(culprit, MemoryOwner.JAVA_HEAP, "-Xms");
    }
    try (RunningCulprit culprit = RunningCulprit.start("litter", applied(heap, finding, "-Xms"))) {
      long saved = before - culprit.bytes(MemoryOwner.JAVA_HEAP);
      assertThat(saved).isGreaterThan(100 * MIB).isGreaterThanOrEqualTo(finding.bytes() / 10 * 9);
    }
  }

  /** The collector returns the pages of a heap that is not used. */
  @Test
  void freeHeap_periodicCollection_returnsPages() throws IOException {
    MemoryFinding finding;
    try (RunningCulprit culprit = RunningCulprit.start("collected", tracked(FIXED))) {
      assertThat(culprit.bytes(MemoryOwner.JAVA_HEAP)).isGreaterThan(100 * MIB);
      finding =
          withRemedy(
              MemoryByOwner.of(culprit.pid()).findings(),
              MemoryOwner.JAVA_HEAP,
              "-Xms32m -XX:G1PeriodicGCInterval=60000");
    }
    assertReturnsPages(applied(FIXED, finding, "-Xms32m"));
  }

  /** A heap without -Xms has the free pages of a peak, which are in this dump only. */
  @Test
  void freeHeapWithoutAFirstSize_periodicCollection_returnsPages() throws IOException {
    try (RunningCulprit culprit = RunningCulprit.start("idle", words(GROWING))) {
      List<MemoryFinding> findings =
          findings(
              Map.of(
                  ProcessDump.FLAGS,
                  ProcessDump.of(culprit.pid(), AttachedVm.ANSWER_LIMIT).section(ProcessDump.FLAGS),
                  ProcessDump.HEAP,
                  " garbage-first heap   total 614400K, used 5000K\n"),
              MemoryOwner.JAVA_HEAP,
              500);
      MemoryFinding finding =
          withRemedy(findings, MemoryOwner.JAVA_HEAP, "-XX:G1PeriodicGCInterval=60000");
      assertReturnsPages(applied(GROWING, finding, "-XX:G1Periodic"));
    }
  }

  private static void assertReturnsPages(List<String> options) throws IOException {
    try (RunningCulprit culprit = RunningCulprit.start("litter", options)) {
      assertThat(culprit.falls(MemoryOwner.JAVA_HEAP, 60 * MIB, MOST_SAMPLES)).isTrue();
    }
  }

  private static List<MemoryFinding> findings(
      Map<String, String> sections, MemoryOwner owner, long mebibytes) {
    ProcessDump dump = new ProcessDump(sections);
    return FindingRules.of(
        dump,
        new DumpFigures(dump),
        List.of(new OwnedMemory(owner, mebibytes * MIB, false, List.of())));
  }

  /**
   * Buffers without references wait for a collection. The limit has room for all of them, as a
   * batch may need more than a collection leaves.
   */
  @ParameterizedTest
  @ValueSource(strings = {FIXED, GROWING})
  void droppedBuffers_limitOfDirectMemory_hasRoomForAllOfThem(String heap) throws IOException {
    MemoryFinding finding;
    long before;
    try (RunningCulprit culprit = RunningCulprit.start("drops", tracked(heap))) {
      before = culprit.bytes(MemoryOwner.LARGE_BLOCKS);
      assertThat(culprit.bytes(MemoryOwner.LARGE_BLOCKS)).isGreaterThan(150 * MIB);
      finding = finding(culprit, MemoryOwner.LARGE_BLOCKS, "-XX:MaxDirectMemorySize=");
      assertThat(finding.bytes()).isGreaterThan(150 * MIB);
    }
    List<String> limited = applied(heap + " " + TRACKING, finding, "-XX:MaxDirectMemorySize=");
    try (RunningCulprit culprit = RunningCulprit.start("drops", limited)) {
      assertThat(culprit.bytes(MemoryOwner.LARGE_BLOCKS)).isBetween(before / 2, before / 2 * 3);
    }
  }

  /** Threads that take turns need one arena, but the C library gives each its own. */
  @ParameterizedTest
  @ValueSource(strings = {FIXED, GROWING})
  void arenasOfThreads_twoArenas_needLess(String heap) throws IOException {
    long before;
    try (RunningCulprit culprit = RunningCulprit.start("turns", tracked(heap))) {
      before = culprit.bytes(MemoryOwner.C_HEAP);
      withRemedy(
          MemoryByOwner.of(culprit.pid()).findings(), MemoryOwner.C_HEAP, "MALLOC_ARENA_MAX=2");
    }
    try (RunningCulprit culprit =
        RunningCulprit.start("turns", tracked(heap), Map.of("MALLOC_ARENA_MAX", "2"))) {
      assertThat(culprit.bytes(MemoryOwner.C_HEAP)).isLessThan(before / 2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {FIXED, GROWING})
  void arenasOfThreads_periodicTrim_returnsPages(String heap) throws IOException {
    MemoryFinding finding;
    try (RunningCulprit culprit = RunningCulprit.start("threads", tracked(heap))) {
      finding =
          withRemedy(
              MemoryByOwner.of(culprit.pid()).findings(),
              MemoryOwner.C_HEAP,
              "-XX:TrimNativeHeapInterval=60000");
    }
    try (RunningCulprit culprit =
        RunningCulprit.start("threads", applied(heap, finding, "-XX:TrimNative"))) {
      assertThat(culprit.falls(MemoryOwner.C_HEAP, 40 * MIB, MOST_SAMPLES)).isTrue();
    }
  }

  /**
   * The virtual machine with the remedy has a heap that fits into the container. Its memory takes
   * the place of the container's limit.
   */
  @ParameterizedTest
  @CsvSource({
    "-Xmx900m, 1000, 300",
    "-Xms900m -Xmx900m, 1000, 300",
    "-Xms700m -Xmx900m, 1000, 300",
    "-Xms100m -Xmx900m, 1000, 300",
    "-XX:InitialHeapSize=900m -XX:MaxHeapSize=900m, 1000, 300",
    "-XX:InitialRAMPercentage=90 -XX:MaxRAMPercentage=90, 1000, 300",
    "-Xms2g -Xmx2g, 2200, 250",
    "-Xmx200m, 240, 100",
    "-Xms200m -Xmx200m, 240, 100",
    "-Xmx100m, 400, 390",
    "-Xms100m -Xmx100m, 400, 390"
  })
  void heapBeyondTheContainer_remedy_makesItFit(String heap, long limitMib, long outsideMib)
      throws IOException {
    List<MemoryFinding> findings = findingsInContainer(words(heap), limitMib, outsideMib);
    assertThat(findings).hasSize(1);
    MemoryFinding finding = findings.getFirst();
    MemoryFinding.Remedy remedy = finding.remedies().getFirst();
    Matcher larger =
        Pattern.compile("and a limit of ([0-9,]+) MiB for the container").matcher(remedy.advice());
    long limit = limitMib;
    List<String> options = new ArrayList<>(words(heap));
    if (larger.matches()) {
      limit = Long.parseLong(larger.group(1).replace(",", ""));
      options.addAll(words(remedy.setting()));
    } else {
      options = applied(heap, finding, "-X");
    }
    assertThat(findingsInContainer(options, limit, outsideMib)).as("%s", finding).isEmpty();
  }

  private static List<MemoryFinding> findingsInContainer(
      List<String> heap, long limitMib, long outsideMib) throws IOException {
    List<String> options = new ArrayList<>(heap);
    options.add("-XX:MaxRAM=" + limitMib + "m");
    try (RunningCulprit culprit = RunningCulprit.startExactly("idle", options)) {
      return findings(
          Map.of(
              ProcessDump.FLAGS,
              ProcessDump.of(culprit.pid(), AttachedVm.ANSWER_LIMIT).section(ProcessDump.FLAGS),
              "memory.current",
              "1000\n",
              "memory.max",
              limitMib * MIB + "\n"),
          MemoryOwner.MAPPED_FILES,
          outsideMib);
    }
  }

  /** In a container, the kernel ends a process whose heap grows beyond the limit. */
  @ParameterizedTest
  @ValueSource(strings = {"-Xms8m -Xmx450m", "-Xmx450m", "-Xms450m -Xmx450m"})
  void heapBeyondTheContainer_shareForTheHeap_isNotKilled(String heap) throws IOException {
    Path group = newGroup(500 * MIB);
    try {
      MemoryFinding finding;
      try (RunningCulprit culprit = RunningCulprit.startIn(group, "full", words(heap))) {
        finding =
            withRemedy(MemoryByOwner.of(culprit.pid()).findings(), MemoryOwner.JAVA_HEAP, "-X");
        assertThat(culprit.goOn()).isEmpty();
      }
      // The default of direct memory is the size of the heap, which would be too small for the
      // buffers.
      String applied = String.join(" ", applied(heap, finding, "-X"));
      List<String> both = applied(applied, finding, "-XX:MaxDirectMemorySize=");
      try (RunningCulprit culprit = RunningCulprit.startIn(group, "full", both)) {
        assertThat(culprit.goOn()).contains("ready");
      }
    } finally {
      delete(group);
    }
  }

  private static Path newGroup(long limitBytes) throws IOException {
    for (Path parent : List.of(Path.of("/sys/fs/cgroup/memory"), Path.of("/sys/fs/cgroup"))) {
      if (!Files.isWritable(parent.resolve("cgroup.procs"))) {
        continue;
      }
      Path group = Files.createTempDirectory(parent, "stowage");
      for (String name : List.of("memory.limit_in_bytes", "memory.max")) {
        if (Files.exists(group.resolve(name))) {
          Files.writeString(group.resolve(name), Long.toString(limitBytes));
          return group;
        }
      }
      Files.delete(group);
    }
    throw new TestAbortedException("needs the right to make a control group with a limit");
  }

  /** Deletes a group when its processes have left it. */
  private static void delete(Path group) throws IOException {
    while (!Files.readString(group.resolve("cgroup.procs")).isBlank()) {
      Thread.onSpinWait();
    }
    Files.delete(group);
  }
}
