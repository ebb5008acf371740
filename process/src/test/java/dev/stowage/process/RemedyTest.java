package dev.stowage.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** Programs with a symptom, and the same programs with the remedy. */
@Tag("full")
class RemedyTest {

  private static final long MIB = 1L << 20;
  private static final List<String> TRACKING = List.of("-XX:NativeMemoryTracking=summary");

  /** The samples after which a remedy that takes effect later has failed. */
  private static final int MOST_SAMPLES = 2000;

  @BeforeEach
  void needsLinux() {
    assumeTrue(Files.exists(Path.of("/proc/self/smaps")), "needs Linux (/proc/self/smaps)");
  }

  private static MemoryFinding finding(RunningCulprit culprit, MemoryOwner owner, String remedy)
      throws IOException {
    List<MemoryFinding> findings =
        new MemoryByOwner(ProcessDump.ofCollected(culprit.pid())).findings();
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

  private static String remedy(MemoryFinding finding, String start) {
    return finding.remedies().stream()
        .map(MemoryFinding.Remedy::setting)
        .filter(text -> text.startsWith(start))
        .findFirst()
        .orElseThrow();
  }

  /** A heap of twice the live objects saves what the finding tells. */
  @Test
  void heapOfGarbage_smallerHeap_savesTheBytesOfTheFinding() throws IOException {
    MemoryFinding finding;
    long before;
    try (RunningCulprit culprit = RunningCulprit.start("litter", TRACKING)) {
      finding = finding(culprit, MemoryOwner.JAVA_HEAP, "-Xms");
      before = culprit.bytes(MemoryOwner.JAVA_HEAP);
    }
    List<String> smaller = List.of(remedy(finding, "-Xms").split(" ", -1));
    try (RunningCulprit culprit = RunningCulprit.start("litter", smaller)) {
      long saved = before - culprit.bytes(MemoryOwner.JAVA_HEAP);
      assertThat(saved).isGreaterThan(100 * MIB).isGreaterThanOrEqualTo(finding.bytes() / 10 * 9);
    }
  }

  /** The collector returns the pages of a heap that is not used. */
  @Test
  void freeHeap_periodicCollection_returnsPages() throws IOException {
    try (RunningCulprit culprit = RunningCulprit.start("collected", TRACKING)) {
      assertThat(culprit.bytes(MemoryOwner.JAVA_HEAP)).isGreaterThan(100 * MIB);
      withRemedy(
          MemoryByOwner.of(culprit.pid()).findings(),
          MemoryOwner.JAVA_HEAP,
          "-XX:G1PeriodicGCInterval=60000");
    }
    List<String> periodic = List.of("-Xms8m", "-XX:G1PeriodicGCInterval=100");
    try (RunningCulprit culprit = RunningCulprit.start("litter", periodic)) {
      assertThat(culprit.falls(MemoryOwner.JAVA_HEAP, 60 * MIB, MOST_SAMPLES)).isTrue();
    }
  }

  /** Buffers without references wait for a collection, which a limit brings earlier. */
  @Test
  void droppedBuffers_limitOfDirectMemory_boundsThem() throws IOException {
    MemoryFinding finding;
    try (RunningCulprit culprit = RunningCulprit.start("drops", TRACKING)) {
      assertThat(culprit.bytes(MemoryOwner.LARGE_BLOCKS)).isGreaterThan(150 * MIB);
      finding = finding(culprit, MemoryOwner.LARGE_BLOCKS, "-XX:MaxDirectMemorySize=");
      assertThat(finding.bytes()).isGreaterThan(150 * MIB);
    }
    List<String> limited =
        List.of(TRACKING.getFirst(), remedy(finding, "-XX:MaxDirectMemorySize="));
    try (RunningCulprit culprit = RunningCulprit.start("drops", limited)) {
      assertThat(culprit.bytes(MemoryOwner.LARGE_BLOCKS)).isLessThan(40 * MIB);
    }
  }

  /** Threads that take turns need one arena, but the C library gives each its own. */
  @Test
  void arenasOfThreads_twoArenas_needLess() throws IOException {
    long before;
    try (RunningCulprit culprit = RunningCulprit.start("turns", TRACKING)) {
      before = culprit.bytes(MemoryOwner.C_HEAP);
      withRemedy(
          MemoryByOwner.of(culprit.pid()).findings(), MemoryOwner.C_HEAP, "MALLOC_ARENA_MAX=2");
    }
    try (RunningCulprit culprit =
        RunningCulprit.start("turns", TRACKING, Map.of("MALLOC_ARENA_MAX", "2"))) {
      assertThat(culprit.bytes(MemoryOwner.C_HEAP)).isLessThan(before / 2);
    }
  }

  @Test
  void arenasOfThreads_periodicTrim_returnsPages() throws IOException {
    try (RunningCulprit culprit = RunningCulprit.start("threads", TRACKING)) {
      withRemedy(
          MemoryByOwner.of(culprit.pid()).findings(),
          MemoryOwner.C_HEAP,
          "-XX:TrimNativeHeapInterval=60000");
    }
    List<String> trimmed = List.of("-XX:TrimNativeHeapInterval=100");
    try (RunningCulprit culprit = RunningCulprit.start("threads", trimmed)) {
      assertThat(culprit.falls(MemoryOwner.C_HEAP, 40 * MIB, MOST_SAMPLES)).isTrue();
    }
  }

  /** In a container, the kernel ends a process whose heap grows beyond the limit. */
  @Test
  void heapBeyondTheContainer_shareForTheHeap_isNotKilled() throws IOException {
    Path group = newGroup(500 * MIB);
    try {
      MemoryFinding finding;
      try (RunningCulprit culprit =
          RunningCulprit.startIn(group, "full", List.of("-Xms8m", "-Xmx450m"))) {
        finding =
            withRemedy(
                MemoryByOwner.of(culprit.pid()).findings(),
                MemoryOwner.JAVA_HEAP,
                "-XX:MaxRAMPercentage=");
        assertThat(culprit.goOn()).isEmpty();
      }
      String share = remedy(finding, "-XX:MaxRAMPercentage=") + ".0";
      // The default is the size of the heap, which would be too small for the buffers.
      String direct = remedy(finding, "-XX:MaxDirectMemorySize=");
      try (RunningCulprit culprit =
          RunningCulprit.startIn(group, "full", List.of("-Xms8m", share, direct))) {
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
