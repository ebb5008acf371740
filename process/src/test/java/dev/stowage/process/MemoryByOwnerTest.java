package dev.stowage.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Processes with one owner of 200 MiB, and others. */
class MemoryByOwnerTest {

  private static final long CULPRIT_BYTES = 200L << 20;

  @BeforeEach
  void needsLinux() {
    assumeTrue(Files.exists(Path.of("/proc/self/smaps")), "needs Linux (/proc/self/smaps)");
  }

  /** {@return the memory at a moment in which the process does not change it} */
  private static MemoryByOwner quiet(RunningCulprit process) throws IOException {
    MemoryByOwner memory = MemoryByOwner.of(process.pid());
    for (int i = 0; i < 50 && memory.residentBytes() != process.kernelBytes(); i++) {
      memory = MemoryByOwner.of(process.pid());
    }
    assertThat(memory.residentBytes()).isEqualTo(process.kernelBytes());
    return memory;
  }

  private void check(String program, MemoryOwner owner, List<String> options, int percent)
      throws IOException {
    try (RunningCulprit process = RunningCulprit.start(program, options)) {
      MemoryByOwner memory = quiet(process);
      OwnedMemory first = memory.parts().getFirst();
      assertThat(first.owner()).as(memory.parts().toString()).isEqualTo(owner);
      assertThat(first.bytes())
          .as(memory.parts().toString())
          .isGreaterThan(CULPRIT_BYTES / 100 * leastPercent(owner));
      long unknown =
          memory.parts().stream()
              .filter(part -> part.owner() == MemoryOwner.NOT_ATTRIBUTED)
              .mapToLong(OwnedMemory::bytes)
              .sum();
      assertThat(unknown)
          .as(memory.parts().toString())
          .isLessThanOrEqualTo(memory.residentBytes() / 100 * percent);
    }
  }

  /** The kernel may merge a large block and a table of G1, and the table may not be resident. */
  private static int leastPercent(MemoryOwner owner) {
    return owner == MemoryOwner.LARGE_BLOCKS ? 90 : 98;
  }

  @ParameterizedTest
  @CsvSource({
    "direct, LARGE_BLOCKS",
    "arenas, LARGE_BLOCKS",
    "small, C_HEAP",
    "files, MAPPED_FILES",
    "garbage, JAVA_HEAP",
    "threads, C_HEAP",
  })
  void of_aProcessWithOneCulprit_namesItFirst(String program, MemoryOwner owner)
      throws IOException {
    check(program, owner, List.of("-XX:NativeMemoryTracking=summary"), 3);
  }

  @Tag("full")
  @ParameterizedTest
  @CsvSource({
    "-XX:+UseG1GC, -XX:NativeMemoryTracking=off, 10",
    "-XX:+UseZGC, -XX:NativeMemoryTracking=off, 10",
    "-XX:+UseZGC, -XX:NativeMemoryTracking=summary, 3",
    "-XX:+UseSerialGC, -XX:NativeMemoryTracking=off, 10",
    "-XX:+UseSerialGC, -XX:NativeMemoryTracking=summary, 3",
  })
  void of_anyCollector_namesTheCulpritFirst(String collector, String tracking, int percent)
      throws IOException {
    List<String> options = List.of(collector, tracking);
    check("direct", MemoryOwner.LARGE_BLOCKS, options, percent);
    check("arenas", MemoryOwner.LARGE_BLOCKS, options, percent);
    check("small", MemoryOwner.C_HEAP, options, percent);
    check("files", MemoryOwner.MAPPED_FILES, options, percent);
    check("garbage", MemoryOwner.JAVA_HEAP, options, percent);
    check("threads", MemoryOwner.C_HEAP, options, percent);
  }

