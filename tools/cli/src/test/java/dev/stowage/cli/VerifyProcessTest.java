package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
  void verify_withoutTensorFlowLite_exits3AndNamesTheArtifact() throws Exception {
    assumeTrue(TensorFlowLite.isSupported(), "needs Linux on x86-64");
    assertThat(runWithoutEngine("verify", "examples/tflm/detector.tflite"))
        .isEqualTo(
            new CommandRun(
                ExitCode.BAD_INPUT,
                "stowage: examples/tflm/detector.tflite: TensorFlow Lite is missing; add org.bytedeco:tensorflow-lite with the classifier linux-x86_64 to the class path or module path\n",
                ""));
  }

  @Test
  void verify_inTheDownload_namesTheFolderForTheJarIfTheJarIsMissing() throws Exception {
    assumeTrue(TensorFlowLite.isSupported(), "needs Linux on x86-64");
    String model = "examples/tflm/detector.tflite";
    String libraries = "-Dstowage.libraries=/opt/stowage/lib";
    String remedy = ": copy its jar from Maven Central into the folder /opt/stowage/lib\n";
    assertThat(runWithoutEngine(List.of(libraries), "verify", model).out())
        .endsWith(" to the class path or module path" + remedy);
    assertThat(runWithoutEngine(List.of(libraries, "-Dos.arch=other"), "verify", model).out())
        .endsWith(
            "on Linux amd64 only, and this machine is Linux other; run the command on such a machine or in a container for it\n");
  }

  @Test
  void plan_withoutOnnxRuntimeThatIsNeeded_exits3AndNamesTheArtifact() throws Exception {
    CommandRun run = runWithoutEngine("plan", MODEL, "--dim", "batch=1");
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.out())
        .endsWith(
            "which only ONNX Runtime can infer: ONNX Runtime is missing; add com.microsoft.onnxruntime:onnxruntime to the class path or module path\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"plan", "budget"})
  void profileIn_withoutOnnxRuntime_exits3AndNamesTheArtifact(String command) throws Exception {
    assertThat(runWithoutEngine(command, MODEL, "--profile-in", "examples/tiny_cnn_profile.json"))
        .isEqualTo(
            new CommandRun(
                ExitCode.BAD_INPUT,
                "stowage: examples/tiny_cnn.onnx: ONNX Runtime is missing; add com.microsoft.onnxruntime:onnxruntime to the class path or module path\n",
                ""));
  }

  @Test
  void budget_withoutOnnxRuntime_exits3AndNamesTheArtifact() throws Exception {
    CommandRun run = runWithoutEngine("budget", MODEL, "--dim", "batch=1");
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.out())
        .endsWith(
            "ONNX Runtime is missing; add com.microsoft.onnxruntime:onnxruntime to the class path or module path\n");
  }
}
