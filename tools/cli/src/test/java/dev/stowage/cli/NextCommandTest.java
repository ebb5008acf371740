package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command that a command recommends at its end. */
class NextCommandTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          plan examples/mobilenet_v2.tflite --alignment 64 | plan examples/mobilenet_v2.tflite --alignment 64 --runtime tflm
          plan examples/mobilenet_v2.tflite --capacity=1MiB | plan examples/mobilenet_v2.tflite --capacity 1MiB --explain
          plan examples/unet.tflite --io --capacity 1MiB --explain | plan examples/unet.tflite --io --capacity 1MiB --reorder
          plan examples/tiny_branches.onnx --reorder | rewrite examples/tiny_branches.onnx --reorder --output reordered.onnx
          plan examples/tiny_cnn.onnx --dim batch=2 | plan examples/tiny_cnn.onnx --dim batch=2 --output plan.json
          plan examples/puzzle.csv | plan examples/puzzle.csv --output plan.csv
          plan examples/jax/gpt-buffer-assignment.txt.gz | plan examples/jax/gpt-buffer-assignment.txt.gz --explain
          plan examples/tflm/detector.tflite --runtime tflm | rewrite examples/tflm/detector.tflite --output planned.tflite
          plan examples/tflm/detector.tflite --runtime tflm --kernels esp-nn-1.2.1@esp32s3 --reorder | rewrite examples/tflm/detector.tflite --kernels esp-nn-1.2.1@esp32s3 --reorder --output planned.tflite
          plan examples/attention.json --buckets 3 | plan examples/attention.json --buckets 3 --output plan.json
          plan examples/banks.csv --bank name=sram,bytes=1KiB --bank name=dram | plan examples/banks.csv --bank name=sram,bytes=1KiB --bank name=dram --output plan.csv
          replay examples/training.csv | tune examples/training.csv
          replay examples/attention.pickle --allocator bfc --limit 3400MiB | tune examples/attention.pickle --allocator bfc --limit 3400MiB
          replay examples/attention.pickle --limit 3400MiB --settings max_split_size_mb:512 | replay examples/attention.pickle --limit 3400MiB --settings max_split_size_mb:512 --explain
          replay examples/training.csv --expandable --max-dead 1048576 --explain | tune examples/training.csv
          diff examples/mobilenet_v1.tflite examples/posenet.tflite --io | plan examples/posenet.tflite --io --explain
          diff examples/training.csv examples/attention.pickle --by size --at 3 | replay examples/attention.pickle --at 3 --explain
          """)
  void command_withATable_recommendsTheNextOne(String arguments, String next) {
    assertThat(err(arguments)).endsWith("Next: stowage " + next + System.lineSeparator());
  }

  @ParameterizedTest
  @CsvSource({
    "plan examples/mobilenet_v2.tflite --format json",
    "plan examples/mobilenet_v2.tflite examples/unet.tflite",
    "replay examples/training.csv --format csv",
    "replay examples/training.csv examples/training.csv",
    "diff examples/training.csv examples/training.csv"
  })
  void command_forProgramsOrSeveralFiles_recommendsNothing(String arguments) {
    assertThat(err(arguments)).doesNotContain("Next: ");
  }

  @Test
  void plan_withABaseline_recommendsNothing() {
    Path baseline = folder.resolve("memory.json");

    assertThat(
            err(
                "plan",
                "examples/puzzle.csv",
                "--baseline",
                baseline.toString(),
                "--update-baseline"))
        .doesNotContain("Next: ");
  }

  @Test
  void plan_thatIsWritten_isNotRecommendedAgain() {
    String page = folder.resolve("plan.html").toString();
    String plan = folder.resolve("plan.csv").toString();

    assertThat(err("plan", "examples/puzzle.csv", "--output", page))
        .endsWith("Next: stowage plan examples/puzzle.csv --output plan.csv\n");
    assertThat(err("plan", "examples/puzzle.csv", "--output", plan)).doesNotContain("Next: ");
  }

  @Test
  void rewrite_ofAModel_recommendsToVerifyIt() {
    Path planned = folder.resolve("planned.tflite");

    assertThat(err("rewrite", "examples/tflm/detector.tflite", "--output", planned.toString()))
        .endsWith("Next: stowage plan " + planned + " --runtime tflm" + System.lineSeparator());
  }

  /** The dump of the last sample, after which the process has ended. */
  @Test
  void who_aProcessThatHasEnded_recommendsNoCommandForIt() throws IOException {
    String dumps = "tools/cli/src/test/resources/dev/stowage/cli/who-";
    String last = Files.readString(Path.of(dumps + "last.txt"));
    Path wasteful = folder.resolve("wasteful.txt");
    Files.writeString(wasteful, last + "== ended\n");
    Path other = folder.resolve("other.txt");
    Files.writeString(other, last.substring(0, last.indexOf("== System")));

    assertThat(err("who", dumps + "last.txt")).endsWith("Next: stowage who 7 --trim\n");
    assertThat(err("who", wasteful.toString()))
        .endsWith("Next: -XX:TrimNativeHeapInterval=60000\n");
    assertThat(err("who", dumps + "first.txt", wasteful.toString()))
        .endsWith("Next: -XX:TrimNativeHeapInterval=60000\n");
    assertThat(err("who", other.toString()))
        .endsWith("Next: stowage who 7 --every 10s --for 10m --output growth.html\n");
    Files.writeString(other, "== ended\n" + Files.readString(other));
    assertThat(err("who", other.toString())).doesNotContain("Next: ");
  }

  @Test
  void command_withAFileNameOfTwoWords_quotesIt() throws IOException {
    Path file = folder.resolve("my trace.csv");
    Files.copy(Path.of("examples/training.csv"), file);

    assertThat(err("replay", file.toString()))
        .endsWith("Next: stowage tune '" + file + "'" + System.lineSeparator());
  }

  private static String err(String arguments) {
    return err(arguments.split(" "));
  }

  private static String err(String... arguments) {
    StringWriter err = new StringWriter();
    new Program(new PrintWriter(new StringWriter()), new PrintWriter(err)).run(arguments);
    return err.toString();
  }
}