  /** A collection after the figures finds the garbage, and the heap keeps its pages. */
  @Test
  void ofCollected_aHeapOfGarbage_tellsLiveObjectsFromGarbage() throws IOException {
    try (RunningCulprit process = RunningCulprit.start("garbage", List.of())) {
      MemoryByOwner memory =
          new MemoryByOwner(ProcessDump.ofCollected(process.pid(), AttachedVm.WORK_LIMIT));
      List<OwnedMemory.Detail> heap = memory.parts().getFirst().details();
      assertThat(heap)
          .extracting(OwnedMemory.Detail::name)
          .containsExactly("live objects", "garbage", "free");
      assertThat(heap.get(0).bytes()).isLessThan(CULPRIT_BYTES / 10);
      assertThat(heap.get(1).bytes()).isGreaterThan(CULPRIT_BYTES / 10 * 9);
    }
  }

  /** Released memory of 64 threads is free, and whole pages of it can return to the system. */
  @Test
  void of_arenasOfReleasedMemory_tellsWhatATrimReturns() throws IOException {
    try (RunningCulprit process = RunningCulprit.start("threads", List.of())) {
      OwnedMemory before = heapOf(MemoryByOwner.of(process.pid()));
      MemoryFinding finding = MemoryByOwner.of(process.pid()).findings().getFirst();
      assertThat(finding.owner()).isEqualTo(MemoryOwner.C_HEAP);
      assertThat(NativeTrim.run(process.pid())).isTrue();
      MemoryByOwner after = MemoryByOwner.of(process.pid());
      long returned = before.bytes() - heapOf(after).bytes();
      assertThat(returned).isBetween(finding.bytes() / 10 * 9, finding.bytes() / 10 * 11);
      assertThat(returned).isGreaterThan(CULPRIT_BYTES / 10 * 9);
      assertThat(after.findings()).isEmpty();
    }
  }

  private static OwnedMemory heapOf(MemoryByOwner memory) {
    return memory.parts().stream()
        .filter(part -> part.owner() == MemoryOwner.C_HEAP)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void ofSelf_thisProcess_hasItsHeapAndBuffers() throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(64 << 20);
    MemoryByOwner memory = MemoryByOwner.ofSelf();
    assertThat(memory.pid()).isEqualTo(ProcessHandle.current().pid());
    assertThat(memory.parts())
        .extracting(OwnedMemory::owner)
        .contains(MemoryOwner.JAVA_HEAP, MemoryOwner.CODE_CACHE, MemoryOwner.LIBRARIES);
    assertThat(memory.parts())
        .flatExtracting(OwnedMemory::details)
        .anyMatch(detail ->
            detail.name().equals("direct buffers") && detail.bytes() >= buffer.capacity());
  }

  @Test
  void of_aProcessThatIsNotJava_hasThePartsOfTheKernel() throws IOException {
    Process process = new ProcessBuilder("cat").start();
    try {
      MemoryByOwner memory = MemoryByOwner.of(process.pid());
      assertThat(memory.command()).isNotEmpty();
      assertThat(memory.parts()).isNotEmpty();
      assertThat(memory.notes())
          .containsExactly(
              "the process is not a Java virtual machine, so all figures are from the kernel");
    } finally {
      process.destroy();
    }
  }

  @Test
  void of_aStoppedProcess_asksTheKernelOnly() throws IOException, InterruptedException {
    try (RunningCulprit process = RunningCulprit.start("files", List.of())) {
      assertThat(new ProcessBuilder("sh", "-c", "kill -STOP " + process.pid()).start().waitFor())
          .isZero();
      // The kernel stops the threads one after the other, after kill has ended.
      while (!Files.readString(Path.of("/proc/" + process.pid() + "/status")).contains("T (")) {
        Thread.onSpinWait();
      }
      MemoryByOwner memory = quiet(process);
      assertThat(memory.parts().getFirst().owner()).isEqualTo(MemoryOwner.MAPPED_FILES);
      assertThat(memory.notes())
          .containsExactly(
              "the process is stopped, so all figures are from the kernel; resume it with kill -CONT "
                  + process.pid());
    }
  }

  @Test
  void of_aProcessThatDoesNotExist_throws() {
    assertThatThrownBy(() -> MemoryByOwner.of(Integer.MAX_VALUE))
        .isInstanceOf(NoSuchFileException.class);
  }
}
