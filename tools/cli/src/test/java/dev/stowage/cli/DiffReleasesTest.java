package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code stowage diff} of baselines. */
class DiffReleasesTest {

  @TempDir private Path folder;

  private Path release(String name, String entries) throws IOException {
    return Files.writeString(
        folder.resolve(name), "{\"baseline_version\": 1, \"plan\": {" + entries + "}}");
  }

  private static String entry(String model, String figures, String alignment, long size) {
    return String.format(
        Locale.ROOT,
        """
        "%s": {"figures": {%s}, "options": {"--alignment": "%s"}, "proved": [],
          "records": [{"name": "conv", "size": %d, "starts_after": 0, "further_tasks": 1}]}\
        """,
        model,
        figures,
        alignment,
        size);
  }

  private Path before() throws IOException {
    return release(
        "1.0.json",
        String.join(
            ",",
            entry("a.tflite", "\"offsets_bytes\": 1000, \"objects_bytes\": 9", "1", 500),
            entry("b.tflite", "\"offsets_bytes\": 2000", "1", 500),
            entry("gone.tflite", "\"offsets_bytes\": 300", "1", 300),
            entry("same.tflite", "\"head_bytes\": 64", "1", 64),
            entry("tex.json", "\"texels\": 64", "1", 64)));
  }

  private Path after() throws IOException {
    return release(
        "1.1.json",
        String.join(
            ",",
            entry("a.tflite", "\"offsets_bytes\": 1500, \"objects_bytes\": 9", "16", 900),
            entry("b.tflite", "\"offsets_bytes\": 1900", "1", 400),
            entry("new.tflite", "\"arena_bytes\": 700", "1", 700),
            entry("same.tflite", "\"head_bytes\": 64", "1", 64),
            entry("tex.json", "\"texels\": 65", "1", 65)));
  }

  private String text(String out) {
    return out.replace(folder + "/", "");
  }

  @Test
  void diff_ofBaselines_hasALineForEachModelThatChanged() throws IOException {
    CommandRun run = CommandRun.of("diff", before(), after());
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.DONE);
    assertThat(text(run.out()))
        .isEqualTo(
            """
            1.1.json needs 800 bytes more than 1.0.json (+23.8 %), most of it from new.tflite.
            Exact: the figures in both baselines. 1 model had other options in A.
            A: 1.0.json: 4 models, 3,364 bytes (3.285 KiB) in all
            B: 1.1.json: 4 models, 4,164 bytes (4.066 KiB) in all

            GROWN  growth      A      B  largest change  model
                     +500  1,000  1,500       conv +400  a.tflite

            NEW  growth  A    B  largest change  model
                   +700  0  700                  new.tflite

            SHRUNK  growth      A      B  largest change  model
                      -100  2,000  1,900       conv -100  b.tflite

            GONE  growth    A  B  largest change  model
                    -300  300  0                  gone.tflite

            Without change: 1 model with 64 bytes
            a.tflite has other options: --alignment 16 instead of 1
            tex.json: has no figure in bytes that is comparable: texels and texels
            """);
  }

  @Test
  void diff_asJson_hasTheModelsThatGrewFirst() throws IOException {
    CommandRun run = CommandRun.of("diff", before(), after(), "--format", "json");
    JsonNode json = new JsonMapper().readTree(run.out());
    assertThat(json.get("kind").stringValue()).isEqualTo("release");
    assertThat(json.get("growth_bytes").longValue()).isEqualTo(800);
    assertThat(json.get("models").get(1).toString())
        .isEqualTo(
            "{\"command\":\"plan\",\"model\":\"a.tflite\",\"change\":\"grown\",\"figure\":\"offsets_bytes\",\"bytes_a\":1000,\"bytes_b\":1500,\"other_options\":[\"--alignment 16 instead of 1\"],\"cause\":\"conv +400\"}");
  }

  @Test
  void diff_growthAboveTheBound_exitsWith4() throws IOException {
    CommandRun run = CommandRun.of("diff", before(), after(), "--fail-above", "799");
    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_PLAN);
    assertThat(text(run.err()))
        .isEqualTo(
            "stowage: 1.1.json: needs 800 bytes more in all than 1.0.json, expected at most 799 bytes\n");
    assertThat(CommandRun.of("diff", before(), after(), "--fail-above", "800").exitCode())
        .isEqualTo(ExitCode.DONE);
  }

  @Test
  void diff_ofABaselineWithItself_hasNoDifference() throws IOException {
    Path release = release("1.json", entry("a.tflite", "\"offsets_bytes\": 1000", "1", 500));
    assertThat(text(CommandRun.of("diff", release, release).out()))
        .isEqualTo(
            """
            No difference: both have the same models with the same figures.
            Exact: the figures in both baselines.
            A: 1.json: 1 model, 1,000 bytes in all
            B: 1.json: 1 model, 1,000 bytes in all
            """);
  }

  @Test
  void diff_budgetOfSeveralShapes_comparesTheHighestPointOfAll() throws IOException {
    Path budget =
        Files.writeString(
            folder.resolve("b.json"),
            """
            {"baseline_version": 1, "budget": {"m.onnx": {
              "figures": {"batch=1 highest_bytes": 5, "batch=9 highest_bytes": 90, "batch=9 running_bytes": 99},
              "options": {}, "parts": {"weights_bytes": 7}, "proved": [], "records": []}}}
            """);
    Path later =
        Files.writeString(
            folder.resolve("c.json"),
            Files.readString(budget).replace(": 90", ": 95").replace(": 7", ": 11"));
    assertThat(text(CommandRun.of("diff", budget, later).out()))
        .contains("+5  90  95  weights_bytes +4  m.onnx");
  }

  @Test
  void diff_damagedBaseline_isReported() throws IOException {
    Path damaged = Files.writeString(folder.resolve("d.json"), "{\"baseline_version\": 7}");
    CommandRun run = CommandRun.of("diff", damaged, before());
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(text(run.err()))
        .isEqualTo(
            "stowage: d.json: line 1, column 22: the version of the baseline is 7, expected 1; a newer stowage wrote the file, use that one\n");
  }

  @Test
  void diff_sumThatOverflows_isRefused() throws IOException {
    Path huge =
        release(
            "h.json",
            String.join(
                ",",
                entry("a", "\"offsets_bytes\": " + Long.MAX_VALUE, "1", 1),
                entry("b", "\"offsets_bytes\": 1", "1", 1)));
    CommandRun run = CommandRun.of("diff", before(), huge);
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(text(run.err()))
        .isEqualTo(
            "stowage: h.json: has figures whose sum is 2^63 bytes or more, expected fewer\n");
  }

  @Test
  void diff_toAPage_hasBarsForEachModel() throws IOException {
    Path page = folder.resolve("d.html");
    CommandRun run = CommandRun.of("diff", before(), after(), "--output", page);
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.DONE);
    assertThat(Files.readString(page))
        .contains("<h1>1.1.json needs 800 B more than 1.0.json (+23.8 %)</h1>")
        .contains("title=\"2,000 bytes (1.953 KiB)\">1.953 KiB</td>")
        .contains("<i class=\"bar\" style=\"width:100.00%\"></i>")
        .contains(
            "<h2>Grown</h2>", "<h2>New</h2>", "<h2>Shrunk</h2>", "<h2>Gone</h2>", "<h2>Same</h2>");
  }
}
