package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code stowage plan --runtime tflm --baseline}: the arena of the firmware is compared, too. */
class PlanCommandBaselineMicroTest {

  private static final Path MODEL = Path.of("examples/tflm/detector.tflite");

  @TempDir private Path folder;
  private Path baseline;

  @BeforeEach
  void record() {
    baseline = folder.resolve("memory.json");
    assertThat(plan("--update-baseline").exitCode()).isZero();
  }

  private CommandRun plan(String... options) {
    Object[] all = {
      "plan", MODEL, "--runtime", "tflm", "--kind", "offsets", "--baseline", baseline
    };
    return CommandRun.of(Stream.concat(Stream.of(all), Stream.of(options)).toArray());
  }

  private void replace(String pattern, String changed) throws IOException {
    String text = Files.readString(baseline);
    String edited = text.replaceAll(pattern, changed);
    assertThat(edited).isNotEqualTo(text);
    Files.writeString(baseline, edited);
  }

  @Test
  void unchanged_exitsWithZero() throws IOException {
    assertThat(baseline)
        .content()
        .contains("\"arena_bytes\": 32800", "\"best_arena_bytes\": 29344");
    assertThat(plan().exitCode()).isZero();
  }

  /** The head is the same; only the tail is larger. */
  @Test
  void largerArena_exits5() throws IOException {
    replace("\"arena_bytes\": 32800", "\"arena_bytes\": 32784");
    replace("\"best_arena_bytes\": 29344", "\"best_arena_bytes\": 29328");

    CommandRun run = plan();

    assertThat(run.exitCode()).isEqualTo(ExitCode.WORSE);
    assertThat(run.err())
        .contains(
            ": arena_bytes is 32,800, 16 more (<0.1 %), expected at most 32,784\n",
            ": best_arena_bytes is 29,344, 16 more (+0.1 %), expected at most 29,328\n");
  }

  @Test
  void olderBaselineWithoutTheArena_isNotComparable() throws IOException {
    replace(" *\"(best_)?arena_bytes\": \\d+,\n", "");

    CommandRun run = plan();

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .contains("the figures are arena_bytes, best_arena_bytes", "--update-baseline\n");
  }
}
