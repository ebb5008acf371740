package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pages of {@code stowage budget}: facts, names and failures. */
class BudgetCommandOutputTest {

  private static final Path MICRO = Path.of("examples/tflm/detector.tflite");

  @TempDir private Path folder;

  @Test
  void page_ofAModel_hasItsPartsAndTheOptionsInEffect() throws IOException {
    Path page = folder.resolve("budget.html");

    CommandRun run = CommandRun.of("budget", MICRO, "--sessions", "2", "--output", page);

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEqualTo("stowage: wrote " + page + "\n");
    assertThat(Files.readString(page))
        .contains("<h1>detector.tflite</h1>")
        .contains("Native memory of a service with 2 sessions and 1 thread each")
        .contains("<td class=\"text\">arena head</td>")
        .contains(
            "<div><dt>command</dt><dd>stowage budget "
                + MICRO
                + " --sessions 2 --output "
                + page
                + "</dd></div>")
        .contains("<div><dt>version</dt><dd>Stowage ")
        .contains("<div><dt>format</dt><dd>tflite</dd></div>")
        .contains("<div><dt>--sessions</dt><dd>2</dd></div>")
        .contains("<div><dt>--threads</dt><dd>1</dd></div>");
  }

  @Test
  void page_ofModelsWithoutABudget_isNotWritten() {
    Path page = folder.resolve("budget.html");

    CommandRun run =
        CommandRun.of(
            "budget", folder.resolve("a.onnx"), folder.resolve("b.tflite"), "--output", page);

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(page).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--output b.svg | --output is 'b.svg', expected a name that ends in .html",
        "--output budget | --output is 'budget', expected a name that ends in .html",
        "--output b.html --baseline ./b.html | --baseline is './b.html', which --output writes, too; use another name",
        "--output b.html --profile b.html | two options write 'b.html'; use another name for one",
        "--profile examples/tflm/detector.tflite | --profile is 'examples/tflm/detector.tflite', which is a MODEL; use another name",
        "--update-baseline | --update-baseline needs --baseline PATH",
        "--tolerance 1% | --tolerance needs --baseline PATH",
        "--report junit | --report is 'junit', expected junit=PATH"
      })
  void budget_wrongOptions_exit2(String options, String message) {
    Object[] arguments = ("budget " + MICRO + " " + options).split(" ", -1);

    CommandRun run = CommandRun.of(arguments);

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).startsWith("stowage: " + message + "\n");
  }
}
