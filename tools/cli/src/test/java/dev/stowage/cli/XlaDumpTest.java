package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.console.ExitCode;
import dev.stowage.testing.SampleModels;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The temporary memory of programs that XLA compiled, as its dumps have it. */
class XlaDumpTest {

  @TempDir Path folder;

  private Path dump(String buffers, String ranges) throws IOException {
    Files.writeString(folder.resolve("m-live-range.txt"), ranges);
    return Files.writeString(folder.resolve("m-buffer-assignment.txt"), buffers);
  }

  /** {@return a dump of the samples, unpacked} */
  private Path sample(String name) throws IOException {
    for (String file : new String[] {name + "-buffer-assignment.txt", name + "-live-range.txt"}) {
      try (InputStream in =
          new GZIPInputStream(
              Files.newInputStream(SampleModels.folder("gpu/xla").resolve(file + ".gz")))) {
        Files.copy(in, folder.resolve(file));
      }
    }
    return folder.resolve(name + "-buffer-assignment.txt");
  }

  private static JsonNode json(CommandRun run) {
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.DONE);
    return new JsonMapper().readTree(run.out());
  }

  @ParameterizedTest
  @CsvSource({"gpt, 650133008, 640679952, 382", "mlp, 50855936, 50855936, 71"})
  void plan_ofARealDump_isOptimalAndNotWorseThanXla(
      String name, long xlaBytes, long optimalBytes, int records) throws IOException {
    Path file = sample(name);
    CommandRun run = CommandRun.of("plan", file, "--format", "json", "--strategy", "OPTIMAL");
    JsonNode plan = json(run);
    JsonNode best = plan.get("plans").get(0);
    assertThat(plan.get("records").size()).isEqualTo(records);
    assertThat(best.get("total_bytes").asLong()).isEqualTo(optimalBytes);
    assertThat(best.get("optimal").asBoolean()).isTrue();
    assertThat(run.err()).contains("in " + records + " buffers needs " + xlaBytes + " bytes");
  }

  @Test
  void check_ofARealDump_certifiesTheOffsetsOfXla() throws IOException {
    JsonNode check = json(CommandRun.of("check", sample("gpt"), "--format", "json"));
    assertThat(check.get("valid").asBoolean()).isTrue();
    assertThat(check.get("total_bytes").asLong()).isEqualTo(650133008);
  }

  /** The state of a loop has one buffer; its values have live ranges that overlap. */
  @Test
  void plan_valuesThatShareABuffer_areOneRecord() throws IOException {
    Path file =
        dump(
            """
            BufferAssignment:
            allocation 0: size 64, page 0, parameter 0, shape |f32[16]| at ShapeIndex {}:
             value: <1 x @0> (size=64,offset=0): f32[16]{0}
            allocation 1: size 1280, page 0, preallocated-temp:
             value: <2 init @0> (size=1000,offset=0): f32[250]{0}
             value: <3 loop{0} (phi) @0> (size=1000,offset=0): f32[250]{0}
             value: <4 late @0> (size=1000,offset=0): f32[250]{0}
             value: <5 other{1} @0> (size=256,offset=1024): f32[64]{0}
            """,
            """
            HloLiveRange (max 9):
              InstructionSequence:
                0:x
              BufferLiveRange:
                x{}:0-9
                init{}:1-3
                loop{0}:3-6
                late{}:7-9
                other{1}:2-8
            """);
    CommandRun run = CommandRun.of("plan", file, "--format", "json");
    assertThat(json(run).get("records").size()).isEqualTo(3);
    assertThat(run.err()).contains("XLA's own plan of its 4 values in 3 buffers needs 1280 bytes");
  }

  @Test
  void plan_withoutLiveRanges_namesTheMissingFile() throws IOException {
    Path file = Files.writeString(folder.resolve("m-buffer-assignment.txt"), "BufferAssignment:\n");
    CommandRun run = CommandRun.of("plan", file);
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err()).contains("needs the file m-live-range.txt beside it");
  }

  @Test
  void plan_filesOfDifferentModules_isAnError() throws IOException {
    Path file =
        dump(
            """
            allocation 1: size 8, page 0, preallocated-temp:
             value: <2 init @0> (size=8,offset=0): f32[2]{0}
            """,
            """
            HloLiveRange (max 9):
              BufferLiveRange:
                x{}:0-9
            """);
    CommandRun run = CommandRun.of("plan", file);
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err()).contains("value init{}: has no live range");
  }
}
