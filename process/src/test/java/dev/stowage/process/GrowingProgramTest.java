package dev.stowage.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Processes that grow in one way between two samples. */
class GrowingProgramTest {

  private static final String TRACKING = "-XX:NativeMemoryTracking=summary";

  @TempDir private Path folder;

  @BeforeEach
  void needsLinux() {
    assumeTrue(Files.exists(Path.of("/proc/self/smaps")), "needs Linux (/proc/self/smaps)");
  }

  private MemoryGrowth growth(String way, boolean collects, String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx200m", "-XX:+UseSerialGC", "-XX:-UsePerfData"));
    command.addAll(List.of(options));
    command.addAll(
        List.of(
            "-cp",
            Path.of("target/test-classes").toAbsolutePath().toString(),
            GrowingProgram.class.getName(),
            way,
            folder.resolve("mapped").toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(output.readLine()).isEqualTo("ready");
      // The first questions to a virtual machine make it load classes.
      ProcessDump.of(process.pid(), AttachedVm.ANSWER_LIMIT);
      MemorySample before = sample(process, collects);
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
      assertThat(output.readLine()).isEqualTo("grown");
      return new MemoryGrowth(List.of(before, sample(process, collects)));
    } finally {
      process.destroy();
    }
  }

  private static MemorySample sample(Process process, boolean collects) throws IOException {
    return new MemorySample(
        collects
            ? ProcessDump.ofCollected(process.pid(), AttachedVm.WORK_LIMIT)
            : ProcessDump.of(process.pid(), AttachedVm.ANSWER_LIMIT));
  }

  private static void check(GrowthCause cause, MemoryGrowth growth) {
    assertThat(growth.samples()).allMatch(sample -> sample.time().isPresent());
    assertThat(growth.verdicts()).as(growth.parts().toString()).isNotEmpty();
    assertThat(growth.verdicts().getFirst().cause()).as(growth.parts().toString()).isEqualTo(cause);
  }

  @Tag("full")
  @ParameterizedTest
  @CsvSource({
    "fragments, FRAGMENTATION",
    "requests, BUFFERS_OR_ARENAS",
    "direct, BUFFERS_OR_ARENAS",
    "arena, BUFFERS_OR_ARENAS",
    "classes, CLASSES",
    "threads, THREADS",
    "file, FILE_PAGES",
    "objects, OBJECTS",
    "garbage, OBJECTS",
  })
  void verdicts_ofAGrowingProgram_startWithItsCause(String way, GrowthCause cause)
      throws IOException {
    check(cause, growth(way, false, TRACKING));
  }

  @ParameterizedTest
  @CsvSource({"requests, NATIVE_REQUESTS", "direct, NATIVE_REQUESTS"})
  void verdicts_withoutTracking_doNotNameThePurpose(String way, GrowthCause cause)
      throws IOException {
    check(cause, growth(way, false));
  }

  @ParameterizedTest
  @CsvSource({"objects, LIVE_OBJECTS", "garbage, HEAP_SIZE"})
  void verdicts_withCollections_tellObjectsFromGarbage(String way, GrowthCause cause)
      throws IOException {
    check(cause, growth(way, true, TRACKING));
  }

  @Test
  void verdicts_ofAProgramThatWaits_areNone() throws IOException {
    MemoryGrowth growth = growth("nothing", false, TRACKING);

    assertThat(growth.verdicts()).as(growth.parts().toString()).isEmpty();
  }
}
