package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders with the dumps of several modules. */
class XlaFolderTest {

  private static final String STAGE = ".sm_9.0_gpu_after_optimizations";

  private static final String WITHOUT_TEMPORARIES =
      XlaDump.BUFFERS.substring(0, XlaDump.BUFFERS.indexOf("allocation 2"));

  @TempDir Path folder;

  @BeforeEach
  void writeModules() throws IOException {
    XlaDump.sample("gpt", folder.resolve("module_0001.jit_train_step" + STAGE));
    XlaDump.sample("mlp", folder.resolve("module_0042.jit_predict" + STAGE));
    for (String module : new String[] {"module_0002.jit_add", "module_0003.jit_mul"}) {
      XlaDump.write(
          folder.resolve(module + STAGE),
          WITHOUT_TEMPORARIES,
          "HloLiveRange (max 9):\n  BufferLiveRange:\n    x{}:0-9\n");
    }
    for (String other : new String[] {"before_optimizations.txt", "ptx", "csv", "json"}) {
      Files.writeString(folder.resolve("module_0001.jit_train_step." + other), "no problem");
    }
  }

  @Test
  void plan_ofAFolder_hasARowForEachModule() {
    CommandRun run = CommandRun.of("plan", folder, "--strategy", "OPTIMAL");
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out())
        .isEqualTo(
            """
            %s needs the largest of 2 arenas: 611.000 MiB (640,679,952 bytes).
            Proved optimal: 2 of 2 plans.

            INPUT                  tensors   best arena  over bound  over XLA
              0001.jit_train_step      382  611.000 MiB     optimal    -1.5 %%
              0042.jit_predict          71   48.500 MiB     optimal    +0.0 %%

            2 inputs without tensors.
            """
                .formatted(
                    folder.resolve(
                        "module_0001.jit_train_step" + STAGE + "-buffer-assignment.txt")));
    assertThat(run.err()).isEmpty();
  }

  @Test
  void plan_ofAFolderWithoutTemporaries_countsTheModules() throws IOException {
    Path empty = Files.createDirectory(folder.resolve("empty"));
    for (String name : new String[] {"a", "b"}) {
      XlaDump.write(
          empty.resolve(name),
          WITHOUT_TEMPORARIES,
          "HloLiveRange (max 9):\n  BufferLiveRange:\n    x{}:0-9\n");
    }
    CommandRun run = CommandRun.of("plan", empty);
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out()).isEqualTo("2 inputs without tensors.\n");
  }

  @Test
  void plan_ofModulesWithTheSameName_showsTheirPaths() throws IOException {
    Path first = Files.createDirectory(folder.resolve("first"));
    Path second = Files.createDirectory(folder.resolve("second"));
    Path one = XlaDump.write(first.resolve("m"), XlaDump.BUFFERS, XlaDump.RANGES);
    Path other = XlaDump.write(second.resolve("m"), XlaDump.BUFFERS, XlaDump.RANGES);
    CommandRun run = CommandRun.wide("plan", first, second, "--strategy", "OPTIMAL");
    assertThat(run.out())
        .contains("  " + folder.relativize(one) + " ")
        .contains("  " + folder.relativize(other) + " ");
  }

  @Test
  void plan_ofAFolderWithADamagedModule_plansTheOthers() throws IOException {
    String module = "module_0001.jit_train_step" + STAGE;
    Files.delete(folder.resolve(module + "-live-range.txt"));
    CommandRun run = CommandRun.of("plan", folder, "--strategy", "OPTIMAL");
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.out()).contains("  0042.jit_predict").doesNotContain("0001");
    assertThat(run.err())
        .isEqualTo(
            "stowage: "
                + folder
                + "/"
                + module
                + "-buffer-assignment.txt: needs the file "
                + module
                + "-live-range.txt beside it, which XLA writes to the same folder\n");
  }

  @Test
  void plan_ofAFolderForPrograms_hasAnAnswerForEachModule() throws IOException {
    CommandRun json = CommandRun.of("plan", folder, "--format", "json", "--strategy", "OPTIMAL");
    assertThat(json.out().lines()).hasSize(4);
    Path page = folder.resolve("plans.html");
    CommandRun html = CommandRun.of("plan", folder, "--output", page, "--strategy", "OPTIMAL");
    assertThat(html.exitCode()).as(html.err()).isEqualTo(ExitCode.DONE);
    assertThat(Files.readString(page)).contains("<h1>Plans</h1>");
  }

  @Test
  void plan_ofAFolderOfModels_comparesThem() throws IOException {
    Path models = Files.createDirectory(folder.resolve("models"));
    for (String model : new String[] {"mobilenet_v1.tflite", "unet.tflite"}) {
      Files.copy(Path.of("examples").resolve(model), models.resolve(model));
    }
    CommandRun run = CommandRun.of("plan", models, "--strategy", "GREEDY_BY_SIZE");
    assertThat(run.out()).contains("mobilenet_v1").contains("unet");
  }

  @Test
  void plan_ofAFolderWithoutModels_isAnError() throws IOException {
    Path empty = Files.createDirectory(folder.resolve("empty"));
    CommandRun run = CommandRun.of("plan", empty);
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .isEqualTo(
            "stowage: "
                + empty
                + ": is a folder without models, expected .tflite, .onnx or …-buffer-assignment.txt files; name each .csv and .json file\n");
  }
}
