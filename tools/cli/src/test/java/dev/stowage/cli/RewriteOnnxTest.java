package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Copies of {@code .onnx} models with another order of the operators. */
class RewriteOnnxTest {

  @TempDir Path folder;

  private Path model;

  @BeforeEach
  void writeModel() throws IOException {
    model = Files.write(folder.resolve("in.onnx"), BranchesModel.bytes());
  }

  @Test
  void rewrite_reorder_writesAModelThatNeedsLess() throws IOException {
    Path copy = folder.resolve("out.onnx");

    CommandRun run = CommandRun.of("rewrite", model, "--reorder", "--output", copy);

    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out())
        .startsWith(
            copy
                + " has its operators in another order, with an arena of 808 bytes, 49.6 % less. No plan of any order needs less (proved).\n");
    assertThat(run.err()).isEmpty();
    assertThat(copy).hasSize(Files.size(model));
    JsonNode planned =
        JsonMapper.shared().readTree(CommandRun.of("plan", copy, "--format", "json").out());
    assertThat(planned.get("lower_bounds").get("offsets").longValue()).isEqualTo(808);
    JsonNode again =
        JsonMapper.shared()
            .readTree(
                CommandRun.of(
                        "rewrite",
                        copy,
                        "--reorder",
                        "--output",
                        folder.resolve("again.onnx"),
                        "--format",
                        "json")
                    .out());
    assertThat(again.get("reordered").booleanValue()).isFalse();
    assertThat(again.get("optimal").booleanValue()).isTrue();
    assertThat(again.get("file_bytes").longValue()).isEqualTo(808);
    assertThat(again.get("head_bytes").longValue()).isEqualTo(808);
    assertThat(folder.resolve("again.onnx")).hasSameBinaryContentAs(copy);
  }

  @Test
  void rewrite_optionsOfTheOtherFormat_exit2() {
    Path copy = folder.resolve("out.onnx");
    assertThat(CommandRun.of("rewrite", model, "--output", copy).err())
        .startsWith(
            "stowage: an .onnx model can only be rewritten in another order; add --reorder");
    assertThat(CommandRun.of("rewrite", model, "--output", copy, "--reorder", "--force").err())
        .startsWith("stowage: --force has no effect on .onnx models; omit it");
    assertThat(
            CommandRun.of(
                    "rewrite",
                    "examples/unet.tflite",
                    "--output",
                    folder.resolve("out.tflite"),
                    "--dim",
                    "batch=1")
                .err())
        .startsWith("stowage: --dim has no effect on .tflite models; omit it");
    assertThat(
            CommandRun.of("rewrite", model, "--output", copy, "--reorder", "--dim", "n=1..2").err())
        .startsWith("stowage: --reorder needs one shape, but dimensions have ranges");
    assertThat(CommandRun.of("rewrite", model, "--output", model, "--reorder").err())
        .startsWith("stowage: --output is '" + model + "', which is the input; use another name");
    assertThat(copy).doesNotExist();
  }

  @Test
  void rewrite_damagedModel_exits3WithoutAFile() throws IOException {
    byte[] bytes = BranchesModel.bytes();
    bytes[5] = 127;
    Files.write(model, bytes);
    CommandRun run =
        CommandRun.of("rewrite", model, "--reorder", "--output", folder.resolve("out.onnx"));
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(files()).containsExactly("in.onnx");
  }

  @Test
  void rewrite_weightsInAnotherFile_areThoseOfTheCopyInTheSameFolder() throws IOException {
    Files.write(model, BranchesModel.withWeights("data/w.bin"));
    Files.createDirectory(folder.resolve("data"));
    Files.write(folder.resolve("data/w.bin"), new byte[] {1, 2, 3, 4});
    Path copy = folder.resolve("out.onnx");

    CommandRun run = CommandRun.of("rewrite", model, "--reorder", "--output", copy);

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.DONE);
    assertThat(CommandRun.of("verify", copy).exitCode()).isEqualTo(ExitCode.DONE);
  }

  @Test
  void rewrite_weightsInAnotherFileAndCopyInAnotherFolder_exits3() throws IOException {
    Files.write(model, BranchesModel.withWeights("w.bin"));
    Files.write(folder.resolve("w.bin"), new byte[] {1, 2, 3, 4});
    Path copy = Files.createDirectory(folder.resolve("other")).resolve("out.onnx");

    CommandRun run = CommandRun.of("rewrite", model, "--reorder", "--output", copy);

    assertThat(run)
        .isEqualTo(
            refusal(
                "--output is '"
                    + copy
                    + "', but the model has weights in other files; write the copy into the folder of the model"));
    assertThat(files()).containsExactly("in.onnx", "other", "w.bin");
  }

  @Test
  void rewrite_privateModel_isCopiedAsAPrivateFile() throws IOException {
    Set<PosixFilePermission> ownerOnly = PosixFilePermissions.fromString("rw-------");
    Files.setPosixFilePermissions(model, ownerOnly);
    Path copy = folder.resolve("out.onnx");
    assertThat(CommandRun.of("rewrite", model, "--reorder", "--output", copy).exitCode()).isZero();
    assertThat(Files.getPosixFilePermissions(copy)).isEqualTo(ownerOnly);
  }

  @Test
  void rewrite_outputWithTheNameOfTheWeights_exits3() throws IOException {
    Files.write(model, BranchesModel.withWeights("w.bin.onnx"));
    Path weights = Files.write(folder.resolve("w.bin.onnx"), new byte[] {1, 2, 3, 4});
    assertThat(CommandRun.of("rewrite", model, "--reorder", "--output", weights))
        .isEqualTo(
            refusal(
                "--output is '"
                    + weights
                    + "', which contains the model's weights; use another name"));
    assertThat(weights).hasBinaryContent(new byte[] {1, 2, 3, 4});
    assertThat(files()).containsExactly("in.onnx", "w.bin.onnx");
  }

  @Test
  void rewrite_weightsBehindALinkOutOfTheFolder_exits3() throws IOException {
    Path other = Files.createDirectory(folder.resolve("other"));
    Path models = Files.createDirectory(folder.resolve("models"));
    Path secret = Files.write(other.resolve("secret"), new byte[] {1, 2, 3, 4});
    Files.createSymbolicLink(models.resolve("link.bin"), secret);
    Path linking = Files.write(models.resolve("m.onnx"), BranchesModel.withWeights("link.bin"));
    CommandRun run =
        CommandRun.of("rewrite", linking, "--reorder", "--output", other.resolve("out.onnx"));
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err())
        .isEqualTo(
            "stowage: "
                + linking
                + ": tensor 'w': is in 'link.bin', a link to '"
                + secret.toRealPath()
                + "', expected a file in the folder of the model\n");
    assertThat(files())
        .containsExactly(
            "in.onnx", "models", "models/link.bin", "models/m.onnx", "other", "other/secret");
  }

  @Test
  void rewrite_missingWeights_exits3() throws IOException {
    for (String location : List.of("w.bin", "../w.bin", "/etc/hostname")) {
      Files.write(model, BranchesModel.withWeights(location));
      CommandRun run =
          CommandRun.of("rewrite", model, "--reorder", "--output", folder.resolve("out.onnx"));
      assertThat(run)
          .isEqualTo(
              refusal(
                  "tensor 'w': is in '"
                      + location
                      + "', expected a file in the folder of the model"));
    }
    assertThat(files()).containsExactly("in.onnx");
  }

  private CommandRun refusal(String reason) {
    return new CommandRun(ExitCode.BAD_INPUT, "", "stowage: " + model + ": " + reason + "\n");
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.skip(1).map(file -> folder.relativize(file).toString()).sorted().toList();
    }
  }
}
