package dev.stowage.bench;

import ai.onnxruntime.OrtException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/**
 * A comparison of ONNX Runtime's arena with Stowage's allocator, which prints a table in Markdown.
 */
public final class OnnxRuntimeComparison {

  private static final String USAGE =
      """
      OnnxRuntimeComparison [--seconds N] [--threads N] [MODEL.onnx...]
        MODEL.onnx  a model whose inputs and outputs are tensors (a small generated model)
        --seconds   the time of the measurement of each model (10)
        --threads   the number of threads in an operator (1)
      """;

  private OnnxRuntimeComparison() {}

  /**
   * Runs the models and prints the table.
   *
   * @param arguments the arguments that the usage describes
   */
  public static void main(String... arguments) throws IOException, OrtException {
    Duration time = Duration.ofSeconds(10);
    int threads = 1;
    List<Path> models = new ArrayList<>();
    Iterator<String> words = List.of(arguments).iterator();
    while (words.hasNext()) {
      String word = words.next();
      if (word.equals("--seconds") && words.hasNext()) {
        time = Duration.ofSeconds(Long.parseLong(words.next()));
      } else if (word.equals("--threads") && words.hasNext()) {
        threads = Integer.parseInt(words.next());
      } else if (!word.startsWith("-")) {
        models.add(Path.of(word));
      } else {
        System.err.print(USAGE);
        System.exit(word.equals("--help") ? 0 : 2);
      }
    }
    System.out.println(
        "| model | own arena, µs | Stowage, µs | ratio | CPU time | tenths | requests | outputs |");
    System.out.println("|---|---|---|---|---|---|---|---|");
    if (models.isEmpty()) {
      print("generated", OnnxRuntimeRun.of(ConvolutionModel.bytes(), time, threads));
    }
    for (Path model : models) {
      String name = String.valueOf(model.getFileName()).replaceFirst("\\.onnx$", "");
      print(name, OnnxRuntimeRun.of(Files.readAllBytes(model), time, threads));
    }
  }

  private static void print(String name, OnnxRuntimeRun run) {
    OnnxRuntimeTimes times = run.times();
    double[] parts = times.cpuRatiosOfParts();
    System.out.println(
        String.format(
            Locale.ROOT,
            "| %s | %,.0f | %,.0f | %.3f | %.3f | %.3f to %.3f | %.0f | %s |",
            name,
            times.ownMedianMicros(),
            times.ourMedianMicros(),
            times.ratio(),
            times.cpuRatio(),
            parts[0],
            parts[parts.length - 1],
            run.allocations(),
            run.isIdentical() ? "identical" : "DIFFERENT"));
  }
}
