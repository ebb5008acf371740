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
import dev.stowage.cli.option.BankConverter;
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
import dev.stowage.plan.banks.MemoryBank;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
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
      "  Is a plan in two memories valid?",
      "    stowage check plan.csv --bank name=sram,bytes=64KiB --bank name=dram,cost=10",
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
      names = "--bank",
      paramLabel = "BANK",
      converter = BankConverter.class,
      description = {
        "A bank of the plan, such as name=sram,bytes=512KiB,alignment=16,cost=1;",
        "repeatable, as for plan. Checks capacities and alignments, and prints",
        "the cost (default: the banks of the file, of any size)."
      })
  private List<MemoryBank> banks = List.of();

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
        .run(
            files,
            (file, _) -> {
              PlacedInput read = interruption().run(() -> reader.readPlan(file));
              return isBanked(read.input()) ? checkBanks(read) : checkArena(read);
            });
  }

  private void checkOptions() {
    if (alignment < 1) {
      throw Usage.error(spec, "--alignment is %d, expected 1 or more bytes", alignment);
    }
    if (!banks.isEmpty()) {
      BankConverter.check(banks, spec);
      if (capacity.isPresent()) {
        throw Usage.error(
            spec, "--capacity is for one arena, expected the bytes of each --bank instead");
      }
    }
    if (deviceLog.isPresent() && !runtime.isMicro()) {
      throw Usage.error(spec, "--device-log needs --runtime tflm; add it, or omit --device-log");
    }
  }

  /**
   * {@return true if the offsets of a plan are offsets in banks}
   *
   * <p>Without {@code --bank}, {@code plan} ignores the banks that some records are tied to.
   */
  private boolean isBanked(PlanInput.Tensors input) {
    int bankCount = input.banks().ties().size();
    return !banks.isEmpty() || (bankCount > 0 && bankCount == input.labels().size());
  }

  private Outcome checkBanks(PlacedInput placed) throws InputRefusedException {
    if (capacity.isPresent()) {
      throw new InputRefusedException(
          "the plan is in banks, expected the capacity of each (--bank name=NAME,bytes=BYTES) instead of --capacity");
    }
    Outcome outcome = outcome(placed, () -> CheckReport.ofBanks(placed, alignment, banks));
    if (banks.isEmpty()) {
      outcome.noting(
          "the capacities, alignments and costs of the banks are not known; --bank name=NAME,bytes=BYTES adds a bank with them");
    }
    return outcome;
  }

  private Outcome checkArena(PlacedInput placed) throws IOException, InputRefusedException {
    PlanInput.Tensors input = placed.input();
    if (runtime.isMicro() && input.micro().isEmpty()) {
      throw new InputRefusedException(
          "is not a .tflite model, which --runtime tflm needs; omit --runtime");
    }
    OptionalLong limit = capacity.map(OptionalLong::of).orElseGet(OptionalLong::empty);
    Optional<MicroMemory> micro = runtime.isMicro() ? input.micro() : Optional.empty();
    Optional<DeviceLog> device =
        deviceLog.isPresent() ? Optional.of(DeviceLog.read(deviceLog.get())) : Optional.empty();
    return outcome(placed, () -> CheckReport.ofArena(placed, alignment, limit, micro, device));
  }

  private Outcome outcome(PlacedInput placed, Supplier<CheckReport> check)
      throws InputRefusedException {
    PlanInput.Tensors input = placed.input();
    CheckReport report;
    try {
      report = interruption().run(check::get);
    } catch (IllegalArgumentException e) {
      // A bank or the alignment contradicts a record; the message names it.
      throw new InputRefusedException(String.valueOf(e.getMessage()));
    }
    return Outcome.of(CheckAnswer.of(report))
        .exiting(report.isPassed() ? ExitCode.DONE : ExitCode.NO_PLAN)
        .noting(input.file().notes())
        .noting(PlanNotes.rangesNote(input).stream().toList())
        .noting(PlanNotes.ignoredNote(input.problem()).stream().toList());
  }
}
