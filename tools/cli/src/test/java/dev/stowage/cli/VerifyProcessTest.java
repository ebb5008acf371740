package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Verifications in a separate process without ONNX Runtime. */
@Timeout(120)
class VerifyProcessTest {

  private static final String MODEL = "examples/tiny_cnn.onnx";

  private static CommandRun runWithoutEngine(String... arguments)
      throws IOException, InterruptedException {
    return runWithoutEngine(List.of(), arguments);
  }

  private static CommandRun runWithoutEngine(List<String> jvmOptions, String... arguments)
      throws IOException, InterruptedException {
    String path =
        Arrays.stream(System.getProperty("jdk.module.path").split(File.pathSeparator, -1))
            .filter(entry -> !Path.of(entry).getFileName().toString().startsWith("onnxruntime-"))
            .collect(Collectors.joining(File.pathSeparator));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions);
    command.addAll(List.of("--module-path", path, "-m", "dev.stowage.cli/dev.stowage.cli.Stowage"));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new CommandRun(process.waitFor(), output, "");
  }

  @Test
  void verify_withoutOnnxRuntime_exits3AndNamesTheArtifact() throws Exception {
    assertThat(runWithoutEngine("verify", MODEL, "--dim", "batch=1"))
        .isEqualTo(
            new CommandRun(
                ExitCode.BAD_INPUT,
                "stowage: examples/tiny_cnn.onnx: ONNX Runtime is missing; add com.microsoft.onnxruntime:onnxruntime to the class path or module path\n",
                ""));
  }

  @Test
  void verify_inTheDownload_namesTheFolderForTheJarIfTheJarIsMissing() throws Exception {
    String libraries = "-Dstowage.libraries=/opt/stowage/lib";
    assertThat(runWithoutEngine(List.of(libraries), "verify", MODEL, "--dim", "batch=1").out())
        .endsWith(
            " to the class path or module path: copy its jar from Maven Central into the folder /opt/stowage/lib\n");
  }

  @Test
  void plan_withoutOnnxRuntimeThatIsNeeded_exits3AndNamesTheArtifact() throws Exception {
    CommandRun run = runWithoutEngine("plan", MODEL, "--dim", "batch=1");
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.out())
        .endsWith(
            "which only ONNX Runtime can infer: ONNX Runtime is missing; add com.microsoft.onnxruntime:onnxruntime to the class path or module path\n");
  }

  @Test
  void budget_withoutOnnxRuntime_exits3AndNamesTheOption() throws Exception {
    CommandRun run = runWithoutEngine("budget", MODEL, "--dim", "batch=1");
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.out())
        .isEqualTo(
            "stowage: examples/tiny_cnn.onnx: cannot be measured without ONNX Runtime; name that of the service with --engine VERSION\n");
  }
}
