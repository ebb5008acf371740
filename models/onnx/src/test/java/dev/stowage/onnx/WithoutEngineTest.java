package dev.stowage.onnx;

import static dev.stowage.onnx.TestGraph.FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.onnx.engine.MissingEngineException;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Plans, and rejected runs, in a JVM without ONNX Runtime. */
@Timeout(120)
class WithoutEngineTest {

  @TempDir private Path folder;

  /** The program of that JVM. */
  static final class Main {

    private Main() {}

    /**
     * Reads a model and prints its records and notes, or the error; verifies it first if an
     * argument requests it.
     */
    @SuppressWarnings("SystemOut")
    static void main(String[] arguments) {
      try {
        if (arguments.length > 1) {
          ModelVerification.load(Path.of(arguments[0]), OnnxOptions.defaults(), 1);
        }
        OnnxProblem problem = OnnxReader.read(Path.of(arguments[0]), OnnxOptions.defaults());
        System.out.println(ProblemText.of(problem));
        problem.notes().forEach(System.out::println);
      } catch (IOException | MissingEngineException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  private String read(TestGraph graph, String... arguments)
      throws IOException, InterruptedException {
    Path model = folder.resolve("model.onnx");
    Files.write(model, graph.build().toByteArray());
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-cp");
    command.add(String.join(File.pathSeparator, pathWithoutEngine()));
    command.add(Main.class.getName());
    command.add(model.toString());
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.replace(model.toString(), "model.onnx");
  }

  private static List<String> pathWithoutEngine() {
    List<String> path = new ArrayList<>();
    Stream.of("jdk.module.path", "java.class.path", "surefire.test.class.path")
        .map(property -> System.getProperty(property, ""))
        .flatMap(value -> Stream.of(value.split(File.pathSeparator, -1)))
        .filter(entry -> !entry.contains("onnxruntime"))
        .forEach(path::add);
    path.add(
        Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().getPath())
            .resolveSibling("test-classes")
            .toString());
    return path;
  }

  @Test
  void read_allShapesInTheFile_isPlanned() throws Exception {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 4)
            .node("Relu", "x", "a")
            .node("Relu", "a", "y")
            .type("a", FLOAT, 4)
            .output("y", FLOAT, 4);

    assertThat(read(graph)).isEqualTo("[a: 16 bytes, 0..1]\n");
  }

  @Test
  void read_someShapesInTheFile_plansTheseAndNamesTheOthers() throws Exception {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 4)
            .node("Relu", "x", "a")
            .node("Relu", "a", "b")
            .node("Relu", "b", "y")
            .type("a", FLOAT, 4)
            .output("y", FLOAT, 4);

    assertThat(read(graph))
        .isEqualTo(
            """
            [a: 16 bytes, 0..1]
            the file lacks shapes, which only ONNX Runtime can infer: ONNX Runtime is missing; add com.microsoft.onnxruntime:onnxruntime to the class path or module path
            1 value of unknown size is not planned: b (type unknown)
            """);
  }

  @Test
  void read_noShapesInTheFile_isAnErrorThatNamesTheMissingArtifact() throws Exception {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 4)
            .node("Relu", "x", "a")
            .node("Relu", "a", "y")
            .outputs("y");

    assertThat(read(graph))
        .isEqualTo(
            "model.onnx: expected at least one tensor of known size, but all sizes are unknown: a (type unknown); the file lacks shapes, which only ONNX Runtime can infer: ONNX Runtime is missing; add com.microsoft.onnxruntime:onnxruntime to the class path or module path\n");
  }

  @Test
  void verify_anyModel_isAnErrorThatNamesTheArtifact() throws Exception {
    TestGraph graph =
        new TestGraph()
            .input("x", FLOAT, 4)
            .node("Relu", "x", "a")
            .node("Relu", "a", "y")
            .type("a", FLOAT, 4)
            .output("y", FLOAT, 4);

    assertThat(read(graph, "verify"))
        .isEqualTo(
            "ONNX Runtime is missing; add com.microsoft.onnxruntime:onnxruntime to the class path or module path\n");
  }
}
