package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.testing.SampleModels;
import dev.stowage.tflite.micro.MicroArena;
import dev.stowage.tflite.micro.MicroArenaReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RewriteCommandTest {

  private static final Path MODEL = SampleModels.examples().resolve("mobilenet_v2.tflite");

  @TempDir Path folder;

  @Test
  void rewrite_model_writesAPlanThatTheReaderFinds() throws IOException {
    Path copy = folder.resolve("planned.tflite");

    CommandRun run = CommandRun.of("rewrite", MODEL, "--output", copy, "--format", "json");

    JsonNode json = JsonMapper.shared().readTree(run.out());
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    MicroArena read = MicroArenaReader.read(copy);
    assertThat(read.headBytes(read.filePlan()))
        .isEqualTo(json.get("head_bytes").longValue())
        .isEqualTo(json.get("planned_bytes").longValue())
        .isEqualTo(json.get("lower_bound_bytes").longValue())
        .isEqualTo(6_021_120);
    assertThat(json.get("optimal").booleanValue()).isTrue();
    assertThat(json.get("plan_written").booleanValue()).isTrue();
    assertThat(json.get("reordered").booleanValue()).isFalse();
    assertThat(onlyFile()).isEqualTo(copy);
  }

  @Test
  void rewrite_rewrittenModel_hasTheSameContentAgain() throws IOException {
    Path first = folder.resolve("first.tflite");
    Path second = folder.resolve("second.tflite");
    CommandRun.of("rewrite", MODEL, "--output", first);
    CommandRun.of("rewrite", first, "--output", second);
    assertThat(second).hasSameBinaryContentAs(first);
  }

  @Test
  void check_rewrittenModel_findsThePlanValid() {
    Path copy = folder.resolve("planned.tflite");
    CommandRun.of("rewrite", MODEL, "--output", copy);

    CommandRun run = CommandRun.of("check", copy, "--format", "json");

    JsonNode json = JsonMapper.shared().readTree(run.out());
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(json.get("valid").booleanValue()).isTrue();
    assertThat(json.get("total_bytes").longValue()).isEqualTo(6_021_120);
  }

  @Test
  void plan_headerFile_compilesAndHasTheOffsets() throws Exception {
    Path header = folder.resolve("plan.h");
    CommandRun run = CommandRun.of("plan", MODEL, "--output", header);
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(header).content().contains("#define MOBILENET_V2_TENSOR_COUNT 65\n");
    Path source =
        Files.writeString(
            folder.resolve("use.c"),
            """
            #include "plan.h"
            int main(void) {
              return MOBILENET_V2_OFFSETS[MOBILENET_V2_TENSOR_COUNT - 1] < MOBILENET_V2_ARENA_BYTES
                         && MOBILENET_V2_ARENA_ALIGNMENT == 1 ? 0 : 1;
            }
            """);
    CCompiler.assertRuns(source);
  }

  @Test
  void rewrite_withReorder_isNotWorseThanTheOrderOfTheFile() {
    Path copy = folder.resolve("planned.tflite");

    CommandRun run =
        CommandRun.of("rewrite", MODEL, "--reorder", "--output", copy, "--format", "json");

    JsonNode json = JsonMapper.shared().readTree(run.out());
    assertThat(json.get("head_bytes").longValue()).isLessThanOrEqualTo(6_021_120);
    assertThat(json.get("load_after").longValue())
        .isLessThanOrEqualTo(json.get("load_before").longValue());
  }

  @Test
  void rewrite_withAlias_isNotWorseAndPassesTheCheck() {
    Path copy = folder.resolve("planned.tflite");

    CommandRun run =
        CommandRun.of(
            "rewrite", MODEL, "--alias", "--reorder", "--output", copy, "--format", "json");

    JsonNode json = JsonMapper.shared().readTree(run.out());
    assertThat(json.get("head_bytes").longValue()).isLessThanOrEqualTo(6_021_120);
    assertThat(CommandRun.of("check", copy).exitCode()).isEqualTo(ExitCode.DONE);
  }

  @Test
  void rewrite_withScratch_countsTheBuffers() throws IOException {
    Path scratch =
        Files.writeString(
            folder.resolve("scratch.csv"), "\uFEFFoperator,bytes,subgraph\n0,100,0\n1,1000000,0\n");
    Path copy = folder.resolve("planned.tflite");

    CommandRun run =
        CommandRun.of("rewrite", MODEL, "--scratch", scratch, "--output", copy, "--format", "json");

    JsonNode json = JsonMapper.shared().readTree(run.out());
    assertThat(json.get("head_bytes").longValue()).isGreaterThanOrEqualTo(6_021_120);
    assertThat(json.get("lower_bound_bytes").longValue())
        .isLessThanOrEqualTo(json.get("head_bytes").longValue());
  }

  /** {@code plan} counts the scratch buffers of the reference kernels, {@code rewrite} none. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "examples/tflm/detector.tflite",
        "models/tflite/keyword_scrambled_8bit.tflite",
        "models/tflite/trained_lstm_int8.tflite",
        "models/tflite/person_detect.tflite",
      })
  void rewrite_withoutScratch_savesWhatPlanPromises(String name) throws IOException {
    Path model =
        name.startsWith("examples/")
            ? SampleModels.examples().resolve(name.substring("examples/".length()))
            : SampleModels.find(name).orElseThrow();
    for (List<String> options : List.of(List.<String>of(), List.of("--reorder"))) {
      Path copy = folder.resolve("planned" + options.size() + ".tflite");
      JsonNode plan =
          json("plan", model, options, "--runtime", "tflm", "--strategy", "OPTIMAL").get("tflm");
      json("rewrite", model, options, "--output", copy);
      JsonNode planned = json("plan", copy, List.of(), "--runtime", "tflm").get("tflm");

      assertThat(planned.at("/arena/bytes").longValue())
          .isLessThanOrEqualTo(
              plan.at("/arena/bytes").longValue() - plan.get("saved_bytes").longValue());
    }
  }

  private static JsonNode json(String command, Path model, List<String> options, Object... more) {
    Object[] all =
        Stream.of(Stream.of(command, model, "--format", "json"), options.stream(), Stream.of(more))
            .flatMap(it -> it)
            .toArray();
    return JsonMapper.shared().readTree(CommandRun.of(all).out());
  }

  @Test
  void rewrite_scratchOfNoOperator_exits3AndWritesNothing() throws IOException {
    Path scratch =
        Files.writeString(folder.resolve("scratch.csv"), "subgraph,operator,bytes\n0,1000,1\n");
    Path copy = folder.resolve("planned.tflite");

    CommandRun run = CommandRun.of("rewrite", MODEL, "--scratch", scratch, "--output", copy);

    assertThat(run)
        .isEqualTo(
            new CommandRun(
                ExitCode.BAD_INPUT,
                "",
                "stowage: %s: --scratch: the model has no operator 1000 in subgraph 0%n"
                    .formatted(MODEL)));
    assertThat(copy).doesNotExist();
  }

  @Test
  void rewrite_privateModel_isCopiedAsAPrivateFile() throws IOException {
    Set<PosixFilePermission> ownerOnly = PosixFilePermissions.fromString("rw-------");
    Path model = Files.copy(MODEL, folder.resolve("private.tflite"));
    Files.setPosixFilePermissions(model, ownerOnly);
    Path planned = folder.resolve("planned.tflite");
    Path copied = folder.resolve("copied.tflite");

    assertThat(CommandRun.of("rewrite", model, "--output", planned).out())
        .contains(planned + " has a plan");
    assertThat(CommandRun.of("rewrite", planned, "--output", copied).exitCode()).isZero();

    assertThat(Files.getPosixFilePermissions(planned)).isEqualTo(ownerOnly);
    assertThat(Files.getPosixFilePermissions(copied)).isEqualTo(ownerOnly);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "-5;bytes must be 0 to 2147483647: bytes=-5",
        "2147483648;bytes must be 0 to 2147483647: bytes=2147483648",
        "x;bytes is \"x\", expected a whole number below 2^63 in digits",
        "``;bytes is missing, expected a value"
      })
  void rewrite_scratchFileWithABadRow_namesTheLine(String bytes, String message)
      throws IOException {
    Path scratch =
        Files.writeString(
            folder.resolve("scratch.csv"), "subgraph,operator,bytes\n0,1," + bytes + "\n");

    CommandRun run =
        CommandRun.of(
            "rewrite", MODEL, "--scratch", scratch, "--output", folder.resolve("o.tflite"));

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err()).contains("scratch.csv: line 2: " + message);
  }

  @Test
  void rewrite_damagedModel_exits3AndKeepsTheOldFile() throws IOException {
    byte[] bytes = Files.readAllBytes(MODEL);
    Path damaged = folder.resolve("damaged.tflite");
    Files.write(damaged, Arrays.copyOf(bytes, bytes.length / 2));
    Path copy = Files.writeString(folder.resolve("planned.tflite"), "old");

    CommandRun run = CommandRun.of("rewrite", damaged, "--output", copy);

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(copy).hasContent("old");
  }

  @Test
  void rewrite_ontoTheModel_exits2() {
    CommandRun run = CommandRun.of("rewrite", MODEL, "--output", MODEL);
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("which is the input; use another name");
  }

  @Test
  void rewrite_ontoTheModelThroughALink_exits2() throws IOException {
    Path model = Files.copy(MODEL, folder.resolve("model.tflite"));
    Path link = Files.createSymbolicLink(folder.resolve("link.tflite"), model);
    for (Path output :
        List.of(link, folder.resolve("./model.tflite"), folder.resolve("x/../model.tflite"))) {
      CommandRun run = CommandRun.of("rewrite", model, "--output", output);
      assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
      assertThat(run.err()).contains("which is the input; use another name");
    }
    assertThat(CommandRun.of("rewrite", link, "--output", model).exitCode())
        .isEqualTo(ExitCode.USAGE);
    assertThat(model).hasSameBinaryContentAs(MODEL);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-", "copy.onnx", "plan.CSV", "plan.json", "/dev/null"})
  void rewrite_outputOfAnotherFormat_exits2AndWritesNothing(String output) {
    CommandRun run = CommandRun.of("rewrite", MODEL, "--output", output);
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .startsWith(
            "stowage: --output is '%s', expected a name that ends in .tflite\n".formatted(output));
  }

  @Test
  void rewrite_intoAMissingFolder_exits1() {
    CommandRun run = CommandRun.of("rewrite", MODEL, "--output", folder.resolve("no/x.tflite"));
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains("does not exist; create it first");
  }

  private Path onlyFile() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> all = files.toList();
      assertThat(all).hasSize(1);
      return all.getFirst();
    }
  }
}
