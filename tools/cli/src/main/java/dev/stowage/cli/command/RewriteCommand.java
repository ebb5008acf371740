package dev.stowage.cli.command;

import dev.stowage.cli.console.SecondsConverter;
import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.input.ExistingFile;
import dev.stowage.cli.option.ModelOptions;
import dev.stowage.cli.option.RuntimeOption;
import dev.stowage.cli.option.TableOrJson;
import dev.stowage.cli.output.WholeFile;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.report.RewriteAnswer;
import dev.stowage.cli.rewrite.OnnxRewrite;
import dev.stowage.cli.rewrite.RewriteOptions;
import dev.stowage.cli.rewrite.RewriteReport;
import dev.stowage.cli.rewrite.TfliteRewrite;
import dev.stowage.cli.run.CommandLineWords;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.InputCommand;
import dev.stowage.cli.run.Outcome;
import dev.stowage.cli.run.OutputPaths;
import dev.stowage.cli.run.Usage;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage rewrite}: writes the best plan into a copy of a model. */
@Command(
    name = "rewrite",
    sortOptions = false,
    description = {
      "Writes the best plan for TensorFlow Lite Micro into a copy of a model.",
      "The interpreter reads the plan (OfflineMemoryAllocation) and needs a smaller arena. With",
      "--reorder, an .onnx MODEL is copied with its operators in an order that needs less memory.",
      "All other content of the MODEL stays as it is."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  Write the best plan into a copy of a model:",
      "    stowage rewrite model.tflite --output planned.tflite",
      "  Also search for an order of operators that needs less memory:",
      "    stowage rewrite model.tflite --reorder --output planned.tflite",
      "  Leave room for the scratch buffers of the kernels of an ESP32-S3:",
      "    stowage rewrite model.tflite --kernels esp-nn-1.2.1@esp32s3 --output planned.tflite",
      "  Write an .onnx model in the order of operators that needs the smallest arena:",
      "    stowage rewrite model.onnx --reorder --output reordered.onnx"
    })
public final class RewriteCommand extends InputCommand {

  @Parameters(paramLabel = "MODEL", description = "The .tflite or .onnx model.")
  private String input = "";

  @Option(
      names = "--output",
      paramLabel = "OUT",
      required = true,
      description = "The copy; not the MODEL itself.")
  private String output = "";

  @Option(
      names = "--reorder",
      description = {
        "Search for an order of the operators that needs less memory, and",
        "write it if it does. Operators with effects keep their order."
      })
  private boolean reorder;

  @Option(
      names = "--alias",
      description = {
        "RESHAPE and DYNAMIC_UPDATE_SLICE may write their results over their",
        "inputs, as the interpreter's reference kernels support."
      })
  private boolean alias;

  @Option(
      names = "--replace-plan",
      order = ShortHelp.RARE,
      description = {
        "Replace a plan in the MODEL also if it needs less, or if live tensors",
        "overlap in it."
      })
  private boolean replacePlan;

  @Option(
      names = "--force",
      order = ShortHelp.RARE,
      description = "Write a plan also if the MODEL as it is needs less memory.")
  private boolean force;

  @Mixin private RuntimeOption runtime = new RuntimeOption();

  @Option(
      names = "--time-limit",
      paramLabel = "SECONDS",
      converter = SecondsConverter.class,
      description = "The limit of each search (default: 10).")
  private Duration timeLimit = Duration.ofSeconds(10);

  @Mixin private ModelOptions model = new ModelOptions();

  @Mixin private TableOrJson format = new TableOrJson();

  @Override
  public Integer call() throws IOException {
    checkFiles();
    checkOptions();
    RewriteOptions options =
        new RewriteOptions(reorder, alias, replacePlan, force, runtime.ofModel(input), timeLimit);
    return newRun(format.printer(), "Rewriting", "rewritten")
        .run(List.of(input), (_, _) -> isOnnx() ? rewriteOnnx() : rewriteTflite(options));
  }

  /** Writes an .onnx model. */
  private Outcome rewriteOnnx() throws IOException, InputRefusedException {
    OnnxRewrite rewrite =
        OnnxRewrite.of(
            input, ExistingFile.regular(input), model.toOptions(), timeLimit, interruption());
    try {
      rewrite.write(output);
    } catch (MalformedFileException e) {
      throw e;
    } catch (IOException e) {
      return unwritten(e);
    }
    return Outcome.of(RewriteAnswer.of(rewrite, output))
        .noting(rewrite.notes())
        .leadingTo(ShellLine.of("verify", output, CommandLineWords.words(spec, Set.of("--dim"))));
  }

  /** Writes a .tflite model. */
  private Outcome rewriteTflite(RewriteOptions options) throws IOException, InputRefusedException {
    TfliteRewrite rewrite =
        TfliteRewrite.of(input, ExistingFile.regular(input), options, interruption());
    RewriteReport report;
    try (WholeFile.Part part = new WholeFile(output).begin()) {
      report = rewrite.write(output, part.path());
      part.complete();
    } catch (MalformedFileException e) {
      throw e;
    } catch (IOException e) {
      return unwritten(e);
    }
    Set<String> kept = new HashSet<>(RuntimeOption.OF_THE_ARENA);
    kept.add("--alias");
    return Outcome.of(RewriteAnswer.of(report))
        .noting(report.notes())
        .leadingTo(
            ShellLine.of("plan", output, CommandLineWords.words(spec, kept), "--runtime", "tflm"));
  }

  private Outcome unwritten(IOException e) {
    return Outcome.of(List.of()).writing(() -> Diagnostics.of(spec).reportUnwritten(output, e));
  }

  private void checkFiles() {
    String extension = isOnnx() ? ".onnx" : ".tflite";
    if (!hasExtension(input, extension)) {
      throw Usage.error(
          spec, "MODEL is '%s', expected a name that ends in .tflite or .onnx", input);
    }
    new OutputPaths(spec, List.of(input)).add("--output", output, List.of(extension));
  }

  private boolean isOnnx() {
    return hasExtension(input, ".onnx");
  }

  private static boolean hasExtension(String path, String extension) {
    return path.toLowerCase(Locale.ROOT).endsWith(extension);
  }

  /** Rejects options that have no effect on the format of the model. */
  private void checkOptions() {
    List<String> others = new ArrayList<>(List.of("--io", "--dim"));
    if (isOnnx()) {
      others = new ArrayList<>(RuntimeOption.OF_THE_ARENA);
      others.addAll(List.of("--runtime", "--replace-plan", "--force"));
    }
    Usage.reject(
        spec, others, Text.of("has no effect on %s models", isOnnx() ? ".onnx" : ".tflite"));
    if (isOnnx() && !reorder) {
      throw Usage.error(
          spec, "an .onnx model can only be rewritten in another order; add --reorder");
    }
    if (model.hasRanges()) {
      throw Usage.error(
          spec,
          "--reorder needs one shape, but dimensions have ranges; set each dimension to one size");
    }
  }
}
