package dev.stowage.cli.command;

import dev.stowage.cli.check.CheckReport;
import dev.stowage.cli.check.DeviceLog;
import dev.stowage.cli.console.ByteCountConverter;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.input.MicroMemory;
import dev.stowage.cli.input.PlacedInput;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.option.DimensionOption;
import dev.stowage.cli.option.InputFormatOption;
import dev.stowage.cli.option.RuntimeOption;
import dev.stowage.cli.option.TableOrJson;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.PlanNotes;
import dev.stowage.cli.report.CheckAnswer;
import dev.stowage.cli.run.InputCommand;
import dev.stowage.cli.run.Outcome;
import dev.stowage.cli.run.Usage;
import dev.stowage.onnx.OnnxOptions;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage check}: checks plans from any source. */
@Command(
    name = "check",
    sortOptions = false,
    description = {
      // The list of commands has the first line.
      "Checks each FILE as a plan from any source.",
      "A FILE is a .csv or .json problem in which every record has an offset, a .tflite model with",
      "an offline plan for TensorFlow Lite Micro, or a dump of XLA with XLA's own plan.",
      "Lists overlapping records, misaligned offsets and records beyond the capacity.",
      "If sizes depend on dimensions with ranges, checks the largest size of each record."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  Is a plan valid, and how far is it from the lower bound? Exit code 4 means not valid.",
      "    stowage check plan.csv",
      "  Are all offsets multiples of 64 bytes, and does the plan fit into 512 KiB?",
      "    stowage check plan.json --alignment 64 --capacity 512KiB",
      "  Is the plan in a model valid?",
      "    stowage check model.tflite",
      "  Does its arena fit into 30 KiB with the kernels of an ESP32-S3?",
      "    stowage check model.tflite --runtime tflm --kernels esp-nn-1.2.1@esp32s3 --capacity 30KiB",
      "  In a script, print a line for each plan that is not valid:",
      "    stowage check *.csv --format json | jq 'select(.valid | not)'"
    })
public final class CheckCommand extends InputCommand {

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "The plan: a .csv, .json or .tflite file, or a dump; - is the standard input.")
  private List<String> files = List.of();

  @Option(
      names = "--alignment",
      paramLabel = "N",
      converter = ByteCountConverter.class,
      description = "Every offset must be a multiple of N bytes; N is at least 1 (default: 1).")
  private long alignment = 1;

  @Option(
      names = {"--capacity", "--limit"},
      paramLabel = "BYTES",
      converter = ByteCountConverter.class,
      description = {
        "Every record must end within BYTES, such as 1048576, 64KiB or 2GiB",
        "(default: the capacity of the file, if it has one). With --runtime",
        "tflm, the arena must fit: its head and its tail."
      })
  private Optional<Long> capacity = Optional.empty();

  @Option(
      names = "--dim",
      order = ShortHelp.RARE,
      paramLabel = "NAME=N",
      converter = DimensionOption.Converter.class,
      description = {
        "The size or the range of a dimension that sizes depend on, such as",
        "batch=8 or batch=1..32; repeatable (default: the ranges of the file)."
      })
  private List<DimensionOption> dimensions = List.of();

  @Option(
      names = "--device-log",
      order = ShortHelp.RARE,
      paramLabel = "LOG",
      description = {
        "With --runtime: the output of PlacementLog in scratch_log.h, which is",
        "compared with the plan. Lists the buffers that lie elsewhere, or that",
        "are not planned."
      })
  private Optional<String> deviceLog = Optional.empty();

  @Mixin private RuntimeOption runtime = new RuntimeOption();

  @Mixin private InputFormatOption inputFormat = new InputFormatOption();

  @Mixin private TableOrJson format = new TableOrJson();

  @Override
  public Integer call() throws IOException {
    checkOptions();
    InputReader reader =
        runtime.reader(
            inputFormat.reader(
                files, OnnxOptions.defaults(), DimensionOption.given(dimensions, spec), in()),
            files);
    return newRun(format.printer(), "Checking", "checked")
        .run(files, (file, _) -> check(interruption().run(() -> reader.readPlan(file))));
  }

  private void checkOptions() {
    if (alignment < 1) {
      throw Usage.error(spec, "--alignment is %d, expected 1 or more bytes", alignment);
    }
    if (deviceLog.isPresent() && !runtime.isMicro()) {
      throw Usage.error(spec, "--device-log needs --runtime tflm; add it, or omit --device-log");
    }
  }

  private Outcome check(PlacedInput placed) throws IOException, InputRefusedException {
    PlanInput.Tensors input = placed.input();
    int bankCount = input.banks().ties().size();
    if (bankCount > 0 && bankCount == input.labels().size()) {
      throw new InputRefusedException(
          "is a plan in several memories, expected one in one arena; check the tensors of each bank in a file without the banks");
    }
    if (runtime.isMicro() && input.micro().isEmpty()) {
      throw new InputRefusedException(
          "is not a .tflite model, which --runtime tflm needs; omit --runtime");
    }
    OptionalLong limit = capacity.map(OptionalLong::of).orElseGet(OptionalLong::empty);
    Optional<MicroMemory> micro = runtime.isMicro() ? input.micro() : Optional.empty();
    Optional<DeviceLog> device =
        deviceLog.isPresent() ? Optional.of(DeviceLog.read(deviceLog.get())) : Optional.empty();
    CheckReport report;
    try {
      report = interruption().run(() -> CheckReport.of(placed, alignment, limit, micro, device));
    } catch (IllegalArgumentException e) {
      // The alignment contradicts a record; the message names it.
      throw new InputRefusedException(String.valueOf(e.getMessage()));
    }
    return Outcome.of(CheckAnswer.of(report))
        .exiting(report.isPassed() ? ExitCode.DONE : ExitCode.NO_PLAN)
        .noting(input.file().notes())
        .noting(PlanNotes.rangesNote(input).stream().toList())
        .noting(PlanNotes.ignoredNote(input.problem()).stream().toList());
  }
}
